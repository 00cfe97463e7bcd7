"""safetensors files: the header and the bytes of each tensor.

In: a path.  Out: `TensorFile`: entries by name, arrays mapped from the file.  The format: eight bytes with the header's length, a
JSON object of name to `dtype`, `shape` and `data_offsets`, then the data, covered without gaps
(github.com/huggingface/safetensors, format section of its README).
"""

from __future__ import annotations

import json
import math
import os
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from linnet_core.errors import DocumentError
from linnet_core.text.cells import show_inline
from linnet_core.weights.arrays import MOST_AXES
from linnet_core.weights.opening import open_regular

if TYPE_CHECKING:
    from typing import BinaryIO

    import numpy as np

#: safetensors dtype -> (dtype of the language its bytes are read as, bytes an element).  fp8 is read as raw bytes.
DTYPES = {
    "BOOL": ("bool", 1),
    "I8": ("i8", 1),
    "I16": ("i16", 2),
    "I32": ("i32", 4),
    "I64": ("i64", 8),
    "U8": ("u8", 1),
    "U16": ("u16", 2),
    "U32": ("u32", 4),
    "U64": ("u64", 8),
    "F16": ("f16", 2),
    "BF16": ("bf16", 2),
    "F32": ("f32", 4),
    "F64": ("f64", 8),
    "F8_E4M3": ("u8", 1),
    "F8_E5M2": ("u8", 1),
    "F8_E8M0": ("u8", 1),
}
#: A header larger than this is refused, as the format's own reader refuses it.
MAX_HEADER = 100_000_000
_DUE = "a .safetensors file"
#: Sizes and offsets are u64 in the format; none that stands for a file needs more.
_BEYOND = 2**64


class Entry(Struct, frozen=True):
    """A tensor of the file: its bytes are `start` to `stop`, counted from the file's first byte."""

    stored: str
    dtype: str
    shape: tuple[int, ...]
    start: int
    stop: int


class TensorFile(Struct, frozen=True):
    """An opened file; `aliases` are names its metadata gives to tensors that are stored under another."""

    path: str
    entries: dict[str, Entry]
    aliases: dict[str, str] = {}
    #: What tells the file from another that was put in its place.
    stamp: tuple[int, ...] = ()

    def array(self, name: str) -> np.ndarray[Any, Any]:
        """The tensor, mapped read-only; `DocumentError` where the file is no longer the one whose header was read."""
        import numpy as np

        from linnet_core.weights.arrays import numpy_dtype

        entry = self.entries[name]
        dtype = numpy_dtype(entry.dtype)
        if entry.start == entry.stop:
            return np.zeros(entry.shape, dtype)
        with open_regular(self.path, _DUE) as file:
            if _stamp(file) != self.stamp:
                raise DocumentError(f"{self.path}: the file was changed while it was read")
            data = np.memmap(file, np.uint8, "r", entry.start, (entry.stop - entry.start,))
        array = np.asarray(data).view(dtype).reshape(entry.shape)
        return array if array.flags.aligned else array.copy()


def open_tensors(path: str) -> TensorFile:
    """Read and check the header; `DocumentError` in one line for anything that is no safetensors file."""
    with open_regular(path, _DUE) as file:
        stamp = _stamp(file)
        size = os.fstat(file.fileno()).st_size
        head = file.read(8)
        length = int.from_bytes(head, "little")
        if head.startswith(b"version "):
            raise DocumentError(f"{path}: a pointer of git-lfs, not the weights; fetch the file it stands for")
        if len(head) < 8 or length > MAX_HEADER or 8 + length > size:
            raise DocumentError(f"{path}: not a safetensors file, or cut short ({size} bytes)")
        header = file.read(length)
    described = _described(path, header)
    entries = _entries(path, described, 8 + length, size)
    return TensorFile(path, entries, _aliases(described.get("__metadata__"), entries), stamp)


def _stamp(file: BinaryIO) -> tuple[int, ...]:
    about = os.fstat(file.fileno())
    return about.st_dev, about.st_ino, about.st_size, about.st_mtime_ns


def _described(path: str, header: bytes) -> dict[str, Any]:
    """The header's object."""
    try:
        described = json.loads(header)
    except (ValueError, RecursionError):
        raise DocumentError(f"{path}: not a safetensors file: its header is no JSON") from None
    if not isinstance(described, dict):
        raise DocumentError(f"{path}: not a safetensors file: its header is no object")
    return described


def _aliases(metadata: Any, entries: dict[str, Entry]) -> dict[str, str]:
    """Names that stand in the metadata for a stored tensor, as writers leave them for tied weights."""
    if not isinstance(metadata, dict):
        return {}
    return {name: target for name, target in metadata.items() if isinstance(target, str) and target in entries and name not in entries}


def _entries(path: str, described: dict[str, Any], base: int, size: int) -> dict[str, Entry]:
    """The tensors, whose data must cover the file without gap or overlap."""
    entries = {name: _entry(path, name, value, base) for name, value in described.items() if name != "__metadata__"}
    end = base
    for name, entry in sorted(entries.items(), key=lambda item: (item[1].start, item[1].stop)):
        if entry.start != end:
            raise DocumentError(f"{path}: the data of `{show_inline(name)}` does not follow what is before it")
        end = entry.stop
    if end != size:
        what = "cut short" if end > size else f"{size - end} bytes too long"
        raise DocumentError(f"{path}: the file is {what} for its header")
    return entries


def _entry(path: str, name: str, value: Any, base: int) -> Entry:
    subject = f"`{show_inline(name)}`"
    try:
        stored, shape, (start, stop) = value["dtype"], tuple(value["shape"]), value["data_offsets"]
        numbers = (*shape, start, stop)
        if not isinstance(stored, str) or len(shape) > MOST_AXES or not all(type(n) is int and 0 <= n < _BEYOND for n in numbers):
            raise TypeError
    except (TypeError, KeyError, ValueError):
        raise DocumentError(f"{path}: the header's entry of {subject} is malformed") from None
    if stored not in DTYPES:
        raise DocumentError(f"{path}: {subject} has the dtype {show_inline(stored)}, which is not known here")
    dtype, width = DTYPES[stored]
    due = math.prod(shape) * width
    if stop - start != due:
        raise DocumentError(f"{path}: {subject} has {stop - start} bytes, its shape {list(shape)} in {stored} needs {due}")
    return Entry(stored, dtype, shape, base + start, base + stop)
