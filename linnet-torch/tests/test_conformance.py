"""The kit of linnet-core on this target: what is printed gives the values of the reference, for every kind of call and every dtype."""

from __future__ import annotations

import pytest
from programs import PLUGIN

from linnet_core.conformance.kit import Case, differing, held, program_cases
from linnet_core.conformance.programs import case as programs
from linnet_core.conformance.programs.case import ProgramCase

#: torch's vectorised gelu answers NaN for an infinity, where the body has infinity; docs/language/semantics.md names it.
OPEN = {"plain: gelu by erf of inf"}


@pytest.mark.parametrize(("case", "policy"), [pytest.param(case, policy, id=name) for name, case, policy in held()])
def test_case(case: Case, policy: str) -> None:
    assert differing(PLUGIN, case, policy) is None


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in program_cases() if case.name not in OPEN])
def test_program(case: ProgramCase) -> None:
    assert case.takes in (None, *programs.taken(PLUGIN, case))
    assert programs.differing(PLUGIN, case) is None


def test_what_is_open_here_is_a_case_of_the_kit() -> None:
    assert {case.name for case in program_cases()} >= OPEN
