"""Where arrays differ.

In: what a target gave and what is due.  Out: what differs, for people; None when nothing does.
"""

from __future__ import annotations

import numpy as np


def difference(given: np.ndarray, wanted: np.ndarray, tolerance: float | None = None) -> str | None:
    """What differs, None when nothing does.

    Without a tolerance every bit counts, all NaN being one value; with one, `max |a - b| <= tolerance * max(1, max |b|)` over the finite
    values.
    """
    if given.dtype != wanted.dtype or given.shape != wanted.shape:
        return f"{given.dtype}{list(given.shape)} for {wanted.dtype}{list(wanted.shape)}"
    if wanted.dtype.kind not in "fV":
        return None if np.array_equal(given, wanted) else f"{given!r} for {wanted!r}"
    a, b = given.astype(np.float64), wanted.astype(np.float64)
    finite = np.isfinite(b)
    if not np.array_equal(np.where(finite, 0.0, a), np.where(finite, 0.0, b), equal_nan=True):
        return f"{given!r} for {wanted!r}"
    a, b = a[finite], b[finite]
    if tolerance is None:
        return None if np.array_equal(a, b) and np.array_equal(np.signbit(a), np.signbit(b)) else f"{given!r} for {wanted!r}"
    largest = float(np.abs(a - b).max(initial=0.0))
    return None if largest <= tolerance * max(1.0, float(np.abs(b).max(initial=0.0))) else f"off by {largest}: {given!r} for {wanted!r}"
