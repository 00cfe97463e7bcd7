"""gather, scatter_add, update_row: the same positions read and written, in every dtype."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from linnet_core.conformance.arrays import ALL, FLOATS, INTEGERS, ordinary, telling
from linnet_core.conformance.case import Case
from linnet_core.graph.calls import Gather, Operand, ScatterAdd, UpdateRow
from linnet_core.weights.arrays import numpy_dtype

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linnet_core.conformance.hand import Build, Hand

TOLERANCES = {"f16": 1e-3, "bf16": 8e-3, "f32": 1e-6}
#: Positions in a [3, 3, 4] source, and the result's shape.
GATHERS: dict[str, tuple[np.ndarray, tuple[int, ...]]] = {
    "one axis": (np.array([[2], [0], [2]]), (3, 3, 4)),
    "two axes": (np.array([[1, 2], [0, 0]]), (2, 4)),
    "one element": (np.array([1, 2, 3]), ()),
    "a grid of positions": (np.array([[[2], [1]], [[0], [0]]]), (2, 2, 3, 4)),
    "no position": (np.zeros((0, 1), np.int64), (0, 3, 4)),
    "no column": (np.zeros((2, 0), np.int64), (2, 3, 3, 4)),
    "one row": (np.array([2]), (3, 4)),
}
#: Positions in a [3, 3] result, and the shape of what is added there: of one axis, one of them twice; of two axes; none.
SCATTERS: list[tuple[np.ndarray, tuple[int, ...]]] = [
    (np.array([[2], [0], [2]]), (3, 3)),
    (np.array([[1, 2], [0, 0], [1, 2]]), (3,)),
    (np.zeros((0, 1), np.int64), (0, 3)),
]
#: Stacks whose last row is replaced.
STACKS = [(3,), (3, 2), (1, 2, 2)]


def cases() -> Iterator[Case]:
    """Reads in every dtype, sums in those that add."""
    positions = tuple(at for at, _ in GATHERS.values())
    for dtype in ALL:
        yield Case(name=f"gather {dtype}", build=_gathers, arrays=(np.resize(telling(dtype), (3, 3, 4)), *positions))
        stacks = [(np.resize(telling(dtype), shape), np.resize(telling(dtype)[::-1], shape[1:])) for shape in STACKS]
        arrays = tuple([array for stack, row in stacks for array in (stack, np.asarray(len(stack) - 1), row)])
        yield Case(name=f"update_row {dtype}", build=_rows, arrays=arrays)
    for dtype in (*INTEGERS, *FLOATS):
        arrays = tuple([array for at, shape in SCATTERS for array in (at, ordinary(dtype, shape))])
        yield Case(name=f"scatter_add {dtype}", build=_scatter((3, 3), dtype), arrays=arrays, tolerance=TOLERANCES.get(dtype))
    for dtype in ("bf16", "f16"):
        kind = numpy_dtype(dtype)
        wanted = (np.array([4096, 0]).astype(kind),)
        ones = (np.zeros((4096, 1), np.int64), np.ones(4096, kind))
        yield Case(name=f"scatter_add of 4096 ones {dtype}", build=_scatter((2,), dtype), arrays=ones, wanted=wanted)


def _gathers(hand: Hand, x: list[Operand]) -> tuple[Operand, ...]:
    shapes = [shape for _, shape in GATHERS.values()]
    return tuple(hand(Gather(shape=shape, operands=(x[0], at))) for shape, at in zip(shapes, x[1:], strict=True))


def _rows(hand: Hand, x: list[Operand]) -> tuple[Operand, ...]:
    return tuple(hand(UpdateRow(operands=tuple(x[at : at + 3]))) for at in range(0, len(x), 3))


def _scatter(shape: tuple[int, ...], dtype: str) -> Build:
    """Each pair of inputs: positions, and what is added."""
    return lambda hand, x: tuple(hand(ScatterAdd(shape=shape, dtype=dtype, operands=tuple(x[at : at + 2]))) for at in range(0, len(x), 2))
