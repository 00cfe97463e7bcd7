"""Places in a source text.

In: a `Source` and two offsets.  Out: `Span`, which every syntax node, typed node and IR operation carries so that any
stage can point at the words it speaks of.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from linnet_core.text.source import Source


class Span(Struct, frozen=True, gc=False):
    """The code points `start` (inclusive) to `end` (exclusive) of `source.text`."""

    source: Source
    start: int
    end: int

    @property
    def text(self) -> str:
        """The words under the span."""
        return self.source.text[self.start : self.end]

    @property
    def brief(self) -> str:
        """The words under the span if they are few and on one line, else `...`: for messages that repeat them."""
        text = self.text
        return text if len(text) <= 40 and "\n" not in text and "\r" not in text else "..."


def join(first: Span, last: Span) -> Span:
    """The span from the start of `first` to the end of `last`, both of one source."""
    return Span(first.source, first.start, last.end)
