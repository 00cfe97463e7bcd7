"""Each op of the standard library gives what its formula gives on torch, on every policy, and as its body."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from agreement import differences
from every_case import RUNS
from running import program, source_file

if TYPE_CHECKING:
    from op_case import OpCase

WAYS = [
    pytest.param({"numerics": "exact"}, id="exact"),
    pytest.param({"numerics": "equivalent"}, id="equivalent"),
    pytest.param({"numerics": "fast"}, id="fast"),
    pytest.param({"numerics": "exact", "no_library": True}, id="body"),
]


@pytest.mark.parametrize("options", WAYS)
@pytest.mark.parametrize(("case", "dtype"), RUNS)
def test_the_op_gives_its_formula(case: OpCase, dtype: str, options: dict[str, object]) -> None:
    path = source_file(case.program(dtype))
    one = program("torch", path, entry="run", **options)
    arrays = case.arrays(dtype)
    (result,), states = one.run(dict(zip(case.inputs, arrays, strict=True)))
    assert not states
    assert case.disagreement(np.asarray(result), arrays, dtype) is None


@pytest.mark.parametrize("target", ["numpy", "torch"])
@pytest.mark.parametrize(("case", "dtype"), RUNS)
def test_exact_calls_give_the_bits_of_the_body(case: OpCase, dtype: str, target: str) -> None:
    path = source_file(case.program(dtype))
    inputs = dict(zip(case.inputs, case.arrays(dtype), strict=True))
    (given,), _ = program(target, path, entry="run", numerics="exact").run(inputs)
    (wanted,), _ = program(target, path, entry="run", numerics="exact", no_library=True).run(inputs)
    assert differences(np.asarray(given), np.asarray(wanted)) is None
