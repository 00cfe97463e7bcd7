"""A model as a module of torch: members, calls, states, gradients, copies, and what is said when something does not fit."""

from __future__ import annotations

import copy
import io
import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import torch

import linnet_torch
from linnet_core.conformance import loading
from linnet_core.errors import DocumentError, RuntimeFailure, SourceError, UsageError
from linnet_core.loading.model import open_model
from linnet_torch.runner import to_torch

if TYPE_CHECKING:
    from pathlib import Path

WEIGHTS = {name: to_torch(torch, each) for name, each in loading.WEIGHTS.items()}
X = torch.from_numpy(loading.X)


def given(value: Any) -> Any:
    """A value of the shared cases as torch has it."""
    return to_torch(torch, value) if isinstance(value, np.ndarray) else value


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("load") / "m.linnet"
    file.write_text(loading.SOURCE)
    return file


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LINNET_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "source"


@pytest.fixture
def module(path: Path) -> Any:
    return linnet_torch.load(path, generics=loading.SIZES, weights=WEIGHTS)


def loaded(path: Path, options: dict[str, Any]) -> Any:
    options = {"generics": loading.SIZES, "weights": loading.WEIGHTS, **options}
    return linnet_torch.load(path, **{**options, "weights": {name: given(each) for name, each in options["weights"].items()}})


def called(module: Any, case: loading.Answer | loading.Refusal, **further: Any) -> Any:
    entry = module if case.entry is None else getattr(module, case.entry)
    return entry(*map(given, case.inputs), **{name: given(each) for name, each in case.named.items()}, **further)


@pytest.mark.parametrize("case", loading.cases(loading.ANSWERS))
def test_a_call_answers(path: Path, case: loading.Answer) -> None:
    assert called(loaded(path, case.options), case, **({"generics": case.generics} if case.generics else {})).tolist() == case.result


@pytest.mark.parametrize("case", loading.cases(loading.REFUSALS))
def test_what_is_said_of_a_call_that_does_not_fit(module: Any, case: loading.Refusal) -> None:
    with pytest.raises(RuntimeFailure) as caught:
        called(module, case)
    assert case.said in str(caught.value)


def test_a_module_is_no_weights(path: Path) -> None:
    with pytest.raises(UsageError, match=r"a file, a directory or tensors by name are due, not Linear; give its `state_dict\(\)`$"):
        linnet_torch.load(path, generics=loading.SIZES, weights=torch.nn.Linear(1, 1))  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("case", loading.cases(loading.REFUSED_LOADS))
def test_what_is_said_of_a_load_that_does_not_fit(path: Path, case: loading.RefusedLoad) -> None:
    with pytest.raises(case.error) as caught:
        loaded(path, case.options)
    said = str(caught.value)
    assert case.said in said if isinstance(case.said, str) else said.splitlines() == case.said


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
    assert module.add(X).tolist() == [1.0, 2.0]
    assert module.add(x=X).tolist() == [2.0, 4.0]
    assert module.keep(X, 1).tolist() == [[0.0, 0.0], [1.0, 5.0], [0.0, 0.0]]
    assert module.keep(X, at=torch.tensor(0, dtype=torch.int32)).tolist() == [[1.0, 5.0], [1.0, 5.0], [0.0, 0.0]]
    assert module.layers[0].rows[0, 0].tolist() == [[1.0, 2.0], [1.0, 2.0], [0.0, 0.0]]
    assert module.run_entry("steps", [2.5], {"K": 2}).tolist() == [2.5, 2.5]
    with pytest.raises(UsageError, match="`m::M` has no entry `gone`; there are: forward, keep"):
        module.run_entry("gone", [])
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
    module = linnet_torch.load(path, generics=loading.SIZES, weights=weights, bindings={"layers.1.up.weight": "head.weight"})
    for each in (module, copy.deepcopy(module).to("cpu"), copy.deepcopy(module).to("meta"), saved(module)):
        assert each.layers[1].up.weight is each.head.weight
        assert len(list(each.parameters())) == 3
    assert "layers.1.up.weight" in module.state_dict()


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


def test_an_input_on_another_device_is_refused_and_no_state_follows_it(module: Any) -> None:
    module.keep(X, 0)
    with pytest.raises(RuntimeFailure, match="entry `keep`, input `x` is on meta, and the module on cpu"):
        module.keep(X.to("meta"), 0)
    assert all(each.device.type == "cpu" for each in module.buffers())


@pytest.mark.parametrize(
    ("tensor", "said"),
    [
        pytest.param(torch.zeros((), device="meta"), "`scale` is on the device `meta`, without elements", id="without elements"),
        pytest.param(torch.ones(2, 2).to_sparse(), "`scale` is laid out as torch.sparse_coo; give it dense", id="sparse"),
    ],
)
def test_tensors_that_cannot_be_copied_are_no_weights(path: Path, tensor: torch.Tensor, said: str) -> None:
    with pytest.raises(UsageError, match=f"weights: {said}"):
        linnet_torch.load(path, generics=loading.SIZES, weights={**WEIGHTS, "scale": tensor})


