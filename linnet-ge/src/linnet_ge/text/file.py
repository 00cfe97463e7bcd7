"""A file as text that gives the same bytes again.

In: bytes, or a path.  Out: text in which a byte that is no UTF-8 stands as a lone surrogate (`surrogateescape`); `DocumentError` where the
bytes are no text of a dump at all (empty, UTF-16 or UTF-32, binary).
"""

from __future__ import annotations

import codecs
import sys

from linnet_core.errors import DocumentError, UsageError

#: The largest file that is read, in bytes.
MAX_BYTES = 2 << 30

_WIDE = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)
#: How many bytes are looked at for NUL bytes.
_HEAD = 4096


def read_bytes(path: str) -> bytes:
    """The bytes of a file, `-` for those of stdin; `UsageError` when it cannot be read, `DocumentError` when it is too large."""
    try:
        if path == "-":
            data = sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            with open(path, "rb") as file:
                data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from None
    except ValueError:
        raise UsageError(f"{path!a}: this is no path") from None
    if len(data) > MAX_BYTES:
        raise DocumentError(f"{path}: larger than {MAX_BYTES >> 30} GiB, the largest file that is read")
    return data


def text_of(data: bytes, name: str) -> str:
    """The text of a dump; `DocumentError`, which names `name`, where the bytes are none."""
    if not data:
        raise DocumentError(f"{name}: the file is empty; a dump was expected")
    wide = encoding_of(data[:_HEAD])
    if wide is not None:
        raise DocumentError(f"{name}:1: the file is {wide}; a dump is UTF-8 text")
    return data.decode("utf-8", "surrogateescape")


def bytes_of(text: str) -> bytes:
    """The bytes that `text_of` read, the same ones."""
    return text.encode("utf-8", "surrogateescape")


def encoding_of(head: bytes) -> str | None:
    """What the first bytes of a file are when they are not text in UTF-8: `UTF-16`, `UTF-32`, `binary`; else None."""
    for mark, name in _WIDE:
        if head.startswith(mark):
            return name
    if 0 not in head:
        return None
    even, odd = head[0::2], head[1::2]
    half = len(head) // 2
    if half and (odd.count(0) > 0.4 * half) != (even.count(0) > 0.4 * half):
        return "UTF-16"
    return "binary"
