"""GE's copy of ONNX as the view that all tools work on.

In: a `Document` and the name of its file.  Out: `Dump`.  Graphs other than the main one stand in it as nodes of type `subgraph`; which
operation runs which is not said.  Dtypes and shapes are attributes of the node (`output_desc_dtype:0`; one JSON string an output where it
has many), or stand in the value_info of that name.  At level 3 a node has no attributes: only outputs that are used can be counted.
"""

from __future__ import annotations

from collections import deque
from typing import Any

from linnet_core.errors import DocumentError
from linnet_ge.formats.dtypes import ONNX
from linnet_ge.formats.edges import Place, edges
from linnet_ge.formats.naming import input_parameters
from linnet_ge.formats.onnx_attributes import OnnxAttributes, named, sizes_in, value_of, word_in
from linnet_ge.formats.roots import graph_fields
from linnet_ge.ir.operations import operation
from linnet_ge.ir.roles import results_node
from linnet_ge.model import MOST_OUTPUTS, Dump, Edge, Graph, Link, Node, Output, Problem, TensorInfo
from linnet_ge.prototext.scalars import int_of, string_of
from linnet_ge.prototext.tree import Document, Field, Message, each, message, messages, scalar, scalars, string_in

#: What a graph calls its nodes.
NODES = "node"
#: Nodes that hold a graph and are no operations.
SUBGRAPH = "subgraph"


def view(document: Document, file: str) -> Dump:
    """The dump; `DocumentError` where the file has no graph."""
    roots = graph_fields(document, NODES)
    if not roots:
        raise DocumentError(f"{file}: no graph; `graph {{` was expected")
    notes = list(document.problems)
    waiting = deque(roots)
    graphs: list[Graph] = []
    while waiting:
        graph, inner = _graph(waiting.popleft(), file, notes)
        graphs.append(graph)
        waiting.extend(inner)
    return Dump("onnx", tuple(graphs), tuple(notes))


def held_graphs(fields: Message) -> list[Field]:
    """The graphs that the nodes of a graph hold, in order."""
    return [graph for field in each(fields, "node") for _, graph in _held(field.value)]


def _held(node: Message) -> list[tuple[str, Field]]:
    """The graphs in the attributes of a node, each with the name of its attribute."""
    return [(name, graph) for name, found in named(node) for graph in (*each(found, "g"), *each(found, "graphs"))]


def _graph(root: Field, file: str, notes: list[Problem]) -> tuple[Graph, list[Field]]:
    """A graph, and the fields of those its nodes hold."""
    fields: Message = root.value
    described = {string_in(info, "name"): info for kind in ("output", "value_info") for info in messages(fields, kind)}
    inner: list[Field] = []
    nodes: list[Node] = []
    for field in each(fields, "node"):
        held = _held(field.value)
        inner += [graph for _, graph in held]
        if string_in(field.value, "op_type") != SUBGRAPH:
            links = tuple(Link(name, string_in(graph.value, "name")) for name, graph in held)
            nodes.append(_node(field, links, described, file, notes))
    return Graph(string_in(fields, "name"), tuple(nodes), _outputs(fields, nodes), root.line), inner


def _outputs(fields: Message, nodes: list[Node]) -> tuple[Output, ...]:
    """What the NetOutput takes; without one, the outputs of the graph, which are called as nodes or `NODE:OUTPUT`."""
    taker = results_node(nodes)
    if taker is not None:
        return tuple(Output(edge) for edge in taker.inputs)
    names = {node.name for node in nodes}
    found: list[Output] = []
    for position, info in enumerate(messages(fields, "output")):
        name = string_in(info, "name")
        source, colon, index = name.rpartition(":")
        output = int_of(index) if colon and name not in names else None
        found.append(Output(Edge(None, name, 0, position) if output is None else Edge(None, source, output, position)))
    return tuple(found)


def _node(field: Field, links: tuple[Link, ...], described: dict[str, Message], file: str, notes: list[Problem]) -> Node:
    fields: Message = field.value
    name = string_in(fields, "name")
    kind = string_in(fields, "op_type").removeprefix("ge:")
    sources = tuple(scalars(fields, "input"))
    attributes = OnnxAttributes(fields, kind)
    names = input_parameters(kind, OnnxAttributes(fields, kind), len(sources))
    inputs, control = edges(sources, names, Place(file, field.line, name, "input"), notes)
    infos = descs(fields, "output")
    count = max(_count(kind, infos), _used(fields))
    outputs = tuple(_info(infos.get(at), described, name, at) for at in range(count))
    if not any(outputs):
        outputs = ()
    return Node(name, kind, count, inputs, control, attributes, links, outputs, field.line)


def _count(kind: str, infos: dict[int, dict[str, Any]]) -> int:
    """How many outputs a node has, as far as it or the table describes them."""
    if infos:
        return next(at for at in range(len(infos) + 1) if at not in infos)
    found = operation(kind)
    return len(found.outputs) if found is not None and all(output.kind == "required" for output in found.outputs) else 0


def _used(fields: Message) -> int:
    """How many outputs there are up to the last that something takes; `NAME:-1` stands for a control edge."""
    numbers = [int_of((string_of(text) or "").rpartition(":")[2]) for text in scalars(fields, "output")]
    return max((number for number in numbers if number is not None and number < MOST_OUTPUTS), default=-1) + 1


def descs(fields: Message, side: str) -> dict[int, dict[str, Any]]:
    """What attributes say of the inputs or outputs of a node, by number: `{0: {"dtype": "DT_FLOAT", "shape": (1, 2), ...}}`."""
    stem = f"{side}_desc_"
    found: dict[int, dict[str, Any]] = {}
    for name, given in named(fields):
        if not name.startswith(stem):
            continue
        field, colon, number = name[len(stem) :].rpartition(":")
        if not number.isascii() or not number.isdecimal():
            continue
        if colon:
            found.setdefault(int(number), {})[field] = value_of(given).value
        else:
            found.setdefault(int(number), {}).update(_from_json(value_of(given).value))
    return found


def _from_json(text: Any) -> dict[str, Any]:
    import msgspec

    try:
        decoded = msgspec.json.decode(text if isinstance(text, str) else "")
    except (msgspec.DecodeError, UnicodeError):
        return {}
    return {key: tuple(value) if isinstance(value, list) else value for key, value in decoded.items()} if isinstance(decoded, dict) else {}


def _info(told: dict[str, Any] | None, described: dict[str, Message], name: str, at: int) -> TensorInfo | None:
    info = described.get(f"{name}:{at}") or (described.get(name) if at == 0 else None)
    dtype, shape = value_info(info) if info is not None else (None, None)
    if told is None and dtype is None and shape is None:
        return None
    told = told or {}
    return TensorInfo(
        word_in(told.get("dtype")) or dtype,
        shape if (known := sizes_in(told.get("shape"))) is None else known,
        word_in(told.get("layout")),
        sizes_in(told.get("origin_shape")),
        word_in(told.get("origin_layout")),
    )


def value_info(fields: Message) -> tuple[str | None, tuple[int, ...] | None]:
    """Dtype and shape of a ValueInfoProto; a size with a name is -1."""
    tensor = message(message(fields, "type") or (), "tensor_type") or ()
    shape = message(tensor, "shape")
    sizes = None
    if shape is not None:
        sizes = tuple(
            int_of(scalar(dim, "dim_value") or ("-1" if scalar(dim, "dim_param") else "0")) or 0 for dim in messages(shape, "dim")
        )
    return ONNX.get(scalar(tensor, "elem_type") or ""), sizes
