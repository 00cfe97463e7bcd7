"""What a protobuf dump says and the view does not: descriptors of inputs, further fields of descriptors, of graphs, of the model.

In: `Document`.  Out: `Rest`, for the graphs and nodes of the view in their order.  Fields of an operation itself are attributes of the view
and no part of it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator

from msgspec import Struct

from linnet_ge.formats import ge_onnx, ge_proto
from linnet_ge.formats.onnx_attributes import DESC
from linnet_ge.formats.roots import graph_fields
from linnet_ge.model import DumpKind
from linnet_ge.prototext.tree import Document, Field, Message, each, string_in

#: What the view says of an output.
_SHOWN = frozenset({"name", "dtype", "shape", "layout"})
_SHOWN_ATTRIBUTES = frozenset({"origin_shape", "origin_format"})
_SHOWN_ONNX = frozenset({"dtype", "shape", "layout", "origin_shape", "origin_layout"})


class GraphRest(Struct, frozen=True):
    """The further fields of a graph; `fields` of its nodes come one node at a time, in the order of the view."""

    fields: Message
    root: Field
    kind: DumpKind

    def nodes(self) -> Iterator[Message]:
        """The further fields of each node."""
        if self.kind == "proto":
            return (_of_op(field.value) for field in each(self.root.value, "op"))
        found = each(self.root.value, "node")
        return (_of_node(field.value) for field in found if string_in(field.value, "op_type") != ge_onnx.SUBGRAPH)


class Rest(Struct, frozen=True):
    """The further fields of a file and of its graphs."""

    fields: Message = ()
    graphs: tuple[GraphRest, ...] = ()


def rest_of(document: Document, kind: DumpKind) -> Rest:
    """What the view of a document leaves out."""
    if kind == "proto":
        roots = graph_fields(document, ge_proto.NODES)
        graphs = tuple(GraphRest(_without(root.value, {"name", "op"}), root, kind) for root in roots)
    else:
        waiting = deque(graph_fields(document, ge_onnx.NODES))
        found: list[GraphRest] = []
        while waiting:
            root = waiting.popleft()
            found.append(GraphRest(_without(root.value, {"name", "node"}), root, kind))
            waiting.extend(ge_onnx.held_graphs(root.value))
        graphs = tuple(found)
    bare = any(graph.root.value is document.root for graph in graphs)
    return Rest(() if bare else _without(document.root, {"graph"}), graphs)


def _without(fields: Message, names: set[str]) -> Message:
    return tuple(field for field in fields if field.name not in names)


def _of_op(fields: Message) -> Message:
    """Descriptors of inputs, and what is left of those of outputs; all of them where one says something, so that they can be counted."""
    inputs = list(each(fields, "input_desc"))
    outputs = [
        Field("output_desc", tuple(field for field in desc.value if field.name not in _SHOWN and not _is_shown_attribute(field)), desc.line)
        for desc in each(fields, "output_desc")
    ]
    return tuple(desc for descs in (inputs, outputs) if any(desc.value for desc in descs) for desc in descs)


def _is_shown_attribute(field: Field) -> bool:
    return field.name == "attr" and type(field.value) is tuple and string_in(field.value, "key") in _SHOWN_ATTRIBUTES


def _of_node(fields: Message) -> Message:
    attributes = {string_in(field.value, "name"): field for field in each(fields, "attribute")}
    return tuple(field for name, field in attributes.items() if _is_further(name, attributes))


def _is_further(name: str, attributes: Collection[str]) -> bool:
    """Whether an attribute describes an input or output, or a tensor that the view puts together, beyond what the view says."""
    if DESC.fullmatch(name):
        return not (name.startswith("output_desc_") and _is_shown(name[12:]))
    tensor = next((name.removesuffix(part) for part in ("_desc_layout", "_desc_device_type") if name.endswith(part)), None)
    return tensor is not None and f"{tensor}_data" in attributes and f"{tensor}_desc_dtype" in attributes


def _is_shown(name: str) -> bool:
    return name == "nums" or name.partition(":")[0] in _SHOWN_ONNX
