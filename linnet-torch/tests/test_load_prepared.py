"""A loaded module that prepares its weights once: values shared, made again when weights change, released where that is asked for."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import pytest
import torch

import linnet_torch
from linnet_core.errors import RuntimeFailure, UsageError

if TYPE_CHECKING:
    from pathlib import Path

SOURCE = """module m

block M {
    param w: Tensor[2; f32]
    param v: Tensor[2; f32]
    state total: Tensor[2; f32]

    pub entry forward<B: Dim>(x: Tensor[B, 2; f32]) -> Tensor[B, 2; f32] { return x * exp(w) }
    pub entry same<B: Dim>(x: Tensor[B, 2; f32]) -> Tensor[B, 2; f32] { return exp(w) * x + v }
    pub entry weights() -> Tensor[2; f32] { return exp(w) }
    pub entry raw() -> Tensor[2; f32] { return w }
}
"""
X = torch.tensor([[1.0, 2.0]])
W = torch.tensor([0.5, -1.0])


@pytest.fixture(autouse=True)
def _nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINNET_CACHE", "")


@pytest.fixture
def module(tmp_path: Path) -> Any:
    (tmp_path / "m.linnet").write_text(SOURCE)
    return linnet_torch.load(tmp_path / "m.linnet", weights={"w": W, "v": torch.ones(2)}, prepare=True)


def prepared(module: Any, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The keys of what is prepared from here on."""
    from linnet_core.loading.generated import GeneratedModule

    made: list[str] = []
    prepare = GeneratedModule.prepare

    def counted(self: GeneratedModule, *given: Any) -> Any:
        made.extend(self.prepared)
        return prepare(self, *given)

    monkeypatch.setattr(GeneratedModule, "prepare", counted)
    return made


