"""Schemas, and the documents of the examples: both validators accept each, and name what an edit broke."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import jsonschema
import jsonschema_rs
import pytest
from pages import ROOT
from running import program

from linnet_core.check.load_program import load_program
from linnet_core.errors import DocumentError
from linnet_core.graph.calls import CALLS
from linnet_core.graph.document import encode
from linnet_core.ir.lowered import lowered
from linnet_core.plan.write import plan_document
from linnet_core.schema import find
from linnet_core.schema.find import BASE, Schema, own, own_names, recognise
from linnet_core.schema.validate import validate_text

SCHEMAS = sorted((ROOT / "schemas").glob("*.schema.json"))
#: Those that linnet-core ships; the others are links into the packages that do.
CORE_SCHEMAS = [path for path in SCHEMAS if not path.is_symlink()]


@cache
def document(kind: str, package: str, entry: str) -> str:
    path = str(ROOT / "examples" / package)
    if kind == "graph":
        text = encode(program("torch", path, entry=entry, preset="tiny").graph)
        return text.decode() if isinstance(text, bytes) else text
    return json.dumps(plan_document(lowered(load_program(path, None)[1], "exact", optimize=True)))


DOCUMENTS = [
    pytest.param("plan", "llama", "", id="plan of llama"),
    pytest.param("plan", "gpt2", "", id="plan of gpt2"),
    pytest.param("graph", "llama", "decode", id="graph of llama's decode"),
    pytest.param("graph", "llama", "generate_until", id="graph of llama's generate_until"),
    pytest.param("graph", "gpt2", "forward", id="graph of gpt2"),
]


def test_the_package_ships_the_schemas_of_the_checkout() -> None:
    assert [f"{name}.schema.json" for name in own_names()] == [path.name for path in CORE_SCHEMAS]
    for path in CORE_SCHEMAS:
        assert own(path.name.removesuffix(".schema.json")).text == path.read_text(encoding="utf-8")


def test_a_schema_of_a_plugin_is_found_by_what_its_document_says(monkeypatch: pytest.MonkeyPatch) -> None:
    schema = json.dumps({"$id": f"{BASE}mine-1.schema.json", "type": "object", "required": ["rows"]})
    with monkeypatch.context() as patched:
        patched.setattr(find, "_sources", [lambda: [Schema("mine-1", schema)]])
        assert recognise({"version": 1, "format": "mine"}) == recognise({"version": 7, "format": "mine", "files": []}) == "mine-1"
        assert recognise({"version": 1, "format": "other", "files": []}) == "validation-1"
    assert recognise({"version": 1, "format": "mine"}) is None


def test_the_readme_of_the_schemas_lists_them() -> None:
    text = (ROOT / "schemas" / "README.md").read_text(encoding="utf-8")
    assert [path.name for path in SCHEMAS if f"`schemas/{path.name}`" not in text] == []


@pytest.mark.parametrize(("kind", "package", "entry"), DOCUMENTS)
def test_both_validators_accept_a_document(kind: str, package: str, entry: str) -> None:
    value, schema = json.loads(document(kind, package, entry)), own(f"{kind}-1").parsed()
    assert jsonschema_rs.validator_for(schema).is_valid(value)
    jsonschema.Draft202012Validator(schema).validate(value)


def broken(value: Any, edit: str) -> Any:
    """A copy of a document with one fault."""
    copy = json.loads(json.dumps(value))
    match edit:
        case "a field too many":
            copy["surprise"] = 1
        case "a field missing":
            del copy["version"]
        case "a wrong version":
            copy["version"] = 2
        case "a wrong type deep inside":
            rows = copy["nodes"] if "nodes" in copy else copy["functions"]
            rows[-1]["states"] = [7]
        case "an unknown kind":
            if "nodes" in copy:
                copy["nodes"][-1]["op"] = "surprise"
            else:
                copy["functions"][-1]["body"]["ops"][0]["kind"] = "surprise"
    return copy


EDITS = ["a field too many", "a field missing", "a wrong version", "a wrong type deep inside", "an unknown kind"]


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize(("kind", "package", "entry"), DOCUMENTS[1:3])
def test_both_validators_refuse_an_edited_document(kind: str, package: str, entry: str, edit: str) -> None:
    value, schema = broken(json.loads(document(kind, package, entry)), edit), own(f"{kind}-1").parsed()
    assert not jsonschema_rs.validator_for(schema).is_valid(value)
    assert not jsonschema.Draft202012Validator(schema).is_valid(value)


@pytest.mark.parametrize(
    ("kind", "edit", "words"),
    [
        pytest.param("graph", "a field too many", "surprise", id="graph, a field too many"),
        pytest.param("graph", "a wrong type deep inside", ".states[0]: 7", id="graph, deep inside"),
        pytest.param("graph", "an unknown kind", ".op: 'surprise'", id="graph, an unknown kind"),
        pytest.param("plan", "a wrong version", "version: 1 was expected", id="plan, a wrong version"),
        pytest.param("plan", "a wrong type deep inside", ".states[0]: 7", id="plan, deep inside"),
        pytest.param("plan", "an unknown kind", ".body.ops[0].kind: 'surprise'", id="plan, an unknown kind"),
    ],
)
def test_the_fault_is_named_by_its_place(kind: str, edit: str, words: str) -> None:
    text = document(kind, "gpt2", "forward" if kind == "graph" else "")
    with pytest.raises(DocumentError) as caught:
        validate_text(json.dumps(broken(json.loads(text), edit)))
    assert words in str(caught.value)


@pytest.mark.parametrize("cut", [1, 100, -2])
@pytest.mark.parametrize("kind", ["plan", "graph"])
def test_a_truncated_document_is_no_json(kind: str, cut: int) -> None:
    text = document(kind, "gpt2", "forward" if kind == "graph" else "")
    with pytest.raises(DocumentError, match="not JSON at line 1"):
        validate_text(text[:cut])


def test_schema_page_and_structs_name_the_same_kinds() -> None:
    schema = own("graph-1").parsed()
    named = {part["properties"]["op"]["const"] for part in schema["$defs"].values() if "const" in part.get("properties", {}).get("op", {})}
    page = (ROOT / "docs" / "documents" / "graph.md").read_text(encoding="utf-8")
    described = {line[5:-1] for line in page.splitlines() if line.startswith("### `")}
    assert named - {"call"} == set(CALLS) == described
