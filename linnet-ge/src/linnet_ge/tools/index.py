"""What the files of a folder hold.

In: the stages of a folder.  Out: `Contents` of each file: graphs, nodes, types of operations, or why it could not be read.
"""

from __future__ import annotations

from collections import Counter

from msgspec import Struct

from linnet_core.errors import LinnetError
from linnet_ge.formats.files import open_dump
from linnet_ge.text.collector import paused_collector
from linnet_ge.tools.folder import File


class Contents(Struct, frozen=True):
    """A file: what it holds, or `error`.  `problems` is how many places could not be read."""

    file: File
    graphs: int
    nodes: int
    types: tuple[tuple[str, int], ...]
    problems: int
    error: str | None = None


def contents(file: File) -> Contents:
    """What a file holds."""
    try:
        opened = open_dump(file.path)
    except LinnetError as error:
        return Contents(file, 0, 0, (), 0, str(error))
    with paused_collector():
        if opened.readable is not None:
            types = Counter(record.type for graph in opened.readable.graphs for record in graph.node_records)
        else:
            types = Counter(node.type for graph in opened.dump.graphs for node in graph.nodes)
    by_count = tuple(sorted(types.items(), key=lambda item: (-item[1], item[0])))
    return Contents(file, len(opened.dump.graphs), sum(types.values()), by_count, len(opened.problems))
