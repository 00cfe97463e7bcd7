"""Writes into a cache: inside it, at its edges, outside, and more than it has.

In: nothing.  Out: their cases, which count bit for bit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from linnet_core.conformance.arrays import ordinary
from linnet_core.conformance.programs.case import ProgramCase

if TYPE_CHECKING:
    from collections.abc import Iterator

_SPAN, _ROWS = "torch.Tensor.index_copy", "torch.Tensor.index_put"
_LOWEST, _HIGHEST = -(2**31), 2**31 - 1
#: Where a write starts: inside a cache of six positions, at its ends, before and behind it.
_STARTS = (0, 3, 5, 6, -1, -2, -6, 7, 100, _LOWEST, _HIGHEST)
_CACHE = (2, 3, 6, 4)


class Kind(Struct, frozen=True):
    """An op of `std.nn.cache`: how many rows and, unless None, how many positions it writes at most; the types of its places."""

    op: str
    implementation: str
    rows: int
    single: bool
    places: dict[str, str]

    def shape(self, count: int) -> tuple[int, ...]:
        """The shape of what is written."""
        return (self.rows, 3, 1 if self.single else count, 4)


KINDS = (
    Kind("write_at", _SPAN, 2, True, {"at": "i32"}),
    Kind("write_span", _SPAN, 2, False, {"at": "i32"}),
    Kind("write_rows", _ROWS, 2, True, {"at": "Tensor[2; i32]"}),
    Kind("write_slot", _ROWS, 1, False, {"slots": "i32", "at": "i32"}),
    Kind("write_slots", _ROWS, 3, False, {"slots": "Tensor[3; i32]", "at": "i32"}),
)
_ROW_STARTS = ([0, 5], [-1, 2], [6, 0], [7, -7], [3, 3], [_LOWEST, _HIGHEST])
_SLOTS = ([0, 1, 5], [1, 1, 0], [-1, 2, 7], [0, 0, 0], [0, 2, -2])
#: The places each op writes at.
PLACES: dict[str, list[dict[str, object]]] = {
    "write_at": [{"at": at} for at in _STARTS],
    "write_span": [{"at": at} for at in _STARTS],
    "write_rows": [{"at": at} for at in _ROW_STARTS],
    "write_slot": [{"slots": slot, "at": at} for at in (0, 4, -2, 9) for slot in (0, 1, 2, -1)],
    "write_slots": [{"slots": slots, "at": at} for at in (0, 4, -2) for slots in _SLOTS],
}
COUNTS = {"write_at": (1,), "write_span": (1, 3, 6), "write_rows": (1,), "write_slot": (1, 3), "write_slots": (1, 3)}


def text(kind: Kind, count: int, dtype: str = "f32", *, after: str | None = None) -> str:
    """An entry that writes `count` positions; with `after` into a state, answering that expression of `cache` and `old`."""
    cache = f"Tensor[{', '.join(map(str, _CACHE))}; {dtype}]"
    value = f"value: Tensor[{', '.join(map(str, kind.shape(count)))}; {dtype}]"
    places = "".join(f", {name}: {type_}" for name, type_ in kind.places.items())
    call = f"{kind.op}(cache, value, {', '.join(kind.places)})"
    use = f"use std.nn.cache::{{{kind.op}}}\n\n"
    if after is None:
        return f"{use}pub entry run(cache: {cache}, {value}{places}) -> {cache} {{\n    return {call}\n}}\n"
    return (
        f"{use}pub block Holder {{\n    state cache: {cache}\n\n    pub entry run({value}{places}) -> {cache} {{\n"
        f"        let old = cache\n        cache = {call}\n        return {after}\n    }}\n}}\n"
    )


def arrays(kind: Kind, count: int, places: dict[str, object], dtype: str = "f32") -> dict[str, np.ndarray]:
    """A cache, a value, and where it is written."""
    found = {"cache": ordinary(dtype, _CACHE, 1), "value": ordinary(dtype, kind.shape(count), 2)}
    return found | {name: np.asarray(place, np.int32) for name, place in places.items()}


def cases() -> Iterator[ProgramCase]:
    """All of them; a state whose old value is read later is one more reason not to write in place."""
    for kind in KINDS:
        places = PLACES[kind.op]
        for count in COUNTS[kind.op]:
            given = tuple([arrays(kind, count, place) for place in places])
            name = f"{kind.op} of {count}"
            yield ProgramCase(name=name, text=text(kind, count), arrays=given, policy="exact", takes=kind.implementation)
        for dtype in ("f16", "bf16", "f64"):
            given = (arrays(kind, 2, places[1], dtype),)
            yield ProgramCase(name=f"{kind.op}, {dtype}", text=text(kind, 2, dtype), arrays=given, takes=kind.implementation)
        for after in ("cache", "old", "cache + old"):
            one = ProgramCase(name=f"{kind.op} into a state, then {after}", text=text(kind, 2, after=after), arrays=(given_state(kind),))
            yield one
        if not kind.single:
            given = tuple([arrays(kind, 7, {**places[1], "at": at}) for at in (0, -1, 3)])
            yield ProgramCase(name=f"{kind.op} of more than there is", text=text(kind, 7), arrays=given)


def given_state(kind: Kind) -> dict[str, np.ndarray]:
    """The arrays of an entry that writes two positions, or one, into its state."""
    return arrays(kind, 2, PLACES[kind.op][1])
