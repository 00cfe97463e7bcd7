"""Layers that are alike share one printed function: the text does not grow with them, and the values are those of the flat text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from running import program
from tiny import ENTRIES, EXAMPLES, inputs_of, named, values

if TYPE_CHECKING:
    from running import Program

    Arrays = dict[str, np.ndarray]

#: Lines that name every leaf.
_LEAVES = ("PARAMETERS", "STATES", "NEXT_STATES", "IN_PLACE", "ROWS", "def main(", "def step(", "def update(", "    '")

#: Package, entry, the generic that says how many layers there are, and how many calls four and eight of them print.
GROWING = [
    ("llama", "forward", "Layers", (4, 8)),
    ("llama", "decode", "Layers", (4, 8)),
    ("llama", "prefill", "Layers", (4, 8)),
    ("llama", "decode_rows", "Layers", (4, 8)),
    ("llama", "generate", "Layers", (4, 8)),
    ("llama", "generate_until", "Layers", (4, 8)),
    ("gpt2", "forward", "Layers", (4, 8)),
    ("bert", "forward", "Layers", (4, 8)),
    ("bert", "pool", "Layers", (4, 8)),
    ("vit", "classify", "Layers", (4, 8)),
    ("whisper", "encode", "EncoderLayers", (4, 8)),
    ("whisper", "decode", "DecoderLayers", (4, 8)),
    # layers come in pairs
    ("moe", "forward", "Layers", (2, 4)),
    ("moe", "decode", "Layers", (2, 4)),
    ("moe", "prefill", "Layers", (2, 4)),
    ("moe", "decode_rows", "Layers", (2, 4)),
    ("moe", "prefill_slots", "Layers", (2, 4)),
    # the first and the last are members of their own
    ("rnn", "forward", "Layers", (2, 6)),
    ("rnn", "step", "Layers", (2, 6)),
    ("rnn", "generate", "Layers", (2, 6)),
    ("train", "forward", "Layers", (4, 8)),
    ("train", "loss", "Layers", (4, 8)),
    ("train", "sample", "Layers", (4, 8)),
    # three more stages of one block or two, of which one repeats: its other block halves the picture
    ("resnet", "BasicNet.forward", "Blocks2", (3, 7)),
    ("resnet", "BottleneckNet.forward", "Blocks3", (3, 7)),
    ("unet", "Small.forward", "Depth1", (32, 52)),
    ("unet", "Small.forward", "Depth2", (24, 48)),
]
_IDS = ["-".join(case[:3]) for case in GROWING]
_SOME = {"numpy": ("llama-decode", "moe-decode-", "rnn-generate"), "jax": ("llama-decode", "moe-forward", "rnn-forward", "train-sample")}
CASES = [
    pytest.param(target, *case, id=f"{target}-{id}")
    for target in ("torch", "numpy", "jax")
    for case, id in zip(GROWING, _IDS, strict=True)
    if target == "torch" or id.startswith(_SOME[target])
]


def _source(target: str, package: str, entry: str, **options: Any) -> str:
    return program(target, str(EXAMPLES / package), options.pop("bindings", None), preset="tiny", **named(entry), **options).source


def _calls_and_others(text: str) -> tuple[int, int]:
    lines = [line for line in text.splitlines() if not line.startswith(_LEAVES)]
    calls = [line for line in lines if " = block_" in line]
    return len(calls), len(lines) - len(calls)


@pytest.mark.parametrize(("target", "package", "entry", "generic", "wanted"), CASES)
def test_the_text_grows_by_one_call_a_layer(target: str, package: str, entry: str, generic: str, wanted: tuple[int, int]) -> None:
    if target == "jax":
        pytest.importorskip("linnet_jax")
    four, eight = (_calls_and_others(_source(target, package, entry, bindings={generic: layers})) for layers in (4, 8))
    assert (four[0], eight[0]) == wanted
    assert four[1] == eight[1]


def test_unrolled_text_has_no_function_of_a_block() -> None:
    assert "block_" not in _source("numpy", "llama", "decode", unroll=True)


#: At `tiny` no stage of resnet has two blocks that are alike.
_MORE = {"resnet": {"Blocks2": 3}}


def _run(target: str, package: str, entry: str, inputs: Arrays, *, unroll: bool) -> tuple[Program, list[np.ndarray]]:
    one = program(target, str(EXAMPLES / package), _MORE.get(package), preset="tiny", unroll=unroll, **named(entry))
    results, states = one.run(inputs_of(one, inputs), values(one.parameters), values(one.states))
    return one, [*map(np.asarray, results), *map(np.asarray, states.values())]


def _assert_same_bits(target: str, package: str, entry: str, inputs: Arrays) -> None:
    (outlined, given), (flat, wanted) = (_run(target, package, entry, inputs, unroll=unroll) for unroll in (False, True))
    assert " = block_" in outlined.source
    assert " = block_" not in flat.source
    assert [(a.dtype, a.shape, a.tobytes()) for a in given] == [(a.dtype, a.shape, a.tobytes()) for a in wanted]


@pytest.mark.parametrize("target", ["numpy", "torch"])
@pytest.mark.parametrize(("package", "entry", "inputs"), [pytest.param(*case, id=f"{case[0]}-{case[1]}") for case in ENTRIES])
def test_values_are_those_of_the_flat_text_bit_for_bit(target: str, package: str, entry: str, inputs: Arrays) -> None:
    _assert_same_bits(target, package, entry, inputs)


@pytest.mark.parametrize(("package", "entry"), [("llama", "decode"), ("rnn", "forward")])
def test_values_on_jax_op_by_op_are_those_of_the_flat_text(package: str, entry: str) -> None:
    jax = pytest.importorskip("jax", reason="jax is not installed here; the environments `jax` and `all` have it")
    inputs = next(inputs for *where, inputs in ENTRIES if where == [package, entry])
    with jax.disable_jit():
        _assert_same_bits("jax", package, entry, inputs)
