"""Every entry of the examples at `tiny`: the targets agree with one another, with PyTorch written by hand, and decoding with `forward`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import torch
from agreement import differences
from gpt2_module import Gpt2
from llama_module import Llama
from running import program
from tiny import ENTRIES, EXAMPLES, GPT2_SIZES, LLAMA_INPUTS, LLAMA_SIZES, inputs_of, named, values

if TYPE_CHECKING:
    from running import Program

    Arrays = dict[str, np.ndarray]

F32 = 1e-5
BF16 = 2e-2
POLICIES = ["exact", "equivalent", "fast"]
CASES = [pytest.param(package, entry, inputs, id=f"{package}-{entry}") for package, entry, inputs in ENTRIES]
#: In short floats another token or expert may be chosen, and as many layers as those of unet and moe differ from `f32` by more than the
#: tolerance; test_short_floats.py holds them to that difference.
SHORT = [
    case
    for case in CASES
    if not str(case.id).endswith(("generate", "generate_until", "sample")) and not str(case.id).startswith(("unet", "moe"))
]


def tiny(target: str, package: str, entry: str, **options: Any) -> Program:
    """An entry of an example at `tiny`."""
    return program(target, str(EXAMPLES / package), options.pop("bindings", None), preset="tiny", **named(entry), **options)


def run(one: Program, inputs: Arrays) -> tuple[list[np.ndarray], Arrays]:
    """With the weights and caches of `tiny.py`."""
    return one.run(inputs_of(one, inputs), values(one.parameters), values(one.states))


def assert_agree(given: tuple[list[np.ndarray], Arrays], wanted: tuple[list[np.ndarray], Arrays], tolerance: float) -> None:
    """Results and states alike."""
    assert len(given[0]) == len(wanted[0])
    assert list(given[1]) == list(wanted[1])
    for a, b in zip(given[0] + list(given[1].values()), wanted[0] + list(wanted[1].values()), strict=True):
        assert differences(np.asarray(a), np.asarray(b), tolerance) is None


ANSWER = ([np.ones(2, np.float32)], {"cache": np.zeros(2, np.float32)})


@pytest.mark.parametrize(
    ("results", "states"),
    [
        pytest.param([], ANSWER[1], id="no result"),
        pytest.param([np.ones(2, np.float32) * 1.1], ANSWER[1], id="another result"),
        pytest.param(ANSWER[0], {}, id="no state"),
        pytest.param(ANSWER[0], {"caches": ANSWER[1]["cache"]}, id="a state of another path"),
        pytest.param(ANSWER[0], {"cache": np.ones(2, np.float32)}, id="another state"),
    ],
)
def test_a_wrong_answer_is_seen(results: list[np.ndarray], states: Arrays) -> None:
    assert_agree(ANSWER, ANSWER, F32)
    with pytest.raises(AssertionError):
        assert_agree((results, states), ANSWER, F32)


@pytest.mark.parametrize("numerics", POLICIES)
@pytest.mark.parametrize(("package", "entry", "inputs"), CASES)
def test_torch_agrees_with_numpy(package: str, entry: str, inputs: Arrays, numerics: str) -> None:
    wanted = run(tiny("numpy", package, entry), inputs)
    assert_agree(run(tiny("torch", package, entry, numerics=numerics), inputs), wanted, F32)


@pytest.mark.parametrize("target", ["numpy", "torch"])
@pytest.mark.parametrize(("package", "entry", "inputs"), CASES)
def test_library_calls_agree_with_bodies(package: str, entry: str, inputs: Arrays, target: str) -> None:
    wanted = run(tiny("numpy", package, entry, no_library=True, no_optimize=True), inputs)
    assert_agree(run(tiny(target, package, entry), inputs), wanted, F32)


@pytest.mark.parametrize("numerics", POLICIES)
@pytest.mark.parametrize(("package", "entry", "inputs"), SHORT)
def test_torch_agrees_with_numpy_in_bf16(package: str, entry: str, inputs: Arrays, numerics: str) -> None:
    bf16 = {"T": "bf16"}
    wanted = run(tiny("numpy", package, entry, bindings=bf16), inputs)
    assert_agree(run(tiny("torch", package, entry, bindings=bf16, numerics=numerics), inputs), wanted, BF16)


SIZES = [
    pytest.param({"Heads": 1, "KvHeads": 1, "H": 8}, id="one head"),
    pytest.param({"Heads": 6, "KvHeads": 2, "H": 48}, id="three query heads a key head"),
    pytest.param({"Heads": 4, "KvHeads": 4}, id="as many key heads"),
    pytest.param({"Heads": 8, "KvHeads": 1}, id="one key head"),
    pytest.param({"Layers": 0}, id="no layer"),
    pytest.param({"Layers": 1, "Batch": 1}, id="one of everything"),
    pytest.param({"Batch": 3, "Heads": 3, "KvHeads": 3, "H": 18, "Vocab": 7, "Inner": 5}, id="odd sizes"),
]


@pytest.mark.parametrize("sizes", SIZES)
def test_decoding_agrees_at_other_sizes(sizes: dict[str, int]) -> None:
    batch, vocab = sizes.get("Batch", 2), sizes.get("Vocab", 256)
    inputs = {"token": np.arange(batch, dtype=np.int32)[:, None] % vocab, "pos": np.asarray(31, np.int32)}
    wanted = run(tiny("numpy", "llama", "decode", bindings=sizes, no_library=True), inputs)
    for target in ("numpy", "torch"):
        assert_agree(run(tiny(target, "llama", "decode", bindings=sizes), inputs), wanted, F32)


@pytest.mark.parametrize(("package", "entry", "inputs"), CASES[:1])
def test_biases_count_when_they_are_present(package: str, entry: str, inputs: Arrays) -> None:
    absent, present = (tiny("numpy", package, entry, optionals=optionals) for optionals in ("absent", "present"))
    extra = {leaf.path for leaf in present.parameters} - {leaf.path for leaf in absent.parameters}
    assert {path.rpartition(".")[2] for path in extra} == {"bias"}
    wanted = run(present, inputs)
    assert differences(run(absent, inputs)[0][0], wanted[0][0], F32) is not None
    assert_agree(run(tiny("torch", package, entry, optionals="present"), inputs), wanted, F32)


@pytest.mark.parametrize(
    ("entry", "sizes", "shapes"),
    [
        pytest.param("forward", {"S": 0}, [(2, 0, 256)], id="no position"),
        pytest.param("forward", {"B": 0}, [(0, 8, 256)], id="no sequence"),
        pytest.param("generate", {"Steps": 0}, [(2, 0)], id="no step"),
        pytest.param("generate_until", {"MaxNew": 0}, [(2, 0), ()], id="no new token"),
    ],
)
@pytest.mark.parametrize("target", ["numpy", "torch"])
def test_nothing_gives_nothing(entry: str, sizes: dict[str, int], shapes: list[tuple[int, ...]], target: str) -> None:
    one = tiny(target, "llama", entry, bindings=sizes)
    inputs = {leaf.name: np.zeros(leaf.shape, np.int32) for leaf in one.inputs}
    assert [np.shape(result) for result in run(one, inputs)[0]] == shapes


@pytest.mark.parametrize("target", ["numpy", "torch"])
def test_decoding_token_by_token_agrees_with_forward(target: str) -> None:
    forward, decode = tiny(target, "llama", "forward"), tiny(target, "llama", "decode")
    tokens = LLAMA_INPUTS["forward"]["tokens"]
    weights = values(forward.parameters)
    (wanted,), _ = forward.run({"tokens": tokens}, weights)
    states = {leaf.path: np.zeros_like(value) for leaf, value in zip(decode.states, values(decode.states).values(), strict=True)}
    for step in range(tokens.shape[1]):
        inputs = {"token": tokens[:, step : step + 1], "pos": np.asarray(step, np.int32)}
        (given,), states = decode.run(inputs, weights, states)
        assert differences(np.asarray(given), np.ascontiguousarray(wanted[:, step]), F32) is None


def test_states_agree_over_eight_steps() -> None:
    decode = {target: tiny(target, "llama", "decode") for target in ("numpy", "torch")}
    tokens = LLAMA_INPUTS["forward"]["tokens"]
    weights = values(decode["numpy"].parameters)
    states = {target: values(decode[target].states) for target in decode}
    for step in range(8):
        inputs = {"token": tokens[:, step : step + 1], "pos": np.asarray(step + 20, np.int32)}
        results = {target: one.run(inputs, weights, states[target]) for target, one in decode.items()}
        assert_agree(results["torch"], results["numpy"], F32)
        states = {target: result[1] for target, result in results.items()}


@pytest.mark.parametrize(
    ("eos_step", "limit"),
    [pytest.param(0, 6, id="after one step"), pytest.param(3, 6, id="in the middle"), pytest.param(None, 6, id="at the limit")],
)
@pytest.mark.parametrize("target", ["numpy", "torch"])
def test_generation_stops_when_every_sequence_has_ended(target: str, eos_step: int | None, limit: int) -> None:
    """Both sequences are the same, so both end with the token chosen at `eos_step`."""
    inputs = {"token": np.full((2, 1), 17, np.int32), "pos": np.asarray(0, np.int32), "eos": np.asarray(-1, np.int32)}
    one = tiny(target, "llama", "generate_until")
    zeros = {path: np.zeros_like(value) for path, value in values(one.states).items()}
    weights = values(one.parameters)
    (free, count), _ = one.run(inputs, weights, zeros)
    assert count == limit
    if eos_step is None:
        return
    row = free[0].tolist()
    assert row.index(row[eos_step]) == eos_step, "the token must be new at that step for the test to mean something"
    inputs["eos"] = np.asarray(row[eos_step], np.int32)
    (stopped, count), _ = one.run(inputs, weights, zeros)
    assert count == eos_step + 1
    assert stopped.tolist() == [row[: eos_step + 1] + [row[eos_step]] * (limit - eos_step - 1)] * 2


def _tensors(arrays: Arrays) -> dict[str, torch.Tensor]:
    return {path: torch.from_numpy(value.copy()) for path, value in arrays.items()}


def _by_hand(entry: str, model: Llama, inputs: dict[str, torch.Tensor]) -> list[np.ndarray]:
    """The entry of the module written by hand, on the inputs of the package's."""
    match entry:
        case "forward" | "next_token":
            found = (getattr(model, entry)(inputs["tokens"]),)
        case "decode" | "prefill":
            found = (model.prefill(inputs["token" if entry == "decode" else "tokens"], int(inputs["pos"])),)
        case "decode_rows":
            found = (model.decode_rows(inputs["tokens"], inputs["positions"]),)
        case "generate":
            found = (model.generate(inputs["token"], int(inputs["pos"]), 4),)
        case _:
            tokens, count = model.generate_until(inputs["token"], int(inputs["pos"]), int(inputs["eos"]), 6)
            found = (tokens, torch.tensor(count, dtype=torch.int32))
    return [value.numpy() for value in found]


@pytest.mark.parametrize("target", ["numpy", "torch"])
@pytest.mark.parametrize("entry", list(LLAMA_INPUTS))
def test_llama_agrees_with_a_module_written_by_hand(entry: str, target: str) -> None:
    one = tiny(target, "llama", entry)
    given, states = run(one, LLAMA_INPUTS[entry])
    model = Llama(**LLAMA_SIZES).load(_tensors(values(one.parameters)))
    for path, value in _tensors(values(one.states)).items():
        model.get_buffer(path).copy_(value)
    wanted = _by_hand(entry, model, _tensors(LLAMA_INPUTS[entry]))
    assert_agree((given, states), (wanted, {path: model.get_buffer(path).numpy() for path in states}), F32)


@pytest.mark.parametrize("target", ["numpy", "torch"])
def test_gpt2_agrees_with_a_module_written_by_hand(target: str) -> None:
    one = tiny(target, "gpt2", "forward")
    tokens = LLAMA_INPUTS["forward"]["tokens"]
    (given,), _ = run(one, {"tokens": tokens})
    model = Gpt2(**GPT2_SIZES).load(_tensors(values(one.parameters)))
    assert differences(given, model(torch.from_numpy(tokens)).numpy(), F32) is None
