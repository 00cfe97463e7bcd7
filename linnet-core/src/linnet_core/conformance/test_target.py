"""The kit as tests.

In: `--linnet-target`.  Out: a test for each case and policy, and one for each program.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from linnet_core.conformance.kit import Case, differing, held, program_cases
from linnet_core.conformance.programs import case as programs
from linnet_core.plugins.manager import find_target

if TYPE_CHECKING:
    from linnet_core.conformance.programs.case import ProgramCase
    from linnet_core.plugins.target import TargetPlugin


@pytest.fixture(scope="module")
def plugin(request: pytest.FixtureRequest) -> TargetPlugin:
    """The target that is held to the reference."""
    found = find_target(str(request.config.getoption("--linnet-target")))
    assert found is not None, "plugin.py has looked for it"
    return found


@pytest.mark.parametrize(("case", "policy"), [pytest.param(case, policy, id=name) for name, case, policy in held()])
def test_case(case: Case, policy: str, plugin: TargetPlugin) -> None:
    """What the target gives is what the reference gives."""
    assert differing(plugin, case, policy) is None


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in program_cases()])
def test_program(case: ProgramCase, plugin: TargetPlugin) -> None:
    """What the program gives, by library calls where the target takes them, is what its bodies give on the reference."""
    assert programs.differing(plugin, case) is None
