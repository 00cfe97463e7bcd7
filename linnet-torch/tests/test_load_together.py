"""A loaded module among what torch does with modules: devices, state dicts, parametrizations, threads, traces; and inputs left out."""

from __future__ import annotations

import copy
import shutil
import sys
import threading
from typing import TYPE_CHECKING, Any

import pytest
import torch
from torch.nn.utils import parametrize

import linnet_torch
from linnet_core.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

#: torch warns of parts of its own that its tracers import.
TORCHS_OWN = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
SOURCE = """module m

block I {
    param w: Tensor[2; f32]
    param c: Tensor[2; f32]?
    state s: Tensor[2; f32]
    pub fn go(x: Tensor[2; f32]) -> Tensor[2; f32] {
        s = s + x
        return x * w
    }
}

block M {
    param v: Tensor[2; f32]
    sub layers: [I; 2]
    sub more: I?
    pub entry forward<B: Dim>(x: Tensor[B, 2; f32]) -> Tensor[B, 2; f32] { return x * exp(v) }
    pub entry run(x: Tensor[2; f32], by: f32 = 2.0) -> Tensor[2; f32] {
        var y = x * v
        static for layer in layers { y = layer.go(y) }
        return y * by
    }
    pub entry last(x: Tensor[2; f32]) -> Tensor[2; f32] { return layers[1].go(layers[0].go(x)) }
    pub entry scaled<T: Float>(x: Tensor[2; T], by: T, n: i32 = 4) -> Tensor[2; T] { return x * by + cast<T>(n) }
}
"""
WEIGHTS = {"v": torch.ones(2), "layers.0.w": torch.full((2,), 2.0), "layers.1.w": torch.full((2,), 3.0)}
X = torch.ones(2)


@pytest.fixture(autouse=True)
def _nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINNET_CACHE", "")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "m.linnet").write_text(SOURCE)
    return tmp_path / "m.linnet"


@pytest.fixture
def module(path: Path) -> Any:
    return linnet_torch.load(path, weights=WEIGHTS)


def places(module: Any) -> dict[str, str]:
    return {name: each.device.type for name, each in [*module.named_parameters(), *module.named_buffers()]}


def test_a_block_that_moves_has_calls_made_again(module: Any) -> None:
    module.last(X)
    module.to("meta")
    module.layers[0].to_empty(device="cpu")
    module.layers[1].to_empty(device="cpu")
    assert module.last(X).device.type == "cpu"
    with pytest.raises(UsageError, match="`I` computes in f32"):
        module.layers[0].double()


def test_blocks_stand_on_the_devices_they_are_placed_on(path: Path) -> None:
    module = linnet_torch.load(path, weights=WEIGHTS, place={"layers.1": "meta"})
    assert places(module) == {"v": "cpu", "layers.0.w": "cpu", "layers.0.s": "cpu", "layers.1.w": "meta", "layers.1.s": "meta"}
    assert module.last(X).device.type == "meta"
    assert module(X[None]).tolist() == (X[None] * X.exp()).tolist()
    with pytest.raises(UsageError, match="placed on several devices"):
        module.to("meta")


def test_parameters_that_are_offloaded_stay_on_the_host(path: Path) -> None:
    module = linnet_torch.load(path, weights=WEIGHTS, device="meta", offload=["layers"])
    assert places(module) == {"v": "meta", "layers.0.w": "cpu", "layers.0.s": "meta", "layers.1.w": "cpu", "layers.1.s": "meta"}
    assert module.last(X.to("meta")).device.type == "meta"
    assert linnet_torch.load(path, weights=WEIGHTS, offload="layers").run(X).tolist() == [12.0, 12.0]


WRONG_PLACES = [
    pytest.param({"place": {"layer.1": "cpu"}}, "`layer.1` is no block of `m::M`; did you mean `layers.1`", id="no block"),
    pytest.param({"offload": "v"}, "`v` is no block", id="a parameter"),
    pytest.param({"place": {"layers.1": "nowhere"}}, "no device `nowhere` here", id="no device"),
    pytest.param({"device": "nowhere"}, "no device `nowhere` here", id="no device at all"),
]


