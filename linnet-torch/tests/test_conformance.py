"""The kit of linnet-core on this target: what is printed gives the values of the reference, for every kind of call and every dtype."""

from __future__ import annotations

import pytest
from hand_made import PLUGIN

from linnet_core.conformance.kit import Case, differing, held


@pytest.mark.parametrize(("case", "policy"), [pytest.param(case, policy, id=name) for name, case, policy in held()])
def test_case(case: Case, policy: str) -> None:
    assert differing(PLUGIN, case, policy) is None
