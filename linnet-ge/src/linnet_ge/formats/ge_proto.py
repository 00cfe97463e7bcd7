"""GE's ModelDef, or a bare GraphDef, as the view that all tools work on.

In: a `Document` and the name of its file.  Out: `Dump`.  The main graph is the first; all others stand flat beside it, and operations name
them by instance only.
"""

from __future__ import annotations

from msgspec.structs import replace

from linnet_core.errors import DocumentError
from linnet_ge.formats.attributes import Attributes, dims, entries, value_of
from linnet_ge.formats.dtypes import word_of
from linnet_ge.formats.edges import Place, edges
from linnet_ge.formats.naming import input_parameters, links_of
from linnet_ge.formats.roots import graph_fields
from linnet_ge.ir.roles import results_node
from linnet_ge.model import Dump, Edge, Graph, Node, Output, Problem, TensorInfo
from linnet_ge.prototext.scalars import string_of
from linnet_ge.prototext.tree import Document, Field, Message, each, message, messages, scalar, scalars, string_in

#: What a graph calls its nodes.
NODES = "op"
#: Fields of an operation that the view says in its own words.
TAKEN = frozenset({"name", "type", "input", "input_desc", "output_desc", "subgraph_name"})
#: Numbers of outputs from here on are not taken at their word where nothing else tells of the outputs.
MOST_TAKEN = 256


def view(document: Document, file: str) -> Dump:
    """The dump; `DocumentError` where the file has neither a graph nor an operation."""
    roots = graph_fields(document, NODES)
    if not roots:
        raise DocumentError(f"{file}: no graph; `graph {{` or, for a bare graph, `op {{` was expected")
    notes = list(document.problems)
    return Dump("proto", tuple(_graph(field, file, notes) for field in roots), tuple(notes))


def _graph(root: Field, file: str, notes: list[Problem]) -> Graph:
    fields: Message = root.value
    nodes = tuple(_node(field, file, notes) for field in each(fields, "op"))
    taker = results_node(nodes)
    if taker is not None:
        results = taker.inputs
    else:
        results, _ = edges(scalars(fields, "output"), {}, Place(file, root.line, None, "output"), notes)
    return Graph(string_in(fields, "name"), _counted(nodes, results), tuple(Output(edge) for edge in results), root.line)


def _counted(nodes: tuple[Node, ...], results: tuple[Edge, ...]) -> tuple[Node, ...]:
    """Nodes of a file that says nothing of their outputs have as many as are taken."""
    silent = {node.name for node in nodes if not node.output_count}
    taken: dict[str, int] = {}
    for edges_of in (*(node.inputs for node in nodes), results):
        for edge in edges_of:
            if edge.node in silent and edge.output < MOST_TAKEN:
                taken[edge.node] = max(taken.get(edge.node, 0), edge.output + 1)
    if not taken:
        return nodes
    return tuple(node if node.output_count else replace(node, output_count=taken.get(node.name, 0)) for node in nodes)


def _node(op: Field, file: str, notes: list[Problem]) -> Node:
    fields: Message = op.value
    name = string_in(fields, "name")
    kind = string_in(fields, "type")
    sources = tuple(scalars(fields, "input"))
    names = input_parameters(kind, Attributes(fields, TAKEN), len(sources))
    inputs, control = edges(sources, names, Place(file, op.line, name, "input"), notes)
    outputs = tuple(tensor_info(found) for found in messages(fields, "output_desc"))
    links = links_of(kind, [string_of(text) or "" for text in scalars(fields, "subgraph_name")])
    return Node(name, kind, len(outputs), inputs, control, Attributes(fields, TAKEN), links, outputs, op.line)


def tensor_info(fields: Message) -> TensorInfo:
    """What a TensorDescriptor says: an absent shape is not known, an empty one a scalar."""
    attributes = dict(entries(fields, "attr"))
    origin = value_of(attributes["origin_shape"]) if "origin_shape" in attributes else None
    layout = value_of(attributes["origin_format"]) if "origin_format" in attributes else None
    shape = message(fields, "shape")
    known = origin is not None and origin.kind == "list_int"
    return TensorInfo(
        word_of(scalar(fields, "dtype")),
        None if shape is None else dims(shape),
        string_in(fields, "layout") or None,
        origin.value if origin is not None and known else None,
        layout.value if layout is not None and layout.kind == "string" else None,
    )
