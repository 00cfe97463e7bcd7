"""GE's ModelDef, or a bare GraphDef, as the view that all tools work on.

In: a `Document` and the name of its file.  Out: `Dump`.  The main graph is the first; all others stand flat beside it, and operations name
them by instance only.  An input `src:idx` is split at its last colon; `:-1` is a control edge, an empty input an unconnected place.
"""

from __future__ import annotations

from linnet_core.errors import DocumentError
from linnet_ge.formats.attributes import Attributes, entries, value_of
from linnet_ge.formats.dtypes import PROTO, serial
from linnet_ge.model import Dump, Edge, Graph, Link, Node, Output, Problem, TensorInfo
from linnet_ge.prototext.scalars import int_of, string_of
from linnet_ge.prototext.tree import Document, Field, Message, message, messages, scalar, scalars

#: Fields of an operation that the view says in its own words.
_TAKEN = frozenset({"name", "type", "input", "input_desc", "output_desc", "subgraph_name"})


def view(document: Document, file: str) -> Dump:
    """The dump; `DocumentError` where the file has neither a graph nor an operation."""
    roots = [field for field in document.root if field.name == "graph" and isinstance(field.value, tuple)]
    if not roots and any(field.name == "op" for field in document.root):
        roots = [Field("graph", document.root, 1)]
    if not roots:
        raise DocumentError(f"{file}: no graph; `graph {{` or, for a bare graph, `op {{` was expected")
    notes = list(document.problems)
    return Dump("proto", tuple(_graph(field, file, notes) for field in roots), tuple(notes))


def _graph(root: Field, file: str, notes: list[Problem]) -> Graph:
    fields: Message = root.value
    ops = [field for field in fields if field.name == "op" and isinstance(field.value, tuple)]
    nodes = tuple(_node(field, file, notes) for field in ops)
    results = next((node.inputs for node in nodes if node.type == "NetOutput"), None)
    if results is None:
        edges, _ = _edges(fields, "output", {}, file, root.line, None, notes)
        results = edges
    return Graph(_text(fields, "name"), nodes, tuple(Output(edge) for edge in results), root.line)


def _node(op: Field, file: str, notes: list[Problem]) -> Node:
    fields: Message = op.value
    name = _text(fields, "name")
    names = desc_names(fields)
    inputs, control = _edges(fields, "input", names, file, op.line, name, notes)
    outputs = tuple(tensor_info(found) for found in messages(fields, "output_desc"))
    links = tuple(Link(None, string_of(text) or "") for text in scalars(fields, "subgraph_name"))
    kind = _text(fields, "type")
    return Node(name, kind, len(outputs), inputs, control, Attributes(fields, _TAKEN), links, outputs, op.line)


def _edges(
    fields: Message, field: str, names: dict[int, str], file: str, line: int, node: str | None, notes: list[Problem]
) -> tuple[tuple[Edge, ...], tuple[str, ...]]:
    """Data edges and the sources of control edges; what is no `src:idx` is a note."""
    edges: list[Edge] = []
    control: list[str] = []
    position = 0
    for text in scalars(fields, field):
        source, colon, index = (string_of(text) or "").rpartition(":")
        output = int_of(index)
        if output == -1 and colon:
            control.append(source)
            continue
        if colon and output is not None and output >= 0:
            edges.append(Edge(names.get(position), source, output, position))
        elif index:
            notes.append(Problem(file, line, node, f"`{field}` {position} is {text}", "`NODE:OUTPUT`"))
        position += 1
    return tuple(edges), tuple(control)


def desc_names(fields: Message) -> dict[int, str]:
    """Names of inputs by position, from the helper attributes of either age (dynamic inputs are `x0`, `x1` there)."""
    attributes = dict(entries(fields, "attr"))
    for stem in ("_input_name", "_input_name_idx"):
        if f"{stem}_key" in attributes and f"{stem}_value" in attributes:
            keys, places = value_of(attributes[f"{stem}_key"]), value_of(attributes[f"{stem}_value"])
            if keys.kind == "list_string" and places.kind == "list_int":
                return dict(zip(places.value, keys.value, strict=False))
    return {}


def tensor_info(fields: Message) -> TensorInfo:
    """What a TensorDescriptor says: an absent shape is not known, an empty one a scalar."""
    attributes = dict(entries(fields, "attr"))
    origin = value_of(attributes["origin_shape"]) if "origin_shape" in attributes else None
    layout = value_of(attributes["origin_format"]) if "origin_format" in attributes else None
    shape = message(fields, "shape")
    known = origin is not None and origin.kind == "list_int"
    return TensorInfo(
        _dtype(scalar(fields, "dtype")),
        None if shape is None else tuple(number for text in scalars(shape, "dim") if (number := int_of(text)) is not None),
        _text(fields, "layout") or None,
        origin.value if origin is not None and known else None,
        layout.value if layout is not None and layout.kind == "string" else None,
    )


def _dtype(text: str | None) -> str | None:
    if text is None:
        return None
    number = int_of(text)
    return serial(text) if number is None else PROTO.get(number)


def _text(fields: Message, name: str) -> str:
    return string_of(scalar(fields, name) or '""') or ""
