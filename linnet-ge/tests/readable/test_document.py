"""The JSON document of readable dumps follows its schema, holds values with their kinds, and gives the text again."""

from __future__ import annotations

import json

import jsonschema
import jsonschema_rs
import pytest
from dumps import SMALL, VARIANTS

from linnet_ge.documents import schema_text
from linnet_ge.model import ValueKind
from linnet_ge.readable.document import document
from linnet_ge.readable.from_document import readable_of
from linnet_ge.readable.scan import scan
from linnet_ge.readable.write import exact

SCHEMA = json.loads(schema_text("ge-readable-1"))
FLOATS = """graph("g"):
  %x : [#users=1] = Node[type=Data] (attrs = {index: 0})
  %l : [#users=1] = Node[type=LeakyRelu] (inputs = (x=%x), attrs = {negative_slope: 2.000000})
  %c : [#users=1] = Node[type=ClipByValue] (inputs = (x=%l), attrs = {lo: -inf, hi: -0.000000, ks: {1.000000, 2.000000}, ns: {1, 2}})

  return (%c)
"""


def through_json(text: str) -> dict[str, object]:
    values = json.loads(json.dumps(document([scan(text, "a.txt")]), allow_nan=False))
    assert jsonschema_rs.validator_for(SCHEMA).is_valid(values)
    jsonschema.Draft202012Validator(SCHEMA).validate(values)
    return values["files"][0]


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_document_gives_the_text_again(variant: str) -> None:
    text = VARIANTS[variant](SMALL)
    assert exact(readable_of(through_json(text))) == text


def test_the_document_of_a_cut_file_gives_it_again() -> None:
    for cut in range(14, len(SMALL), 7):
        text = SMALL[:cut]
        assert exact(readable_of(through_json(text))) == text


def test_kinds_are_kept_apart() -> None:
    file = through_json(FLOATS)
    attributes = {a["key"]: a for record in file["graphs"][0]["records"] for a in record.get("attributes") or ()}  # type: ignore[index]  # JSON
    assert [(key, a["kind"], repr(a["value"])) for key, a in attributes.items()] == [
        ("index", "int", "0"),
        ("negative_slope", "float", "2.0"),
        ("lo", "float", "'-inf'"),
        ("hi", "float", "-0.0"),
        ("ks", "list_float", "[1.0, 2.0]"),
        ("ns", "list_int", "[1, 2]"),
    ]
    assert exact(readable_of(file)) == FLOATS


def test_every_kind_of_value_fits_the_schema() -> None:
    raws = [
        "1",
        "nan",
        "true",
        '"s"',
        "DT_INT8",
        "{1}",
        "{inf}",
        "{true}",
        '{"s"}',
        "{DT_INT8}",
        "{{1}, {2}}",
        "{{1.0}}",
        "[1]",
        "<empty>",
        "%g",
        "?",
    ]
    nodes = "".join(f"  %n{at} : [#users=1] = Node[type=T] (attrs = {{k: {raw}}})\n" for at, raw in enumerate(raws))
    file = through_json(f'graph("g"):\n{nodes}')
    kinds = [record["attributes"][0]["kind"] for record in file["graphs"][0]["records"]]  # type: ignore[index]  # JSON
    stated = SCHEMA["$defs"]["attribute"]["properties"]["kind"]["enum"]
    assert set(kinds) == set(stated)
    assert set(stated) == set(ValueKind.__args__) - {"bytes", "message"}  # type: ignore[attr-defined]  # a Literal has them


@pytest.mark.parametrize(
    "edit",
    [
        pytest.param(lambda d: d.update(surprise=1), id="a field too many"),
        pytest.param(lambda d: d.pop("version"), id="a field missing"),
        pytest.param(lambda d: d["files"][0]["graphs"][0]["records"][0].update(record="surprise"), id="an unknown record"),
        pytest.param(lambda d: d["files"][0]["graphs"][0]["records"][0].update(users="1"), id="a wrong type"),
        pytest.param(lambda d: d["files"][0]["graphs"][0]["records"][0].update(node="x"), id="a field of another record"),
    ],
)
def test_a_wrong_document_does_not_follow_the_schema(edit: object) -> None:
    values = document([scan(SMALL, "a.txt")])
    assert jsonschema_rs.validator_for(SCHEMA).is_valid(values)
    edit(values)  # type: ignore[operator]  # a function of the table
    assert not jsonschema_rs.validator_for(SCHEMA).is_valid(values)
