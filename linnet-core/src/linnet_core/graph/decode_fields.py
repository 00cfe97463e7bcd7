"""Fields of a graph document, read strictly.

In: Python values from a JSON reader, and the name of the field they stand in.  Out: the value of the type that is due, or `DocumentError`
that starts with that name; `decode.py` puts the node in front.
"""

from __future__ import annotations

from typing import Any

from msgspec import ValidationError, convert

from linnet_core.check.types import DTYPES
from linnet_core.errors import DocumentError
from linnet_core.graph.calls import Literal
from linnet_core.graph.nodes import ValueInfo

_NON_FINITE = {"inf": float("inf"), "-inf": float("-inf"), "nan": float("nan")}
_LITERAL_TYPES: dict[str, type] = {"integer": int, "boolean": bool, "real": float}
_VALUE_KEYS = ("id", "name", "shape", "dtype")


def closed(entry: Any, required: tuple[str, ...], place: str, optional: tuple[str, ...] = ()) -> dict[str, Any]:
    """An object with the fields `required`, perhaps those of `optional`, and no other."""
    dot = f"{place}." if place else ""
    if not isinstance(entry, dict):
        raise DocumentError(f"{place}: an object is due")
    for key in required:
        if key not in entry:
            raise DocumentError(f"{dot}{key}: missing")
    if len(entry) > len(required):
        for key in entry:
            if key not in required and key not in optional:
                raise DocumentError(f"{dot}{key}: no such field")
    return entry


def listed(entry: Any, place: str) -> list[Any] | tuple[Any, ...]:
    """A list."""
    if not isinstance(entry, list | tuple):
        raise DocumentError(f"{place}: a list is due")
    return entry


def typed(entry: Any, type: Any, place: str) -> Any:
    """A value of a Python type; a bool is no integer, and 1.0 is none either."""
    if isinstance(entry, str) and not entry.isascii() and any("\ud800" <= letter <= "\udfff" for letter in entry):
        raise DocumentError(f"{place}: half of a surrogate pair is no text")
    try:
        return convert(entry, type)
    except ValidationError as error:
        text = str(error)
        raise DocumentError(f"{place}: {text[:1].lower()}{text[1:]}") from None


def shape(entry: Any, place: str) -> tuple[int, ...]:
    """A shape."""
    sizes = typed(entry, tuple[int, ...], place)
    if sizes and min(sizes) < 0:
        raise DocumentError(f"{place}: a size is negative")
    return sizes


def dtype(entry: Any, place: str) -> str:
    """The name of a dtype."""
    if not isinstance(entry, str) or entry not in DTYPES:
        raise DocumentError(f"{place}: {entry!r} is no dtype")
    return entry


def value(entry: Any, id: int) -> ValueInfo:
    """An entry of `values`."""
    place = f"values[{id}]"
    body = closed(entry, _VALUE_KEYS, place)
    if type(body["id"]) is not int or body["id"] != id:
        raise DocumentError(f"{place}.id: {body['id']!r} is not the position {id}")
    name = typed(body["name"], str, f"{place}.name")
    return ValueInfo(name, shape(body["shape"], f"{place}.shape"), dtype(body["dtype"], f"{place}.dtype"))


def literal(entry: Any, place: str) -> Literal:
    """The value of a constant."""
    body = closed(entry, ("kind", "value"), place)
    kind, value = body["kind"], body["value"]
    if kind in ("lowest", "highest"):
        if value is not None:
            raise DocumentError(f"{place}.value: a {kind} literal has no value")
        return Literal(kind)
    if not isinstance(kind, str) or kind not in _LITERAL_TYPES:
        raise DocumentError(f"{place}.kind: {kind!r} is no kind of literal")
    if kind == "real" and isinstance(value, str):
        if value not in _NON_FINITE:
            raise DocumentError(f"{place}.value: {value!r} is no number")
        return Literal(kind, _NON_FINITE[value])
    return Literal(kind, typed(value, _LITERAL_TYPES[kind], f"{place}.value"))  # type: ignore[arg-type]  # one of `_LITERAL_TYPES`


def generics(entry: Any, place: str) -> dict[str, Any]:
    """The generics of a `call`."""
    if not isinstance(entry, dict):
        raise DocumentError(f"{place}: an object is due")
    return {name: _generic(value, f"{place}.{name}") for name, value in entry.items()}


def _generic(entry: Any, place: str) -> Any:
    """A size, the sizes of a pack, or a dtype."""
    found = typed(entry, int | str | tuple[int, ...], place)
    if isinstance(found, str):
        return dtype(found, place)
    return shape((found,), place)[0] if isinstance(found, int) else shape(found, place)
