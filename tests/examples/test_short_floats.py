"""In bf16, examples whose layers are too many for one tolerance: torch is as near to the results in f32 as numpy is,
the results being many (`forward`).

Where experts are chosen, all of them are: with fewer, a score that is rounded the other way makes another choice.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from running import program
from tiny import ENTRIES, EXAMPLES, inputs_of, named, values

SIZES = {"unet": {}, "moe": {"Experts": 2, "TopK": 2}}
CASES = [
    pytest.param(package, entry, inputs, id=f"{package}-{entry}")
    for package, entry, inputs in ENTRIES
    if package in SIZES and "forward" in entry
]


def rms(x: np.ndarray) -> float:
    """The root of the mean square: a single element is rounded by chance, thousands are not."""
    return float(np.sqrt(np.mean(x * x)))


def result(target: str, package: str, entry: str, inputs: dict[str, np.ndarray], dtype: str, numerics: Any) -> np.ndarray:
    sizes = {**SIZES[package], "T": dtype}
    one = program(target, str(EXAMPLES / package), sizes, preset="tiny", numerics=numerics, **named(entry))
    (given,), _ = one.run(inputs_of(one, inputs), values(one.parameters), values(one.states))
    return np.asarray(given).astype(np.float64)


@pytest.mark.parametrize("numerics", ["exact", "equivalent", "fast"])
@pytest.mark.parametrize(("package", "entry", "inputs"), CASES)
def test_in_bf16_torch_is_as_near_to_f32_as_numpy_is(package: str, entry: str, inputs: dict[str, np.ndarray], numerics: str) -> None:
    wide = result("numpy", package, entry, inputs, "f32", "equivalent")
    allowed = rms(result("numpy", package, entry, inputs, "bf16", "equivalent") - wide)
    assert 0 < allowed < 0.05 * rms(wide)
    assert rms(result("torch", package, entry, inputs, "bf16", numerics) - wide) <= 1.25 * allowed
