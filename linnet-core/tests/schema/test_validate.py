"""Validation of documents from strangers."""

from __future__ import annotations

import json

import pytest

from linnet_core.errors import DocumentError, UsageError
from linnet_core.schema.find import BASE, Schema, add_source, all_schemas, find, own, own_names
from linnet_core.schema.validate import validate_text

PLUGINS = {"version": 1, "interface": 1, "plugins": []}


def row(**changes):
    plugin = {
        "name": "a",
        "distribution": "d",
        "version": "1",
        "module": "m",
        "state": "ok",
        "problem": None,
        "shadowed": [],
        "targets": [],
        "dump_formats": [],
        "commands": [],
        "schemas": [],
    }
    return json.dumps({**PLUGINS, "plugins": [{**plugin, **changes}]})


def test_a_document_is_recognised_by_its_content():
    assert validate_text(json.dumps(PLUGINS))[0] == "plugins-1"
    assert validate_text(row())[0] == "plugins-1"


BAD = [
    pytest.param("", "not JSON: there is nothing in it", id="empty"),
    pytest.param(" \n", "not JSON: there is nothing in it", id="blank"),
    pytest.param("{", "not JSON at line 1, column 2", id="truncated"),
    pytest.param(b"\xff\xfe{", "not UTF-8", id="another encoding"),
    pytest.param("[1, 2", "not JSON", id="truncated list"),
    pytest.param("42", "none of the documents", id="a number"),
    pytest.param('{"hello": 1}', "none of the documents", id="another document"),
    pytest.param('{"version": 1, "interface": 1, "plugins": [], "plugins": []}', 'the key "plugins" stands twice', id="a key twice"),
    pytest.param('{"version": 1, "interface": NaN, "plugins": []}', "NaN is no JSON number", id="NaN"),
    pytest.param('{"version": 1, "interface": 1e999, "plugins": []}', "1e999", id="beyond every number"),
    pytest.param('{"version": 1, "interface": 1.0, "plugins": []}', "interface", id="1.0 for an integer"),
    pytest.param('{"version": true, "interface": 1, "plugins": []}', "version", id="true for 1"),
    pytest.param('{"version": 1, "interface": 1, "plugins": [], "more": 2}', "more", id="a field too many"),
    pytest.param(row(state="fine"), "plugins[0].state", id="a wrong word, named by its place"),
    pytest.param(row(targets=[1]), "plugins[0].targets[0]", id="a wrong type deep inside"),
    pytest.param('{"version": ' + "1" * 5000 + ', "interface": 1, "plugins": []}', "not a document", id="a number of 5,000 digits"),
    pytest.param("[" * 100_000, "nested too deeply", id="garbage depth"),
]


@pytest.mark.parametrize(("text", "words"), BAD)
def test_what_is_wrong_is_named(text, words):
    with pytest.raises(DocumentError) as caught:
        validate_text(text)
    assert words in str(caught.value)


def test_a_byte_order_mark_is_accepted():
    assert validate_text(b"\xef\xbb\xbf" + json.dumps(PLUGINS).encode())[0] == "plugins-1"


@pytest.mark.parametrize("name", own_names())
def test_every_schema_is_sound_and_described(name):
    import jsonschema

    schema = own(name).parsed()
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["$id"] == f"{BASE}{name}.schema.json"
    assert list(undescribed(schema, name)) == []


def undescribed(schema, place):
    """The properties without a title or description, and the objects that are not closed."""
    if isinstance(schema, list):
        for i, part in enumerate(schema):
            yield from undescribed(part, f"{place}[{i}]")
    if not isinstance(schema, dict):
        return
    properties = schema.get("properties")
    # a node of an if/then/else tree only looks at the discriminating field; what it leads to is closed and described
    if isinstance(properties, dict) and schema.get("type") == "object" and "if" not in schema:
        if "additionalProperties" not in schema:
            yield f"{place}: open object"
        for name, part in properties.items():
            if not {"title", "description"} <= part.keys() and "$ref" not in part:
                yield f"{place}.{name}"
    for key, part in schema.items():
        if key not in ("const", "enum", "if"):
            yield from undescribed(part, f"{place}.{key}")


def test_the_check_of_descriptions_can_fail():
    assert list(undescribed({"type": "object", "properties": {"a": {}}}, "s")) == ["s: open object", "s.a"]


@pytest.mark.parametrize(
    "name",
    ["plugins-1", "plugins", BASE + "plugins-1.schema.json"],
    ids=["name", "family", "id"],
)
def test_a_schema_is_found_by_name_family_and_id(name):
    assert find(name).name == "plugins-1"


def test_an_unknown_schema_is_a_usage_error_that_lists_them():
    with pytest.raises(UsageError, match="plugins-1"):
        find("nonsense")


@pytest.fixture
def extra_schemas(monkeypatch):
    """Further schemas, as plugins give them, for one test."""
    monkeypatch.setattr("linnet_core.schema.find._sources", [])
    named = [Schema(name, "{}") for name in ("mine-2", "mine-10", "mine-draft", "plan-1")]
    add_source(lambda: named)


def test_the_newest_version_is_found_by_the_bare_name(extra_schemas):
    assert find("mine").name == "mine-10"
    assert find("mine-draft").name == "mine-draft"


def test_a_further_schema_replaces_none_of_ours(extra_schemas):
    assert find("plan").text == own("plan-1").text


def test_a_source_is_asked_once_however_often_it_is_added(monkeypatch):
    monkeypatch.setattr("linnet_core.schema.find._sources", [])
    asked = []

    def source():
        asked.append(1)
        return [Schema("mine-1", "{}")]

    add_source(source)
    add_source(source)
    assert "mine-1" in all_schemas()
    assert len(asked) == 1
