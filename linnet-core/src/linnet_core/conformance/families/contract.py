"""contract: sums of products over any axes; integers wrap, short floats are summed in f32."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from linnet_core.conformance.arrays import FLOATS, INTEGERS, ordinary, telling
from linnet_core.conformance.case import Case
from linnet_core.graph.calls import Contract, Operand
from linnet_core.weights.arrays import numpy_dtype

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linnet_core.conformance.hand import Build, Hand

POLICIES = ("exact", "equivalent", "fast")
TOLERANCES = {"f16": 1e-3, "bf16": 8e-3, "f32": 1e-5, "f64": 1e-12}
SIZES = {0: 2, 1: 3, 2: 4, 3: 5}
Axes = tuple[int, ...]
#: Axes of a product of matrices, of its sides and of the result.
MATRICES: tuple[Axes, Axes, Axes] = ((0, 1), (1, 2), (0, 2))
#: The same of one transposed, of a batch, of a dot product, of an outer one, of one in which nothing is summed, of one with an axis of one
#: side summed alone, and of one with two axes summed.
FORMS: tuple[tuple[Axes, Axes, Axes], ...] = (
    MATRICES,
    ((0, 1), (2, 1), (2, 0)),
    ((0, 1, 2), (0, 2, 3), (0, 1, 3)),
    ((1,), (1,), ()),
    ((0,), (1,), (0, 1)),
    ((0, 1), (1, 0), (0, 1)),
    ((0, 1, 2), (3, 1), (0, 3)),
    ((0, 1, 2), (2, 1, 3), (0, 3)),
)
#: What one side has alone is summed after the product: its terms, the other side's number, the sum.
ALONE: dict[str, tuple[list[Any], float, Any]] = {
    "no product is not nothing times infinity": ([], np.inf, 0.0),
    "each is multiplied": ([1.0, 0.0], np.inf, np.nan),
    "infinities of both signs": ([1.0, -0.5], np.inf, np.nan),
    "the sum before the product overflows": (["max", "max"], 0.5, "max"),
}


def cases() -> Iterator[Case]:
    """Every form in every dtype, one of them over nothing; what an order of operations gets wrong."""
    for dtype in (*INTEGERS, *FLOATS):
        sides = [(seed, axes) for form in FORMS for seed, axes in enumerate(form[:2])]
        arrays = [ordinary(dtype, tuple(SIZES[axis] for axis in axes), seed) for seed, axes in sides]
        nothing = [np.zeros(shape, numpy_dtype(dtype)) for shape in ((2, 0), (0, 4))]
        yield Case(name=f"products {dtype}", build=_forms(dtype), arrays=(*arrays, *nothing), tolerance=TOLERANCES.get(dtype))
    for dtype in INTEGERS:
        arrays = [np.resize(telling(dtype), (2, 3)), np.resize(telling(dtype)[::-1], (3, 4))]
        yield Case(name=f"wraps {dtype}", build=_contract(*MATRICES, dtype), arrays=tuple(arrays))
    for dtype in ("bf16", "f16"):
        kind = numpy_dtype(dtype)
        ones = np.ones(4096, kind)
        wanted, policies = (np.array(4096).astype(kind),), ("exact", "equivalent")
        dot = _contract((0,), (0,), (), dtype)
        yield Case(name=f"4096 ones in {dtype}", build=dot, arrays=(ones, ones), wanted=wanted, policies=policies)
    yield from _alone()


def _alone() -> Iterator[Case]:
    for dtype in ("f32", "f64"):
        kind = numpy_dtype(dtype)
        largest = float(np.finfo(kind).max)
        for name, (terms, factor, wanted) in ALONE.items():
            x = np.array([largest if term == "max" else term for term in terms], kind)
            due = (np.array(largest if wanted == "max" else wanted, kind),)
            arrays = (x, np.array(factor, kind))
            yield Case(name=f"{name} {dtype}", build=_contract((0,), (), (), dtype), arrays=arrays, wanted=due, policies=POLICIES)


def _forms(dtype: str) -> Build:
    """Every form on two inputs of its own, the last a product of matrices again."""
    builds = [_contract(*form, dtype) for form in (*FORMS, MATRICES)]

    def build(hand: Hand, x: list[Operand]) -> tuple[Operand, ...]:
        found = [one(hand, x[2 * at : 2 * at + 2]) for at, one in enumerate(builds)]
        return tuple([each for each in found if isinstance(each, Operand)])

    return build


def _contract(lhs: Axes, rhs: Axes, out: Axes, dtype: str) -> Build:
    shape = tuple(SIZES[axis] for axis in out)
    return lambda hand, x: hand(Contract(lhs_axes=lhs, rhs_axes=rhs, out_axes=out, shape=shape, dtype=dtype, operands=(x[0], x[1])))
