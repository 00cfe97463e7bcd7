"""The one view of a dump that all tools work on, whatever format it came in.

In: what a reader found (readable text, protobuf text of GE or of its ONNX copy), or a graph that is being made.  Out: frozen values; what a
format does not say is None or empty, never invented.  `nodes` may be a sequence that makes its nodes when they are asked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Literal

from msgspec import Struct

#: The formats a view is made from.
DumpKind = Literal["readable", "proto", "onnx"]

#: What the value of an attribute is.  `list_list_int` holds tuples of tuples; `tensor` a `TensorValue`; `graph` the name of a graph (in a
#: view such links stand in `Node.subgraphs`); `unknown` is text that fits none.
ValueKind = Literal[
    "int",
    "float",
    "bool",
    "string",
    "type",
    "list_int",
    "list_float",
    "list_bool",
    "list_string",
    "list_type",
    "list_list_int",
    "list_list_float",
    "tensor",
    "graph",
    "bytes",
    "message",
    "unknown",
]


#: A node of more outputs is not believed in: there is none, and a file can claim any number.
MOST_OUTPUTS = 1 << 16


class Problem(Struct, frozen=True):
    """What is wrong with a file, and where; a partial result carries its problems."""

    file: str | None
    #: From 1; None where the whole file is meant.
    line: int | None
    node: str | None
    message: str
    #: What would have been right, for people.
    expected: str | None = None

    def __str__(self) -> str:
        """`FILE:LINE: node `NAME`: MESSAGE; expected EXPECTED`, as far as it is known."""
        place = ":".join(str(part) for part in (self.file, self.line) if part is not None)
        node = f"node `{self.node}`: " if self.node is not None else ""
        expected = f"; expected {self.expected}" if self.expected is not None else ""
        return f"{place}{': ' if place else ''}{node}{self.message}{expected}"


class TensorValue(Struct, frozen=True):
    """The value of a tensor, as far as it is known.

    `state` is `values` (all of them, flat, row-major), `abbreviated` (the first and last three; how many is not known unless `shape`
    says so), `empty`, `invalid` or `not_supported`.
    """

    state: Literal["values", "abbreviated", "empty", "invalid", "not_supported"]
    values: tuple[int | float | bool, ...] = ()
    dtype: str | None = None
    shape: tuple[int, ...] | None = None


class Value(Struct, frozen=True):
    """The value of an attribute.

    `raw` is how the file spells it (without the key), None where it was made; `ambiguous`: the text can be read in several ways, and
    `value` is only the likeliest.  Floats of a readable dump have six decimals: `0.000000` may have been 1e-7.
    """

    kind: ValueKind
    value: Any
    raw: str | None = None
    ambiguous: bool = False


class TensorInfo(Struct, frozen=True):
    """What is known of one output (or input) of a node.  `dtype` is the serial name (`DT_FLOAT`, `DT_BFLOAT16`)."""

    dtype: str | None = None
    #: -1 is an unknown size, (-2,) an unknown rank, None not known to us.
    shape: tuple[int, ...] | None = None
    layout: str | None = None
    origin_shape: tuple[int, ...] | None = None
    origin_layout: str | None = None


class Edge(Struct, frozen=True):
    """A data edge into a node: output `output` of `node` (a name of the same graph) goes to input `position`, called `parameter`.

    `parameter` is None where the format names none.  `ambiguous`: the names fit in several ways.
    """

    parameter: str | None
    node: str
    output: int
    position: int
    ambiguous: bool = False


class Output(Struct, frozen=True):
    """One result of a graph, in order."""

    edge: Edge


class Link(Struct, frozen=True):
    """A graph that a node runs.  `ir_name` is what the operation calls it (`then_branch`, `branches0`), None where that is lost."""

    ir_name: str | None
    graph: str


class Node(Struct, frozen=True):
    """A node.  `attributes` are in the order of the file, or the order of registration; graphs it runs stand in `subgraphs` alone."""

    name: str
    type: str
    #: How many outputs it has (what `[#users=N]` says on its line).
    output_count: int = 1
    inputs: tuple[Edge, ...] = ()
    control_inputs: tuple[str, ...] = ()
    attributes: Mapping[str, Value] = {}
    subgraphs: tuple[Link, ...] = ()
    #: One an output, None where nothing is known; empty where the format says nothing of any.
    outputs: tuple[TensorInfo | None, ...] = ()
    line: int | None = None


class Graph(Struct, frozen=True, dict=True):
    """A graph.  Two nodes may have one name (a fault of the dump): `by_name` has the first."""

    name: str
    nodes: Sequence[Node]
    outputs: tuple[Output, ...] = ()
    line: int | None = None

    @cached_property
    def by_name(self) -> Mapping[str, Node]:
        """The nodes by name, the first of each name."""
        found: dict[str, Node] = {}
        for node in self.nodes:
            found.setdefault(node.name, node)
        return found


class Dump(Struct, frozen=True, dict=True):
    """A dump: its main graph first, then the others in the order of the file.  `notes` are faults and doubts the reader met."""

    kind: DumpKind
    graphs: tuple[Graph, ...]
    notes: tuple[Problem, ...] = ()

    @cached_property
    def by_name(self) -> Mapping[str, Graph]:
        """The graphs by name, the first of each name."""
        found: dict[str, Graph] = {}
        for graph in self.graphs:
            found.setdefault(graph.name, graph)
        return found
