"""Which fields of a file hold its graphs.

In: a `Document`, what a graph calls its nodes.  Out: fields whose values are the messages of graphs.
"""

from __future__ import annotations

from linnet_ge.prototext.tree import Document, Field, each


def graph_fields(document: Document, nodes: str) -> list[Field]:
    """The fields called `graph`; the whole file as one where it has none and is a graph itself, with fields called `nodes`."""
    roots = list(each(document.root, "graph"))
    is_bare = not roots and any(field.name == nodes for field in document.root)
    return [Field("graph", document.root, 1)] if is_bare else roots
