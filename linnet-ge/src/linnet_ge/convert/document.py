"""A dump of any format as the JSON document `ge-dump-1`.

In: `Opened` values.  Out: the document as text, made node by node, so that a large dump costs no second copy of itself; what is left out.

JSON has no infinities: they stand as strings, told from strings by the kind of the value.  Bytes stand in base64.  What a protobuf dump
says and the view does not stands as protobuf text in `fields`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from linnet_ge.convert.lost import Lost
from linnet_ge.formats.files import Opened
from linnet_ge.formats.rest import Rest, rest_of
from linnet_ge.model import Dump, Edge, Graph, Node, TensorInfo, TensorValue, Value
from linnet_ge.prototext.tree import Message
from linnet_ge.prototext.write import write
from linnet_ge.readable.document import plain, problem_values

VERSION = 1
FORMAT = "ge-dump"
#: Values of these kinds stand as the text they have in the file.
_AS_TEXT = frozenset({"message", "unknown"})

_encode: Callable[[Any], str] = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


def document_text(files: Iterable[Opened]) -> bytes:
    """The document, compact, without a line end."""
    parts = list(_parts(files))
    return "".join(parts).encode("utf-8", "backslashreplace")


def lost(opened: Opened) -> Iterator[Lost]:
    """What the document does not keep: how the records of a readable dump are spelled."""
    for graph in opened.readable.graphs if opened.readable is not None else ():
        for record in graph.records:
            if record.gap is not None or record.spelling is not None:
                yield Lost(record.line, getattr(record, "name", None), "spelling", "white space, other text")


def _parts(files: Iterable[Opened]) -> Iterator[str]:
    yield f'{{"version":{VERSION},"format":"{FORMAT}","files":['
    for number, opened in enumerate(files):
        yield "," if number else ""
        yield from _file(opened.file, opened.dump, rest_of(opened.document, opened.dump.kind) if opened.document is not None else Rest())
    yield "]}"


def _file(file: str, dump: Dump, rest: Rest) -> Iterator[str]:
    head = {"file": file, "kind": dump.kind, "problems": [problem_values(note) for note in dump.notes], "fields": _text(rest.fields)}
    yield _encode(head)[:-1] + ',"graphs":['
    for number, graph in enumerate(dump.graphs):
        left = rest.graphs[number] if rest.graphs else None
        outputs = [_edge(graph, output.edge) for output in graph.outputs]
        told = {"name": graph.name, "line": graph.line, "outputs": outputs, "fields": _text(left.fields if left is not None else ())}
        yield ("," if number else "") + _encode(told)[:-1] + ',"nodes":['
        further = left.nodes() if left is not None else iter(())
        for place, node in enumerate(graph.nodes):
            yield ("," if place else "") + _encode(_node(dump, graph, node, next(further, ())))
        yield "]}"
    yield "]}"


def _text(fields: Message) -> str | None:
    return write(fields) if fields else None


def _node(dump: Dump, graph: Graph, node: Node, further: Message) -> dict[str, Any]:
    return {
        "name": node.name,
        "type": node.type,
        "line": node.line,
        "output_count": node.output_count,
        "inputs": [_edge(graph, edge) for edge in node.inputs],
        "control_inputs": list(node.control_inputs),
        "attributes": [{"key": key, **_value(value, dump.kind == "readable")} for key, value in node.attributes.items()],
        "subgraphs": [{"ir_name": link.ir_name, "graph": link.graph, "defined": link.graph in dump.by_name} for link in node.subgraphs],
        "outputs": [_info(info) for info in node.outputs],
        "fields": _text(further),
    }


def _edge(graph: Graph, edge: Edge) -> dict[str, Any]:
    return {
        "position": edge.position,
        "parameter": edge.parameter,
        "node": edge.node,
        "output": edge.output,
        "defined": edge.node in graph.by_name,
        "ambiguous": edge.ambiguous,
    }


def _info(info: TensorInfo | None) -> dict[str, Any] | None:
    if info is None:
        return None
    sizes = [None if shape is None else list(shape) for shape in (info.shape, info.origin_shape)]
    return {
        "dtype": info.dtype,
        "shape": sizes[0],
        "layout": info.layout,
        "origin_shape": sizes[1],
        "origin_layout": info.origin_layout,
    }


def _value(value: Value, with_raw: bool) -> dict[str, Any]:
    told = value.raw if value.kind in _AS_TEXT else _plain(value.value)
    return {"kind": value.kind, "value": told, "raw": value.raw if with_raw else None, "ambiguous": value.ambiguous}


def _plain(value: Any) -> Any:
    """The value as JSON has it: bytes in base64, and of a tensor its type too, which a readable dump does not say."""
    match value:
        case bytes():
            from base64 import b64encode

            return b64encode(value).decode("ascii")
        case TensorValue():
            told = plain(value)
            shape = None if value.shape is None else list(value.shape)
            return {"state": told["state"], "dtype": value.dtype, "shape": shape, "values": told["values"]}
    return plain(value)
