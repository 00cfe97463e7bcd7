"""Nodes by the names that people give: those of a dump's lines, of outputs, of types.

In: a file that was read, a name.  Out: graphs and places; what outputs are called.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.errors import UsageError
from linnet_core.text.near import did_you_mean, listed

if TYPE_CHECKING:
    from linnet_ge.formats.files import Opened
    from linnet_ge.model import Graph

#: As many nodes are named where a type was given for one.
MOST_NAMES = 3


def places_of(opened: Opened, node: str, graph: str | None) -> list[tuple[Graph, int]]:
    """Where nodes of this name stand, as graph and place; a readable dump's `ret_1` means the node it is an output of,
    and `%NAME`, as its lines have it, is `NAME`.

    Raises `UsageError`, which names what is near, where there is no such graph or node.
    """
    graphs = opened.dump.graphs
    if graph is not None and graph not in opened.dump.by_name:
        hint = did_you_mean(graph, opened.dump.by_name) or "`linnet ge summary` lists them"
        raise UsageError(f"{opened.file}: there is no graph `{graph}`; {hint}")
    chosen = [at for at, one in enumerate(graphs) if graph in (None, one.name)]
    found = _places(opened, chosen, node)
    bare = node if opened.readable is None else node.removeprefix("%")
    if not found and bare != node:
        found = _places(opened, chosen, bare)
    if not found:
        near = _of_type(opened, chosen, bare) or did_you_mean(bare, [name for at in chosen for name in graphs[at].by_name])
        where = f" in graph `{graph}`" if graph is not None else ""
        raise UsageError(f"{opened.file}: there is no node `{node}`{where}{f'; {near}' if near else ''}")
    return found


def _places(opened: Opened, chosen: list[int], node: str) -> list[tuple[Graph, int]]:
    return [(opened.dump.graphs[at], place) for at in chosen if (place := _place(opened, at, node)) is not None]


def _of_type(opened: Opened, chosen: list[int], name: str) -> str | None:
    """The nodes whose type it is, if it is one: the first few by name."""
    names = list(dict.fromkeys(node.name for at in chosen for node in opened.dump.graphs[at].nodes if node.type == name))
    if not names:
        return None
    return f"it is the type of {listed(names[:MOST_NAMES])}{f' and {len(names) - MOST_NAMES} more' if len(names) > MOST_NAMES else ''}"


def _place(opened: Opened, at: int, name: str) -> int | None:
    """The place of the first node of that name in a graph."""
    nodes = opened.dump.graphs[at].nodes
    if opened.readable is not None:
        record = opened.readable.graphs[at]
        if name not in record.nodes and name in record.elements:
            name = record.elements[name].node
        names = (node.name for node in record.node_records)
    else:
        names = (node.name for node in nodes)
    return next((place for place, one in enumerate(names) if one == name), None)


def elements_of(opened: Opened, graph: Graph, node: str) -> dict[int, str]:
    """What a readable dump calls the outputs of a node with several, by number."""
    if opened.readable is None:
        return {}
    at = next(at for at, one in enumerate(opened.dump.graphs) if one is graph)
    return {element.index: name for name, element in opened.readable.graphs[at].elements.items() if element.node == node}
