"""elementwise, compare, select and convert: every kind in every dtype it takes, on values that tell rules apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from linnet_core.conformance.arrays import ALL, BOOLS, FLOATS, INTEGERS, SIGNED, pairs, telling
from linnet_core.conformance.case import Case
from linnet_core.graph.calls import Compare, Convert, Elementwise, Operand, Select
from linnet_core.weights.arrays import numpy_dtype

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linnet_core.conformance.hand import Build, Hand

#: Kinds by the dtypes they take.  A float function is as accurate as the library, so it has a tolerance.
UNARY = {"neg": (*INTEGERS, *FLOATS), "abs": (*INTEGERS, *FLOATS), "not": BOOLS}
FUNCTIONS = ("sqrt", "exp", "log", "rsqrt", "sin", "cos", "tanh")
BINARY = {
    **dict.fromkeys(("add", "sub", "mul", "div", "rem"), (*INTEGERS, *FLOATS)),
    **dict.fromkeys(("and", "or"), BOOLS),
    **dict.fromkeys(("bitand", "bitor", "bitxor", "shl", "shr"), INTEGERS),
}
TOLERANCES = {"f16": 1e-3, "bf16": 8e-3, "f32": 1e-6, "f64": 1e-12}
#: Values beside the telling ones that a cast in two roundings gets wrong, or that lie at the ends of an integer dtype.
CAST_ALSO = {
    "f64": np.array([1.0004882813, 1.0004882822, 1.00390625 + 2.0**-40, 1e300, -1e300, 2.0**63, -(2.0**63), 2.0**64, 4294967295.5]),
    "f32": np.array([2.0**31, -(2.0**31), 2.0**32, 2.0**63, 2.0**64, 1e20, -1e20, 2147483520.0, 255.9, -0.9], dtype=np.float32),
    "i32": np.array([16842753, 16777217, 33554435, -16842753, 2147483583], dtype=np.int32),
    "i64": np.array(
        [
            16842753,
            -16842753,
            2**32,
            2**34 + 2**26 + 1,
            2**47 + 2**39 + 1,
            2**53 + 1,
            2**62 + 2**38 + 1,
            -(2**62) - 2**38 - 1,
            2**40 + 2**16 + 1,
        ],
        dtype=np.int64,
    ),
    "u32": np.array([4294967295, 16842753, 4278255616], dtype=np.uint32),
    "u64": np.array(
        [16842753, 2**41 + 2**33 + 1, 2**63 + 2**39 + 1, 2**63 + 2**10 + 1, 2**64 - 2**38, 2**53 + 1, 2**63 + 2**55 + 1], dtype=np.uint64
    ),
}


def cases() -> Iterator[Case]:
    """One entry a kind and dtype where that can be; what is spread, known, empty or of rank 0 in entries of its own."""
    for kind, dtypes in UNARY.items():
        for dtype in dtypes:
            yield Case(name=f"{kind} {dtype}", build=_kinds([kind], dtype, 1), arrays=(telling(dtype),))
    for dtype in FLOATS:
        x = np.concatenate([np.linspace(-8, 8, 33), [np.inf, -np.inf, np.nan]]).astype(numpy_dtype(dtype))
        for kind in FUNCTIONS:
            build = _kinds([kind], dtype, 1)
            yield Case(name=f"{kind} {dtype}", build=build, arrays=(x,), tolerance=TOLERANCES[dtype], one_by_one=True)
    for kind, dtypes in BINARY.items():
        for dtype in dtypes:
            yield Case(name=f"{kind} {dtype}", build=_kinds([kind], dtype, 2), arrays=pairs(dtype))
            if dtype != "bool":
                yield Case(name=f"{kind} with a known scalar {dtype}", build=_with_scalars(kind, dtype), arrays=(telling(dtype),))
    for dtype in (*INTEGERS, *FLOATS):
        yield Case(name=f"min and max {dtype}", build=_kinds(["min", "max"], dtype, 2), arrays=pairs(dtype), either_zero=True)
        yield Case(name=f"min and max with a known scalar {dtype}", build=_extremes(dtype), arrays=(telling(dtype),))
        yield from _forms(dtype)
    for dtype in ALL:
        yield Case(name=f"compare {dtype}", build=_comparisons(dtype), arrays=pairs(dtype))
        yield from _choices(dtype)
        x = np.concatenate([telling(dtype), CAST_ALSO[dtype]]) if dtype in CAST_ALSO else telling(dtype)
        yield Case(name=f"convert {dtype}", build=_casts(dtype), arrays=(x,))
        yield Case(name=f"convert one {dtype}", build=_casts(dtype), arrays=tuple(np.asarray(x[at]) for at in (2, 4, -1)))


def _forms(dtype: str) -> Iterator[Case]:
    """Operands that are spread, of rank 0, of no element."""
    x = telling(dtype)
    kinds = [kind for kind, dtypes in BINARY.items() if dtype in dtypes] + ["min", "max"]
    yield Case(name=f"spread {dtype}", build=_spread(dtype), arrays=(x[:15].reshape(5, 3), x[1:4], np.asarray(x[2])))
    ones = tuple(np.asarray(x[at]) for at in (2, 9, 0, 12, 5, 3))
    yield Case(name=f"rank 0 {dtype}", build=_kinds(kinds, dtype, 2), arrays=ones)
    empty = tuple([np.zeros(shape, numpy_dtype(dtype)) for shape in ((0,), (0,), (2, 0), (2, 0))])
    yield Case(name=f"no element {dtype}", build=_kinds(kinds, dtype, 2), arrays=empty)
    yield Case(name=f"convert no element {dtype}", build=_casts(dtype), arrays=empty[1:3])


def _choices(dtype: str) -> Iterator[Case]:
    """`select` by a tensor of bools, and by one between different sizes."""
    a, b = pairs(dtype)
    yield Case(name=f"select {dtype}", build=_selects(dtype), arrays=((np.arange(len(a)) % 3) == 0, a, b))
    small = telling(dtype)[:6].reshape(2, 3)
    yield Case(
        name=f"select by one bool {dtype}",
        build=lambda hand, x: tuple(hand(Select(shape=(2, 3), dtype=dtype, operands=(one, *x[2:]))) for one in x[:2]),
        arrays=(np.asarray(True), np.asarray(False), small, small[:1]),
    )


def _kinds(kinds: list[Any], dtype: str, count: int) -> Build:
    """Each kind on each group of `count` inputs."""

    def build(hand: Hand, x: list[Operand]) -> tuple[Operand, ...]:
        groups = [tuple(x[at : at + count]) for at in range(0, len(x), count)]
        return tuple(hand(Elementwise(kind=kind, shape=g[0].shape, dtype=dtype, operands=g)) for g in groups for kind in kinds)

    return build


def _known(hand: Hand, dtype: str) -> Operand:
    return hand.constant(True if dtype == "bool" else 0.1 if dtype in FLOATS else 1, dtype)


def _with_scalars(kind: Any, dtype: str) -> Build:
    """Known numbers on either side."""
    numbers = [0.5, -3.0, 0.0, 0.1] if dtype in FLOATS else [0, 1, 3, 7, *([-1, -2] if dtype in SIGNED else [])]

    def build(hand: Hand, x: list[Operand]) -> tuple[Operand, ...]:
        known = [hand.constant(number, dtype) for number in numbers]
        sides = [operands for number in known for operands in ((x[0], number), (number, x[0]))]
        return tuple(hand(Elementwise(kind=kind, shape=x[0].shape, dtype=dtype, operands=operands)) for operands in sides)

    return build


def _extremes(dtype: str) -> Build:
    """Beside a number that is no zero, so that which zero they give is not open."""
    kinds: tuple[Any, ...] = ("min", "max")

    def build(hand: Hand, x: list[Operand]) -> tuple[Operand, ...]:
        known = hand.constant(0.1 if dtype in FLOATS else 3, dtype)
        sides = ((x[0], known), (known, x[0]))
        return tuple(hand(Elementwise(kind=kind, shape=x[0].shape, dtype=dtype, operands=side)) for side in sides for kind in kinds)

    return build


def _spread(dtype: str) -> Build:
    def build(hand: Hand, x: list[Operand]) -> tuple[Operand, ...]:
        sides = ((x[0], x[1]), (x[2], x[0]))
        return tuple(hand(Elementwise(kind="sub", shape=(5, 3), dtype=dtype, operands=side)) for side in sides)

    return build


def _comparisons(dtype: str) -> Build:
    kinds: tuple[Any, ...] = ("eq", "ne", "lt", "le", "gt", "ge")

    def build(hand: Hand, x: list[Operand]) -> tuple[Operand, ...]:
        others = (x[1], _known(hand, dtype))
        return tuple(hand(Compare(kind=kind, shape=x[0].shape, operands=(x[0], other))) for kind in kinds for other in others)

    return build


def _selects(dtype: str) -> Build:
    def build(hand: Hand, x: list[Operand]) -> tuple[Operand, ...]:
        one = _known(hand, dtype)
        choices = ((x[1], x[2]), (x[1], one), (one, x[2]))
        return tuple(hand(Select(shape=x[1].shape, dtype=dtype, operands=(x[0], *choice))) for choice in choices)

    return build


def _casts(dtype: str) -> Build:
    """Every input to every other dtype."""
    return lambda hand, x: tuple(hand(Convert(shape=one.shape, dtype=to, operands=(one,))) for one in x for to in ALL if to != dtype)
