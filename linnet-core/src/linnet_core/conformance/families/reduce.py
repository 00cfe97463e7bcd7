"""reduce and cumsum: over some axes, over all, over nothing; each in the operand's own dtype, short floats summed in f32."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from linnet_core.conformance.arrays import ALL, BOOLS, FLOATS, INTEGERS, telling
from linnet_core.conformance.case import Case
from linnet_core.graph.calls import Cumsum, Operand, Reduce, Slice
from linnet_core.weights.arrays import numpy_dtype

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linnet_core.conformance.hand import Build, Hand

TOLERANCES = {"f16": 1e-3, "bf16": 8e-3, "f32": 1e-6, "f64": 1e-12}
KINDS = {"sum": (*INTEGERS, *FLOATS), "prod": (*INTEGERS, *FLOATS), "max": ALL[1:], "min": ALL[1:], "any": BOOLS, "all": BOOLS}
#: Axes of a [2, 3, 4] operand that are reduced, and the result's shape.
TRAILING = [((2,), (2, 3)), ((1, 2), (2,)), ((0, 1, 2), ()), ((), (2, 3, 4))]
#: Operands without an element, axes, result: rows of nothing, no row, two axes of which one is empty, nothing at all.
EMPTY = [((2, 0), (1,), (2,)), ((0, 3), (1,), (0,)), ((2, 3, 0), (1, 2), (2,)), ((0,), (0,), ())]


def cases() -> Iterator[Case]:
    """Every kind in every dtype it takes."""
    for kind, dtypes in KINDS.items():
        for dtype in dtypes:
            yield Case(name=f"{kind} {dtype}", build=_over(kind, *TRAILING), arrays=(_grid(dtype),), tolerance=TOLERANCES.get(dtype))
            empty = tuple([np.zeros(shape, numpy_dtype(dtype)) for shape, _, _ in EMPTY])
            yield Case(name=f"{kind} of nothing {dtype}", build=_of_nothing(kind), arrays=empty)
    for dtype in FLOATS:
        yield Case(name=f"special values {dtype}", build=_special, arrays=(_special_rows(dtype),))
    for dtype in (*INTEGERS, *FLOATS):
        arrays = (_grid(dtype), np.zeros((0, 2), numpy_dtype(dtype)))
        yield Case(name=f"cumsum {dtype}", build=_running, arrays=arrays, tolerance=TOLERANCES.get(dtype))
    yield from _widths()


def _widths() -> Iterator[Case]:
    """Sums that a narrower or a wider accumulator gets wrong."""
    for dtype, count in (("bf16", 512), ("f16", 4096), ("bf16", 100_003)):
        kind = numpy_dtype(dtype)
        yield Case(
            name=f"{count} ones in {dtype}",
            build=lambda hand, x: (_sum(hand, x[0]), hand(_last(hand, x[0]))),
            arrays=(np.ones(count, kind),),
            wanted=(np.array(count).astype(kind), np.array([count]).astype(kind)),
        )
    yield Case(
        name="narrow integers wrap",
        build=lambda hand, x: (
            hand(Cumsum(axis=0, operands=(x[0],))),
            _sum(hand, x[0]),
            hand(Reduce(kind="prod", dims=(0,), shape=(), operands=(x[1],))),
        ),
        arrays=(np.array([200, 100, 50], np.uint8), np.array([100, 3], np.int8)),
        wanted=(np.array([200, 44, 94], np.uint8), np.array(94, np.uint8), np.array(44, np.int8)),
    )


def _sum(hand: Hand, x: Operand) -> Operand:
    return hand(Reduce(kind="sum", dims=(0,), shape=(), operands=(x,)))


def _last(hand: Hand, x: Operand) -> Any:
    """The last running sum."""
    (count,) = x.shape
    running = hand(Cumsum(axis=0, operands=(x,)))
    return Slice(starts=(count - 1,), limits=(count,), strides=(1,), shape=(1,), operands=(running,))


def _grid(dtype: str) -> np.ndarray:
    """Of integers those that overflow; of floats those whose sums are near one another in any order."""
    if dtype in FLOATS:
        return np.resize(np.array([1.5, -2.0, 0.25, 3.0, 1.0, -0.5, 2.0]).astype(numpy_dtype(dtype)), (2, 3, 4))
    return np.resize(telling(dtype), (2, 3, 4))


def _special_rows(dtype: str) -> np.ndarray:
    """NaN and infinities among numbers, alone, and with one another."""
    nan, inf = np.nan, np.inf
    rows = [row for one in (nan, inf, -inf) for row in ([1.0, one, 3.0], [one, one, one])]
    return np.array([*rows, [0.0, 2.0, 1.0], [inf, -inf, 1.0]]).astype(numpy_dtype(dtype))


def _over(kind: Any, *axes: tuple[tuple[int, ...], tuple[int, ...]]) -> Build:
    """A reduction for each pair of axes and the shape that is left."""
    return lambda hand, x: tuple(hand(Reduce(kind=kind, dims=dims, shape=shape, operands=(x[0],))) for dims, shape in axes)


def _of_nothing(kind: Any) -> Build:
    return lambda hand, x: tuple(
        hand(Reduce(kind=kind, dims=dims, shape=shape, operands=(one,))) for one, (_, dims, shape) in zip(x, EMPTY, strict=True)
    )


def _special(hand: Hand, x: list[Operand]) -> tuple[Operand, ...]:
    kinds: tuple[Any, ...] = ("sum", "prod", "max", "min")
    return tuple(hand(Reduce(kind=kind, dims=(1,), shape=x[0].shape[:1], operands=(x[0],))) for kind in kinds)


def _running(hand: Hand, x: list[Operand]) -> tuple[Operand, ...]:
    return tuple(hand(Cumsum(axis=axis, operands=(one,))) for one in x for axis in range(len(one.shape)))
