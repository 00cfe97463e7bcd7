"""When two arrays are the same, and when they agree.

In: what came back and what was wanted.  Out: a sentence about the difference, or None; or an assertion over lists of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence


def differences(given: np.ndarray, wanted: np.ndarray, tolerance: float = 0.0) -> str | None:
    """What is wrong with a result.

    With a tolerance: max |a - b| <= tolerance * max(1, max |b|) over what is finite, the same infinities, no NaN on one side only.
    Without: equal values, NaN where NaN is wanted, zeros of the wanted sign.  Integers and bools are always equal.
    """
    if given.dtype != wanted.dtype or given.shape != wanted.shape:
        return f"{given.dtype}{list(given.shape)} instead of {wanted.dtype}{list(wanted.shape)}"
    if wanted.dtype.kind in "biu":
        return None if np.array_equal(given, wanted) else f"{given} instead of {wanted}"
    a, b = given.astype(np.float64), wanted.astype(np.float64)
    if not tolerance:
        same = np.array_equal(a, b, equal_nan=True) and np.array_equal(np.signbit(a[a == 0]), np.signbit(b[b == 0]))
        return None if same else f"{given} instead of {wanted}"
    finite = np.isfinite(b)
    if not np.array_equal(np.where(finite, 0.0, a), np.where(finite, 0.0, b), equal_nan=True):
        return f"{given} instead of {wanted}"
    limit = tolerance * max(1.0, float(np.max(np.abs(b[finite]), initial=0.0)))
    error = np.abs(a[finite] - b[finite])
    worst = float(np.max(error, initial=0.0)) if not np.isnan(error).any() else float("nan")
    return None if worst <= limit else f"differs by {worst}, allowed are {limit}: {given} instead of {wanted}"


def assert_all(given: Sequence[np.ndarray], wanted: Sequence[np.ndarray], tolerance: float = 0.0) -> None:
    """As many results as wanted, each without `differences`."""
    assert len(given) == len(wanted), f"{len(given)} results instead of {len(wanted)}"
    for position, (a, b) in enumerate(zip(given, wanted, strict=True)):
        found = differences(np.asarray(a), np.asarray(b), tolerance)
        assert found is None, f"result {position}: {found}"
