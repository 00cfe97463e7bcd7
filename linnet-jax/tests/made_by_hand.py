"""Entries made of calls by hand, run by the jax target and by the numpy target, which is the reference.

In: a function that makes calls, arrays for its inputs and states.  Out: the results of either; an assertion that both are the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from linnet_core.conformance.arrays import ALL
from linnet_core.conformance.case import REFERENCE, given
from linnet_core.conformance.compare import difference
from linnet_core.weights.arrays import numpy_dtype
from linnet_jax.hooks import linnet_targets

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linnet_core.conformance.hand import Build

(PLUGIN,) = linnet_targets()
#: Dtypes of the language as NumPy has them.
NUMPY_DTYPES = {name: numpy_dtype(name) for name in ALL}


def on_jax(
    build: Build, arrays: Sequence[np.ndarray], states: Sequence[np.ndarray] = (), numerics: str = "equivalent"
) -> Sequence[np.ndarray]:
    """What the printed JAX answers."""
    return given(PLUGIN, build, arrays, states, numerics)


def on_numpy(build: Build, arrays: Sequence[np.ndarray], states: Sequence[np.ndarray] = ()) -> Sequence[np.ndarray]:
    """What the printed NumPy answers."""
    return given(REFERENCE, build, arrays, states)


def assert_agree(
    build: Build,
    arrays: Sequence[np.ndarray],
    states: Sequence[np.ndarray] = (),
    tolerance: float | None = None,
    numerics: str = "equivalent",
) -> None:
    """Both targets answer the same."""
    found, wanted = on_jax(build, arrays, states, numerics), on_numpy(build, arrays, states)
    assert len(found) == len(wanted)
    for one, other in zip(found, wanted, strict=True):
        differing = difference(np.asarray(one), np.asarray(other), tolerance)
        assert differing is None, differing