@pytest.mark.parametrize(("given", "said"), WRONG_PLACES)
def test_a_placement_that_cannot_be_is_said(path: Path, given: Any, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        linnet_torch.load(path, weights=WEIGHTS, **given)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("given", "assign", "said"),
    [
        pytest.param(torch.ones(2).double(), True, "dtype mismatch for v: f32 is wanted, the state_dict has f64", id="assigned"),
        pytest.param(torch.ones(2).int(), False, "dtype mismatch for v: f32 is wanted, the state_dict has i32", id="an integer"),
        pytest.param(torch.ones(3), True, "size mismatch for v", id="a shape"),
    ],
)
def test_a_state_dict_of_other_types_is_refused(module: Any, given: torch.Tensor, assign: bool, said: str) -> None:
    with pytest.raises(RuntimeError, match=said):
        module.load_state_dict({**WEIGHTS, "v": given}, assign=assign)
    assert module.v.dtype == torch.float32
    assert module.v.tolist() == [1.0, 1.0]


def test_a_state_dict_of_wider_floats_is_copied(module: Any) -> None:
    module.load_state_dict({**WEIGHTS, "v": torch.zeros(2).double()})
    assert module.run(X).tolist() == [0.0, 0.0]


class Twice(torch.nn.Module):
    def forward(self, weight: torch.Tensor) -> torch.Tensor:
        return weight * 2


def test_parametrizations_and_hooks_work(module: Any) -> None:
    module.run(X)
    parametrize.register_parametrization(module, "v", Twice())
    assert module.run(X).tolist() == [24.0, 24.0]
    seen: list[Any] = []
    module.register_forward_hook(lambda *each: seen.append(each[2]))
    assert module(X[None]) is seen[0]


def test_a_shallow_copy_shares_the_tensors(module: Any) -> None:
    other = copy.copy(module)
    with torch.no_grad():
        module.v.zero_()
    assert other.run(X).tolist() == [0.0, 0.0]


def test_threads_call_at_once(module: Any) -> None:
    found: dict[int, Any] = {}
    start = threading.Barrier(4)

    def call(at: int) -> None:
        start.wait()
        found[at] = module.scaled(X * at, 2.0).tolist()

    threads = [threading.Thread(target=call, args=(at,)) for at in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert found == {at: [2.0 * at + 4] * 2 for at in range(4)}


@TORCHS_OWN
@pytest.mark.parametrize(("prepare", "modes"), [(False, (False, True)), (True, (False,))], ids=["as it is", "prepared"])
def test_traces_of_torch_go_through(path: Path, prepare: bool, modes: tuple[bool, ...]) -> None:
    module = linnet_torch.load(path, weights=WEIGHTS, prepare=prepare)
    wanted = X[None] * X.exp()
    module(X[None])  # the tracer cannot look into the printing of source
    for strict in modes:
        torch.testing.assert_close(torch.export.export(module, (X[None],), strict=strict).module()(X[None]), wanted)
    torch.testing.assert_close(torch.compile(module, backend="eager")(X[None]), wanted)


@TORCHS_OWN
@pytest.mark.skipif(shutil.which("g++") is None, reason="inductor needs a C++ compiler")
def test_inductor_compiles_an_entry(path: Path) -> None:
    module = linnet_torch.load(path, weights=WEIGHTS, compile=True, prepare=True)
    with torch.no_grad():
        torch.testing.assert_close(module(X[None]), X[None] * X.exp())


def test_what_is_not_taken_is_named_in_a_warning(path: Path) -> None:
    held = {**WEIGHTS, "extra\n": X, "more.c": X}
    with pytest.warns(UserWarning, match="holds more than the model takes") as caught:
        linnet_torch.load(path, weights=held, strict=False)
    assert str(caught[0].message).splitlines() == [
        "the mapping of weights holds more than the model takes:",
        "  `extra\\n` is used by no parameter",
        "  `more.c` is used by no parameter: `more` is left out because `more.w` is missing",
    ]


def test_a_bar_is_shown_on_a_terminal_only(path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("linnet_core.loading.progress.LARGE", 1)
    told: list[Any] = []
    linnet_torch.load(path, weights=WEIGHTS, progress=lambda *each: told.append(each))
    assert told == [(8, 24, "v"), (16, 24, "layers.0.w"), (24, 24, "layers.1.w")]
    linnet_torch.load(path, weights=WEIGHTS)
    assert capsys.readouterr() == ("", "")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    linnet_torch.load(path, weights=WEIGHTS, progress=False)
    assert capsys.readouterr() == ("", "")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    linnet_torch.load(path, weights=WEIGHTS)
    out, err = capsys.readouterr()
    assert (out, "weights" in err) == ("", True)
