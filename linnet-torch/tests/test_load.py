"""A model as a module of torch: members, calls, states, gradients, copies, and what is said when something does not fit."""

from __future__ import annotations

import copy
import io
import json
from typing import TYPE_CHECKING, Any

import pytest
import torch

import linnet_torch
from linnet_core.errors import DocumentError, LinnetError, RuntimeFailure, SourceError, UsageError
from linnet_core.loading.model import open_model

if TYPE_CHECKING:
    from pathlib import Path

SOURCE = """module m

use std.nn.cache::{write_at}
use std.nn.linear::{Linear}

block Layer<H: Dim, N: Dim, T: Float> where N > 0 {
    sub up: Linear<H, H, T>
    state rows: Tensor[1, 1, N, H; T]

    pub fn keep(x: Tensor[H; T], at: i32) -> Tensor[N, H; T] {
        rows = write_at(rows, reshape(up.forward(x), [1, 1, 1, H]), at)
        return reshape(rows, [N, H])
    }
}

block M<H: Dim, N: Dim, L: Dim, T: Float = f32> where H > 1, N > 0 {
    sub layers: [Layer<H, N, T>; L]
    sub head: Linear<H, H, T>
    buffer scale: T
    state total: Tensor[H; T]
    state seen: Tensor[H; T]

    pub entry forward<B: Dim>(x: Tensor[B, H; T]) -> Tensor[B, H; T] { return head.forward(x) * scale }

    pub entry keep(x: Tensor[H; T], at: i32) -> Tensor[N, H; T] {
        var y = fill<T>([N, H], 0.0)
        static for layer in layers { y = y + layer.keep(x, at) }
        return y
    }

    pub entry add(x: Tensor[H; T]) -> Tensor[H; T] {
        total = total + x
        return total
    }

    pub entry remember(x: Tensor[H; T]) -> Tensor[H; T] {
        let before = seen
        seen = x
        return before
    }

    pub entry peek() -> Tensor[1, 1, N, H; T] { return layers[0].rows }

    pub entry steps<K: Dim>(x: T) -> Tensor[K; T] { return fill<T>([K], x) }
}
"""
SIZES = {"H": 2, "N": 3, "L": 2}
WEIGHTS = {
    "layers.0.up.weight": torch.tensor([[1.0, 0.0], [0.0, 1.0]]),
    "layers.1.up.weight": torch.tensor([[0.0, 0.0], [1.0, 1.0]]),
    "head.weight": torch.tensor([[2.0, 0.0], [0.0, 3.0]]),
    "head.bias": torch.tensor([1.0, 0.0]),
    "scale": torch.tensor(2.0),
}


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("load") / "m.linnet"
    file.write_text(SOURCE)
    return file


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LINNET_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "source"


@pytest.fixture
def module(path: Path) -> Any:
    return linnet_torch.load(path, generics=SIZES, weights=WEIGHTS)


X = torch.tensor([1.0, 2.0])


def test_the_names_of_the_state_dict_are_the_paths(module: Any) -> None:
    held = module.state_dict()
    assert sorted(held) == sorted(WEIGHTS)
    assert all(torch.equal(held[name], WEIGHTS[name]) for name in WEIGHTS)
    assert [name for name, _ in module.named_buffers()] == ["scale", "total", "seen", "layers.0.rows", "layers.1.rows"]
    assert sorted(module.state_paths) == ["layers.0.rows", "layers.1.rows", "seen", "total"]
    assert module.layers[0].up.bias is None
    assert not any(each.requires_grad for each in module.parameters())


def test_the_weights_are_copied(module: Any) -> None:
    module.head.weight.data.zero_()
    assert WEIGHTS["head.weight"][0, 0] == 2


