"""The JSON form of diagnostics, against its schema and against the diagnostics themselves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from linnet_core.text.codes import CODES
from linnet_core.text.diagnostic import Diagnostic, Diagnostics, Label
from linnet_core.text.show_json import to_json
from linnet_core.text.source import Source, decode
from linnet_core.text.span import Span

SCHEMA = Path(__file__).resolve().parents[3] / "schemas" / "diagnostics-1.schema.json"


@pytest.fixture(scope="module")
def validator() -> Any:
    import jsonschema

    schema = json.loads(SCHEMA.read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def example() -> Diagnostic:
    source = decode("src/a.linnet", "\ufeffmodule a\n// é\nx = y\n".encode(), Diagnostics())
    at = source.text.index("x")
    return Diagnostic("E1201", "m", Span(source, at, at + 1), "l", (Label(Span(source, at + 4, at + 5), "r"),), ("n",), "h")


def test_every_part_of_a_diagnostic_is_in_the_document(validator: Any) -> None:
    document = to_json([example(), Diagnostic("W1001", "w", None)])
    validator.validate(document)
    place = {"start": {"line": 3, "column": 1, "offset": 18}, "end": {"line": 3, "column": 2, "offset": 19}}
    other = {"start": {"line": 3, "column": 5, "offset": 22}, "end": {"line": 3, "column": 6, "offset": 23}}
    assert document == {
        "version": 1,
        "diagnostics": [
            {
                "code": "E1201",
                "severity": "error",
                "message": "m",
                "label": "l",
                "location": {"file": "src/a.linnet", **place},
                "related": [{"label": "r", "location": {"file": "src/a.linnet", **other}}],
                "notes": ["n"],
                "help": "h",
            },
            {
                "code": "W1001",
                "severity": "warning",
                "message": "w",
                "label": None,
                "location": None,
                "related": [],
                "notes": [],
                "help": None,
            },
        ],
        "summary": {"errors": 1, "warnings": 1},
    }


def test_a_correct_file_is_an_empty_list_and_zero_counts(validator: Any) -> None:
    document = to_json([])
    validator.validate(document)
    assert document == {"version": 1, "diagnostics": [], "summary": {"errors": 0, "warnings": 0}}


def test_text_that_is_not_unicode_is_spelled_out() -> None:
    source = Source("caf\udce9.linnet", "x")
    text = json.dumps(to_json([Diagnostic("E1001", "m \udcff", Span(source, 0, 1))]), ensure_ascii=False)
    assert text.encode("utf-8")
    assert "caf\\\\xe9.linnet" in text


def test_the_schema_describes_every_property_and_closes_every_object() -> None:
    objects = 0

    def walk(schema: object, place: str) -> None:
        nonlocal objects
        if isinstance(schema, list):
            for index, each in enumerate(schema):
                walk(each, f"{place}/{index}")
        if not isinstance(schema, dict):
            return
        if "properties" in schema:
            objects += 1
            assert schema.get("additionalProperties") is False, place
            assert sorted(schema.get("required", [])) == sorted(schema["properties"]), place
            for name, described in schema["properties"].items():
                assert described.get("title"), f"{place}/{name}"
                assert described.get("description"), f"{place}/{name}"
        for key, each in schema.items():
            walk(each, f"{place}/{key}")

    walk(json.loads(SCHEMA.read_text("utf-8")), "")
    assert objects == 6


@pytest.mark.parametrize(
    ("change", "value"),
    [
        pytest.param(("version",), 2, id="another version"),
        pytest.param(("diagnostics", 0, "severity"), "fatal", id="an unknown severity"),
        pytest.param(("diagnostics", 0, "code"), "2201", id="no code"),
        pytest.param(("diagnostics", 0, "location", "start", "line"), 0, id="line 0"),
        pytest.param(("diagnostics", 0, "location", "start", "offset"), -1, id="a negative offset"),
        pytest.param(("diagnostics", 0, "extra"), 1, id="an unknown property"),
        pytest.param(("summary", "errors"), "1", id="a count as text"),
    ],
)
def test_the_schema_refuses_other_documents(validator: Any, change: tuple[str | int, ...], value: object) -> None:
    document = to_json([example()])
    inner: Any = document
    for key in change[:-1]:
        inner = inner[key]
    inner[change[-1]] = value
    assert not validator.is_valid(document)


def test_codes_are_ordered_and_their_severity_is_their_letter() -> None:
    assert list(CODES) == sorted(CODES)
    assert all(row.code == code and row.meaning for code, row in CODES.items())
    assert all((row.severity == "warning") == code.startswith("W") for code, row in CODES.items())
