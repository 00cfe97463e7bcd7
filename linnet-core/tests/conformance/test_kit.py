"""The kit finds a target that is wrong, and its comparison sees every kind of difference."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from linnet_core.conformance import kit
from linnet_core.conformance.case import REFERENCE, Case
from linnet_core.conformance.compare import difference
from linnet_core.conformance.kit import FAMILIES, all_cases, differing, held, program_cases
from linnet_core.conformance.programs import case as programs
from linnet_core.plugins.target import TargetPlugin

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from linnet_core.conformance.programs.case import ProgramCase

NAN, INF = float("nan"), float("inf")


def f32(*values: float) -> np.ndarray:
    return np.array(values, np.float32)


@pytest.mark.parametrize(
    ("given", "wanted", "tolerance"),
    [
        pytest.param(f32(0.0), f32(-0.0), None, id="sign of zero"),
        pytest.param(f32(1.0), np.array([1.0]), None, id="dtype"),
        pytest.param(f32(1.0), f32(1.0).reshape(1, 1), None, id="shape"),
        pytest.param(np.array([1]), np.array([2]), 1.0, id="integers are never near"),
        pytest.param(f32(1.0), np.nextafter(f32(1.0), f32(2.0)), None, id="the last bit"),
        pytest.param(f32(1.1), f32(1.0), 1e-2, id="beyond the tolerance"),
        pytest.param(f32(NAN), f32(1.0), 1e-2, id="nan is near nothing"),
        pytest.param(f32(1.0), f32(NAN), 1e-2, id="nothing is near nan"),
        pytest.param(f32(INF), f32(1.0), 1e-2, id="inf is near nothing"),
        pytest.param(f32(-INF), f32(INF), 1e-2, id="other infinity"),
    ],
)
def test_a_difference_is_seen(given: np.ndarray, wanted: np.ndarray, tolerance: float | None) -> None:
    assert difference(given, wanted, tolerance) is not None


@pytest.mark.parametrize(
    ("given", "wanted", "tolerance"),
    [
        pytest.param(f32(NAN, -0.0, INF), f32(NAN, -0.0, INF), None, id="bit for bit"),
        pytest.param(f32(1.001, INF, NAN), f32(1.0, INF, NAN), 1e-2, id="near"),
        pytest.param(f32(), f32(), None, id="nothing"),
    ],
)
def test_agreement_is_seen(given: np.ndarray, wanted: np.ndarray, tolerance: float | None) -> None:
    assert difference(given, wanted, tolerance) is None


CASES = list(all_cases())


def altered(change: Callable[[np.ndarray], np.ndarray]) -> TargetPlugin:
    """The reference, whose results go through `change`."""

    def run(
        source: str, inputs: Sequence[np.ndarray], parameters: Sequence[np.ndarray], states: Sequence[np.ndarray]
    ) -> Sequence[np.ndarray]:
        assert REFERENCE.run is not None
        return [change(np.asarray(result)) for result in REFERENCE.run(source, inputs, parameters, states)]

    return TargetPlugin(name="altered", summary="wrong", suffix=".py", make=REFERENCE.make, run=run)


def other(result: np.ndarray) -> np.ndarray:
    """Another value at every element."""
    if result.dtype == np.bool_:
        return ~result
    if result.dtype.kind in "iu":
        return result + result.dtype.type(1)
    one = result.dtype.type(1)
    return np.where(result == one, one + one, one)


def test_every_family_has_cases_and_every_name_is_one() -> None:
    names = [name for name, _, _ in held()]
    assert len(names) == len(set(names))
    assert {name.partition(":")[0] for name in names} == set(FAMILIES)


@pytest.mark.parametrize("case", CASES[::7], ids=lambda case: case.name)
def test_the_reference_conforms(case: Case) -> None:
    assert differing(REFERENCE, case) is None


def test_a_target_that_is_wrong_everywhere_fails_every_case_that_has_a_value() -> None:
    sizes: list[int] = []

    def counted(result: np.ndarray) -> np.ndarray:
        sizes.append(result.size)
        return other(result)

    for case in CASES:
        sizes.clear()
        assert (differing(altered(counted), case) is not None) == any(sizes), case.name


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda result: result[..., None], id="another shape"),
        pytest.param(lambda result: result.astype(np.complex64), id="another dtype"),
    ],
)
def test_a_target_of_other_types_fails_every_case(change: Callable[[np.ndarray], np.ndarray]) -> None:
    assert all(differing(altered(change), case) is not None for case in CASES[::5])


def test_a_result_too_many_is_told() -> None:
    run = REFERENCE.run
    assert run is not None
    twice = TargetPlugin(name="twice", summary="wrong", suffix=".py", make=REFERENCE.make, run=lambda *given: [*run(*given)] * 2)
    case = next(case for case in CASES if case.name == "elementwise: neg f32")
    assert differing(twice, case) == "2 results for 1"


PROGRAMS = list(program_cases())


def test_every_program_has_a_name_of_its_own() -> None:
    names = [case.name for case in PROGRAMS]
    assert len(names) == len(set(names))
    assert {name.partition(":")[0] for name in names} == set(kit.PROGRAMS)


@pytest.mark.parametrize("case", [case for case in PROGRAMS if case.takes and "no row" not in case.name][::29], ids=lambda case: case.name)
def test_a_wrong_target_fails_a_program_and_the_reference_does_not(case: ProgramCase) -> None:
    assert programs.differing(REFERENCE, case) is None
    assert programs.differing(altered(other), case) is not None


def test_elements_that_must_be_equal_are_counted() -> None:
    case = next(case for case in PROGRAMS if case.equal)
    found = programs.differing(altered(lambda result: np.nextafter(result, result.dtype.type(0))), case)
    assert found == "result 0: 0.00% of the elements are equal, 99.80% are due"


def test_a_target_that_writes_into_what_it_was_given_is_told() -> None:
    def run(source: str, inputs: Sequence[np.ndarray], *rest: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
        assert REFERENCE.run is not None
        results = REFERENCE.run(source, inputs, *rest)
        inputs[0][...] = 9
        return results

    writing = TargetPlugin(name="writing", summary="wrong", suffix=".py", make=REFERENCE.make, run=run)
    case = next(case for case in PROGRAMS if case.name == "cache: write_at of 1")
    assert programs.differing(writing, case) == "`cache`, which was given, is written"
