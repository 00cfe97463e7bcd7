"""Which attributes a readable dump shows of a node, in which order and how, and what that costs.

In: a node of the view of a protobuf dump.  Out: its attributes as text, and `Lost` values.

GE shows the attributes that an operation is registered with: newer dumps list them (`_ir_attr_names`), else the table of operations does.
Of an operation that neither knows, all are shown that do not begin with `_`.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable, Iterator, Mapping

from linnet_ge.convert.lost import Lost
from linnet_ge.formats.attributes import FieldAttributes
from linnet_ge.formats.naming import ir_attributes
from linnet_ge.formats.tensors import LETTERS
from linnet_ge.ir.operations import operation
from linnet_ge.model import Node, TensorValue, Value
from linnet_ge.readable.values import value_text

#: More values of a tensor are not shown.
SHOWN = 6
#: The widths of floats, as letters of `struct`.
_WIDTHS = {dtype: letter for dtype, letter in LETTERS.items() if letter in "efd"}
#: Data types that have no name in a readable dump.
_NAMELESS = frozenset({"DT_HIFLOAT4"})


class Shown(Mapping[str, Value]):
    """The attributes of a node that a readable dump shows, in its order; made when they are asked for, as those of the node are."""

    def __init__(self, node: Node) -> None:
        self._attributes = node.attributes
        self._type = node.type

    def __getitem__(self, key: str) -> Value:
        """The value of one attribute as GE holds it: floats of 32 bits; an unknown one where it has no text."""
        value = self._attributes[key]
        if value.kind in ("float", "list_float"):
            single = as_held(value.value, "f") if value.kind == "float" else tuple(as_held(item, "f") for item in value.value)
            return Value(value.kind, single, value.raw)
        return Value("unknown", None) if _nameless(value) else value

    def __iter__(self) -> Iterator[str]:
        """The keys in order."""
        return iter(shown_keys(self._type, self._attributes))

    def __len__(self) -> int:
        """How many there are."""
        return len(shown_keys(self._type, self._attributes))


def shown_keys(kind: str, attributes: Mapping[str, Value]) -> list[str]:
    """The keys of the attributes that an operation is registered with and that are set, in the order of registration."""
    told = ir_attributes(attributes)
    if told is not None:
        return [key for key in dict.fromkeys(told) if key in attributes]
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
            yield Lost(_line(node, key), node.name, "attributes", key)
            continue
        for what in changes(shown[key]):
            yield Lost(_line(node, key), node.name, "values", f"{key} ({what})")


def _line(node: Node, key: str) -> int | None:
    """The line of an attribute, or that of its node."""
    attributes = node.attributes
    told = attributes.line_of(key) if isinstance(attributes, FieldAttributes) else None
    return told or node.line


def changes(value: Value) -> Iterator[str]:
    """What of a value is lost in its text, in a few words each."""
    if value_text(Value(value.kind, value.value)) is None:
        is_empty = value.kind == "string" or (value.kind.startswith("list_") and not any(value.value))
        yield "empty" if is_empty else "no text"
        return
    match value.kind:
        case "float":
            yield from _rounded([value.value], "f")
        case "list_float":
            yield from _rounded(value.value, "f")
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
    elif value.dtype in _WIDTHS:
        yield from _rounded(value.values, _WIDTHS[value.dtype])


def _rounded(values: Iterable[float], width: str) -> Iterator[str]:
    """`rounded` where six decimals, read as a float of this width, are another number."""
    if any(math.isfinite(value) and as_held(float(f"{value:f}"), width) != as_held(value, width) for value in values):
        yield "rounded"


def as_held(value: float, width: str) -> float:
    """The number that a float of this width (a letter of `struct`) is; beyond its range it is infinite."""
    try:
        return struct.unpack(f"<{width}", struct.pack(f"<{width}", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)


def _nameless(value: Value) -> bool:
    return (value.kind == "type" and value.value in _NAMELESS) or (value.kind == "list_type" and not _NAMELESS.isdisjoint(value.value))
