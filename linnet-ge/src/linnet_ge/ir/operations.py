"""What is known of an operation: its inputs, outputs, attributes and graphs, as they are registered.

In: the type of a node.  Out: `Operation`, or None where the table has none.  An unknown type is no fault: the table is a part of GE's.

The table is text, one operation (or several that are alike) a line: `TYPES: INPUTS -> OUTPUTS | ATTRIBUTES | GRAPHS`.  An input is `x`
(required), `x?` (optional) or `x*` (dynamic); an attribute `KEY:KIND=DEFAULT` or `KEY:KIND!` (required).  `+` before an attribute says that
only newer releases have it.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Literal

from msgspec import Struct

from linnet_ge.model import TensorValue, Value, ValueKind

InputKind = Literal["required", "optional", "dynamic"]


class Parameter(Struct, frozen=True):
    """An input, an output or a graph of an operation."""

    name: str
    kind: InputKind = "required"


class AttributeRule(Struct, frozen=True):
    """An attribute: its kind, and its default (None where it is required); `newer`: only newer releases register it."""

    key: str
    kind: ValueKind
    default: Value | None
    newer: bool = False


class Operation(Struct, frozen=True):
    """An operation; everything is in the order of registration, which is the order in which it is printed."""

    type: str
    inputs: tuple[Parameter, ...]
    outputs: tuple[Parameter, ...]
    attributes: tuple[AttributeRule, ...] = ()
    subgraphs: tuple[Parameter, ...] = ()

    @property
    def attribute_keys(self) -> tuple[str, ...]:
        """The keys of its attributes."""
        return tuple(rule.key for rule in self.attributes)


#: The letters of kinds in the table.
_KINDS: dict[str, ValueKind] = {
    "I": "int",
    "F": "float",
    "B": "bool",
    "S": "string",
    "T": "type",
    "LI": "list_int",
    "TENSOR": "tensor",
}
_MARKS: dict[str, InputKind] = {"?": "optional", "*": "dynamic"}


def operation(type: str) -> Operation | None:
    """The operation of that name."""
    line = _lines().get(type)
    return None if line is None else _parsed(type, line)


def attribute_keys(type: str) -> tuple[str, ...] | None:
    """The keys of an operation's attributes and graphs, as a reader of readable text takes them; None where the table has it not."""
    found = operation(type)
    if found is None or any(graph.kind == "dynamic" for graph in found.subgraphs):
        return None
    return (*(graph.name for graph in found.subgraphs), *found.attribute_keys)


def known_types() -> tuple[str, ...]:
    """The names of all operations of the table, in its order."""
    return tuple(_lines())


def first_member(type: str) -> int:
    """The number of the first member of a dynamic input: those of `For` begin at 1, because 0 is the variable of the loop."""
    return 1 if type == "For" else 0


def member_name(type: str, parameter: str, at: int) -> str:
    """What a readable dump calls member `at`, from 0, of a dynamic input: `x_0`, `x_1`, ..."""
    return f"{parameter}_{first_member(type) + at}"


def parameter_named(name: str, parameters: tuple[Parameter, ...]) -> Parameter | None:
    """The parameter that a readable dump calls `name`: itself, or the dynamic one that it is a member of."""
    stem = name.rpartition("_")[0]
    return next((one for one in parameters if one.name == name or (one.kind == "dynamic" and one.name == stem)), None)


def output_name(operation: Operation, number: int) -> str | None:
    """What the table calls an output: `y`, or `y_0`, `y_1`, ... from a dynamic one on; None beyond its last."""
    last = len(operation.outputs) - 1
    if operation.outputs and number >= last and operation.outputs[last].kind == "dynamic":
        return f"{operation.outputs[last].name}_{number - last}"
    return operation.outputs[number].name if number <= last else None


def input_names(operation: Operation, counts: dict[str, int]) -> tuple[tuple[str, str], ...]:
    """For each input that is there, its name in the table and as a readable dump prints it.

    `counts` says how many a dynamic input has, and 0 or 1 for others (default 1, of an optional one 0).
    """
    found: list[tuple[str, str]] = []
    for parameter in operation.inputs:
        if parameter.kind == "dynamic":
            found += [(parameter.name, member_name(operation.type, parameter.name, at)) for at in range(counts.get(parameter.name, 0))]
        elif counts.get(parameter.name, int(parameter.kind == "required")):
            found.append((parameter.name, parameter.name))
    return tuple(found)


def subgraph_names(operation: Operation, count: int) -> tuple[str, ...] | None:
    """What `count` graphs of a node are called, in order: `then_branch`, or `branches0`, `branches1`; None where that cannot be told."""
    if any(parameter.kind == "dynamic" for parameter in operation.subgraphs):
        (parameter,) = operation.subgraphs
        return tuple(f"{parameter.name}{at}" for at in range(count))
    return tuple(p.name for p in operation.subgraphs) if len(operation.subgraphs) == count else None


@cache
def _lines() -> dict[str, str]:
    from linnet_ge.ir.network_operations import NETWORK
    from linnet_ge.ir.tensor_operations import TENSOR

    found: dict[str, str] = {}
    for line in f"{TENSOR}\n{NETWORK}".splitlines():
        types, colon, rest = line.partition(": ")
        if colon:
            found.update(dict.fromkeys(types.split(), rest))
    return found


@cache
def _parsed(type: str, line: str) -> Operation:
    signature, attributes, graphs = [*(part.strip() for part in line.split("|")), "", ""][:3]
    inputs, _, outputs = signature.partition("->")
    return Operation(type, _parameters(inputs), _parameters(outputs), tuple(map(_rule, attributes.split())), _parameters(graphs))


def _parameters(text: str) -> tuple[Parameter, ...]:
    return tuple(Parameter(word.rstrip("?*"), _MARKS.get(word[-1], "required")) for word in text.split())


def _rule(word: str) -> AttributeRule:
    key, _, told = word.lstrip("+").partition(":")
    letters, equals, default = told.partition("=")
    kind = _KINDS[letters.removesuffix("!")]
    return AttributeRule(key, kind, Value(kind, _default(kind, default)) if equals else None, word.startswith("+"))


def _default(kind: ValueKind, text: str) -> Any:
    match kind:
        case "int":
            return int(text)
        case "float":
            return float(text)
        case "bool":
            return text == "true"
        case "list_int":
            return tuple(int(item) for item in text.strip("{}").split(",") if item)
        case "tensor":
            return TensorValue("empty")
    return text
