"""The attributes of an operation of GE's protobuf text, decoded when they are asked for.

In: the fields of an OpDef or TensorDescriptor.  Out: a mapping from name to `Value`; fields of the operation itself that are no attributes
(`id`, `stream_id`, unknown ones) stand in it under their name with a dot before it, so that nothing the file says is lost.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from linnet_ge.formats.dtypes import CPP, word_of
from linnet_ge.formats.tensors import tensor_value
from linnet_ge.model import TensorValue, Value, ValueKind
from linnet_ge.prototext.scalars import bool_of, bytes_of, float_of, int_of, string_of
from linnet_ge.prototext.tree import Field, Items, Message, message, messages, scalar, scalars, string_in
from linnet_ge.prototext.write import write


def type_of(text: str) -> str | None:
    """The serial name of a number of the C++ enum."""
    number = int_of(text)
    return None if number is None else CPP.get(number)


_Decode = Callable[[str], Any]
#: Member of the oneof -> kind, decoder; the same members in a list have the kind `list_...`.
_SCALARS: dict[str, tuple[ValueKind, _Decode]] = {
    "s": ("string", string_of),
    "i": ("int", int_of),
    "f": ("float", float_of),
    "b": ("bool", bool_of),
    "dt": ("type", type_of),
    "bt": ("bytes", bytes_of),
}
_LISTS: dict[str, tuple[ValueKind, _Decode]] = {
    "s": ("list_string", string_of),
    "i": ("list_int", int_of),
    "f": ("list_float", float_of),
    "b": ("list_bool", bool_of),
    "dt": ("list_type", type_of),
}
_EMPTY: dict[str, ValueKind] = {
    "VT_LIST_STRING": "list_string",
    "VT_LIST_INT": "list_int",
    "VT_LIST_FLOAT": "list_float",
    "VT_LIST_BOOL": "list_bool",
    "VT_LIST_DATA_TYPE": "list_type",
    "1": "list_string",
    "2": "list_int",
    "3": "list_float",
    "4": "list_bool",
    "10": "list_type",
}


class FieldAttributes(Mapping[str, Value]):
    """The attributes of one node, found among its fields at first use.

    Values are decoded each time they are asked for: a large file has more of them than memory should hold.
    """

    __slots__ = ("_fields", "_found")

    def __init__(self, fields: Message) -> None:
        self._fields = fields
        self._found: dict[str, Any] | None = None

    @abstractmethod
    def _made(self) -> dict[str, Any]:
        """What each attribute is made of, in the order of the names."""

    def _index(self) -> dict[str, Any]:
        if self._found is None:
            self._found = self._made()
        return self._found

    def line_of(self, key: str) -> int | None:
        """The line on which an attribute begins; None of one that holds nothing."""
        found = self._index()[key]
        return found[0].line if found else None

    def __contains__(self, key: object) -> bool:
        return key in self._index()

    def __iter__(self) -> Iterator[str]:
        """The names in order."""
        return iter(self._index())

    def __len__(self) -> int:
        """How many there are."""
        return len(self._index())


class Attributes(FieldAttributes):
    """The attributes of one operation in the order of the file.

    `taken` names the fields of the operation that the view says in its own words.
    """

    __slots__ = ("_taken",)

    def __init__(self, fields: Message, taken: frozenset[str]) -> None:
        super().__init__(fields)
        self._taken = taken

    def _made(self) -> dict[str, Message | list[Field]]:
        """The message of each attribute; for a field of the operation itself the list of all times it stands there."""
        found: dict[str, Message | list[Field]] = dict(entries(self._fields, "attr"))
        add_own(found, self._fields, self._taken | {"attr"})
        return found

    def __getitem__(self, key: str) -> Value:
        """The value of one attribute."""
        found = self._index()[key]
        return value_of(found) if isinstance(found, tuple) else own_field(tuple(found))


def add_own(found: dict[str, Any], fields: Message, taken: frozenset[str]) -> None:
    """Add the fields that are not `taken` under their name with a dot before it, where no attribute has that name."""
    for field in fields:
        if field.name not in taken:
            own = found.setdefault(f".{field.name}", [])
            if isinstance(own, list):
                own.append(field)


def entries(fields: Message, name: str) -> Iterator[tuple[str, Message]]:
    """Keys and values of a map field; an entry without a key has the empty one, as in protobuf."""
    for entry in messages(fields, name):
        yield string_in(entry, "key"), message(entry, "value") or ()


def value_of(fields: Message) -> Value:
    """The value an AttrDef holds: the last member of its oneof that is known; `unknown` where there is none."""
    for field in reversed(fields):
        if isinstance(field.value, str) and field.name in _SCALARS:
            kind, decode = _SCALARS[field.name]
            decoded = decode(field.value)
            return _unknown(fields) if decoded is None else Value(kind, decoded, field.value)
        if isinstance(field.value, tuple):
            match field.name:
                case "list":
                    return _list(fields, field.value)
                case "list_list_int":
                    return _rows(fields, field.value, "list_list_int", int_of)
                case "list_list_float":
                    return _rows(fields, field.value, "list_list_float", float_of)
                case "t":
                    return Value("tensor", tensor_of(field.value), write(fields))
                case "td" | "g" | "func" | "expression":
                    return Value("message", fields, write(fields))
    return _unknown(fields)


def own_field(fields: tuple[Field, ...]) -> Value:
    """A field of the operation itself, all times it stands there: an integer, a flag, a string, a list of them, or a message."""
    texts = [item for field in fields for item in (field.value.items if isinstance(field.value, Items) else (field.value,))]
    repeated = len(texts) > 1
    for kind in ("s", "i", "f", "b"):
        decoded = [_SCALARS[kind][1](text) if isinstance(text, str) else None for text in texts]
        if texts and None not in decoded:
            if repeated:
                return Value(_LISTS[kind][0], tuple(decoded), write(fields))
            return Value(_SCALARS[kind][0], decoded[0], write(fields))
    return Value("message", fields, write(fields))


def _list(whole: Message, fields: Message) -> Value:
    for member, (kind, decode) in _LISTS.items():
        texts = tuple(scalars(fields, member))
        if texts:
            decoded = tuple(decode(text) for text in texts)
            return _unknown(whole) if None in decoded else Value(kind, decoded, write(whole))
    kind = _EMPTY.get(scalar(fields, "val_type") or "")
    if all(field.name == "val_type" for field in fields):
        return Value(kind, (), write(whole)) if kind else Value("unknown", (), write(whole))
    return Value("message", whole, write(whole))


def _rows(whole: Message, fields: Message, kind: ValueKind, decode: _Decode) -> Value:
    """A list of lists: one message a row, whose only repeated member holds the numbers."""
    rows = []
    for row in (field.value for field in fields if isinstance(field.value, tuple)):
        texts = [text for name in dict.fromkeys(field.name for field in row) for text in scalars(row, name)]
        rows.append(tuple(decode(text) for text in texts))
    return _unknown(whole) if any(None in row for row in rows) else Value(kind, tuple(rows), write(whole))


def tensor_of(fields: Message) -> TensorValue:
    """A TensorDef: its descriptor says dtype and shape, its data the values."""
    desc = message(fields, "desc") or ()
    shape = message(desc, "shape")
    return tensor_value(
        word_of(scalar(desc, "dtype")), None if shape is None else dims(shape), bytes_of(scalar(fields, "data") or "") or b""
    )


def dims(shape: Message) -> tuple[int, ...]:
    """The sizes a ShapeDef lists."""
    return tuple(number for text in scalars(shape, "dim") if (number := int_of(text)) is not None)


def _unknown(fields: Message) -> Value:
    return Value("unknown", write(fields).rstrip("\n"), write(fields))