def test_bindings_without_weights_are_refused(path: Path) -> None:
    with pytest.raises(UsageError, match="no weights are given"):
        linnet_torch.load(path, generics=loading.SIZES, bindings={"scale": "s"})


def test_parameters_can_be_swapped_by_torch_func(module: Any) -> None:
    swapped = {"head.weight": torch.eye(2), "head.bias": torch.zeros(2)}
    assert torch.func.functional_call(module, swapped, (X[None],)).tolist() == [[2.0, 4.0]]
    assert module(X[None]).tolist() == [[6.0, 12.0]]


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

    document = plan_document(open_model(path, generics=loading.SIZES).module)
    (tmp_path / "plan.json").write_text(json.dumps(document))
    module = linnet_torch.load(tmp_path / "plan.json", generics=loading.SIZES, weights=WEIGHTS)
    assert module(X[None]).tolist() == [[6.0, 12.0]]
    hostile = "scale'];__import__('os').abort()#\n"
    text = json.dumps(document).replace('"scale"', json.dumps(hostile))
    with pytest.raises(DocumentError, match="is no name"):
        linnet_torch.load(json.loads(text), generics=loading.SIZES, weights={**WEIGHTS, hostile: WEIGHTS["scale"]}, strict=False)


def test_source_is_printed_once_and_found_again(path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = linnet_torch.load(path, generics=loading.SIZES, weights=WEIGHTS)
    module(X[None])
    module(X[None] + 1)
    assert len(list(cache.iterdir())) == 1
    monkeypatch.setattr("linnet_core.loading.source.export", lambda *_: pytest.fail("printed again"))
    assert linnet_torch.load(path, generics=loading.SIZES, weights=WEIGHTS)(X[None]).tolist() == [[6.0, 12.0]]
    with pytest.raises(pytest.fail.Exception, match="printed again"):
        module(torch.zeros(5, 2))


def test_torch_compile_is_given_the_printed_function(path: Path) -> None:
    module = linnet_torch.load(path, generics=loading.SIZES, weights=WEIGHTS, compile="eager")
    with torch.no_grad():
        assert module(X[None]).tolist() == [[6.0, 12.0]]
        module.keep(X, 0)
        assert module.keep(X, 2).tolist() == [[1.0, 5.0], [0.0, 0.0], [1.0, 5.0]]


def test_a_function_may_be_the_backend(path: Path) -> None:
    graphs: list[object] = []

    def keeping(graph: torch.fx.GraphModule, inputs: object) -> object:
        graphs.append(graph)
        return graph.forward

    module = linnet_torch.load(path, generics=loading.SIZES, weights=WEIGHTS, compile=keeping)
    with torch.no_grad():
        assert module(X[None]).tolist() == [[6.0, 12.0]]
    assert graphs


@pytest.mark.parametrize(
    ("compile", "said"),
    [
        pytest.param("inductr", "torch has no backend `inductr`; did you mean `inductor`?", id="nearly one"),
        pytest.param("nope", "torch has no backend `nope`; it lists `cudagraphs`, `inductor`, ", id="none"),
        pytest.param("", "torch has no backend ``; it lists ", id="no name"),
        pytest.param("n\n" * 9, "torch has no backend `n", id="a hostile one"),
        pytest.param(3, "the name of a backend of torch.compile or True is due, not int", id="a number"),
    ],
)
def test_a_backend_that_torch_has_not_is_refused_before_anything_is_read(path: Path, compile: Any, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        linnet_torch.load(path, generics=loading.SIZES, weights="nowhere.safetensors", compile=compile)
    assert str(caught.value).startswith(f"compile: {said}")
    assert "\n" not in str(caught.value)


def test_without_weights_parameters_are_zeros_and_optionals_are_not_there(path: Path) -> None:
    module = linnet_torch.load(path, generics=loading.SIZES, trainable=True)
    assert [name for name, _ in module.named_parameters()] == ["layers.0.up.weight", "layers.1.up.weight", "head.weight"]
    assert all(each.requires_grad and not each.any() for each in module.parameters())
    assert "(bias?): f32[2] (absent)" in repr(module)
    assert "(total): state f32[2]" in repr(module)
    module.load_state_dict({**module.state_dict(), "head.weight": WEIGHTS["head.weight"]})
    assert module.head.weight[0, 0] == 2


def test_a_generic_of_the_model_is_no_generic_of_an_entry(path: Path) -> None:
    with pytest.raises(RuntimeFailure, match="has no generic `H` of its own"):
        linnet_torch.load(path, generics=loading.SIZES).run_entry("forward", [X[None]], {"H": 2})
