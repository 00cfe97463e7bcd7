"""The part of a protobuf dump around a node: the fields of kept operations as the file has them, with inputs from elsewhere replaced.

In: a file that was read, its field tree, the part of a graph.  Out: protobuf text of the same kind: a model, a graph alone, or GE's copy
of ONNX.  The operations that stand for outputs of others have their descriptors and say in the attribute `_extracted_from` which output
it was.
"""

from __future__ import annotations

from collections.abc import Iterator

from linnet_ge.formats import ge_onnx
from linnet_ge.formats.files import Opened
from linnet_ge.formats.rest import GraphRest, rest_of
from linnet_ge.model import Node
from linnet_ge.prototext.scalars import literal, string_of
from linnet_ge.prototext.tree import Document, Field, Message, each, messages, scalars, string_in
from linnet_ge.prototext.write import write
from linnet_ge.tools.extract import run_by
from linnet_ge.tools.neighbourhood import Boundary, Part

#: The attribute that says what a node stands for.
MARK = "_extracted_from"


def extracted(opened: Opened, document: Document, part: Part) -> str:
    """The text of the part."""
    rest = rest_of(document, opened.dump.kind)
    at = next(at for at, graph in enumerate(opened.dump.graphs) if graph is part.graph)
    fields = _Onnx(rest.graphs[at], part).graph() if opened.dump.kind == "onnx" else _Proto(rest.graphs[at], part).graph()
    if opened.kind == "graph":
        return write(fields)
    run = {graph.name for graph in run_by(opened.dump, part)} - {part.graph.name}
    whole = [root.root for root, graph in zip(rest.graphs, opened.dump.graphs, strict=True) if graph.name in run]
    return write((_field("graph", fields), *(whole if opened.dump.kind == "proto" else ()), *rest.fields))


def _field(name: str, value: str | Message) -> Field:
    return Field(name, value, 1)


def _text(name: str, value: str) -> Field:
    return _field(name, literal(value))


def _replaced(fields: Message, name: str, values: list[Field]) -> Message:
    """The fields with all of one name replaced by `values`, where the first of them stood."""
    found: list[Field] = []
    done = False
    for field in fields:
        if field.name != name:
            found.append(field)
        elif not done:
            found += values
            done = True
    return tuple(found)


class _Proto:
    """A GraphDef."""

    def __init__(self, rest: GraphRest, part: Part) -> None:
        self.fields = rest.fields
        self.part = part
        self.ops = list(each(rest.root.value, "op"))

    def graph(self) -> Message:
        """The graph's fields: name, results, nodes, then what else there was."""
        part = self.part
        results = [_text("output", f"{name}:{output}") for name, output in part.results]
        ops = [*map(self._data, part.boundary.values()), *map(self._op, part.kept)]
        others = [field for field in self.fields if field.name not in ("input", "output")]
        return (_text("name", part.graph.name), *results, *ops, *others)

    def _op(self, at: int) -> Field:
        node: Node = self.part.graph.nodes[at]
        return _field("op", _replaced(self.ops[at].value, "input", list(_inputs(self.part, node, self.ops[at].value))))

    def _data(self, one: Boundary) -> Field:
        descs = list(messages(self.ops[one.place].value, "output_desc")) if one.place is not None else []
        desc = descs[one.output] if one.output < len(descs) else ()
        attributes = (self._attribute("index", _field("i", str(one.index))), self._attribute(MARK, _text("s", _origin(one))))
        return _field("op", (_text("name", one.name), _text("type", "Data"), *attributes, _field("output_desc", desc)))

    def _attribute(self, key: str, value: Field) -> Field:
        return _field("attr", (_text("key", key), _field("value", (value,))))


class _Onnx:
    """A GraphProto of GE's copy of ONNX."""

    def __init__(self, rest: GraphRest, part: Part) -> None:
        self.fields = rest.fields
        self.part = part
        self.nodes = [f for f in each(rest.root.value, "node") if string_in(f.value, "op_type") != ge_onnx.SUBGRAPH]

    def graph(self) -> Message:
        """The graph's fields: name, nodes, results, then what else there was."""
        part = self.part
        nodes = [*map(self._data, part.boundary.values()), *map(self._node, part.kept)]
        results = [_field("output", (_text("name", name if not output else f"{name}:{output}"),)) for name, output in part.results]
        others = [field for field in self.fields if field.name not in ("input", "output")]
        return (_text("name", part.graph.name), *nodes, *results, *others)

    def _node(self, at: int) -> Field:
        node: Node = self.part.graph.nodes[at]
        return _field("node", _replaced(self.nodes[at].value, "input", list(_inputs(self.part, node, self.nodes[at].value))))

    def _data(self, one: Boundary) -> Field:
        index = (_text("name", "index"), _field("i", str(one.index)), _field("type", "INT"))
        mark = (_text("name", MARK), _text("s", _origin(one)), _field("type", "STRING"))
        attributes = [_field("attribute", index), _field("attribute", mark), *self._desc(one)]
        output = _text("output", f"{one.name}:0")
        return _field("node", (output, _text("name", one.name), _text("op_type", "ge:Data"), *attributes))

    def _desc(self, one: Boundary) -> Iterator[Field]:
        """The attributes that describe the output, as those of the first one."""
        ending = f":{one.output}"
        for field in each(self.nodes[one.place].value, "attribute") if one.place is not None else ():
            name = string_in(field.value, "name")
            if name.startswith("output_desc_") and name.endswith(ending):
                yield _field("attribute", _replaced(field.value, "name", [_text("name", f"{name.removesuffix(ending)}:0")]))


def _inputs(part: Part, node: Node, fields: Message) -> Iterator[Field]:
    """The inputs of a kept node by place, empty where nothing is connected; then its control edges."""
    moved = {edge.position: part.moved(edge) for edge in node.inputs}
    for at in range(sum(not (string_of(text) or "").endswith(":-1") for text in scalars(fields, "input"))):
        yield _text("input", f"{moved[at].node}:{moved[at].output}" if at in moved else "")
    for name in part.controls(node):
        yield _text("input", f"{name}:-1")


def _origin(one: Boundary) -> str:
    return f"{one.source}:{one.output}"
