"""What a run wants, and the NumPy dtypes of the language's dtypes.

In: leaves of a graph document.  Out: `Wanted` values and dtypes; bf16 is the `ml_dtypes` dtype.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from linnet_core.errors import RuntimeFailure

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np

_NAMES = {
    "bool": "bool",
    "i8": "int8",
    "i16": "int16",
    "i32": "int32",
    "i64": "int64",
    "u8": "uint8",
    "u16": "uint16",
    "u32": "uint32",
    "u64": "uint64",
    "f16": "float16",
    "f32": "float32",
    "f64": "float64",
}


#: The most axes NumPy gives an array.
MOST_AXES = 64
#: The most bytes an array can have.
_MOST_BYTES = 2**63 - 1


class Wanted(Struct, frozen=True):
    """An array that is needed: `name` is an input's name or a path."""

    name: str
    shape: tuple[int, ...]
    dtype: str

    def __str__(self) -> str:
        return f"`{self.name}` ({describe(self.shape, self.dtype)})"


def check_possible(wanted: Iterable[Wanted]) -> None:
    """`RuntimeFailure` for the first array that no machine can hold; an axis of size 0 makes none smaller, as NumPy counts."""
    for leaf in wanted:
        if len(leaf.shape) > MOST_AXES:
            raise RuntimeFailure(f"`{leaf.name}` has {len(leaf.shape)} axes; an array has {MOST_AXES} at most")
        if math.prod(size for size in leaf.shape if size) * numpy_dtype(leaf.dtype).itemsize > _MOST_BYTES:
            raise RuntimeFailure(f"{leaf} is larger than an array can be")


def describe(shape: tuple[int, ...], dtype: str) -> str:
    """`f32[2, 3]`, or `f32` for one number."""
    return f"{dtype}{list(shape)}" if shape else dtype


def numpy_dtype(name: str) -> np.dtype[Any]:
    """The NumPy dtype of a dtype of the language."""
    import numpy as np

    if name == "bf16":
        import ml_dtypes

        return np.dtype(ml_dtypes.bfloat16)
    return np.dtype(_NAMES[name])


def dtype_name(dtype: np.dtype[Any]) -> str:
    """The language's name of a NumPy dtype; NumPy's own name for one the language does not have."""
    if dtype.name == "bfloat16":
        return "bf16"
    return next((ours for ours, theirs in _NAMES.items() if theirs == dtype.name), dtype.name)
