"""Runs printed source; the only file of this target that imports numpy.

In: source, arrays in the order of the document's leaves.  Out: the operands of `finish` as arrays.  Raises `RuntimeFailure` for
an index outside its axis, for arrays that do not fit into memory, and for what no array of NumPy can be.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from linnet_core.errors import RuntimeFailure
from linnet_core.loading.generated import GeneratedModule

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np


#: What NumPy says, in a `ValueError`, of arrays with more axes or more bytes than it has; any other says that what was printed is wrong.
_BEYOND = ("maximum supported dimension", "number of dimensions must be", "array is too big", "Maximum allowed dimension exceeded")


def run(source: str, inputs: Sequence[np.ndarray], parameters: Sequence[np.ndarray], states: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
    """Execute `main` once; the caller's arrays are not written."""
    import numpy as np

    module = GeneratedModule(source)
    given, held = [_scalar(array) for array in inputs], [_scalar(array.copy()) for array in states]
    try:
        weights, extra = module.arguments([_scalar(array) for array in parameters])
        results = module.main(*given, *weights, *held, *extra)
    except (IndexError, MemoryError) as error:
        raise RuntimeFailure(f"numpy: {error}") from error
    except ValueError as error:
        if not str(error).startswith(_BEYOND):
            raise
        raise RuntimeFailure(f"numpy: {error}") from error
    return [np.asarray(result) for result in results]


def _scalar(array: np.ndarray) -> Any:
    """A rank-0 array as the NumPy scalar its operations answer; others as they are."""
    return array[()] if array.ndim == 0 else array
