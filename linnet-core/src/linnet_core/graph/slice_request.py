"""Which ranges of a graph's steps to print.

In: the request, JSON from anyone.  Out: a `Slice` for each range it lists, in order, or `DocumentError` that names the slice and the
field.  What the fields mean for a graph is checked in `slices.py`, where there is one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from linnet_core.schema.fields import fail, integer_at, list_at, object_at, text_at
from linnet_core.schema.validate import parse

if TYPE_CHECKING:
    from collections.abc import Iterable

_KEYS = ("name", "start", "stop", "inputs", "outputs", "states")


class Slice(Struct, frozen=True):
    """The steps from `start` to before `stop`, as an entry called `name`.

    `inputs` and `outputs` are ids of values; `states` are pairs of a state's path and the id of its value after the range.
    """

    name: str
    start: int
    stop: int
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    states: tuple[tuple[str, int], ...]


def read_request(text: bytes | str) -> tuple[Slice, ...]:
    """Read a request from JSON."""
    return request_from(parse(text))


def request_from(document: Any) -> tuple[Slice, ...]:
    """Read a request from Python values, as a JSON reader gives them."""
    found = tuple([_slice(entry, f"slices[{at}]") for at, entry in enumerate(list_at(document, ""))])
    _refuse_twice((one.name for one in found), "slices", "the name")
    return found


def _slice(entry: Any, place: str) -> Slice:
    body = object_at(entry, place, _KEYS)
    name = text_at(body["name"], f"{place}.name")
    if not name or not name.isprintable():
        fail(f"{place}.name", f"{name!r} is no name: one or more characters that print are")
    place = f"{place} `{name}`"
    ids = {field: _ids(body[field], f"{place}.{field}") for field in ("inputs", "outputs")}
    states = tuple([_state(pair, f"{place}.states[{at}]") for at, pair in enumerate(list_at(body["states"], f"{place}.states"))])
    _refuse_twice(ids["inputs"], f"{place}.inputs", "value")
    _refuse_twice((path for path, _ in states), f"{place}.states", "state")
    return Slice(name, _number(body["start"], f"{place}.start"), _number(body["stop"], f"{place}.stop"), **ids, states=states)


def _ids(entry: Any, place: str) -> tuple[int, ...]:
    return tuple([_number(id, f"{place}[{at}]") for at, id in enumerate(list_at(entry, place))])


def _state(entry: Any, place: str) -> tuple[str, int]:
    pair = list_at(entry, place)
    if len(pair) != 2:
        fail(place, "should be a pair: a path and the id of a value")
    return text_at(pair[0], f"{place}[0]"), _number(pair[1], f"{place}[1]")


def _number(value: Any, place: str) -> int:
    found = integer_at(value, place)
    if found < 0:
        fail(place, f"{found} is negative")
    return found


def _refuse_twice(things: Iterable[Any], place: str, what: str) -> None:
    seen: set[Any] = set()
    for thing in things:
        if thing in seen:
            fail(place, f"{what} `{thing}` stands there twice")
        seen.add(thing)
