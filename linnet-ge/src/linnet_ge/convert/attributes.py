"""Which attributes a readable dump shows of a node, in which order and how, and what that costs.

In: a node of the view of a protobuf dump.  Out: its attributes as text, and `Lost` values.

GE shows the attributes that an operation is registered with: newer dumps list them (`_ir_attr_names`), else the table of operations does.
Of an operation that neither knows, all are shown that do not begin with `_`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from linnet_ge.convert.lost import Lost
from linnet_ge.ir.operations import operation
from linnet_ge.model import Node, TensorValue, Value
from linnet_ge.readable.values import value_text

#: More values of a tensor are not shown.
SHOWN = 6
#: Data types that have no name in a readable dump.
_NAMELESS = frozenset({"DT_HIFLOAT4"})


class Shown(Mapping[str, Value]):
    """The attributes of a node that a readable dump shows, in its order; made when they are asked for, as those of the node are."""

    def __init__(self, node: Node) -> None:
        self._attributes = node.attributes
        self._type = node.type

    def __getitem__(self, key: str) -> Value:
        """The value of one attribute; an unknown one where it has no text."""
        value = self._attributes[key]
        return Value("unknown", None) if _nameless(value) else value

    def __iter__(self) -> Iterator[str]:
        """The keys in order."""
        return iter(shown_keys(self._type, self._attributes))

    def __len__(self) -> int:
        """How many there are."""
        return len(shown_keys(self._type, self._attributes))


def shown_keys(kind: str, attributes: Mapping[str, Value]) -> list[str]:
    """The keys of the attributes that an operation is registered with and that are set, in the order of registration."""
    told = attributes.get("_ir_attr_names")
    if told is not None and told.kind == "list_string":
        return [key for key in dict.fromkeys(told.value) if key in attributes]
    found = operation(kind)
    if found is not None:
        return [key for key in found.attribute_keys if key in attributes]
    return [key for key in attributes if not key.startswith(("_", "."))]


def lost_attributes(node: Node) -> Iterator[Lost]:
    """What a readable dump does not show of a node's attributes: whole ones, and what becomes of values."""
    shown = Shown(node)
    keys = set(shown)
    for key in node.attributes:
        if key not in keys:
            yield Lost(node.line, node.name, "attributes", key)
            continue
        for what in changes(shown[key]):
            yield Lost(node.line, node.name, "values", f"{key} ({what})")


def changes(value: Value) -> Iterator[str]:
    """What of a value is lost in its text, in a few words each."""
    if value_text(Value(value.kind, value.value)) is None:
        yield "empty" if value.kind in ("string", "tensor") or value.kind.startswith("list_") else "no text"
        return
    match value.kind:
        case "float":
            yield from _rounded([value.value])
        case "list_float":
            yield from _rounded(value.value)
        case "list_string" | "list_list_int" if not all(value.value):
            yield "empty items"
        case "tensor":
            yield from _changes_of_tensor(value.value)


def _changes_of_tensor(value: TensorValue) -> Iterator[str]:
    yield "dtype, shape"
    if value.state in ("invalid", "not_supported"):
        yield "no values"
    elif len(value.values) > SHOWN:
        yield "shortened"
    elif any(isinstance(item, float) for item in value.values):
        yield from _rounded(value.values)


def _rounded(values: Any) -> Iterator[str]:
    """`rounded` where six decimals are not the number itself."""
    if any(math.isfinite(value) and float(f"{value:f}") != value for value in values):
        yield "rounded"


def _nameless(value: Value) -> bool:
    return (value.kind == "type" and value.value in _NAMELESS) or (value.kind == "list_type" and not _NAMELESS.isdisjoint(value.value))
