"""reshape, transpose, broadcast, slice, concat, iota: the same elements in their new places, in every dtype."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec.structs import replace

from linnet_core.conformance.arrays import ALL, telling
from linnet_core.conformance.case import Case
from linnet_core.graph.calls import Broadcast, Concat, Iota, Operand, Reshape, Slice, Transpose

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linnet_core.conformance.hand import Build, Hand

#: Calls of one operand of shape [2, 3, 4].
ONE_OPERAND: dict[str, Any] = {
    "reshape": Reshape(shape=(6, 4)),
    "reshape with an axis of one": Reshape(shape=(2, 1, 12)),
    "transpose": Transpose(shape=(4, 2, 3), permutation=(2, 0, 1)),
    "broadcast to a leading axis": Broadcast(shape=(5, 2, 3, 4), dims=(1, 2, 3)),
    "broadcast to a trailing axis": Broadcast(shape=(2, 3, 4, 5), dims=(0, 1, 2)),
    "broadcast in another order": Broadcast(shape=(4, 5, 2, 3), dims=(2, 3, 0)),
    "broadcast that only reorders": Broadcast(shape=(4, 3, 2), dims=(2, 1, 0)),
    "slice": Slice(starts=(0, 1, 0), limits=(2, 3, 4), strides=(1, 1, 1), shape=(2, 2, 4)),
    "slice with strides": Slice(starts=(0, 0, 1), limits=(2, 3, 4), strides=(1, 2, 2), shape=(2, 2, 2)),
    "slice of nothing": Slice(starts=(1, 0, 0), limits=(1, 3, 4), strides=(1, 1, 1), shape=(0, 3, 4)),
    "slice of everything": Slice(starts=(0, 0, 0), limits=(2, 3, 4), strides=(1, 1, 1), shape=(2, 3, 4)),
}
#: Shape of the operand, of the result, and where its axes go.
SMALL_BROADCASTS: dict[str, tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]] = {
    "a scalar": ((), (2, 3), ()),
    "an axis of one that spreads": ((1, 3), (2, 3), (0, 1)),
    "a new axis of one": ((3,), (3, 1), (0,)),
    "a leading axis before one of one": ((1,), (4, 1), (1,)),
    "reordered with one of one": ((2, 1), (1, 2), (1, 0)),
    "nothing": ((0,), (3, 0), (1,)),
    "over nothing": ((2,), (2, 0), (0,)),
}


def cases() -> Iterator[Case]:
    """Every call in one entry for each dtype; small broadcasts, joins and counts by themselves."""
    for dtype in ALL:
        grid = np.resize(telling(dtype), (2, 3, 4))
        yield Case(name=f"one operand: {dtype}", build=_one_operand, arrays=(grid,))
        yield Case(name=f"concat: {dtype}", build=_concat, arrays=(grid,))
    for name, (shape, result, dims) in SMALL_BROADCASTS.items():
        x = np.arange(int(np.prod(shape)), dtype=np.float32).reshape(shape)
        yield Case(name=f"broadcast: {name}", build=_broadcast(result, dims), arrays=(x,))
    yield Case(
        name="iota",
        build=lambda hand, _: tuple(hand(Iota(length=length)) for length in (0, 1, 5)),
        arrays=(np.zeros(1, np.float32),),
    )


def _one_operand(hand: Hand, x: list[Operand]) -> tuple[Operand, ...]:
    return tuple(hand(replace(call, operands=(x[0],))) for call in ONE_OPERAND.values())


def _concat(hand: Hand, x: list[Operand]) -> tuple[Operand, ...]:
    return tuple(hand(Concat(axis=axis, operands=(x[0],) * count)) for axis in range(3) for count in (3, 1))


def _broadcast(result: tuple[int, ...], dims: tuple[int, ...]) -> Build:
    return lambda hand, x: hand(Broadcast(shape=result, dims=dims, operands=(x[0],)))
