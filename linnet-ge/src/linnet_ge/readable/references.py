"""The names inside `inputs = (...)` and `return (...)`, which nothing escapes.

In: the text inside the brackets, the names known in the graph.  Out: the parameters, the names, and whether they can be told apart in
several ways.

A name may hold anything but a line end: commas, brackets, `=%`.  A name ends where the text ends, or before `, PARAMETER=%` or `, %`.  Of
the ends that give a known name the longest name is taken; if several do, that is said.  Where none is known the first end is taken.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from msgspec import Struct

from linnet_ge.readable.spelling import INVISIBLE

#: What stands before a reference: a parameter, or nothing (the emitter's first version wrote no parameters).
_HEAD = re.compile(r"(?:([^=%,]*)=)?%")
_NEXT = re.compile(r", (?:[^\s=%,]+=)?%")
#: The references of ordinary text, whose names hold no comma.
ORDINARY = re.compile(r"%([^,]*)")


class Reference(Struct, frozen=True, gc=False):
    """`PARAMETER=%NAME`; `parameter` is None where only `%NAME` stands.  `ambiguous`: another split of the text fits as well."""

    parameter: str | None
    name: str
    ambiguous: bool = False


class Known(Struct, frozen=True):
    """The names a reference may mean, and the length of the longest."""

    names: Collection[str]
    longest: int

    @classmethod
    def of(cls, names: Collection[str]) -> Known:
        """The names with their longest length."""
        return cls(names, max(map(len, names), default=0))


def references(text: str, known: Known) -> tuple[list[Reference], str]:
    """The references in order, and the rest of the text that is none (empty when all is well)."""
    found: list[Reference] = []
    at = 0
    while at < len(text):
        head = _HEAD.match(text, at)
        if head is None:
            return found, text[at:]
        end, doubt = _end(text, head.end(), known)
        name = text[head.end() : end]
        if name not in known.names and name.strip(INVISIBLE) in known.names:
            name = name.strip(INVISIBLE)  # as the names of records are read
        found.append(Reference(head[1], name, doubt))
        at = end + 2  # the comma and the space
    return found, ""


def _end(text: str, start: int, known: Known) -> tuple[int, bool]:
    """Where the name that begins at `start` ends, and whether several ends give a known name."""
    first = None
    fitting: list[int] = []
    at = start
    while True:
        match = _NEXT.search(text, at)
        end = match.start() if match else len(text)
        first = end if first is None else first
        if text[start:end] in known.names:
            fitting.append(end)
        if match is None or end - start > known.longest:
            break
        at = match.start() + 1
    return (fitting[-1] if fitting else first), len(fitting) > 1
