"""The JSON Schema of the graph document, made from the structs of `calls/`.

In: the registry and `describe.py`.  Out: the schema as Python values; `schemas/graph-1.schema.json` is it, printed, and a test holds
that.  Nodes are told apart by a binary tree of if/then/else over `op`, so that an error names the node and the field, and no
validator has to try every kind.

    python -m linnet_core.graph.schema > schemas/graph-1.schema.json
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any, get_args

from linnet_core.check.types import DTYPES
from linnet_core.errors import InternalError
from linnet_core.graph.calls import CALLS, KINDS
from linnet_core.graph.calls.elementwise import BINARY_KINDS, UNARY_KINDS, CompareKind
from linnet_core.graph.calls.reduce import ReduceKind
from linnet_core.graph.describe import description
from linnet_core.graph.nodes import ROLES, VERSION, attribute_names

if TYPE_CHECKING:
    from linnet_core.graph.calls import Call

ID = f"https://linnet-lang.org/schemas/graph-{VERSION}.schema.json"
_LARGEST = 2**63 - 1
_KINDS: dict[str, tuple[str, ...]] = {
    "elementwise": (*BINARY_KINDS, *UNARY_KINDS),
    "compare": get_args(CompareKind),
    "reduce": get_args(ReduceKind),
}
#: The kinds whose callbacks a target may run.
_WITH_REGIONS = ("end_custom_gradient", "launch_kernel")

_ID: dict[str, Any] = {"type": "integer", "minimum": 0}
_SIZE: dict[str, Any] = {"type": "integer", "minimum": 0, "maximum": _LARGEST}
_SIZES: dict[str, Any] = {"type": "array", "items": {"$ref": "#/$defs/size"}}
_STRIDES: dict[str, Any] = {"type": "array", "items": {"type": "integer", "minimum": 1, "maximum": _LARGEST}}
_INDEX: dict[str, Any] = {"type": "integer", "minimum": -_LARGEST - 1, "maximum": _LARGEST}
_DTYPE: dict[str, Any] = {"enum": list(DTYPES)}
_TEXT: dict[str, Any] = {"type": "string"}


def _attribute(op: str, name: str) -> dict[str, Any]:
    """The type of an attribute."""
    match name:
        case "kind":
            return {"enum": list(_KINDS[op])}
        case "literal":
            return _literal()
        case "program":
            return _program()
        case "generics":
            return {"type": "object", "additionalProperties": {"$ref": "#/$defs/size"}}
        case "shape" | "permutation" | "dims" | "starts" | "limits" | "lhs_axes" | "rhs_axes" | "out_axes":
            return _SIZES
        case "axis" | "length" | "slots" | "slot" | "arguments" | "warps" | "stages" | "returns":
            return _SIZE
        case "start" | "stop":
            return _INDEX
        case "strides":
            return _STRIDES
        case "grid":
            return {**_SIZES, "minItems": 1, "maxItems": 3}
        case "dtype":
            return _DTYPE
        case "result_shapes":
            return {"type": "array", "items": _SIZES}
        case "result_dtypes":
            return {"type": "array", "items": _DTYPE}
        case "states":
            return {"type": "array", "items": _TEXT}
        case "name" | "path" | "implementation" | "callee" | "module" | "block" | "entry":
            return _TEXT
        case _:
            raise InternalError(f"attribute `{name}` of {op} has no type in the schema")


def graph_schema() -> dict[str, Any]:
    """The schema of a graph document."""
    properties = {
        "version": _property("version", "The version of this format.", {"const": VERSION}),
        "target": _property("target", "The target whose calls these are.", {"type": "string"}),
        "values": _property("values", "Every tensor a call made, in order.", {"type": "array", "items": {"$ref": "#/$defs/value"}}),
        "nodes": _property("nodes", "The calls, in order.", {"type": "array", "items": {"$ref": "#/$defs/node"}}),
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": ID,
        "title": "graph",
        "description": "One entry under one binding of its generics, as the calls the exporter makes to a target, version 1.",
        **_closed(properties),
        "$defs": {
            "node": _node(),
            "call": _call(),
            **{op: _kind(op, kind) for op, kind in CALLS.items()},
            **_parts(),
        },
    }


def _property(name: str, text: str, schema: dict[str, Any]) -> dict[str, Any]:
    assert "$ref" not in schema, "an editor for older drafts ignores what stands beside a $ref"
    return {"title": name.replace("_", " "), "description": text, **schema}


def _closed(properties: dict[str, Any], optional: tuple[str, ...] = ()) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name not in optional],
        "additionalProperties": False,
    }


def _node() -> dict[str, Any]:
    ops = ["call", *CALLS]
    return {
        "title": "node",
        "description": "A call to the target, or the nodes of a function's call.",
        "type": "object",
        "required": ["op"],
        "if": _is_one_of(ops),
        "then": _tree(ops),
        "else": {"properties": {"op": _property("op", "The kind of node.", {"enum": ops})}},
    }


def _is_one_of(ops: list[str]) -> dict[str, Any]:
    return {"properties": {"op": _property("op", "The kind of node.", {"enum": ops})}, "required": ["op"]}


def _tree(ops: list[str]) -> dict[str, Any]:
    """if/then/else down to one kind."""
    if len(ops) == 1:
        return {"$ref": f"#/$defs/{ops[0]}"}
    half = (len(ops) + 1) // 2
    return {"if": _is_one_of(ops[:half]), "then": _tree(ops[:half]), "else": _tree(ops[half:])}


def _kind(op: str, kind: type[Call]) -> dict[str, Any]:
    properties: dict[str, Any] = {"op": _property("op", "The kind of node.", {"const": op})}
    for name in attribute_names(kind):
        properties[name] = _property(name, description(op, name), _attribute(op, name))
    item = "operand_or_none" if op == "native_call" else "operand"
    operands = _list(f"#/$defs/{item}", kind.operand_count)
    properties["operands"] = _property("operands", "What the call is given.", operands)
    least, most = kind.result_count
    results = _list("#/$defs/id", (0 if kind.may_decline else least, most))
    properties["results"] = _property("results", "The values it makes; none when it is declined.", results)
    optional: list[str] = []
    if kind.may_decline:
        text = "True when the target declined the call; the exporter's fallback follows."
        properties["declined"] = _property("declined", text, {"const": True})
        optional.append("declined")
    if op in _WITH_REGIONS:
        regions = {"type": "array", "items": {"$ref": "#/$defs/region"}, "minItems": 1}
        properties["regions"] = _property("regions", "The callbacks the target ran.", regions)
        optional.append("regions")
    if op == "finish":
        labels = {"type": "array", "items": _TEXT, "minItems": 1}
        properties["gradients"] = _property("gradients", description(op, "gradients"), labels)
        optional.append("gradients")
    first = (kind.__doc__ or "").strip().partition("\n")[0]
    return {"title": op.replace("_", " "), "description": first, **_closed(properties, tuple(optional))}


def _list(item: str, count: tuple[int, int | None]) -> dict[str, Any]:
    found: dict[str, Any] = {"type": "array", "items": {"$ref": item}}
    if count[0]:
        found["minItems"] = count[0]
    if count[1] is not None:
        found["maxItems"] = count[1]
    return found


def _call() -> dict[str, Any]:
    nullable_ids = {"type": "array", "items": {"$ref": "#/$defs/id_or_none"}}
    generics = {"type": "object", "additionalProperties": {"$ref": "#/$defs/generic"}}
    properties = {
        "op": _property("op", "The kind of node.", {"const": "call"}),
        "callee": _property("callee", "The function, as module::name or module::Block.method.", {"type": "string"}),
        "semantic": _property("semantic", "1 for an op, which a target may know by name, else 0.", {"enum": [0, 1]}),
        "path": _property("path", "The receiver's member path; empty for the root, null for a function.", {"type": ["string", "null"]}),
        "generics": _property("generics", "What its generics stand for, by name; then those of its block.", generics),
        "arguments": _property(
            "arguments", "An entry for each parameter after the receiver.", {"type": "array", "items": {"$ref": "#/$defs/argument"}}
        ),
        "body": _property("body", "The calls it became.", {"type": "array", "items": {"$ref": "#/$defs/node"}}),
        "results": _property("results", "Its results in order; null for an absent optional.", nullable_ids),
    }
    return {"title": "call", "description": "A call of a function, op or block method.", **_closed(properties)}


def _parts() -> dict[str, Any]:
    """What nodes are made of."""
    return {
        "size": {"title": "size", "description": "A size or position.", **_SIZE},
        "id": {"title": "id", "description": "A value's position in values.", **_ID},
        "id_or_none": {"title": "id or null", "description": "A value's id, or null.", "type": ["integer", "null"], "minimum": 0},
        "value": _value(),
        "view": _view(),
        "operand": _either("operand", "A value's id, or a value seen with another shape or dtype.", ["integer", "object"], "view"),
        "operand_or_none": _either("operand or null", "An operand, or null for an absent optional.", ["integer", "object", "null"], "view"),
        "argument": _argument(),
        "enum_argument": _enum_argument(),
        "generic": _generic(),
        "region": _region(),
    }


def _value() -> dict[str, Any]:
    properties = {
        "id": _property("id", "Its position in values.", _ID),
        "name": _property("name", "The name the target gave it.", {"type": "string"}),
        "shape": _property("shape", "The sizes of its axes.", _SIZES),
        "dtype": _property("dtype", "The type of its elements.", _DTYPE),
    }
    return {"title": "value", "description": "A tensor.", **_closed(properties)}


def _view() -> dict[str, Any]:
    properties = {
        "value": _property("value", "The value's id.", _ID),
        "shape": _property("shape", "The shape the call sees.", _SIZES),
        "dtype": _property("dtype", "The dtype the call sees.", _DTYPE),
    }
    return {"title": "view", "description": "A value that the call sees with another shape or dtype than its own.", **_closed(properties)}


def _either(title: str, text: str, types: list[str], object: str) -> dict[str, Any]:
    return {
        "title": title,
        "description": text,
        "type": types,
        "minimum": 0,
        "if": {"type": "object"},
        "then": {"$ref": f"#/$defs/{object}"},
    }


def _argument() -> dict[str, Any]:
    return {
        "title": "argument",
        "description": "An operand, null for none, a list for a tuple or struct, a variant of an enum, or a compile-time integer.",
        "type": ["integer", "null", "object", "array"],
        "items": {"$ref": "#/$defs/argument"},
        "if": {"type": "object"},
        "then": {"if": {"required": ["enum"]}, "then": {"$ref": "#/$defs/enum_argument"}, "else": {"$ref": "#/$defs/view"}},
    }


def _enum_argument() -> dict[str, Any]:
    properties = {"enum": _property("enum", "The variant.", {"type": "string"})}
    return {"title": "enum argument", "description": "A variant of an enum.", **_closed(properties)}


def _generic() -> dict[str, Any]:
    return {
        "title": "generic",
        "description": "A size, a dtype's name, or the axes of a pack.",
        "type": ["integer", "string", "array"],
        "minimum": 0,
        "items": {"$ref": "#/$defs/size"},
    }


def _literal() -> dict[str, Any]:
    kinds = ["integer", "real", "boolean", "lowest", "highest"]
    value = "The number; inf, -inf and nan are strings; null for the ends of a dtype's range."
    properties = {
        "kind": _property("kind", "What kind of constant it is.", {"enum": kinds}),
        "value": _property("value", value, {"type": ["number", "boolean", "string", "null"]}),
    }

    def when(kinds: list[str], schema: dict[str, Any], otherwise: dict[str, Any]) -> dict[str, Any]:
        kind = _property("kind", "What kind of constant it is.", {"enum": kinds})
        return {
            "if": {"properties": {"kind": kind}},
            "then": {"properties": {"value": _property("value", value, schema)}},
            "else": otherwise,
        }

    real = {"type": ["number", "string"], "if": {"type": "string"}, "then": {"enum": ["inf", "-inf", "nan"]}}
    ends = {"properties": {"value": _property("value", value, {"type": "null"})}}
    numbers = when(["integer"], {"type": "integer"}, when(["real"], real, when(["boolean"], {"type": "boolean"}, ends)))
    return {**_closed(properties), **numbers}


def _program() -> dict[str, Any]:
    atomics = {"type": "object", "additionalProperties": {"enum": ["sum", "max", "min"]}}
    properties = {
        "parameters": _property("parameters", "The names of its parameters.", {"type": "array", "items": {"type": "string"}}),
        "body": _property("body", "Its source text.", {"type": "string"}),
        "atomics": _property("atomics", "How a parameter that many programs write is accumulated.", atomics),
    }
    return _closed(properties)


def _region() -> dict[str, Any]:
    ids = {"type": "array", "items": {"$ref": "#/$defs/id"}}
    properties = {
        "role": _property("role", "Which callback the target ran.", {"enum": list(ROLES)}),
        "arguments": _property("arguments", "The values the callback was given.", ids),
        "nodes": _property("nodes", "The calls it made.", {"type": "array", "items": {"$ref": "#/$defs/node"}}),
        "results": _property(
            "results", "What it gave; null where there is none.", {"type": "array", "items": {"$ref": "#/$defs/id_or_none"}}
        ),
    }
    return {"title": "region", "description": "What a target made of a callback.", **_closed(properties)}


def text() -> str:
    """The schema as it is published."""
    assert len(KINDS) == len(CALLS)
    return json.dumps(graph_schema(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.stdout.write(text())
