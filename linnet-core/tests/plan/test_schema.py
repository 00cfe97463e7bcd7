"""The published schema: equal to the table of operations in both directions, and taken by both validators."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import jsonschema
import jsonschema_rs
import pytest

from linnet_core.check.types import CLASS_MEMBERS, DTYPES
from linnet_core.ir.ops import OPS, WORDS
from linnet_core.plan.declarations import RELATIONS
from linnet_core.plan.dims import OPERATIONS
from linnet_core.plan.write import plan_document
from linnet_core.shapes import Relation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from linnet_core.ir.module import Module

SCHEMA: dict[str, Any] = json.loads((Path(__file__).parents[3] / "schemas" / "plan-1.schema.json").read_text(encoding="utf-8"))
DEFS: dict[str, Any] = SCHEMA["$defs"]


def leaves(tree: dict[str, Any], kinds: list[str]) -> Iterator[tuple[str, str]]:
    """The definition the binary tree leads each kind to."""
    if "$ref" in tree:
        assert len(kinds) == 1, (tree, kinds)
        yield kinds[0], tree["$ref"].removeprefix("#/$defs/")
        return
    first = tree["if"]["properties"]["kind"]["enum"]
    assert set(first) < set(kinds)
    yield from leaves(tree["then"], first)
    yield from leaves(tree["else"], [kind for kind in kinds if kind not in first])


@pytest.mark.parametrize(("name", "prefix"), [("op", "op_"), ("type", "type_"), ("generic", "generic_")])
def test_the_tree_leads_every_kind_to_its_definition(name: str, prefix: str) -> None:
    kinds = DEFS[name]["properties"]["kind"]["enum"]
    assert list(leaves(DEFS[name], kinds)) == [(kind, prefix + kind) for kind in kinds]
    for kind in kinds:
        assert DEFS[prefix + kind]["properties"]["kind"]["const"] == kind


def test_the_tree_is_balanced() -> None:
    def depth(tree: dict[str, Any]) -> int:
        return 0 if "$ref" in tree else 1 + max(depth(tree["then"]), depth(tree["else"]))

    assert depth(DEFS["op"]) == 7
    assert len(OPS) <= 2**7


def test_operations_are_those_of_the_table() -> None:
    assert DEFS["op"]["properties"]["kind"]["enum"] == list(OPS)


@pytest.mark.parametrize("kind", OPS)
def test_an_operation_is_as_its_row(kind: str) -> None:
    row, properties = OPS[kind], DEFS["op_" + kind]["properties"]
    assert DEFS["op_" + kind]["description"] == row.summary[0].upper() + row.summary[1:] + "."
    attrs = properties["attrs"]
    assert list(attrs["properties"]) == [attr.name for attr in row.attrs]
    assert attrs["required"] == [attr.name for attr in row.attrs if not attr.optional]
    for attr in row.attrs:
        expected = ATTRIBUTES[attr.kind]
        assert {key: attrs["properties"][attr.name][key] for key in expected} == expected
    assert (properties["operands"]["minItems"], properties["operands"].get("maxItems")) == (row.least, row.most)
    assert (properties["regions"]["minItems"], properties["regions"].get("maxItems")) == (
        len(row.regions),
        None if row.many else len(row.regions),
    )
    if row.results is not None:
        assert (properties["results"]["minItems"], properties["results"]["maxItems"]) == (row.results, row.results)


def items_of(name: str) -> dict[str, Any]:
    return {"type": "array", "items": {"$ref": f"#/$defs/{name}"}}


#: What the schema says of an attribute of each kind.
ATTRIBUTES: dict[str, dict[str, Any]] = {
    "integer": {"type": "integer"},
    "bit": {"enum": [0, 1]},
    "float": {"type": "string"},
    "dim": {"$ref": "#/$defs/dim"},
    "shape": items_of("unit"),
    "permutation": {"type": "array", "uniqueItems": True},
    "text": {"type": "string"},
    "names": {"type": "array", "items": {"type": "string"}},
    "slices": items_of("slice_axis"),
    "indices": items_of("index"),
    "substitution": {"$ref": "#/$defs/substitution"},
    "arguments": items_of("generic_argument"),
    **{kind: {"enum": list(words)} for kind, words in WORDS.items()},
}


def test_words_are_those_of_the_program() -> None:
    assert DEFS["dtype"]["then"]["enum"] == list(DTYPES)
    assert DEFS["generic_dtype"]["properties"]["class"]["enum"] == list(CLASS_MEMBERS)
    assert DEFS["constraint"]["properties"]["relation"]["enum"] == list(RELATIONS) == list(get_args(Relation))
    assert DEFS["dim_operation"]["properties"]["op"]["enum"] == list(OPERATIONS)


def objects(value: Any) -> Iterator[dict[str, Any]]:
    """Every schema of an object with properties."""
    if isinstance(value, dict):
        if "properties" in value and "additionalProperties" in value:
            yield value
        for inner in value.values():
            yield from objects(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from objects(inner)


def test_objects_are_closed_and_every_property_is_explained() -> None:
    found = list(objects(SCHEMA))
    assert len(found) > len(OPS)
    for schema in found:
        assert schema["additionalProperties"] is False
        assert set(schema["required"]) <= set(schema["properties"])
        for name, inner in schema["properties"].items():
            assert inner.get("title"), (schema.get("title"), name)
            assert inner.get("description"), (schema.get("title"), name)


def test_the_schema_is_one_and_names_itself() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["$id"] == "https://linnet-lang.org/schemas/plan-1.schema.json"


def test_every_definition_is_used() -> None:
    text = json.dumps(SCHEMA)
    assert [name for name in DEFS if f'"#/$defs/{name}"' not in text] == []


def test_both_validators_take_our_documents(document: dict[str, Any], whole: Module) -> None:
    for made in (document, plan_document(whole, functions=True)):
        assert jsonschema_rs.validator_for(SCHEMA).is_valid(made)
        jsonschema.Draft202012Validator(SCHEMA).validate(made)


def drop(key: str) -> Callable[[dict[str, Any]], None]:
    return lambda value: value.__delitem__(key)


def set_to(key: str, new: Any) -> Callable[[dict[str, Any]], None]:
    return lambda value: value.__setitem__(key, new)


FAULTS = [
    pytest.param((), drop("manifest"), "'manifest' is a required property", id="a field missing"),
    pytest.param((), set_to("version", 2), "1 was expected", id="another version"),
    pytest.param(("root",), set_to("entry", "f"), "'entry' was unexpected", id="a field too many"),
    pytest.param(("functions", 0), set_to("kind", "macro"), "'macro' is not one of", id="an unknown kind of function"),
    pytest.param(("functions", -1, "body", "ops", 0), set_to("kind", "adds"), "'adds' is not one of", id="an unknown operation"),
    pytest.param(("functions", -1, "body", "ops", 0), set_to("operands", ["x"]), "'x' is not of type 'integer'", id="a name for an id"),
    pytest.param(
        ("functions", -1, "body", "ops", 0, "attrs"), drop("callee"), "'callee' is a required property", id="an attribute missing"
    ),
    pytest.param(("functions", -1, "body", "args", 0, "type"), set_to("kind", "list"), "'list' is not one of", id="an unknown type"),
    pytest.param(
        ("constants", 0, "body", "ops", 0, "attrs"), set_to("value", 0.5), "0.5 is not of type 'string'", id="a float as a number"
    ),
    pytest.param(("constants", 0, "body", "ops", 0, "attrs"), set_to("value", "1"), "does not match", id="a float without a point"),
]


@pytest.mark.parametrize(("path", "fault", "complaint"), FAULTS)
def test_both_validators_refuse_a_fault(
    document: dict[str, Any], path: tuple[Any, ...], fault: Callable[[Any], None], complaint: str
) -> None:
    edited = json.loads(json.dumps(document))
    place = edited
    for key in path:
        place = place[key]
    fault(place)
    assert not jsonschema_rs.validator_for(SCHEMA).is_valid(edited)
    errors = list(jsonschema.Draft202012Validator(SCHEMA).iter_errors(edited))
    assert any(complaint in error.message for error in errors), [error.message[:100] for error in errors]
