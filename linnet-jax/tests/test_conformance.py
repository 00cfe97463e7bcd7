"""The kit of linnet-core on this target: what is printed gives the values of the reference, for every kind of call and every dtype."""

from __future__ import annotations

import pytest
from made_by_hand import PLUGIN

from linnet_core.conformance.kit import Case, differing, held

#: XLA multiplies by the reciprocal of a number: the quotient is within one unit in the last place.
DIVISIONS = {"f16": 2.0**-10, "bf16": 2.0**-7, "f32": 2.0**-23, "f64": 2.0**-52}
NEAR = {f"elementwise: div with a known scalar {dtype}": unit for dtype, unit in DIVISIONS.items()}


@pytest.mark.parametrize(("case", "policy"), [pytest.param(case, policy, id=name) for name, case, policy in held()])
def test_case(case: Case, policy: str) -> None:
    assert differing(PLUGIN, case, policy, tolerance=NEAR.get(case.name)) is None


def test_what_is_looser_here_is_a_case_of_the_kit() -> None:
    assert set(NEAR) <= {case.name for _, case, _ in held()}