def test_entries_run_and_keep_states(module: Any) -> None:
    assert module(X[None]).tolist() == [[6.0, 12.0]]
    assert module(torch.stack([X, X])).shape == (2, 2)
    assert module.add(X).tolist() == [1.0, 2.0]
    assert module.add(x=X).tolist() == [2.0, 4.0]
    assert module.keep(X, 1).tolist() == [[0.0, 0.0], [1.0, 5.0], [0.0, 0.0]]
    assert module.keep(X, at=torch.tensor(0, dtype=torch.int32)).tolist() == [[1.0, 5.0], [1.0, 5.0], [0.0, 0.0]]
    assert module.layers[0].rows[0, 0].tolist() == [[1.0, 2.0], [1.0, 2.0], [0.0, 0.0]]
    assert module.run_entry("steps", [2.5], {"K": 2}).tolist() == [2.5, 2.5]
    module.reset_state()
    assert [float(each.abs().sum()) for name, each in module.named_buffers() if name != "scale"] == [0.0] * 4


def test_results_and_inputs_never_share_memory_with_a_state(module: Any) -> None:
    first = module.peek()
    module.keep(X, 0)
    assert first.abs().sum() == 0
    kept = module.peek()
    module.keep(X * 2, 0)
    assert kept[0, 0, 0].tolist() == [1.0, 2.0]
    total = module.add(X)
    total.add_(100)
    given = X.clone()
    module.remember(given)
    given.add_(100)
    assert module.remember(X).tolist() == [1.0, 2.0]
    assert module.total.tolist() == [1.0, 2.0]


def test_gradients_reach_what_is_trainable_through_calls_that_keep_states(module: Any) -> None:
    assert module.set_trainable("layers.*") == ("layers.0.up.weight", "layers.1.up.weight")
    first, second = module.keep(X, 0), module.keep(X, 1)
    (first.sum() + second.sum()).backward()
    assert module.layers[0].up.weight.grad.tolist() == [[2.0, 4.0], [2.0, 4.0]]
    assert module.head.weight.grad is None
    assert not any(each.requires_grad for each in module.buffers())
    assert module.set_trainable(False) == ()
    with pytest.raises(UsageError, match="no parameter that can be trained matches `q"):
        module.set_trainable(["head.*", "q*"])
    x = X[None].clone().requires_grad_()
    module(x).sum().backward()
    assert x.grad is not None
    assert x.grad.tolist() == [[4.0, 6.0]]


def test_states_of_inference_mode_can_be_written_after_it(module: Any) -> None:
    with torch.inference_mode():
        module.add(X)
        module.keep(X, 0)
    module.keep(X, 1)
    assert module.add(X).tolist() == [2.0, 4.0]


def saved(module: Any) -> Any:
    buffer = io.BytesIO()
    torch.save(module, buffer)
    buffer.seek(0)
    return torch.load(buffer, weights_only=False)


@pytest.mark.parametrize("again", [copy.deepcopy, saved])
def test_a_copy_is_a_module_of_its_own(module: Any, again: Any) -> None:
    module.add(X)
    other = again(module)
    assert other.add(X).tolist() == [2.0, 4.0]
    assert module.total.tolist() == [1.0, 2.0]
    other.head.weight.data.zero_()
    assert module(X[None]).tolist() == [[6.0, 12.0]]
    assert other(X[None]).tolist() == [[2.0, 0.0]]
    assert other.generated_source("forward", [X[None]]) == module.generated_source("forward", generics={"B": 1})


def test_a_tensor_bound_twice_is_one_parameter_and_stays_one(path: Path) -> None:
    weights = {name: each for name, each in WEIGHTS.items() if name != "layers.1.up.weight"}
    module = linnet_torch.load(path, generics=SIZES, weights=weights, bindings={"layers.1.up.weight": "head.weight"})
    for each in (module, copy.deepcopy(module).to("cpu"), saved(module)):
        assert each.layers[1].up.weight is each.head.weight
        assert len(list(each.parameters())) == 3
    assert "layers.1.up.weight" in module.state_dict()


def test_every_problem_of_the_weights_stands_in_one_report(path: Path) -> None:
    wrong = {**WEIGHTS, "head.weight": torch.zeros(3), "scale": torch.zeros((), dtype=torch.int32), "more": torch.zeros(1)}
    with pytest.raises(DocumentError) as caught:
        linnet_torch.load(path, generics=SIZES, weights=wrong, cast_dtype=True)
    assert str(caught.value).splitlines() == [
        "the mapping of weights does not fit the model:",
        "  `head.weight` (f32[2, 2]) is stored as f32[3]",
        "  `scale` (f32) is stored as i32",
        "  `more` is used by no parameter",
    ]


