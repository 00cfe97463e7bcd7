"""The inputs of an operation of GE's protobuf text, `SOURCE:OUTPUT`.

In: the texts of the inputs, names by position.  Out: edges, and notes.  An input is split at its last colon; `:-1` is
a control edge, an empty input an unconnected place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from linnet_ge.model import Edge, Problem
from linnet_ge.prototext.read import shorten
from linnet_ge.prototext.scalars import int_of, string_of

#: So many faults of one file are told.
MOST_NOTES = 200


class Place(Struct, frozen=True):
    """Where inputs stand: what a note about them names."""

    file: str
    line: int
    node: str | None
    field: str


def edges(texts: Iterable[str], names: Mapping[int, str], place: Place, notes: list[Problem]) -> tuple[tuple[Edge, ...], tuple[str, ...]]:
    """Data edges and the sources of control edges; what is no `SOURCE:OUTPUT` becomes a note."""
    data: list[Edge] = []
    control: list[str] = []
    position = 0
    for text in texts:
        source, colon, index = (string_of(text) or "").rpartition(":")
        output = int_of(index)
        if output == -1 and colon:
            control.append(source)
            continue
        if colon and output is not None and output >= 0:
            data.append(Edge(names.get(position), source, output, position))
        elif index or colon:
            note(notes, Problem(place.file, place.line, place.node, f"`{place.field}` {position} is {shorten(text)}", "`NODE:OUTPUT`"))
        position += 1
    return tuple(data), tuple(control)


def note(notes: list[Problem], problem: Problem) -> None:
    """Add a note while there are not too many; after the last one it is said that there are more."""
    if len(notes) < MOST_NOTES:
        notes.append(problem)
    elif len(notes) == MOST_NOTES:
        notes.append(Problem(problem.file, problem.line, None, "from here on such faults are not told one by one"))
