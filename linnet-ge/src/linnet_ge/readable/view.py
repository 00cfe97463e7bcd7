"""A readable dump as the view that all tools work on.

In: `Readable`.  Out: `linnet_ge.model.Dump`, whose nodes are made when they are asked for.  Outputs of nodes say nothing: a readable dump
has no types and shapes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import overload

from linnet_ge.model import Dump, Edge, Graph, Link, Node, Output, Problem, Value
from linnet_ge.readable.bodies import Bodies
from linnet_ge.readable.records import GraphRecord, NodeRecord, Readable, ReturnRecord
from linnet_ge.readable.references import Reference
from linnet_ge.readable.scan import MOST_PROBLEMS


def view(readable: Readable, bodies: Bodies | None = None) -> Dump:
    """The dump as graphs of nodes; its notes are the problems of reading, and what could be read in several ways.

    `bodies` are those of its nodes, where they are wanted beside the view.
    """
    bodies = bodies or Bodies(readable)
    graphs = tuple(_graph(bodies, graph) for graph in readable.graphs)
    return Dump("readable", graphs, (*readable.problems, *doubts(readable, bodies)))


def doubts(readable: Readable, bodies: Bodies) -> list[Problem]:
    """What of names, references and values could be read in several ways; of very many the first, and how many more there are."""
    found = [
        problem
        for graph in readable.graphs
        for problem in (*_doubts(readable.file, graph), *_doubtful_values(readable.file, bodies, graph))
    ]
    if len(found) > MOST_PROBLEMS:
        more = Problem(readable.file, None, None, f"{len(found) - MOST_PROBLEMS} more names and values could be read in several ways")
        return [*found[:MOST_PROBLEMS], more]
    return found


class LazyNodes(Sequence[Node]):
    """The nodes of a graph, each made from its record at first use."""

    def __init__(self, bodies: Bodies, graph: GraphRecord) -> None:
        self._bodies = bodies
        self._graph = graph
        self._made: list[Node | None] = [None] * len(graph.node_records)

    def __len__(self) -> int:
        return len(self._made)

    @overload
    def __getitem__(self, index: int) -> Node: ...
    @overload
    def __getitem__(self, index: slice) -> list[Node]: ...
    def __getitem__(self, index: int | slice) -> Node | list[Node]:
        """The node, or those of a slice."""
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        node = self._made[index]
        if node is None:
            node = self._made[index] = _node(self._bodies, self._graph, self._graph.node_records[index])
        return node


def _graph(bodies: Bodies, graph: GraphRecord) -> Graph:
    outputs: tuple[Output, ...] = ()
    if graph.returned is not None:
        references, _ = bodies.inputs(graph, graph.returned)
        outputs = tuple(Output(_edge(graph, reference, at)) for at, reference in enumerate(references))
    return Graph(graph.name or "", LazyNodes(bodies, graph), outputs, graph.line)


def _node(bodies: Bodies, graph: GraphRecord, record: NodeRecord) -> Node:
    references, _ = bodies.inputs(graph, record)
    values: dict[str, Value] = {}
    links: list[Link] = []
    for attribute in bodies.attributes(record):
        if attribute.value.kind == "graph":
            links.append(Link(attribute.key, attribute.value.value))
        else:
            values.setdefault(attribute.key, attribute.value)
    edges = tuple(_edge(graph, reference, at) for at, reference in enumerate(references))
    return Node(record.name, record.type, record.users, edges, (), values, tuple(links), (), record.line)


def _edge(graph: GraphRecord, reference: Reference, position: int) -> Edge:
    """The edge a reference stands for: an element's name means an output of its node."""
    node, output, is_both = graph.source_of(reference.name)
    return Edge(reference.parameter, node, output, position, reference.ambiguous or is_both)


def _doubts(file: str, graph: GraphRecord) -> list[Problem]:
    found: list[Problem] = []
    for record in graph.records:
        if isinstance(record, NodeRecord | ReturnRecord) and record.doubtful:
            name = record.name if isinstance(record, NodeRecord) else None
            found.append(Problem(file, record.line, name, "names of this graph fit its references in several ways", None))
    returns = [record for record in graph.records if isinstance(record, ReturnRecord)]
    if len(returns) > 1:
        words = f"the graph has {len(returns)} `return` (the first in line {returns[0].line}); its results are taken for those of the last"
        found.append(Problem(file, returns[-1].line, None, words, None))
    both = graph.elements.keys() & graph.nodes.keys() if graph.elements else ()
    for name in sorted(both):
        line = graph.elements[name].line
        found.append(Problem(file, line, name, "a node and an element have this name; references to it are taken for the element"))
    return found


def _doubtful_values(file: str, bodies: Bodies, graph: GraphRecord) -> Iterator[Problem]:
    """Attributes that are ambiguous; only text with several quotes, or the name of a graph, can be."""
    for record in graph.node_records:
        text = record.attributes
        if text is not None and (text.count('"') > 2 or ": %" in text):
            for attribute in bodies.attributes(record):
                if attribute.value.ambiguous:
                    words = f"the value of `{attribute.key}` could be read in several ways; it is taken for {attribute.value.raw}"
                    yield Problem(file, record.line, record.name, words)
