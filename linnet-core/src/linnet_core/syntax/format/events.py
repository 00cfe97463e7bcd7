"""What the writer tells the layout: words, places where a line may end, and what belongs together.

In: nothing.  Out: the kinds of events.  A stream of them is in the order of the text: a `str` is printed as it stands, the
others say where lines end and how far they are indented.
"""

from __future__ import annotations

from enum import Enum

from msgspec import Struct


class Mark(Enum):
    """Events without anything of their own."""

    #: A group begins or ends: on one line if it fits, else every `Line` directly in it ends a line.
    OPEN = "open"
    CLOSE = "close"
    #: Lines that begin after it stand four columns further right, or back.
    INDENT = "indent"
    DEDENT = "dedent"
    #: A comma where the group around it is broken.
    COMMA = "comma"


class Line(Struct, frozen=True, gc=False):
    """A place where a line may end: `flat` in a group on one line; `hard` ends the line always, `blank` leaves one empty after it."""

    flat: str = ""
    hard: bool = False
    blank: bool = False


class Remark(Struct, frozen=True, gc=False):
    """Comments on a line of their own, or up to the end of one; their width counts for nothing.

    `indent` is what stood before them on their line, None where they stood after something: later lines of a block comment
    that begin with it follow the comment to its new place.
    """

    text: str
    indent: str | None = None


Event = str | Line | Remark | Mark
