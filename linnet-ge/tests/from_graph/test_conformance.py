"""linnet's conformance kit on what is written: the graphs give the values of the reference, for every kind of call and every dtype.

They are computed by `ge_machine.py`, in which what GE leaves open (integers divided by zero, floats cast to integers they do not fit) is as
linnet has it.
"""

from __future__ import annotations

import pytest
from ge_entries import PLUGIN

from linnet_core.conformance.kit import Case, differing, held

#: NumPy rounds these twice on the way to bf16, which says nothing of the graph.
ROUNDED_TWICE = tuple(f"elementwise: convert {word}" for word in ("i32", "i64", "u32", "u64", "one u64", "f64"))


@pytest.mark.parametrize(("case", "policy"), [pytest.param(case, policy, id=name) for name, case, policy in held()])
def test_case(case: Case, policy: str) -> None:
    tolerance = 2.0**-7 if case.name in ROUNDED_TWICE else None
    assert differing(PLUGIN, case, policy, tolerance=tolerance) is None
