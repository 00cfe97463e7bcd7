"""A file's text and its lines.

In: a path, bytes of a file, or a string.  Out: `Source`: text, line starts, and the translation from an offset in code
points to line, column and byte offset.  A line ends at LF, CR LF or a lone CR, as in editors.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from msgspec import Struct

from linnet_core.errors import SourceError, UsageError
from linnet_core.text.span import Span

if TYPE_CHECKING:
    from linnet_core.text.diagnostic import Diagnostics

#: The largest file that is read (docs/language/limits.md).
MAX_BYTES = 64 << 20
#: How many places with bytes that are not UTF-8 are reported in one file.
MAX_BAD_BYTES = 5000
#: Text, since few files have any: `re` compiles it then.
_BAD_BYTES = "[\udc80-\udcff]+"


class Position(Struct, frozen=True):
    """A place for people and for JSON: 1-based line and column in code points, 0-based offset in bytes."""

    line: int
    column: int
    offset: int


class Source(Struct, frozen=True, eq=False, dict=True):
    """One file: `path` as it was given (relative stays relative) and its text.  Compared by identity."""

    path: str
    text: str
    #: Bytes before `text` in the file that the text does not show (a byte order mark).
    skipped: int = 0
    #: False for a file that is no UTF-8 text at all: its text is only good for showing.
    readable: bool = True

    @cached_property
    def line_starts(self) -> list[int]:
        """Offset of the first code point of each line."""
        text = self.text
        if "\r" in text:
            return [0, *(end.end() for end in re.finditer("\r\n?|\n", text))]
        starts = [0]
        find = text.find
        at = find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = find("\n", at + 1)
        return starts

    @cached_property
    def _line_bytes(self) -> list[int]:
        """Bytes before each line, in the file."""
        text, starts = self.text, self.line_starts
        offsets = [self.skipped]
        for start, stop in pairwise(starts):
            offsets.append(offsets[-1] + _bytes_in(text[start:stop]))
        return offsets

    def line_of(self, offset: int) -> int:
        """1-based number of the line that holds `offset`."""
        return bisect_right(self.line_starts, offset)

    def line_text(self, line: int) -> str:
        """The text of 1-based `line`, without its line end."""
        starts = self.line_starts
        if line == len(starts):
            return self.text[starts[line - 1] :]
        text = self.text[starts[line - 1] : starts[line]]
        return text.removesuffix("\n").removesuffix("\r")

    def position(self, offset: int) -> Position:
        """Line, column and byte offset of the code point at `offset`."""
        line = self.line_of(offset)
        start = self.line_starts[line - 1]
        if self.text.isascii():
            return Position(line, offset - start + 1, self.skipped + offset)
        return Position(line, offset - start + 1, self._line_bytes[line - 1] + _bytes_in(self.text[start:offset]))


def _bytes_in(text: str) -> int:
    """How many bytes of the file `text` stands for."""
    return len(text.encode("utf-8", "surrogateescape"))


def read(path: str, diagnostics: Diagnostics | None = None, *, code: str = "E1001", named: bool = True) -> Source:
    """The file at `path` (`-` is the standard input).

    One that no user `named` must be a regular file: reading a pipe that nobody writes to would wait for ever.

    Bytes that are no text are reported to `diagnostics` under `code`, or raised as `SourceError` when there is no collector.
    Raises `UsageError` for a file that cannot be read or is larger than `MAX_BYTES`.
    """
    if not named and os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
        raise UsageError(f"cannot read `{path}`: it is a pipe or a device, not a file")
    try:
        if path == "-":
            import sys

            data = sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            with open(path, "rb") as file:
                data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UsageError(f"cannot read `{path}`: {(error.strerror or str(error)).lower()}") from None
    except ValueError:
        raise UsageError(f"cannot read `{path}`: this is no path") from None
    if len(data) > MAX_BYTES:
        raise UsageError(f"cannot read `{path}`: it is larger than {MAX_BYTES >> 20} MiB")
    return decode("<stdin>" if path == "-" else path, data, diagnostics, code=code)


def decode(path: str, data: bytes, diagnostics: Diagnostics | None = None, *, code: str = "E1001") -> Source:
    """The text in `data`; a byte order mark is left out of it but counted in byte offsets.

    Errors go where `read` sends them.  A byte that is not UTF-8 stays in the text as the lone surrogate Python has for it.
    """
    faults: list[tuple[str, Span, str | None]] = []
    source = _decode(path, data, faults)
    if faults and diagnostics is None:
        from linnet_core.text.diagnostic import Diagnostic

        raise SourceError([Diagnostic(code, message, span, help=help) for message, span, help in faults])
    for message, span, help in faults:
        assert diagnostics is not None
        diagnostics.report(code, message, span, help=help)
    return source


def _decode(path: str, data: bytes, faults: list[tuple[str, Span, str | None]]) -> Source:
    """Text, and what is wrong with the bytes: message, place, help."""
    wide = _wide_encoding(data)
    if wide is not None:
        text = data.decode(wide, "replace").removeprefix("\ufeff")
        source = Source(path, text, readable=False)
        faults.append((f"the file is {wide[:6].upper()} text, not UTF-8", Span(source, 0, 0), "save it as UTF-8"))
        return source
    skipped = 3 if data.startswith(b"\xef\xbb\xbf") else 0
    text = data[skipped:].decode("utf-8", "surrogateescape")
    found = [] if text.isascii() else [*re.finditer(_BAD_BYTES, text)]
    if found and "\0" in text:
        source = Source(path, text, skipped, readable=False)
        at = min(text.index("\0"), found[0].start())
        faults.append(
            (
                "the file is no text: it holds NUL bytes and bytes that are not UTF-8",
                Span(source, at, at + 1),
                "give a file of text, saved as UTF-8",
            )
        )
        return source
    source = Source(path, text, skipped)
    for bad in found[:MAX_BAD_BYTES]:
        shown = " ".join(f"0x{ord(character) - 0xDC00:02x}" for character in bad[0][:8]) + (" ..." if len(bad[0]) > 8 else "")
        message = f"the byte {shown} is not UTF-8" if len(bad[0]) == 1 else f"the bytes {shown} are not UTF-8"
        faults.append((message, Span(source, bad.start(), bad.end()), "save the file as UTF-8"))
    if len(found) > MAX_BAD_BYTES:
        rest = found[MAX_BAD_BYTES]
        message = f"bytes at {len(found) - MAX_BAD_BYTES} more places are not UTF-8"
        faults.append((message, Span(source, rest.start(), rest.end()), "save the file as UTF-8"))
    return source


def _wide_encoding(data: bytes) -> str | None:
    """`utf-16-le` and its like when the bytes begin like that, with a byte order mark or with a NUL beside every letter."""
    for mark, encoding in (
        (b"\xff\xfe\0\0", "utf-32-le"),
        (b"\0\0\xfe\xff", "utf-32-be"),
        (b"\xff\xfe", "utf-16-le"),
        (b"\xfe\xff", "utf-16-be"),
    ):
        if data.startswith(mark):
            return encoding
    head = data[:64]
    if len(head) >= 8 and len(head) % 2 == 0:
        for nul, letters, encoding in ((head[1::2], head[::2], "utf-16-le"), (head[::2], head[1::2], "utf-16-be")):
            if not nul.strip(b"\0") and b"\0" not in letters:
                return encoding
    return None
