"""The data of a tensor as numbers.

In: a serial dtype, a shape, bytes (little-endian, as the device has them).  Out: `TensorValue`.  Which dtypes have values, and what becomes
of bytes that do not fit, follows GE's own printer.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from typing import overload

from linnet_ge.model import TensorValue

#: Dtype -> its letter for `struct`; GE prints no values of others.
LETTERS = {
    "DT_FLOAT": "f",
    "DT_DOUBLE": "d",
    "DT_FLOAT16": "e",
    "DT_INT8": "b",
    "DT_INT16": "h",
    "DT_INT32": "i",
    "DT_INT64": "q",
    "DT_UINT8": "B",
    "DT_UINT16": "H",
    "DT_UINT32": "I",
    "DT_UINT64": "Q",
    "DT_BOOL": "?",
}
#: More values than these stay bytes until they are asked for.
_FEW = 64

Number = int | float | bool


class Elements(Sequence[Number]):
    """The elements of a large tensor, made from its bytes when they are asked for; equal to a tuple of the same numbers."""

    __slots__ = ("_data", "_letter", "_size")

    def __init__(self, data: bytes, letter: str) -> None:
        self._data = data
        self._letter = letter
        self._size = struct.calcsize(f"<{letter}")

    def __len__(self) -> int:
        return len(self._data) // self._size

    @overload
    def __getitem__(self, index: int) -> Number: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Number, ...]: ...
    def __getitem__(self, index: int | slice) -> Number | tuple[Number, ...]:
        """An element, or those of a slice."""
        if isinstance(index, slice):
            return tuple(self[at] for at in range(*index.indices(len(self))))
        return struct.unpack_from(f"<{self._letter}", self._data, range(len(self))[index] * self._size)[0]

    def __iter__(self) -> Iterator[Number]:
        """The elements in order."""
        return (value for (value,) in struct.iter_unpack(f"<{self._letter}", self._data))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Elements) and self._letter == other._letter and self._data == other._data:
            return True
        return isinstance(other, Elements | tuple) and len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"<{len(self)} elements>"


def tensor_value(dtype: str | None, shape: tuple[int, ...] | None, data: bytes) -> TensorValue:
    """The value; `not_supported`, `empty` or `invalid` where GE's printer says so.  Large values are an `Elements`, not a tuple."""
    letter = LETTERS.get(dtype or "")
    if letter is None:
        return TensorValue("not_supported", (), dtype, shape)
    if not data:
        return TensorValue("empty", (), dtype, shape)
    elements = Elements(data, letter)
    if len(data) % elements._size:
        return TensorValue("invalid", (), dtype, shape)
    values = tuple(elements) if len(elements) <= _FEW else elements
    return TensorValue("values", values, dtype, shape)  # pyright: ignore[reportArgumentType]  # a sequence, as good as a tuple
