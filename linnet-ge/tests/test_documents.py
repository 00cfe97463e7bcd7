"""The schemas, the values they describe and the README say the same."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, get_args

import pytest
from msgspec import Struct

from linnet_ge import documents
from linnet_ge.documents import NAMES, schema_text
from linnet_ge.model import DumpKind, Problem, TensorInfo, ValueKind
from linnet_ge.tools import diff, explain, summary
from linnet_ge.tools.findings import RULES, Finding, Severity
from linnet_ge.tools.trace import Status

ROOT = Path(__file__).parents[2]
SCHEMAS: dict[str, Any] = {name: json.loads(schema_text(name)) for name in NAMES}


def test_every_schema_is_listed_and_published() -> None:
    files = sorted(path.name.removesuffix(".schema.json") for path in Path(documents.__file__).parent.glob("*.schema.json"))
    assert files == list(NAMES)
    published = ROOT / "schemas"
    if published.is_dir():
        assert sorted(path.name.removesuffix(".schema.json") for path in published.glob("ge-*.schema.json")) == files
        assert all((published / f"{name}.schema.json").read_text(encoding="utf-8") == schema_text(name) for name in NAMES)


def undescribed(schema: Any) -> list[str]:
    """The properties without title and description, and the objects that are open but do not choose among others."""
    found: list[str] = []
    waiting: list[Any] = [schema]
    while waiting:
        part = waiting.pop()
        if isinstance(part, list):
            waiting.extend(part)
        elif isinstance(part, dict):
            for name, told in part.get("properties", {}).items():
                if "const" not in told and not {"title", "description"} <= told.keys():
                    found.append(name)
            if part.get("type") == "object" and part.get("additionalProperties") is not False and "if" not in part:
                found.append("an open object")
            waiting.extend(part.values())
    return found


@pytest.mark.parametrize("name", NAMES)
def test_every_property_is_described_and_objects_are_closed(name: str) -> None:
    assert undescribed(SCHEMAS[name]) == []


def test_what_is_not_described_is_found() -> None:
    assert undescribed({"type": "object", "properties": {"a": {"title": "a"}}}) == ["a", "an open object"]


def at(name: str, path: str) -> Any:
    """A part of a schema."""
    part = SCHEMAS[name]
    for step in path.split("/"):
        part = part[step]
    return part


@pytest.mark.parametrize(
    ("name", "path", "words"),
    [
        pytest.param("ge-diff-1", "$defs/count/properties/what/enum", get_args(diff.What), id="kinds of differences"),
        pytest.param("ge-diff-1", "$defs/change/properties/what/enum", get_args(diff.What), id="changes"),
        pytest.param("ge-diff-1", "$defs/node/properties/what/items/enum", get_args(diff.What), id="nodes"),
        pytest.param("ge-diff-1", "$defs/graph/properties/what/items/enum", get_args(diff.What), id="graphs"),
        pytest.param("ge-index-1", "$defs/step/properties/status/enum", get_args(Status), id="steps of a node"),
        pytest.param("ge-lint-1", "$defs/finding/properties/severity/enum", get_args(Severity), id="severities"),
        pytest.param("ge-explain-1", "$defs/attribute/properties/state/enum", get_args(explain.State), id="states of an attribute"),
        pytest.param("ge-dump-1", "$defs/attribute/properties/kind/enum", get_args(ValueKind), id="values"),
        *(
            pytest.param(name, path, get_args(DumpKind), id=f"formats in {name}")
            for name, path in [
                ("ge-diff-1", "$defs/side/properties/kind/enum"),
                ("ge-dump-1", "$defs/file/properties/kind/enum"),
                ("ge-index-1", "$defs/file/properties/kind/enum"),
                ("ge-lint-1", "$defs/file/properties/kind/enum"),
                ("ge-summary-1", "properties/kind/enum"),
            ]
        ),
    ],
)
def test_the_words_of_a_schema_are_those_of_the_values(name: str, path: str, words: Any) -> None:
    assert sorted(at(name, path)) == sorted(words)


@pytest.mark.parametrize(
    ("name", "path", "value", "further"),
    [
        pytest.param("ge-diff-1", "$defs/change", diff.Change, set(), id="a change"),
        pytest.param("ge-diff-1", "$defs/place", diff.Place, set(), id="a place"),
        pytest.param("ge-diff-1", "$defs/node", diff.NodeDifference, set(), id="nodes that differ"),
        pytest.param("ge-diff-1", "$defs/graph", diff.GraphDifference, set(), id="graphs that differ"),
        pytest.param("ge-diff-1", "$defs/problem", Problem, set(), id="a problem of a difference"),
        pytest.param("ge-explain-1", "$defs/use", explain.Use, set(), id="a use"),
        pytest.param("ge-explain-1", "$defs/output", explain.Given, set(), id="an output"),
        pytest.param("ge-explain-1", "$defs/attribute", explain.Setting, set(), id="an attribute"),
        pytest.param("ge-explain-1", "$defs/run", explain.Run, set(), id="a graph that is run"),
        pytest.param("ge-explain-1", "$defs/tensor_info", TensorInfo, set(), id="a tensor"),
        pytest.param("ge-explain-1", "$defs/problem", Problem, set(), id="a problem of an explanation"),
        pytest.param("ge-index-1", "$defs/change", diff.Change, set(), id="a change of a stage"),
        pytest.param("ge-lint-1", "$defs/finding", Finding, {"severity"}, id="a finding"),
        pytest.param("ge-summary-1", "$defs/graph", summary.GraphCounts, set(), id="counts of a graph"),
        pytest.param("ge-summary-1", "$defs/change", summary.Change, set(), id="casts"),
        pytest.param("ge-summary-1", "$defs/dynamic", summary.Dynamic, set(), id="a dynamic node"),
        pytest.param("ge-summary-1", "$defs/constants", summary.Constants, set(), id="constants"),
        pytest.param("ge-summary-1", "$defs/problem", Problem, set(), id="a problem of a summary"),
    ],
)
def test_the_fields_of_a_schema_are_those_of_the_value(name: str, path: str, value: type[Struct], further: set[str]) -> None:
    assert set(at(name, path)["properties"]) == {*value.__struct_fields__, *further}
    assert set(at(name, path)["required"]) == set(at(name, path)["properties"])


def test_the_readme_lists_every_rule_with_its_weight() -> None:
    readme = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (G\d{3}) \| (note: )?", readme, re.MULTILINE)
    assert [(code, "note" if note else "problem") for code, note in rows] == [(code, severity) for code, (severity, _) in RULES.items()]
