"""What a dump holds, counted.

In: a view.  Out: `Summary`.  What the format does not say is None, not zero: a readable dump shows no shapes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from msgspec import Struct

from linnet_ge.ir.dtypes import BITS, CPP
from linnet_ge.ir.roles import CONSTANTS
from linnet_ge.model import Dump, Graph, Node, TensorInfo, TensorValue
from linnet_ge.text.collector import paused_collector


class GraphCounts(Struct, frozen=True):
    """One graph: how many nodes, results, data edges and control edges it has."""

    name: str
    line: int | None
    nodes: int
    results: int
    edges: int
    control_edges: int


class Change(Struct, frozen=True, order=True):
    """How many nodes turn one dtype or layout into another; `source` is None where the format does not say it."""

    source: str | None
    target: str | None
    count: int


class Dynamic(Struct, frozen=True):
    """A node with outputs whose sizes are not known when the graph is built (-1 a size, -2 the rank)."""

    graph: str
    node: str
    type: str
    line: int | None
    shapes: tuple[tuple[int, ...] | None, ...]


class Constants(Struct, frozen=True):
    """Nodes that hold a value.  `bytes` is the size of those whose dtype and shape are known, `unknown` how many others there are."""

    count: int
    bytes: int
    unknown: int


class Summary(Struct, frozen=True):
    """The counts of a dump.  `dtypes` and `dynamic` are None where the format says nothing of outputs."""

    graphs: tuple[GraphCounts, ...]
    types: tuple[tuple[str, int], ...]
    casts: tuple[Change, ...]
    layouts: tuple[Change, ...]
    constants: Constants
    dtypes: tuple[tuple[str, int], ...] | None
    dynamic: tuple[Dynamic, ...] | None

    @property
    def nodes(self) -> int:
        """The nodes of all graphs."""
        return sum(graph.nodes for graph in self.graphs)


def summary(dump: Dump) -> Summary:
    """Count what a dump holds, in one pass over its nodes."""
    counting = _Counting()
    with paused_collector():
        graphs = tuple(counting.graph(graph) for graph in dump.graphs)
    return Summary(
        graphs,
        _by_count(counting.types),
        _changes(counting.casts),
        _changes(counting.layouts),
        Constants(counting.constants, counting.bytes, counting.unknown),
        _by_count(counting.dtypes) if counting.described else None,
        tuple(counting.dynamic) if counting.described else None,
    )


def _by_count(counter: Counter[str]) -> tuple[tuple[str, int], ...]:
    """The most frequent first, then by name."""
    return tuple(sorted(counter.items(), key=lambda item: (-item[1], item[0])))


def _changes(counter: Counter[tuple[str | None, str | None]]) -> tuple[Change, ...]:
    found = [Change(source, target, count) for (source, target), count in counter.items()]
    return tuple(sorted(found, key=lambda change: (-change.count, change.source or "", change.target or "")))


class _Counting:
    def __init__(self) -> None:
        self.types: Counter[str] = Counter()
        self.casts: Counter[tuple[str | None, str | None]] = Counter()
        self.layouts: Counter[tuple[str | None, str | None]] = Counter()
        self.dtypes: Counter[str] = Counter()
        self.dynamic: list[Dynamic] = []
        self.described = False
        self.constants = self.bytes = self.unknown = 0

    def graph(self, graph: Graph) -> GraphCounts:
        """Count a graph's nodes."""
        edges = control = count = 0
        for node in graph.nodes:
            count += 1
            edges += len(node.inputs)
            control += len(node.control_inputs)
            self.types[node.type] += 1
            self._outputs(graph, node)
            match node.type:
                case "Cast":
                    self.casts[_source_dtype(graph, node), _target_dtype(node)] += 1
                case "TransData":
                    self.layouts[_word(node, "src_format"), _word(node, "dst_format")] += 1
                case kind if kind in CONSTANTS:
                    self._constant(node)
        return GraphCounts(graph.name, graph.line, count, len(graph.outputs), edges, control)

    def _outputs(self, graph: Graph, node: Node) -> None:
        dynamic = False
        for info in node.outputs:
            if info is None:
                continue
            self.described = self.described or info.dtype is not None or info.shape is not None
            if info.dtype is not None:
                self.dtypes[info.dtype] += 1
            dynamic = dynamic or any(size < 0 for size in info.shape or ())
        if dynamic:
            shapes = tuple(None if info is None else info.shape for info in node.outputs)
            self.dynamic.append(Dynamic(graph.name, node.name, node.type, node.line, shapes))

    def _constant(self, node: Node) -> None:
        self.constants += 1
        sizes = [size_of(info) for info in node.outputs]
        if sizes and None not in sizes:
            self.bytes += sum(size for size in sizes if size is not None)
            return
        value = node.attributes.get("value")
        if value is None or not isinstance(value.value, TensorValue) or value.value.state != "empty":
            self.unknown += 1


def size_of(info: TensorInfo | None) -> int | None:
    """The bytes of a tensor, those of its elements packed; None where dtype or shape is not known."""
    if info is None or info.dtype not in BITS or info.shape is None or any(size < 0 for size in info.shape):
        return None
    bits = BITS[info.dtype]
    for size in info.shape:
        bits *= size
    return -(-bits // 8)


def _source_dtype(graph: Graph, node: Node) -> str | None:
    """The dtype of what a Cast takes, where its producer's outputs say it."""
    for edge in node.inputs[:1]:
        producer = graph.by_name.get(edge.node)
        if producer is not None and edge.output < len(producer.outputs):
            info = producer.outputs[edge.output]
            return None if info is None else info.dtype
    return None


def _target_dtype(node: Node) -> str | None:
    """The dtype a Cast gives: its attribute `dst_type` is a number of the C++ enum."""
    value = node.attributes.get("dst_type")
    if value is not None and isinstance(value.value, int):
        return CPP.get(value.value, str(value.value))
    return _first_dtype(node.outputs)


def _first_dtype(outputs: Iterable[TensorInfo | None]) -> str | None:
    return next((info.dtype for info in outputs if info is not None), None)


def _word(node: Node, key: str) -> str | None:
    value = node.attributes.get(key)
    return value.value if value is not None and isinstance(value.value, str) else None
