"""A file's text and its lines.

In: bytes of a file, or a string.  Out: `Source`: text, line starts, and the translation from an offset in code points to
line, column and byte offset.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property

from msgspec import Struct


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

    @cached_property
    def line_starts(self) -> list[int]:
        """Offset of the first code point of each line; lines end at LF only."""
        starts = [0]
        find = self.text.find
        at = find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = find("\n", at + 1)
        return starts

    def line_of(self, offset: int) -> int:
        """1-based number of the line that holds `offset`."""
        return bisect_right(self.line_starts, offset)

    def line_text(self, line: int) -> str:
        """The text of 1-based `line`, without its line end."""
        starts = self.line_starts
        end = starts[line] - 1 if line < len(starts) else len(self.text)
        return self.text[starts[line - 1] : end].rstrip("\r")

    def position(self, offset: int) -> Position:
        """Line, column and byte offset of the code point at `offset`."""
        line = self.line_of(offset)
        column = offset - self.line_starts[line - 1] + 1
        return Position(line, column, self.skipped + len(self.text[:offset].encode("utf-8", "surrogateescape")))