def test_floats_of_another_width_are_cast_where_that_is_asked_for(path: Path) -> None:
    narrow = {name: each.to(torch.bfloat16) for name, each in WEIGHTS.items()}
    with pytest.raises(DocumentError, match="is stored as bf16"):
        linnet_torch.load(path, generics=SIZES, weights=narrow)
    module = linnet_torch.load(path, generics=SIZES, weights=narrow, cast_dtype=True)
    assert module(X[None]).tolist() == [[6.0, 12.0]]
    half = linnet_torch.load(path, generics={**SIZES, "T": "bf16"}, weights=narrow)
    assert half(X[None].bfloat16()).dtype == torch.bfloat16


@pytest.mark.parametrize("change", ["half", "double", "bfloat16"])
def test_a_dtype_is_part_of_the_program(module: Any, change: str) -> None:
    with pytest.raises(UsageError, match="`M` computes in f32; load it with other generics"):
        getattr(module, change)()
    assert all(each.dtype == torch.float32 for each in module.parameters())
    assert module.to("cpu")(X[None]).tolist() == [[6.0, 12.0]]


def test_a_module_moves_to_another_device(module: Any) -> None:
    moved = copy.deepcopy(module).to("meta")
    assert moved(X[None].to("meta")).device.type == "meta"
    assert moved.add(X.to("meta")).shape == (2,)


def test_parameters_can_be_swapped_by_torch_func(module: Any) -> None:
    swapped = {"head.weight": torch.eye(2), "head.bias": torch.zeros(2)}
    assert torch.func.functional_call(module, swapped, (X[None],)).tolist() == [[2.0, 4.0]]
    assert module(X[None]).tolist() == [[6.0, 12.0]]


WRONG_CALLS = [
    pytest.param(lambda m: m(X), "entry `forward`, input `x`: [B, H] has 2 axes, 1 were given ([2])", id="rank"),
    pytest.param(lambda m: m(X[None].double()), "entry `forward`, input `x`: f32 is wanted, f64 was given", id="dtype"),
    pytest.param(lambda m: m(), "entry `forward` takes 1 inputs (x), 0 were given", id="arity"),
    pytest.param(lambda m: m(torch.zeros(1, 3)), "entry `forward`, input `x`: axis 1 has size 3, `H` is 2", id="size"),
    pytest.param(lambda m: m([[1.0, 2.0]]), "input `x`: a tensor or a number is due, not list", id="a list"),
    pytest.param(lambda m: m.keep(X, 1.5), "entry `keep`, input `at`: i32 is wanted, 1.5 was given", id="a float for an integer"),
    pytest.param(lambda m: m.keep(X, True), "input `at`: i32 is wanted, True was given", id="a bool for an integer"),
    pytest.param(lambda m: m.keep(X, to=1), "entry `keep` takes no further input `to`; there are: at", id="an unknown input"),
    pytest.param(lambda m: m.keep(at=1), "entry `keep`: no value for `x`", id="a missing input"),
    pytest.param(lambda m: m.steps(1.0), "entry `steps`: no input says what `K` is; give by name", id="a generic"),
    pytest.param(lambda m: m.run_entry("gone", []), "`m::M` has no entry `gone`; there are: forward, keep", id="an entry"),
]


@pytest.mark.parametrize(("call", "said"), WRONG_CALLS)
def test_what_is_said_of_a_call_that_does_not_fit(module: Any, call: Any, said: str) -> None:
    with pytest.raises(LinnetError) as caught:
        call(module)
    assert said in str(caught.value)


def test_a_program_that_is_wrong_is_reported_whole(tmp_path: Path) -> None:
    (tmp_path / "bad.linnet").write_text("module bad\n\npub entry run(x: f32) -> i32 { return x }\n")
    with pytest.raises(SourceError) as caught:
        linnet_torch.load(tmp_path / "bad.linnet")
    assert "bad.linnet:3:" in str(caught.value)
    assert "^" in str(caught.value)


