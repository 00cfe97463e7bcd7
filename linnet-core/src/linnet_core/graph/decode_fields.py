"""What the fields of a graph document hold: shapes, dtypes, values, literals, generics.

In: Python values from a JSON reader, and the name of the field they stand in.  Out: the value of the type that is due, or `DocumentError`
that starts with that name; `decode.py` puts the node in front.
"""

from __future__ import annotations

from typing import Any

from linnet_core.check.types import DTYPES
from linnet_core.graph.calls import Literal
from linnet_core.graph.nodes import ValueInfo
from linnet_core.schema.fields import fail, mapping_at, object_at, typed_at

_NON_FINITE = {"inf": float("inf"), "-inf": float("-inf"), "nan": float("nan")}
_LITERAL_TYPES: dict[str, type] = {"integer": int, "boolean": bool, "real": float}
_VALUE_KEYS = ("id", "name", "shape", "dtype")


def shape(entry: Any, place: str) -> tuple[int, ...]:
    """A shape."""
    sizes = typed_at(entry, place, tuple[int, ...])
    if sizes and min(sizes) < 0:
        fail(place, "a size is negative")
    return sizes


def dtype(entry: Any, place: str) -> str:
    """The name of a dtype."""
    if not isinstance(entry, str) or entry not in DTYPES:
        fail(place, f"{entry!r} is no dtype")
    return entry


def value(entry: Any, id: int) -> ValueInfo:
    """An entry of `values`."""
    place = f"values[{id}]"
    body = object_at(entry, place, _VALUE_KEYS)
    if type(body["id"]) is not int or body["id"] != id:
        fail(f"{place}.id", f"{body['id']!r} is not the position {id}")
    name = typed_at(body["name"], f"{place}.name", str)
    return ValueInfo(name, shape(body["shape"], f"{place}.shape"), dtype(body["dtype"], f"{place}.dtype"))


def literal(entry: Any, place: str) -> Literal:
    """The value of a constant."""
    body = object_at(entry, place, ("kind", "value"))
    kind, value = body["kind"], body["value"]
    if kind in ("lowest", "highest"):
        if value is not None:
            fail(f"{place}.value", f"a {kind} literal has no value")
        return Literal(kind)
    if not isinstance(kind, str) or kind not in _LITERAL_TYPES:
        fail(f"{place}.kind", f"{kind!r} is no kind of literal")
    if kind == "real" and isinstance(value, str):
        if value not in _NON_FINITE:
            fail(f"{place}.value", f"{value!r} is no number")
        return Literal(kind, _NON_FINITE[value])
    return Literal(kind, typed_at(value, f"{place}.value", _LITERAL_TYPES[kind]))  # type: ignore[arg-type]  # one of `_LITERAL_TYPES`


def generics(entry: Any, place: str) -> dict[str, Any]:
    """The generics of a `call`."""
    return {name: _generic(value, f"{place}.{name}") for name, value in mapping_at(entry, place).items()}


def _generic(entry: Any, place: str) -> Any:
    """A size, the sizes of a pack, or a dtype."""
    found = typed_at(entry, place, int | str | tuple[int, ...])
    if isinstance(found, str):
        return dtype(found, place)
    return shape((found,), place)[0] if isinstance(found, int) else shape(found, place)
