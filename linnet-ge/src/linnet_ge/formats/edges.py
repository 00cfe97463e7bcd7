"""The inputs of an operation of GE's protobuf text, `SOURCE:OUTPUT`.

In: the texts of the inputs, names by position.  Out: edges, and notes.  An input is split at its last colon; `:-1` is
a control edge, an empty input an unconnected place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from linnet_ge.model import Edge, Problem
from linnet_ge.prototext.scalars import int_of, string_of


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
            notes.append(Problem(place.file, place.line, place.node, f"`{place.field}` {position} is {text}", "`NODE:OUTPUT`"))
        position += 1
    return tuple(data), tuple(control)
