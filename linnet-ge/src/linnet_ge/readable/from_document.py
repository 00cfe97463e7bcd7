"""The JSON document of readable dumps -> records again.

In: one file of a document that follows `ge-readable-1`.  Out: `Readable`, whose exact text is the one that was read.
"""

from __future__ import annotations

from typing import Any

from linnet_ge.model import Problem
from linnet_ge.readable.record_text import references_text
from linnet_ge.readable.records import ElementRecord, GraphRecord, NodeRecord, Readable, Record, ReturnRecord


def readable_of(file: dict[str, Any]) -> Readable:
    """The records of a file."""
    graphs = tuple(
        GraphRecord(graph["line"], graph["name"], tuple(map(record_of, graph["records"])), graph["gap"], graph["spelling"])
        for graph in file["graphs"]
    )
    problems = tuple(Problem(file["file"], one["line"], one["node"], one["message"], one["expected"]) for one in file["problems"])
    return Readable(file["file"], graphs, file["newline"], file["tail"], problems)


def record_of(values: dict[str, Any]) -> Record:
    """A record; without `gap` and `spelling` it is one of canonical text."""
    line, gap, spelling = values["line"], values.get("gap"), values.get("spelling")
    match values["record"]:
        case "node":
            inputs, attributes = values["inputs"], values["attributes"]
            return NodeRecord(
                line,
                values["name"],
                values["users"],
                values["type"],
                None if inputs is None else _text(inputs),
                None if attributes is None else ", ".join(f"{a['key']}: {a['raw']}" if a["key"] else a["raw"] for a in attributes),
                () if inputs is None else _names(inputs),
                gap=gap,
                spelling=spelling,
            )
        case "get_element":
            return ElementRecord(line, values["name"], values["users"], values["node"], values["index"], gap, spelling)
    return ReturnRecord(line, _text(values["outputs"]), _names(values["outputs"]), gap=gap, spelling=spelling)


def _text(references: list[dict[str, Any]]) -> str:
    return references_text((one["parameter"], one["reference"]) for one in references)


def _names(references: list[dict[str, Any]]) -> tuple[str, ...]:
    return tuple(one["reference"] for one in references)
