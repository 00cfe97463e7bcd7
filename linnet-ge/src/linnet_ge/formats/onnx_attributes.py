"""The attributes of a node of GE's copy of ONNX, decoded when they are asked for.

In: the fields of a NodeProto.  Out: a mapping from name to `Value`.  Attributes of the node itself (`id`, `stream_id`, ...) have a dot
before their name, as with protobuf text; descriptors of inputs and outputs are left out: the view says them in its own words.

Zero is not written: an integer that is 0 is only `type: INT`.  A bool is an INT; the table of operations says which are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from linnet_ge.formats.attributes import FieldAttributes, add_own, own_field
from linnet_ge.formats.tensors import tensor_value
from linnet_ge.ir.operations import operation
from linnet_ge.model import Value, ValueKind
from linnet_ge.prototext.scalars import bytes_of, float_of, int_of, string_of
from linnet_ge.prototext.tree import Field, Message, messages, scalar, scalars, string_in
from linnet_ge.prototext.write import write

#: Attributes that are no attributes of the operation, but say what the node is to the compiler.
OWN = frozenset(
    [
        "id",
        "stream_id",
        "input_name",
        "src_name",
        "src_index",
        "dst_name",
        "dst_index",
        "input_i",
        "output_i",
        "workspace",
        "workspace_bytes",
        "is_input_const",
        "has_out_attr",
    ]
)
#: Fields of a node that the view says in its own words.
TAKEN = frozenset({"name", "op_type", "input", "output", "attribute"})
#: Attributes that describe an input or output.
DESC = re.compile(r"(?:input|output)_desc_(?:nums|\d+|\w+:\d+)")
_TENSOR_PARTS = ("data", "desc_dtype", "desc_shape", "desc_layout", "desc_device_type")

#: An attribute's message, the parts of a tensor by name, or all times a field of the node itself stands there.
_Found: TypeAlias = "Message | dict[str, Message] | list[Field]"

_Decode = Callable[[str], Any]
#: Type of an attribute, word and number -> its member, the kind of value, how one is read, what is not written.
_TYPES: dict[str, tuple[str, ValueKind, _Decode, Any]] = {
    "FLOAT": ("f", "float", float_of, 0.0),
    "INT": ("i", "int", int_of, 0),
    "STRING": ("s", "string", string_of, ""),
    "FLOATS": ("floats", "list_float", float_of, None),
    "INTS": ("ints", "list_int", int_of, None),
    "STRINGS": ("strings", "list_string", string_of, None),
}
_NUMBERS = {"1": "FLOAT", "2": "INT", "3": "STRING", "6": "FLOATS", "7": "INTS", "8": "STRINGS"}


class OnnxAttributes(FieldAttributes):
    """The attributes of one node of type `kind` in the order of the file; tensors come last."""

    __slots__ = ("_kind",)

    def __init__(self, fields: Message, kind: str) -> None:
        super().__init__(fields)
        self._kind = kind

    def _made(self) -> dict[str, _Found]:
        """What each attribute is made of."""
        told = {name: found for name, found in named(self._fields) if not DESC.fullmatch(name) and not _is_graph(found)}
        tensors = [name[:-11] for name in told if name.endswith("_desc_dtype") and f"{name[:-11]}_data" in told]
        parts = {f"{name}_{part}" for name in tensors for part in _TENSOR_PARTS}
        found: dict[str, _Found] = {f".{name}" if name in OWN else name: told[name] for name in told if name not in parts}
        for name in tensors:
            found.setdefault(name, {part: told[key] for part in _TENSOR_PARTS if (key := f"{name}_{part}") in told})
        add_own(found, self._fields, TAKEN)
        return found

    def __getitem__(self, key: str) -> Value:
        """The value of one attribute."""
        match self._index()[key]:
            case tuple() as found:
                return value_of(found, self._kind)
            case dict() as parts:
                return _tensor(parts)
            case found:
                return own_field(tuple(found))

    def line_of(self, key: str) -> int | None:
        """As of any attribute; of a tensor that of its data."""
        found = self._index()[key]
        return found["data"][0].line if isinstance(found, dict) else super().line_of(key)


def _tensor(parts: dict[str, Message]) -> Value:
    """A tensor from the attributes that say its parts."""
    shape = sizes_in(value_of(parts["desc_shape"]).value) if "desc_shape" in parts else None
    data = bytes_of(scalar(parts["data"], "s") or '""') or b""
    return Value("tensor", tensor_value(word_in(value_of(parts["desc_dtype"]).value), shape, data), None)


def word_in(value: Any) -> str | None:
    """A string that is not empty; None for anything else a file may have there."""
    return value if isinstance(value, str) and value else None


def sizes_in(value: Any) -> tuple[int, ...] | None:
    """A shape; None for anything else a file may have there."""
    return value if isinstance(value, tuple) and all(type(size) is int for size in value) else None


def named(fields: Message) -> Iterator[tuple[str, Message]]:
    """The attributes of a node with their names."""
    for found in messages(fields, "attribute"):
        yield string_in(found, "name"), found


def value_of(fields: Message, kind: str = "") -> Value:
    """The value of an AttributeProto; the table of operations says which integers of an operation `kind` are bools."""
    told = scalar(fields, "type") or ""
    form = _TYPES.get(_NUMBERS.get(told, told)) or next((form for form in _TYPES.values() if scalar(fields, form[0]) is not None), None)
    raw = write(fields)
    if form is None:
        return Value("message", fields, raw)
    member, value_kind, decode, zero = form
    if zero is None:
        items = tuple(decode(text) for text in scalars(fields, member))
        return Value("unknown", raw, raw) if None in items else Value(value_kind, items, raw)
    text = scalar(fields, member)
    value = zero if text is None else decode(text)
    if value is None:
        return Value("unknown", raw, raw)
    if value_kind == "int" and value in (0, 1) and _is_bool(kind, string_in(fields, "name")):
        return Value("bool", bool(value), raw)
    return Value(value_kind, value, raw)


def _is_bool(kind: str, name: str) -> bool:
    found = operation(kind)
    return found is not None and any(rule.key == name and rule.kind == "bool" for rule in found.attributes)


def _is_graph(fields: Message) -> bool:
    """Whether an attribute holds graphs, which the view has beside the others."""
    return any(field.name in ("g", "graphs") and not isinstance(field.value, str) for field in fields)
