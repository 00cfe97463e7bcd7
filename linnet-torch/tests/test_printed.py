"""The whole text of one small decoder: a change of what is printed shows in the difference of a file (`--update` writes it anew)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from programs import printed

from linnet_core.conformance.compare import difference
from linnet_core.conformance.programs.printed import Printed

HERE = Path(__file__).parent / "printed"
PROGRAM = (HERE / "decoder.linnet").read_text(encoding="utf-8").removeprefix("module m\n\n")
SIZES = {"Vocab": 16, "H": 8, "Heads": 2, "KvHeads": 1, "Inner": 12, "Layers": 2, "MaxSeq": 6}
CASES = [
    pytest.param("equivalent", "f32", id="equivalent"),
    pytest.param("exact", "f32", id="exact"),
    pytest.param("fast", "bf16", id="fast_bf16"),
]


def _decoder(target: str, numerics: str, dtype: str) -> Printed:
    return printed(PROGRAM, target, numerics, bind={**SIZES, "T": dtype})


@pytest.mark.parametrize(("numerics", "dtype"), CASES)
def test_a_decoder_is_printed_as_before(numerics: str, dtype: str, update: bool) -> None:
    path = HERE / f"decoder_{numerics}_{dtype}.py.txt"
    source = _decoder("torch", numerics, dtype).source
    if update:
        path.write_text(source, encoding="utf-8", newline="\n")
    assert source == path.read_text(encoding="utf-8")


@pytest.mark.parametrize(("numerics", "dtype"), CASES)
def test_its_steps_agree_with_the_reference(numerics: str, dtype: str) -> None:
    import ml_dtypes

    kind = np.float32 if dtype == "f32" else ml_dtypes.bfloat16
    one, reference = _decoder("torch", numerics, dtype), _decoder("numpy", "exact", dtype)
    generator = np.random.Generator(np.random.PCG64(5))
    weights = {path: (0.5 * generator.standard_normal(_shape(path))).astype(kind) for path in reference.parameters}
    states = {path: np.zeros((1, 1, 6, 4), kind) for path in reference.states}
    other = dict(states)
    for step, token in enumerate((3, 15, 0, 7, 7, 2)):
        inputs = {"token": np.array([[token]], np.int32), "pos": np.asarray(step, np.int32)}
        (wanted,), other = reference.run({**inputs, **weights, **other})
        (given,), states = one.run({**inputs, **weights, **states})
        tolerance = 1e-5 if dtype == "f32" else 2e-2
        assert difference(given, wanted, tolerance) is None
        for path, cache in other.items():
            assert difference(states[path], cache, tolerance) is None


def _shape(path: str) -> tuple[int, ...]:
    """The shape of a weight of the decoder at `SIZES`."""
    sizes = {"embed": (16, 8), "q_proj": (8, 8), "k_proj": (4, 8), "v_proj": (4, 8), "o_proj": (8, 8)}
    sizes |= {"gate": (12, 8), "up": (12, 8), "down": (8, 12), "head": (16, 8)}
    return sizes.get(path.removesuffix(".weight").rpartition(".")[2], (8,))
