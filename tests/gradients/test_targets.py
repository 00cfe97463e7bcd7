"""`--grad` on numpy, torch and jax, and the frameworks' own autodiff of the source without: all say the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from agreement import differences
from autodiff import by_jax, by_torch
from programs import GIVEN, TEXTS
from running import program, source_file

if TYPE_CHECKING:
    from running import Program

#: Of f64, in which all is computed but one cast to f32 and back.
F64 = 1e-12


def exported(target: str, family: str, *, gradient: bool = True) -> Program:
    return program(target, source_file(f"module gradients\n{TEXTS[family]}\n"), gradient=gradient)


def ran(target: str, family: str) -> list[np.ndarray]:
    return [np.asarray(result) for result in exported(target, family).run(GIVEN)[0]]


def assert_agree(given: list[np.ndarray], wanted: list[np.ndarray], tolerance: float = F64) -> None:
    assert len(given) == len(wanted)
    for a, b in zip(given, wanted, strict=True):
        assert differences(a, b, tolerance) is None


@pytest.mark.parametrize("family", TEXTS)
def test_torch_gives_the_gradients_of_numpy_and_of_autograd(family: str) -> None:
    pytest.importorskip("torch", reason="torch is not installed here; the environments `torch` and `all` have it")
    wanted = ran("numpy", family)
    assert_agree(ran("torch", family), wanted)
    assert_agree(by_torch(exported("torch", family, gradient=False).source, list(GIVEN.values())), wanted[1:])


@pytest.mark.parametrize("family", TEXTS)
def test_jax_gives_the_gradients_of_numpy_and_of_its_own_autodiff(family: str) -> None:
    pytest.importorskip("jax", reason="jax is not installed here; the environments `jax` and `all` have it")
    wanted = ran("numpy", family)
    assert_agree(ran("jax", family), wanted)
    assert_agree(by_jax(exported("jax", family, gradient=False).source, list(GIVEN.values())), wanted[1:])


def test_a_disagreement_is_told() -> None:
    with pytest.raises(AssertionError):
        assert_agree([np.array([1.0, 2.0 + 1e-10])], [np.array([1.0, 2.0])])