def test_an_entry_of_the_module_itself_and_an_attribute_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "m.linnet").write_text("module m\n\npub entry twice<N: Dim>(x: Tensor[N; f32]) -> Tensor[N; f32] { return x + x }\n")
    module = linnet_torch.load(tmp_path / "m.linnet")
    assert module(X).tolist() == [2.0, 4.0]
    with pytest.raises(AttributeError, match="thrice"):
        module.thrice(X)


def test_members_with_the_names_of_methods_are_members(tmp_path: Path) -> None:
    source = "module m\n\nblock M {\n    param train: f32\n    state float: Tensor[1; f32]\n\n"
    (tmp_path / "m.linnet").write_text(
        source + "    pub entry eval(x: f32) -> f32 {\n        float = fill<f32>([1], x)\n        return x * train\n    }\n}\n"
    )
    module = linnet_torch.load(tmp_path / "m.linnet", weights={"train": torch.tensor(3.0)})
    assert list(module.state_dict()) == ["train"]
    assert float(module.run_entry("eval", [2.0])) == 6
    assert module.train() is module


def test_a_plan_is_loaded_and_its_hostile_names_are_text(path: Path, tmp_path: Path) -> None:
    from linnet_core.plan.write import plan_document

    document = plan_document(open_model(path, generics=SIZES).module)
    (tmp_path / "plan.json").write_text(json.dumps(document))
    module = linnet_torch.load(tmp_path / "plan.json", generics=SIZES, weights=WEIGHTS)
    assert module(X[None]).tolist() == [[6.0, 12.0]]
    hostile = "scale'];__import__('os').abort()#\n"
    text = json.dumps(document).replace('"scale"', json.dumps(hostile))
    with pytest.raises(DocumentError, match="is no name"):
        linnet_torch.load(json.loads(text), generics=SIZES, weights={**WEIGHTS, hostile: WEIGHTS["scale"]}, strict=False)


def test_source_is_printed_once_and_found_again(path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = linnet_torch.load(path, generics=SIZES, weights=WEIGHTS)
    module(X[None])
    module(X[None] + 1)
    assert len(list(cache.iterdir())) == 1
    monkeypatch.setattr("linnet_core.loading.source.export", lambda *_: pytest.fail("printed again"))
    assert linnet_torch.load(path, generics=SIZES, weights=WEIGHTS)(X[None]).tolist() == [[6.0, 12.0]]
    with pytest.raises(pytest.fail.Exception, match="printed again"):
        module(torch.zeros(5, 2))


def test_torch_compile_is_given_the_printed_function(path: Path) -> None:
    module = linnet_torch.load(path, generics=SIZES, weights=WEIGHTS, compile="eager")
    with torch.no_grad():
        assert module(X[None]).tolist() == [[6.0, 12.0]]
        module.keep(X, 0)
        assert module.keep(X, 2).tolist() == [[1.0, 5.0], [0.0, 0.0], [1.0, 5.0]]


def test_without_weights_parameters_are_zeros_and_optionals_are_not_there(path: Path) -> None:
    module = linnet_torch.load(path, generics=SIZES, trainable=True)
    assert [name for name, _ in module.named_parameters()] == ["layers.0.up.weight", "layers.1.up.weight", "head.weight"]
    assert all(each.requires_grad and not each.any() for each in module.parameters())
    assert "(bias?): f32[2] (absent)" in repr(module)
    assert "(total): state f32[2]" in repr(module)
    module.load_state_dict({**module.state_dict(), "head.weight": WEIGHTS["head.weight"]})
    assert module.head.weight[0, 0] == 2


def test_a_wrong_option_is_said(path: Path) -> None:
    with pytest.raises(UsageError, match="has no generic `Q`"):
        linnet_torch.load(path, generics={**SIZES, "Q": 1})
    with pytest.raises(RuntimeFailure, match="has no generic `H` of its own"):
        linnet_torch.load(path, generics=SIZES).run_entry("forward", [X[None]], {"H": 2})
