"""The part of a graph around a node.

In: a graph, the place of a node, how many edges to go.  Out: `Part`.

Kept are the nodes that so many edges lead to, in either direction, and the constants these take: a value is no input.  What a kept node
takes from elsewhere comes from a `Data` node: it has the name of the node that gave it, or `NAME_OUTPUT` where that has several outputs,
and the smallest index that is free.  What others took of kept nodes, and what was a result, are the results, but not such constants.  The
node of all results (NetOutput) is neither kept nor a way to others.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import count

from msgspec import Struct
from msgspec.structs import replace

from linnet_ge.ir.roles import INPUTS, RESULTS
from linnet_ge.model import Edge, Graph, Node, TensorInfo
from linnet_ge.readable.names import unused_name
from linnet_ge.tools.summary import CONSTANTS


class Boundary(Struct, frozen=True):
    """A `Data` node that stands for an output of a node that is not kept; `place` is that node's, None where no node has the name."""

    name: str
    index: int
    source: str
    output: int
    place: int | None
    info: TensorInfo | None


class Part(Struct, frozen=True, dict=True):
    """What is kept of a graph: places of nodes in order, what stands for outputs of other nodes, the results."""

    graph: Graph
    kept: tuple[int, ...]
    boundary: Mapping[tuple[str, int], Boundary]
    results: tuple[tuple[str, int], ...]

    def moved(self, edge: Edge) -> Edge:
        """An edge of a kept node as it is in the part."""
        one = self.boundary.get((edge.node, edge.output))
        return edge if one is None else replace(edge, node=one.name, output=0)

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of kept nodes."""
        return frozenset(self.graph.nodes[at].name for at in self.kept)

    def controls(self, node: Node) -> tuple[str, ...]:
        """The control edges of a kept node that begin at kept nodes."""
        return tuple(name for name in node.control_inputs if name in self.names)


def neighbourhood(graph: Graph, place: int, hops: int) -> Part:
    """The part of `graph` that at most `hops` edges lead to from the node at `place`."""
    nodes = graph.nodes
    places: dict[str, int] = {}
    for at, node in enumerate(nodes):
        places.setdefault(node.name, at)
    near = _near(nodes, places, place, hops)
    kept = tuple(sorted(near | _constants(nodes, places, near)))
    boundary = _boundary(graph, places, kept)
    return Part(graph, kept, boundary, _results(graph, places, near))


def _constants(nodes: Sequence[Node], places: Mapping[str, int], near: set[int]) -> set[int]:
    """The constants that the nodes at `near` take."""
    taken = {places[edge.node] for at in near for edge in nodes[at].inputs if edge.node in places}
    return {at for at in taken if nodes[at].type in CONSTANTS and not nodes[at].inputs}


def _near(nodes: Sequence[Node], places: Mapping[str, int], start: int, hops: int) -> set[int]:
    """Places that are at most so many edges away."""
    beside: list[list[int]] = [[] for _ in nodes]
    for at, node in enumerate(nodes):
        if node.type == RESULTS:
            continue
        for name in (*(edge.node for edge in node.inputs), *node.control_inputs):
            source = places.get(name)
            if source is not None and nodes[source].type != RESULTS:
                beside[at].append(source)
                beside[source].append(at)
    distance = {start: 0}
    waiting = deque([start])
    while waiting:
        at = waiting.popleft()
        for other in beside[at] if distance[at] < hops else ():
            if other not in distance:
                distance[other] = distance[at] + 1
                waiting.append(other)
    return set(distance)


def _boundary(graph: Graph, places: Mapping[str, int], kept: tuple[int, ...]) -> dict[tuple[str, int], Boundary]:
    """What stands for outputs of nodes that are not kept, in the order they are taken."""
    nodes, inside = graph.nodes, set(kept)
    names = {nodes[at].name for at in kept}
    used = {index.value for at in kept if nodes[at].type in INPUTS and (index := nodes[at].attributes.get("index")) is not None}
    free = (index for index in count() if index not in used)
    found: dict[tuple[str, int], Boundary] = {}
    for at in kept:
        for edge in nodes[at].inputs:
            key, place = (edge.node, edge.output), places.get(edge.node)
            if place in inside or key in found:
                continue
            several = edge.output > 0 or (place is not None and nodes[place].output_count > 1)
            name = unused_name(f"{edge.node}_{edge.output}" if several else edge.node, names)
            outputs = () if place is None else nodes[place].outputs
            info = outputs[edge.output] if edge.output < len(outputs) else None
            found[key] = Boundary(name, next(free), edge.node, edge.output, place, info)
    return found


def _results(graph: Graph, places: Mapping[str, int], inside: set[int]) -> tuple[tuple[str, int], ...]:
    """The outputs of nodes inside that others take or that were results, in the order of nodes and outputs."""
    taken: set[tuple[int, int]] = set()
    takers = [edge for at, node in enumerate(graph.nodes) if at not in inside for edge in node.inputs]
    for edge in (*takers, *(output.edge for output in graph.outputs)):
        place = places.get(edge.node)
        if place in inside and place is not None:
            taken.add((place, edge.output))
    return tuple((graph.nodes[place].name, output) for place, output in sorted(taken))
