"""The published schema: made from the structs, saying the same as they do, and judged alike by both validators."""

from __future__ import annotations

import copy
import random
from typing import Any, get_args

import jsonschema
import jsonschema_rs
import pytest
from msgspec import structs
from node_samples import sample_graph

from linnet_core.graph.calls import CALLS, KernelProgram, Literal
from linnet_core.graph.describe import DESCRIPTIONS, description
from linnet_core.graph.document import attribute_names, document
from linnet_core.graph.schema import ID, graph_schema, text
from linnet_core.schema.find import own

SCHEMA: dict[str, Any] = own("graph-1").parsed()
SLOW = jsonschema.Draft202012Validator(SCHEMA)
FAST = jsonschema_rs.validator_for(SCHEMA)
SAMPLE = document(sample_graph())


def test_the_published_file_is_what_the_structs_give() -> None:
    assert own("graph-1").text == text(), "python -m linnet_core.graph.schema > schemas/graph-1.schema.json"
    assert SCHEMA["$id"] == ID == "https://linnet-lang.org/schemas/graph-1.schema.json"
    jsonschema.Draft202012Validator.check_schema(graph_schema())


def leaves(schema: dict[str, Any]) -> list[str]:
    """What the tree of if/then/else leads to, in order."""
    if "$ref" in schema:
        return [schema["$ref"].rpartition("/")[2]]
    return leaves(schema["then"]) + leaves(schema["else"])


def paths(schema: dict[str, Any], ops: set[str]) -> dict[str, str]:
    """Where the tree leads each op."""
    if "$ref" in schema:
        return dict.fromkeys(ops, schema["$ref"].rpartition("/")[2])
    left = set(schema["if"]["properties"]["op"]["enum"])
    return paths(schema["then"], ops & left) | paths(schema["else"], ops - left)


def test_the_tree_leads_every_op_to_its_own_definition() -> None:
    tree = SCHEMA["$defs"]["node"]["then"]
    assert leaves(tree) == ["call", *CALLS]
    assert paths(tree, {"call", *CALLS}) == {op: op for op in ("call", *CALLS)}
    assert SCHEMA["$defs"]["node"]["if"]["properties"]["op"]["enum"] == ["call", *CALLS]


@pytest.mark.parametrize("op", list(CALLS))
def test_definition_and_struct_say_the_same(op: str) -> None:
    kind, schema = CALLS[op], SCHEMA["$defs"][op]
    optional = ["declined"] * kind.may_decline + ["regions"] * (op in ("end_custom_gradient", "launch_kernel"))
    optional += ["gradients"] * (op == "finish")
    assert list(schema["properties"]) == ["op", *attribute_names(kind), "operands", "results", *optional]
    assert schema["required"] == ["op", *attribute_names(kind), "operands", "results"]
    assert schema["additionalProperties"] is False
    assert schema["properties"]["op"]["const"] == op
    types = {field.name: field.type for field in structs.fields(kind)}
    for name in attribute_names(kind):
        assert json_type(types[name]) == shown_type(schema["properties"][name]), name


def json_type(type: Any) -> Any:
    """What a field of this type is in JSON."""
    if type is int:
        return "integer"
    if type is str:
        return "string"
    if type in (Literal, KernelProgram) or getattr(type, "__origin__", None) is dict:
        return "object"
    if getattr(type, "__origin__", None) is tuple:
        return ["array", json_type(get_args(type)[0])]
    return sorted(value for part in (get_args(type)) for value in (get_args(part) or (part,)))


def shown_type(schema: dict[str, Any]) -> Any:
    if "$ref" in schema:
        return shown_type(SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]])
    if "enum" in schema:
        dtypes = schema["enum"] == SCHEMA["$defs"]["convert"]["properties"]["dtype"]["enum"]
        return "string" if dtypes else sorted(schema["enum"])
    if schema["type"] == "array":
        return ["array", shown_type(schema["items"])]
    return schema["type"]


def test_every_attribute_is_described_once() -> None:
    used = {"gradients"}  # not among the attributes that every node of its kind has
    for op, kind in CALLS.items():
        for name in attribute_names(kind):
            assert description(op, name).endswith(".")
            used.add(f"{op}.{name}" if f"{op}.{name}" in DESCRIPTIONS else name)
    assert used == set(DESCRIPTIONS)


def test_the_sample_of_every_kind_is_valid() -> None:
    SLOW.validate(SAMPLE)
    assert FAST.is_valid(SAMPLE)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path]
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in items:
        found += places(part, (*path, key))
    return found


def replaced(path: tuple[Any, ...], value: Any) -> Any:
    edited = copy.deepcopy(SAMPLE)
    holder = edited
    for key in path[:-1]:
        holder = holder[key]
    if value is Ellipsis:
        del holder[path[-1]]
    else:
        holder[path[-1]] = value
    return edited


def test_both_validators_judge_mutated_documents_alike() -> None:
    chosen = random.Random(5)
    anywhere = [path for path in places(SAMPLE) if path]
    values: list[Any] = [
        ...,
        None,
        True,
        0,
        -1,
        1.5,
        10**19,
        "x",
        "f32",
        [],
        [0],
        {},
        {"op": "iota"},
        {"value": 0, "shape": [], "dtype": "f32"},
    ]
    refused = 0
    for _ in range(150):
        document = replaced(chosen.choice(anywhere), chosen.choice(values))
        verdict = FAST.is_valid(document)
        assert SLOW.is_valid(document) == verdict
        refused += not verdict
    assert 75 < refused < 150, "some edits are harmless, most are not"


@pytest.mark.parametrize("op", list(CALLS))
def test_a_node_with_an_attribute_missing_or_too_many_is_refused(op: str) -> None:
    at = next(at for at, node in enumerate(SAMPLE["nodes"]) if node["op"] == op)
    node = SAMPLE["nodes"][at]
    for key in node:
        if key not in ("declined", "regions"):
            assert not FAST.is_valid(replaced(("nodes", at, key), ...)), key
    assert not FAST.is_valid(replaced(("nodes", at, "more"), 1))


def test_an_error_names_the_node_and_the_field() -> None:
    at = next(at for at, node in enumerate(SAMPLE["nodes"]) if node["op"] == "transpose")
    (error,) = SLOW.iter_errors(replaced(("nodes", at, "permutation"), "10"))
    assert list(error.absolute_path) == ["nodes", at, "permutation"]
