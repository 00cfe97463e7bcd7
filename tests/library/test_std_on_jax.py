"""Each op of the standard library gives what its formula gives on jax, on every policy, and as its body."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from agreement import differences
from every_case import RUNS
from running import program, source_file

if TYPE_CHECKING:
    from op_case import OpCase

pytest.importorskip("jax", reason="jax is not installed here; the environments `jax` and `all` have it")

WAYS: list[dict[str, Any]] = [{"numerics": "exact", "no_library": True}, *({"numerics": n} for n in ("exact", "equivalent", "fast"))]


@pytest.mark.parametrize(("case", "dtype"), RUNS)
def test_the_op_gives_its_formula_however_it_is_printed(case: OpCase, dtype: str) -> None:
    """By its body and on every policy; what is printed alike is run once, since XLA compiles each anew."""
    path, arrays = source_file(case.program(dtype)), case.arrays(dtype)
    inputs = dict(zip(case.inputs, arrays, strict=True))
    ways = [program("jax", path, entry="run", **options) for options in WAYS]
    results: dict[str, np.ndarray] = {}
    for one in ways:
        if one.source not in results:
            (result,), states = one.run(inputs)
            assert not states
            assert case.disagreement(np.asarray(result), arrays, dtype) is None
            results[one.source] = np.asarray(result)
    body, exact, *_ = ways
    assert differences(results[exact.source], results[body.source]) is None
