"""The kit as tests.

In: `--linnet-target`.  Out: a test for each case and policy.
"""

from __future__ import annotations

import pytest

from linnet_core.conformance.kit import Case, differing, held
from linnet_core.plugins.manager import find_target


@pytest.mark.parametrize(("case", "policy"), [pytest.param(case, policy, id=name) for name, case, policy in held()])
def test_case(case: Case, policy: str, request: pytest.FixtureRequest) -> None:
    """What the target gives is what the reference gives."""
    plugin = find_target(str(request.config.getoption("--linnet-target")))
    assert plugin is not None, "plugin.py has looked for it"
    assert differing(plugin, case, policy) is None
