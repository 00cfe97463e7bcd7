"""The graph document: its values, and its JSON both ways.

In: a `Graph` to print, or JSON to read.  Out: JSON, or a `Graph`.  The door of `nodes.py`, `encode.py` and `decode.py`;
`linnet graph` imports of the last two what it needs.
"""

from __future__ import annotations

from linnet_core.graph.decode import decode, from_document
from linnet_core.graph.encode import document, encode
from linnet_core.graph.nodes import MAX_CALL_DEPTH, VERSION, CallNode, Graph, Node, Region, ValueInfo, attribute_names, flat_nodes

__all__ = [
    "MAX_CALL_DEPTH",
    "VERSION",
    "CallNode",
    "Graph",
    "Node",
    "Region",
    "ValueInfo",
    "attribute_names",
    "decode",
    "document",
    "encode",
    "flat_nodes",
    "from_document",
]
