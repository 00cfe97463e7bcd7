"""What nodes of some types are there for, beside computing.

In: types, nodes.  Out: sets of types; the node that takes a graph's results.
"""

from __future__ import annotations

from collections.abc import Iterable

from linnet_ge.model import Node

#: What a graph is given; each has an `index`.
INPUTS = frozenset({"Data", "RefData"})
#: What has its value in an attribute, and what has one that does not change.
VALUED = frozenset({"Const", "Constant"})
CONSTANTS = VALUED | {"FileConstant"}
#: The node that takes the results of a graph; a readable dump has none.
RESULTS = "NetOutput"


def results_node(nodes: Iterable[Node]) -> Node | None:
    """The node whose inputs are the results of its graph; None where the graph itself says what they are."""
    return next((node for node in nodes if node.type == RESULTS), None)
