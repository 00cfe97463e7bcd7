"""One array in NumPy's format.

In: bytes from a stranger, and what is wanted.  Out: an array of exactly the wanted type, whatever its order in memory.  The header is
held against what is wanted before anything it promises is read: what a file claims costs no memory, and nothing in it is executed.
The format: magic, version, the header's length, a Python literal, the elements (numpy.org, `numpy.lib.format`).
"""

from __future__ import annotations

import ast
import math
import re
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from linnet_core.errors import DocumentError
from linnet_core.weights.arrays import MOST_AXES, Wanted, describe, dtype_name, numpy_dtype

if TYPE_CHECKING:
    from typing import IO

    import numpy as np

MAGIC = b"\x93NUMPY"
#: A longer header is refused, as NumPy refuses it.
_LONGEST_HEADER = 10_000
#: Bytes of the header's length, by version of the format.
_LENGTH_BYTES = {1: 2, 2: 4, 3: 4}
#: How the dtype of a plain array is written; records and objects are written otherwise.
_PLAIN = re.compile(r"[<>|=][?a-zA-NP-Z]\d{0,9}(\[[a-z]{1,3}\])?")


class _Header(Struct, frozen=True):
    """What the file says it holds; no `dtype` for records and objects."""

    dtype: np.dtype[Any] | None
    shape: tuple[int, ...]
    columns_first: bool


def read_array(file: IO[bytes], wanted: Wanted) -> np.ndarray[Any, Any]:
    """The array `file` holds; `DocumentError` without the file's name when it is none, or of another type."""
    import numpy as np

    header = _read_header(file)
    dtype = numpy_dtype(wanted.dtype)
    if header.dtype is None or header.shape != wanted.shape or not _is_stored_as(header.dtype, dtype, wanted):
        found = "records or objects" if header.dtype is None else describe(header.shape, dtype_name(header.dtype))
        raise DocumentError(f"{describe(wanted.shape, wanted.dtype)} is wanted for `{wanted.name}`, the file holds {found}")
    data = np.empty(math.prod(header.shape), header.dtype)
    _fill(file, data.view(np.uint8).data)
    array = data.reshape(header.shape, order="F" if header.columns_first else "C")
    return array.view(dtype) if header.dtype.kind == "V" else array.astype(dtype, copy=False)


def _is_stored_as(stored: np.dtype[Any], dtype: np.dtype[Any], wanted: Wanted) -> bool:
    """Whether elements written as `stored` are those of `dtype`: in either byte order, and bf16 as two bytes without a type."""
    if wanted.dtype == "bf16":
        return stored == dtype or (stored.kind == "V" and stored.itemsize == 2)
    return stored.newbyteorder("=") == dtype


def _fill(file: IO[bytes], elements: memoryview) -> None:
    """Read the elements, and on to the end of a member, where an archive compares its checksum."""
    filled = 0
    while filled < len(elements):
        part = file.read(min(len(elements) - filled, 1 << 24))
        if not part:
            raise DocumentError(f"cut short: {len(elements)} bytes of elements are due, {filled} are there")
        elements[filled : filled + len(part)] = part
        filled += len(part)
    file.read(1)


def _read_header(file: IO[bytes]) -> _Header:
    start = file.read(8)
    if len(start) < 8 or not start.startswith(MAGIC):
        raise DocumentError("not a file of NumPy arrays")
    count = _LENGTH_BYTES.get(start[6])
    if count is None:
        raise DocumentError(f"not a file of NumPy arrays that is known here (version {start[6]}.{start[7]})")
    length = int.from_bytes(file.read(count), "little")
    text = file.read(length) if length <= _LONGEST_HEADER else b""
    if not text or len(text) < length:
        raise DocumentError("not a file of NumPy arrays (its header is cut short, or too long)")
    return _header(_literal(text))


def _literal(text: bytes) -> Any:
    """The literal of a header; None when it is none."""
    try:
        # the longs of Python 2 are written 4L
        return ast.literal_eval(re.sub(r"(?<=\d)L\b", "", text.decode("latin-1")).strip())
    except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError):
        return None


def _header(said: Any) -> _Header:
    """The header, held against the format."""
    import numpy as np

    if not isinstance(said, dict) or said.keys() != {"descr", "fortran_order", "shape"}:
        raise DocumentError("not a file of NumPy arrays (its header is malformed)")
    descr, columns_first, shape = said["descr"], said["fortran_order"], said["shape"]
    sizes = isinstance(shape, tuple) and len(shape) <= MOST_AXES and all(type(size) is int and 0 <= size < 2**63 for size in shape)
    if not sizes or not isinstance(columns_first, bool):
        raise DocumentError("not a file of NumPy arrays (its header is malformed)")
    if not isinstance(descr, str) or not _PLAIN.fullmatch(descr):
        return _Header(None, shape, columns_first)
    try:
        return _Header(np.dtype(descr), shape, columns_first)
    except (TypeError, ValueError):
        raise DocumentError("not a file of NumPy arrays (there is no such dtype)") from None
