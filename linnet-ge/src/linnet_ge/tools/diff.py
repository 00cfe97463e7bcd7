"""How two dumps differ, whatever their formats.

In: two views.  Out: `Difference`: for each pair of graphs the nodes that are only in one, that have another name or type, or whose
attributes, outputs or edges changed.  What one of the formats cannot show is no difference; `not_compared` says what that is.

Edges are compared through pairs of nodes: an input that comes from a node of another name is the same edge where these two are a pair.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from linnet_ge.ir.roles import results_node
from linnet_ge.model import Dump, Edge, Graph, Node, TensorInfo
from linnet_ge.text.collector import paused_collector
from linnet_ge.tools.comparable import Terms
from linnet_ge.tools.graph_pairs import GraphPair, graph_pairs, without_bodies
from linnet_ge.tools.matching import Pairs, Side
from linnet_ge.tools.wording import output_words, shape_words, value_words

What = Literal[
    "added",
    "removed",
    "renamed",
    "retyped",
    "outputs",
    "attribute",
    "dtype",
    "shape",
    "layout",
    "input",
    "control",
    "graph",
    "result",
]


class Change(Struct, frozen=True):
    """One thing that is `a` in the first dump and `b` in the second, None where it is not there; `key` says which of its kind."""

    what: What
    key: str | None
    a: str | None
    b: str | None

    def __str__(self) -> str:
        """`attribute dim: -1 -> 0`; `(none)` stands for what is not there."""
        key = "" if self.key is None else f" {self.key}"
        a, b = ("(none)" if side is None else side for side in (self.a, self.b))
        return f"{self.what}{key}: {a} -> {b}"


class Place(Struct, frozen=True):
    """A node of one dump."""

    name: str
    type: str
    line: int | None


class NodeDifference(Struct, frozen=True):
    """A node that is only in one of the graphs, or two that are a pair and not the same."""

    a: Place | None
    b: Place | None
    what: tuple[What, ...]
    changes: tuple[Change, ...] = ()


class GraphDifference(Struct, frozen=True):
    """Two graphs that are a pair and not the same, or one that has no other.  `same` counts the nodes that are the same."""

    a: str | None
    b: str | None
    what: tuple[What, ...]
    results: tuple[Change, ...]
    nodes: tuple[NodeDifference, ...]
    same: int


class Difference(Struct, frozen=True):
    """The graphs that differ, in the order of the first dump, then of the second; how often each kind of difference was met."""

    graphs: tuple[GraphDifference, ...]
    counts: tuple[tuple[What, int], ...]
    not_compared: tuple[str, ...]

    @property
    def same(self) -> bool:
        """Whether nothing differs that both formats show."""
        return not self.graphs


def diff(one: Dump, other: Dump, ignore: tuple[str, ...] = ()) -> Difference:
    """Compare two dumps; `ignore` are patterns of attributes to leave out."""
    with paused_collector():
        terms = Terms(one, other, ignore)
        pairs = graph_pairs(one, other, terms)
        names = {pair.a.name: pair.b.name for pair in pairs if pair.a is not None and pair.b is not None}
        found = [difference for pair in pairs if (difference := _graph(pair, terms, names)) is not None]
    absent = sorted(without_bodies(one, other)) if terms.links else []
    left_out = [*terms.left_out(), *(f"graph {name}, which only one file has the body of" for name in absent)]
    return Difference(tuple(found), _counts(found), tuple(left_out))


def _counts(graphs: Iterable[GraphDifference]) -> tuple[tuple[What, int], ...]:
    """How many nodes have each kind of difference (of results: how many results, of graphs alone: their nodes are not counted)."""
    counter: Counter[What] = Counter()
    for graph in graphs:
        counter.update(change.what for change in graph.results)
        counter.update(what for node in graph.nodes for what in node.what)
    return tuple(sorted(counter.items()))


def _graph(pair: GraphPair, terms: Terms, names: dict[str, str]) -> GraphDifference | None:
    one, other = pair.a, pair.b
    if one is None or other is None or pair.sides is None:
        alone = one or other
        assert alone is not None
        return GraphDifference(one and one.name, other and other.name, ("removed" if one else "added",), (), (), 0)
    comparing = _Comparing(pair, terms, names)
    nodes, same = comparing.nodes()
    results = comparing.results(one, other)
    what: tuple[What, ...] = ("renamed",) if one.name != other.name else ()
    if not (nodes or results or what):
        return None
    return GraphDifference(one.name, other.name, what, results, nodes, same)


def names_of(pairs: Pairs, left: Side, right: Side) -> dict[str, str]:
    """What a name of the first graph is called in the second; names of nodes without a partner are called what no node is."""
    names: dict[str, str] = {}
    for a, b in pairs.pairs:
        names.setdefault(left.nodes[a].name, right.nodes[b].name)
    for name in (*(left.nodes[at].name for at in pairs.removed), *(name for name in right.place if name not in left.place)):
        names.setdefault(name, f"\n{name}")
    return names


class _Comparing:
    """Two graphs whose nodes have been paired."""

    def __init__(self, pair: GraphPair, terms: Terms, graphs: dict[str, str]) -> None:
        assert pair.sides is not None
        self.pairs, self.left, self.right = pair.sides
        self.terms = terms
        self.graphs = graphs
        #: What a name of the first graph is called in the second.
        self.names = names_of(*pair.sides)

    def nodes(self) -> tuple[tuple[NodeDifference, ...], int]:
        """The differences in the order of the first graph, what was added where it was; and how many nodes are the same."""
        found: list[NodeDifference] = []
        partner = dict(self.pairs.pairs)
        added, same = self._added(), 0
        pending = added.pop(None, [])
        for at, node in enumerate(self.left.nodes):
            other = partner.get(at)
            if other is None:
                found.append(NodeDifference(_place(node), None, ("removed",)))
                continue
            found += pending
            pending = added.get(at, [])
            difference = self._pair(node, self.right.nodes[other])
            if difference is None:
                same += 1
            else:
                found.append(difference)
        return (*found, *pending), same

    def _added(self) -> dict[int | None, list[NodeDifference]]:
        """The nodes that only the second graph has, after the place in the first of what stands before them (None: nothing does)."""
        partner = {b: a for a, b in self.pairs.pairs}
        found: dict[int | None, list[NodeDifference]] = {}
        before: int | None = None
        for at, node in enumerate(self.right.nodes):
            if at in partner:
                before = partner[at]
            else:
                found.setdefault(before, []).append(NodeDifference(None, _place(node), ("added",)))
        return found

    def results(self, one: Graph, other: Graph) -> tuple[Change, ...]:
        """The results that differ, by position; where both graphs have a node that takes them, its inputs say it."""
        if all(results_node(side.nodes) is not None for side in (self.left, self.right)):
            return ()
        found: list[Change] = []
        for at in range(max(len(one.outputs), len(other.outputs))):
            a = one.outputs[at].edge if at < len(one.outputs) else None
            b = other.outputs[at].edge if at < len(other.outputs) else None
            if not same_source(a, b, self.names):
                found.append(Change("result", str(at), _source(a), _source(b)))
        return tuple(found)

    def _pair(self, one: Node, other: Node) -> NodeDifference | None:
        changes = compare(one, other, self.terms, self.names, self.graphs)
        return NodeDifference(_place(one), _place(other), tuple(dict.fromkeys(c.what for c in changes)), changes) if changes else None


def compare(one: Node, other: Node, terms: Terms, names: dict[str, str], graphs: dict[str, str]) -> tuple[Change, ...]:
    """How two nodes that are a pair differ; `names` and `graphs` say what the second dump calls what the first names."""
    found: list[Change] = []
    if one.name != other.name:
        found.append(Change("renamed", None, one.name, other.name))
    if one.type != other.type:
        found.append(Change("retyped", None, one.type, other.type))
    if one.output_count != other.output_count and (terms.same_kind or not terms.onnx):
        found.append(Change("outputs", None, str(one.output_count), str(other.output_count)))
    found += [Change("attribute", key, value_words(a), value_words(b)) for key, a, b in terms.attributes(one, other)]
    found += _outputs(one.outputs, other.outputs)
    found += _inputs(one, other, terms, names)
    if not terms.readable:
        before, after = {names.get(name, name): name for name in one.control_inputs}, dict.fromkeys(other.control_inputs)
        found += [Change("control", None, name, None) for mapped, name in before.items() if mapped not in after]
        found += [Change("control", None, None, name) for name in after if name not in before]
    if terms.links:
        found += _links(one, other, terms, graphs)
    return tuple(found)


def _outputs(one: tuple[TensorInfo | None, ...], other: tuple[TensorInfo | None, ...]) -> list[Change]:
    """What both say of an output and is not the same."""
    found: list[Change] = []
    for at, (a, b) in enumerate(zip(one, other, strict=False)):
        if a is None or b is None or a == b:
            continue
        if None not in (a.dtype, b.dtype) and a.dtype != b.dtype:
            found.append(Change("dtype", str(at), a.dtype, b.dtype))
        if a.shape is not None and b.shape is not None and a.shape != b.shape:
            found.append(Change("shape", str(at), shape_words(a.shape), shape_words(b.shape)))
        if None not in (a.layout, b.layout) and a.layout != b.layout:
            found.append(Change("layout", str(at), a.layout, b.layout))
    return found


def _inputs(one: Node, other: Node, terms: Terms, names: dict[str, str]) -> list[Change]:
    """The inputs that come from elsewhere, by name where both nodes have names for all of theirs, else by place."""
    if len(one.inputs) == len(other.inputs) and all(
        same_source(a, b, names) and (a.parameter == b.parameter or not terms.parameters)
        for a, b in zip(one.inputs, other.inputs, strict=True)
    ):
        return []
    before, after = _keyed(one, terms), _keyed(other, terms)
    if before is None or after is None:
        before = {str(at): edge for at, edge in enumerate(one.inputs)}
        after = {str(at): edge for at, edge in enumerate(other.inputs)}
    keys = (*before, *(key for key in after if key not in before))
    return [
        Change("input", key, _source(before.get(key)), _source(after.get(key)))
        for key in keys
        if not same_source(before.get(key), after.get(key), names)
    ]


def _keyed(node: Node, terms: Terms) -> dict[str, Edge] | None:
    """The inputs by their names; None where one has none or two have one."""
    found: dict[str, Edge] = {}
    for edge in node.inputs:
        name = terms.parameter(edge)
        if name is None or name in found:
            return None
        found[name] = edge
    return found


def _links(one: Node, other: Node, terms: Terms, graphs: dict[str, str]) -> list[Change]:
    found: list[Change] = []
    for at in range(max(len(one.subgraphs), len(other.subgraphs))):
        a = one.subgraphs[at] if at < len(one.subgraphs) else None
        b = other.subgraphs[at] if at < len(other.subgraphs) else None
        names = {link.ir_name for link in (a, b) if link is not None and link.ir_name is not None}
        if a is None or b is None or graphs.get(a.graph, a.graph) != b.graph or len(names) > 1:
            key = next((link.ir_name for link in (a, b) if link is not None and link.ir_name is not None), str(at))
            found.append(Change("graph", key, a and a.graph, b and b.graph))
    return found


def same_source(a: Edge | None, b: Edge | None, names: dict[str, str]) -> bool:
    """Whether two edges come from one output of nodes that are a pair."""
    if a is None or b is None:
        return a is b
    return a.output == b.output and names.get(a.node, a.node) == b.node


def _source(edge: Edge | None) -> str | None:
    return None if edge is None else output_words(edge.node, edge.output)


def _place(node: Node) -> Place:
    return Place(node.name, node.type, node.line)