def test_a_value_is_prepared_once_for_all_entries_and_sizes(module: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    made = prepared(module, monkeypatch)
    with torch.no_grad():
        for _ in range(2):
            torch.testing.assert_close(module(X), X * W.exp())
        torch.testing.assert_close(module(torch.cat([X, X]))[1:], X * W.exp())
        torch.testing.assert_close(module.same(X), X * W.exp() + 1)
    assert len(made) == 1
    assert "PREPARED" in module.generated_source("forward", [X])


def by_load_state_dict(module: Any) -> None:
    module.load_state_dict({"w": torch.zeros(2), "v": torch.ones(2)})


def by_assigning(module: Any) -> None:
    module.load_state_dict({"w": torch.zeros(2), "v": torch.ones(2)}, assign=True)


def by_writing(module: Any) -> None:
    with torch.no_grad():
        module.w.zero_()


def by_new_data(module: Any) -> None:
    module.w.data = torch.zeros(2)


def by_a_new_parameter(module: Any) -> None:
    module.w = torch.nn.Parameter(torch.zeros(2), requires_grad=False)


def by_a_write_that_is_not_seen(module: Any) -> None:
    module.w.data.zero_()
    module.refresh()


@pytest.mark.parametrize(
    "change", [by_load_state_dict, by_assigning, by_writing, by_new_data, by_a_new_parameter, by_a_write_that_is_not_seen]
)
def test_weights_that_change_are_prepared_again(module: Any, change: Any) -> None:
    module(X)
    module.same(X)
    change(module)
    assert module(X).tolist() == [[1.0, 2.0]]
    assert module.same(X).tolist() == [[2.0, 3.0]]


def test_trainable_weights_are_not_prepared(module: Any) -> None:
    module(X)
    module.set_trainable("w")
    module(X).sum().backward()
    torch.testing.assert_close(module.w.grad, X[0] * W.exp())
    with torch.no_grad():
        module.w -= W
        assert module(X).tolist() == [[1.0, 2.0]]


def test_functional_parameters_are_not_prepared(module: Any) -> None:
    def loss(weights: Any) -> torch.Tensor:
        return torch.func.functional_call(module, weights, (X,)).sum()

    torch.testing.assert_close(torch.func.grad(loss)({"w": W})["w"], X[0] * W.exp())
    many = torch.vmap(loss)({"w": torch.stack([W, torch.zeros(2)])})
    torch.testing.assert_close(many, torch.stack([(X * W.exp()).sum(), X.sum()]))
    torch.testing.assert_close(module(X), X * W.exp())


def test_a_result_is_no_prepared_value_a_caller_could_write(module: Any) -> None:
    module.weights().zero_()
    torch.testing.assert_close(module.weights(), W.exp())


def test_a_copy_prepares_for_itself(module: Any) -> None:
    module(X)
    other = copy.deepcopy(module)
    by_writing(other)
    assert other(X).tolist() == [[1.0, 2.0]]
    torch.testing.assert_close(module(X), X * W.exp())
    assert module.to("meta")(X.to("meta")).shape == (1, 2)


def test_weights_are_released_only_when_that_is_asked_for(module: Any) -> None:
    module(X)
    assert module.w.device.type == "cpu"
    assert module.release_prepared() == ("w",)
    assert list(module.state_dict()) == ["w", "v"]
    assert module.w.device.type == "meta"
    torch.testing.assert_close(module(X), X * W.exp())
    torch.testing.assert_close(module.same(torch.cat([X, X]))[:1], X * W.exp() + 1)
    assert module.release_prepared() == ("w",)
    with pytest.raises(RuntimeFailure, match="`w` is needed and was released after preparing"):
        module.raw()
    with pytest.raises(UsageError, match="were released after preparing"):
        module.to("cpu")
    module.load_state_dict({"w": torch.zeros(2), "v": torch.ones(2)})
    assert module.w.device.type == "cpu"
    assert module(X).tolist() == [[1.0, 2.0]]
    assert module.raw().tolist() == [0.0, 0.0]


def test_what_another_entry_reads_is_not_released(module: Any) -> None:
    module(X)
    module.raw()
    assert module.release_prepared() == ()


def test_preparing_goes_with_one_device(tmp_path: Path) -> None:
    (tmp_path / "m.linnet").write_text(
        "module m\n\nblock I {\n    param w: f32\n}\nblock M {\n    sub i: I\n    pub entry run() -> f32 { return i.w }\n}\n"
    )
    with pytest.raises(UsageError, match="`prepare` goes with one device"):
        linnet_torch.load(tmp_path / "m.linnet", root="M", prepare=True, place={"i": "meta"})


def test_a_loaded_module_packs_nothing_so_that_inputs_may_be_transformed(tmp_path: Path) -> None:
    (tmp_path / "p.linnet").write_text(
        "module p\n\nuse std.nn.linear::{linear}\n\nblock P {\n    param v: Tensor[512, 512; f32]\n    param w: Tensor[512, 512; f32]\n"
        "    pub entry forward(x: Tensor[8, 512; f32]) -> Tensor[8, 512; f32] { return linear(x, v, none) + linear(x, w, none) }\n}\n"
    )
    weight = torch.randn(512, 512, generator=torch.Generator().manual_seed(1)) / 22
    module = linnet_torch.load(tmp_path / "p.linnet", weights={"v": weight, "w": weight}, prepare=True)
    given = torch.linspace(-1, 1, 2 * 8 * 512).reshape(2, 8, 512)
    wanted = 2 * given @ weight.t()
    with torch.no_grad():
        torch.testing.assert_close(module(given[0]), wanted[0], rtol=1e-4, atol=1e-4)
        torch.testing.assert_close(torch.vmap(module)(given), wanted, rtol=1e-4, atol=1e-4)


def test_a_state_that_becomes_a_prepared_value_is_written_apart_from_it(tmp_path: Path) -> None:
    cache = "Tensor[1, 1, 3, 2; f32]"
    (tmp_path / "s.linnet").write_text(
        f"module s\n\nuse std.nn.cache::{{write_at}}\n\nblock S {{\n    param w: {cache}\n    state s: {cache}\n"
        "    pub entry reset() -> f32 {\n        s = exp(w)\n        return 1.0\n    }\n"
        f"    pub entry put(x: Tensor[1, 1, 1, 2; f32], n: i32) -> {cache} {{\n        s = write_at(s, x, n)\n        return s\n    }}\n"
        f"    pub entry read() -> {cache} {{ return exp(w) }}\n}}\n"
    )
    module = linnet_torch.load(tmp_path / "s.linnet", weights={"w": torch.zeros(1, 1, 3, 2)}, prepare=True)
    nine = torch.full((1, 1, 1, 2), 9.0)
    with torch.no_grad():
        for at in range(3):
            module.reset()
            assert module.put(nine, at).flatten().tolist() == [9.0 if i // 2 == at else 1.0 for i in range(6)]
            assert module.read().flatten().tolist() == [1.0] * 6
