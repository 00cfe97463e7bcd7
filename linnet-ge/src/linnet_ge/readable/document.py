"""A readable dump as a JSON document.

In: `Readable`.  Out: the values of a document that follows `ge-readable-1`; `from_document.py` goes back.

JSON has no infinities: `inf`, `-inf`, `nan` and `-nan` stand as strings, told from strings by the kind of the value.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from linnet_ge.model import Problem, TensorValue, Value
from linnet_ge.readable.bodies import Bodies, KeysOf
from linnet_ge.readable.from_document import record_of
from linnet_ge.readable.record_text import record_text
from linnet_ge.readable.records import ElementRecord, GraphRecord, NodeRecord, Readable, Record, ReturnRecord
from linnet_ge.readable.values import float_text

VERSION = 1
FORMAT = "ge-readable"


def document(files: Iterable[Readable], keys_of: KeysOf | None = None) -> dict[str, Any]:
    """The document of some files."""
    return {"version": VERSION, "format": FORMAT, "files": [_file(readable, keys_of) for readable in files]}


def _file(readable: Readable, keys_of: KeysOf | None) -> dict[str, Any]:
    bodies = Bodies(readable, keys_of)
    return {
        "file": readable.file,
        "newline": readable.newline,
        "tail": readable.tail,
        "graphs": [_graph(bodies, graph) for graph in readable.graphs],
        "problems": [problem_values(problem) for problem in readable.problems],
    }


def problem_values(problem: Problem) -> dict[str, Any]:
    """A problem without its file, which is said once."""
    return {"line": problem.line, "node": problem.node, "message": problem.message, "expected": problem.expected}


def _graph(bodies: Bodies, graph: GraphRecord) -> dict[str, Any]:
    records = [_record(bodies, graph, record) for record in graph.records]
    return {"name": graph.name, "line": graph.line, "records": records, "gap": graph.gap, "spelling": graph.spelling}


def _record(bodies: Bodies, graph: GraphRecord, record: Record) -> dict[str, Any]:
    match record:
        case NodeRecord():
            values = _node(bodies, graph, record)
        case ElementRecord():
            values = {
                "record": "get_element",
                "line": record.line,
                "name": record.name,
                "users": record.users,
                "node": record.node,
                "index": record.index,
            }
        case ReturnRecord():
            outputs = _references(bodies, graph, record)
            values = {"record": "return", "line": record.line, "outputs": outputs}
    spelling = record.spelling
    if spelling is None and record_text(record_of(values)) != record_text(record):
        spelling = record_text(record)  # damaged: the parts alone do not give it
    return {**values, "gap": record.gap, "spelling": spelling}


def _node(bodies: Bodies, graph: GraphRecord, record: NodeRecord) -> dict[str, Any]:
    attributes = None
    if record.attributes is not None:
        attributes = [{"key": attribute.key, **_value(attribute.value)} for attribute in bodies.attributes(record)]
    return {
        "record": "node",
        "line": record.line,
        "name": record.name,
        "users": record.users,
        "type": record.type,
        "inputs": None if record.inputs is None else _references(bodies, graph, record),
        "attributes": attributes,
    }


def _references(bodies: Bodies, graph: GraphRecord, record: NodeRecord | ReturnRecord) -> list[dict[str, Any]]:
    found = []
    for reference in bodies.inputs(graph, record)[0]:
        node, output, is_both = graph.source_of(reference.name)
        found.append(
            {
                "parameter": reference.parameter,
                "reference": reference.name,
                "node": node,
                "output": output,
                "defined": node in graph.nodes,
                "ambiguous": reference.ambiguous or is_both,
            }
        )
    return found


def _value(value: Value) -> dict[str, Any]:
    return {"kind": value.kind, "value": plain(value.value), "raw": value.raw, "ambiguous": value.ambiguous}


def plain(value: Any) -> Any:
    """The value of an attribute, or a part of it, as JSON has it."""
    if isinstance(value, float) and not math.isfinite(value):
        return float_text(value)
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    if isinstance(value, TensorValue):
        return {"state": value.state, "values": [plain(item) for item in value.values]}
    return value
