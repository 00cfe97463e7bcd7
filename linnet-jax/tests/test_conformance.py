"""The kit of linnet-core on this target: what is printed gives the values of the reference, for every kind of call and every dtype."""

from __future__ import annotations

import pytest
from jax_programs import PLUGIN

from linnet_core.conformance.kit import Case, differing, held, program_cases
from linnet_core.conformance.programs import case as programs
from linnet_core.conformance.programs.case import ProgramCase

#: XLA multiplies by the reciprocal of a number: the quotient is within one unit in the last place.
DIVISIONS = {"f16": 2.0**-10, "bf16": 2.0**-7, "f32": 2.0**-23, "f64": 2.0**-52}
NEAR = {f"elementwise: div with a known scalar {dtype}": unit for dtype, unit in DIVISIONS.items()}
#: Library calls of the kit that this target leaves to their bodies, which XLA fuses by itself.
BODIES = {f"torch.{name}" for name in ("Tensor.mean", *(f"nn.functional.{each}" for each in ("batch_norm", "group_norm", "interpolate")))}


@pytest.mark.parametrize(("case", "policy"), [pytest.param(case, policy, id=name) for name, case, policy in held()])
def test_case(case: Case, policy: str) -> None:
    assert differing(PLUGIN, case, policy, tolerance=NEAR.get(case.name)) is None


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in program_cases() if case.takes not in BODIES])
def test_program(case: ProgramCase) -> None:
    assert case.takes in (None, *programs.taken(PLUGIN, case))
    assert programs.differing(PLUGIN, case) is None


def test_what_is_looser_or_left_out_here_is_a_case_of_the_kit() -> None:
    assert set(NEAR) <= {case.name for _, case, _ in held()}
    assert {case.takes for case in program_cases()} >= BODIES
