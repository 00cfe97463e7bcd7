"""Which graph of one dump is which graph of another, with the pairs of their nodes.

In: two views, and the terms they are compared on.  Out: `GraphPair` values.  Graphs of one name belong together, and the main graphs
where neither name is found in the other dump; then those that nodes which are a pair run in the same place.  Each graph is looked at
once, so graphs that run themselves, or stand in one another a thousand deep, cost what they hold.
"""

from __future__ import annotations

from collections import deque

from msgspec import Struct

from linnet_ge.model import Dump, Graph
from linnet_ge.tools.comparable import Terms
from linnet_ge.tools.matching import Pairs, Side, match


class GraphPair(Struct, frozen=True):
    """Two graphs and the pairs of their nodes; or one graph that has no other, and None."""

    a: Graph | None
    b: Graph | None
    sides: tuple[Pairs, Side, Side] | None = None


def graph_pairs(one: Dump, other: Dump, terms: Terms) -> list[GraphPair]:
    """All graphs of both dumps, in the order of the first, then those that only the second has."""
    if not one.graphs or not other.graphs:
        return [*(GraphPair(graph, None) for graph in one.graphs), *(GraphPair(None, graph) for graph in other.graphs)]
    pairing = _Pairing(one, other, terms)
    pairing.run()
    found = [pairing.found.get(at) or GraphPair(graph, None) for at, graph in enumerate(one.graphs)]
    found += [GraphPair(None, graph) for at, graph in enumerate(other.graphs) if at not in pairing.taken]
    if not (terms.links or terms.onnx):
        return [pair for pair in found if pair.sides is not None]
    absent = without_bodies(one, other)
    return [pair for pair in found if pair.sides is not None or (pair.a or pair.b or one.graphs[0]).name not in absent]


def without_bodies(one: Dump, other: Dump) -> frozenset[str]:
    """The names of graphs that one of the dumps names and leaves out the body of, while the other has it."""
    found: set[str] = set()
    for dump, whole in ((one, other), (other, one)):
        named = {link.graph for graph in dump.graphs for node in graph.nodes for link in node.subgraphs}
        found |= (named - dump.by_name.keys()) & whole.by_name.keys()
    return frozenset(found)


class _Pairing:
    def __init__(self, one: Dump, other: Dump, terms: Terms) -> None:
        self.one = one
        self.other = other
        self.terms = terms
        self.found: dict[int, GraphPair] = {}
        self.taken: set[int] = set()
        self.waiting: deque[tuple[int, int]] = deque()
        self._left = _places(one)
        self._right = _places(other)

    def run(self) -> None:
        """Pair by name, then along the links of nodes that are pairs."""
        for (name, occurrence), at in self._left.items():
            if (name, occurrence) in self._right:
                self._take(at, self._right[name, occurrence])
        if 0 not in self.taken and (self.one.graphs[0].name, 0) not in self._right:
            self._take(0, 0)
        while self.waiting:
            a, b = self.waiting.popleft()
            left, right = self.one.graphs[a], self.other.graphs[b]
            sides = match(left, right, self.terms.trait, self.terms.keeps)
            self.found[a] = GraphPair(left, right, sides)
            self._follow(sides)

    def _take(self, a: int, b: int) -> None:
        self.taken.add(b)
        self.waiting.append((a, b))
        self.found[a] = GraphPair(None, None)

    def _follow(self, sides: tuple[Pairs, Side, Side]) -> None:
        pairs, left, right = sides
        for a, b in pairs.pairs:
            for one, other in zip(left.nodes[a].subgraphs, right.nodes[b].subgraphs, strict=False):
                at, to = self._left.get((one.graph, 0)), self._right.get((other.graph, 0))
                if at is not None and to is not None and at not in self.found and to not in self.taken:
                    self._take(at, to)


def _places(dump: Dump) -> dict[tuple[str, int], int]:
    """Places of graphs by name and how many of that name came before."""
    found: dict[tuple[str, int], int] = {}
    before: dict[str, int] = {}
    for at, graph in enumerate(dump.graphs):
        occurrence = before.get(graph.name, 0)
        before[graph.name] = occurrence + 1
        found[graph.name, occurrence] = at
    return found
