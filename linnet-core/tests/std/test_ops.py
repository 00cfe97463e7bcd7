"""Each op of the standard library gives what its formula gives: as library calls where the NumPy target takes them, and as bodies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from every_case import CASES, RUNS
from running import program, source_file

if TYPE_CHECKING:
    from op_case import OpCase


@pytest.mark.parametrize("bodies", [pytest.param(False, id="library"), pytest.param(True, id="bodies")])
@pytest.mark.parametrize(("case", "dtype"), RUNS)
def test_the_op_gives_its_formula(case: OpCase, dtype: str, bodies: bool) -> None:
    path = source_file(case.program(dtype))
    one = program("numpy", path, entry="run", no_library=bodies)
    arrays = case.arrays(dtype)
    (result,), states = one.run(dict(zip(case.inputs, arrays, strict=True)))
    assert not states
    assert case.disagreement(result, arrays, dtype) is None


def test_no_two_cases_have_one_name() -> None:
    names = [case.id for case in CASES]
    assert sorted(names) == sorted(set(names))
