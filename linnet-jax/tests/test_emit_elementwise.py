"""elementwise, compare, select and convert: printed JAX gives the bits of the reference for every kind and dtype."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from made_by_hand import NUMPY_DTYPES, Hand, assert_agree, difference, on_jax, on_numpy
from telling_values import ALL, BOOLS, FLOATS, INTEGERS, SIGNED, pairs, telling

from linnet_core.graph.calls import Compare, Convert, Elementwise, Operand, Select

#: Kinds by the dtypes they take.  A float function is as accurate as the library, so it has a tolerance.
EXACT_UNARY = {"neg": (*INTEGERS, *FLOATS), "abs": (*INTEGERS, *FLOATS), "not": BOOLS}
ROUNDED_UNARY = ("sqrt", "exp", "log", "rsqrt", "sin", "cos", "tanh")
BINARY = {
    "add": (*INTEGERS, *FLOATS),
    "sub": (*INTEGERS, *FLOATS),
    "mul": (*INTEGERS, *FLOATS),
    "div": (*INTEGERS, *FLOATS),
    "rem": (*INTEGERS, *FLOATS),
    "and": BOOLS,
    "or": BOOLS,
    "bitand": INTEGERS,
    "bitor": INTEGERS,
    "bitxor": INTEGERS,
    "shl": INTEGERS,
    "shr": INTEGERS,
}
#: Bits of a float behind the first.
DIGITS = {"f16": 10, "bf16": 7, "f32": 23, "f64": 52}
TOLERANCES = {"f16": 1e-3, "bf16": 8e-3, "f32": 1e-6, "f64": 1e-12}


def _elementwise(kind: Any, shape: tuple[int, ...], dtype: str, *operands: Operand) -> Elementwise:
    return Elementwise(kind=kind, shape=shape, dtype=dtype, operands=operands)


def _binary(kind: str, dtype: str) -> Any:
    return lambda hand, x: hand(_elementwise(kind, x[0].shape, dtype, x[0], x[1]))


@pytest.mark.parametrize(
    ("kind", "dtype"), [pytest.param(kind, dtype, id=f"{kind}-{dtype}") for kind, dtypes in EXACT_UNARY.items() for dtype in dtypes]
)
def test_one_operand_bit_for_bit(kind: str, dtype: str) -> None:
    x = telling(dtype)
    assert_agree(lambda hand, a: hand(_elementwise(kind, x.shape, dtype, a[0])), [x])


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("kind", ROUNDED_UNARY)
def test_functions_of_floats_agree(kind: str, dtype: str) -> None:
    x = np.concatenate([np.linspace(-8, 8, 33), [np.inf, -np.inf, np.nan]]).astype(NUMPY_DTYPES[dtype])

    def build(hand: Hand, a: list[Operand]) -> Operand:
        return hand(_elementwise(kind, x.shape, dtype, a[0]))

    (given,), (wanted,) = on_jax(build, [x]), on_numpy(build, [x])
    for one in range(len(x)):  # each by itself, so that a large value does not hide a small one
        assert difference(given[one], wanted[one], TOLERANCES[dtype]) is None


@pytest.mark.parametrize(
    ("kind", "dtype"), [pytest.param(kind, dtype, id=f"{kind}-{dtype}") for kind, dtypes in BINARY.items() for dtype in dtypes]
)
def test_two_operands_bit_for_bit(kind: str, dtype: str) -> None:
    assert_agree(_binary(kind, dtype), list(pairs(dtype)))


@pytest.mark.parametrize(
    ("kind", "dtype"), [pytest.param(kind, dtype, id=f"{kind}-{dtype}") for kind in ("min", "max") for dtype in (*INTEGERS, *FLOATS)]
)
def test_extremes_and_nan(kind: str, dtype: str) -> None:
    a, b = pairs(dtype)
    given, wanted = on_jax(_binary(kind, dtype), [a, b])[0], on_numpy(_binary(kind, dtype), [a, b])[0]
    # which zero max(0.0, -0.0) gives is open
    assert difference(given + given.dtype.type(0), wanted + wanted.dtype.type(0)) is None


@pytest.mark.parametrize(
    ("kind", "dtype"),
    [
        pytest.param(kind, dtype, id=f"{kind}-{dtype}")
        for kind, dtypes in BINARY.items()
        for dtype in dtypes
        if dtype != "bool" and not (kind == "div" and dtype in FLOATS)
    ],
)
def test_a_known_scalar_on_either_side(kind: str, dtype: str) -> None:
    x = telling(dtype)
    numbers = [0.5, -3.0, 0.0, 0.1] if dtype in FLOATS else [0, 1, 3, 7, *([-1, -2] if dtype in SIGNED else [])]

    def build(hand: Hand, a: list[Operand]) -> tuple[Operand, ...]:
        known = [hand.constant(number, dtype) for number in numbers]
        sides = [operands for number in known for operands in ((a[0], number), (number, a[0]))]
        return tuple(hand(_elementwise(kind, x.shape, dtype, *operands)) for operands in sides)

    assert_agree(build, [x])


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("divisor", [0.5, -3.0, 0.1, 7.0])
def test_a_quotient_by_a_number_is_within_one_unit_in_the_last_place(divisor: float, dtype: str) -> None:
    """XLA multiplies by the reciprocal of what it spreads."""
    x = telling(dtype)

    def build(hand: Hand, a: list[Operand]) -> Operand:
        return hand(_elementwise("div", x.shape, dtype, a[0], hand.constant(divisor, dtype)))

    given, wanted = (run(build, [x])[0].astype(np.float64) for run in (on_jax, on_numpy))
    finite = np.isfinite(wanted)
    assert np.array_equal(given[~finite], wanted[~finite], equal_nan=True)
    given, wanted = given[finite], wanted[finite]
    unit = np.maximum(2.0 ** (np.frexp(wanted)[1] - 1 - DIGITS[dtype]), 2.0**-24 if dtype == "f16" else 0.0)
    assert (np.abs(given - wanted) <= unit).all()


@pytest.mark.parametrize("dtype", [*INTEGERS, *FLOATS])
@pytest.mark.parametrize("kind", ["min", "max"])
def test_an_extreme_beside_a_known_scalar(kind: str, dtype: str) -> None:
    x = telling(dtype)
    number = 0.1 if dtype in FLOATS else 3

    def build(hand: Hand, a: list[Operand]) -> tuple[Operand, ...]:
        known = hand.constant(number, dtype)
        return tuple(hand(_elementwise(kind, x.shape, dtype, *operands)) for operands in ((a[0], known), (known, a[0])))

    assert_agree(build, [x])


@pytest.mark.parametrize("dtype", [*INTEGERS, *FLOATS])
def test_an_operand_is_spread_over_the_other(dtype: str) -> None:
    x, row, scalar = telling(dtype)[:15].reshape(5, 3), telling(dtype)[1:4], telling(dtype)[2]

    def build(hand: Hand, a: list[Operand]) -> tuple[Operand, ...]:
        return tuple(
            hand(Elementwise(kind="sub", shape=(5, 3), dtype=dtype, operands=operands)) for operands in ((a[0], a[1]), (a[2], a[0]))
        )

    assert_agree(build, [x, row, np.asarray(scalar)])


@pytest.mark.parametrize("dtype", ALL)
@pytest.mark.parametrize("kind", ["eq", "ne", "lt", "le", "gt", "ge"])
def test_comparisons(kind: str, dtype: str) -> None:
    a, b = pairs(dtype)

    def build(hand: Hand, x: list[Operand]) -> tuple[Operand, ...]:
        one = hand.constant(True if dtype == "bool" else 0.1 if dtype in FLOATS else 1, dtype)
        return tuple(hand(Compare(kind=kind, shape=a.shape, operands=(x[0], other))) for other in (x[1], one))  # type: ignore[arg-type]  # the table's words are the kinds of comparisons

    assert_agree(build, [a, b])


@pytest.mark.parametrize("dtype", ALL)
def test_select(dtype: str) -> None:
    a, b = pairs(dtype)
    condition = (np.arange(len(a)) % 3) == 0

    def build(hand: Hand, x: list[Operand]) -> tuple[Operand, ...]:
        one = hand.constant(True if dtype == "bool" else 0.1 if dtype in FLOATS else 1, dtype)
        choices = ((x[1], x[2]), (x[1], one), (one, x[2]), (one, one))
        return tuple(hand(Select(shape=a.shape, dtype=dtype, operands=(x[0], *choice))) for choice in choices[:3])

    assert_agree(build, [condition, a, b])


@pytest.mark.parametrize("dtype", ALL)
def test_select_by_one_bool_between_different_sizes(dtype: str) -> None:
    a = telling(dtype)[:6].reshape(2, 3)

    def build(hand: Hand, x: list[Operand]) -> Operand:
        return hand(Select(shape=(2, 3), dtype=dtype, operands=tuple(x)))

    for condition in (True, False):
        assert_agree(build, [np.asarray(condition), a, a[:1]])


def _casts(dtype: str, shape: tuple[int, ...]) -> Any:
    """To every other dtype."""
    return lambda hand, x: tuple(hand(Convert(shape=shape, dtype=to, operands=(x[0],))) for to in ALL if to != dtype)


@pytest.mark.parametrize("source", ALL)
def test_casts_bit_for_bit(source: str) -> None:
    extra = {
        "f64": np.array([1.0004882813, 1.0004882822, 1.00390625 + 2.0**-40, 1e300, -1e300, 2.0**63, -(2.0**63), 2.0**64, 4294967295.5]),
        "f32": np.array([2.0**31, -(2.0**31), 2.0**32, 2.0**63, 2.0**64, 1e20, -1e20, 2147483520.0, 255.9, -0.9], dtype=np.float32),
        "i32": np.array([16842753, 16777217, 33554435, -16842753, 2147483583], dtype=np.int32),
        "i64": np.array([2**53 + 1, 2**62 + 2**38 + 1, -(2**62) - 2**38 - 1, 2**40 + 2**16 + 1], dtype=np.int64),
        "u32": np.array([4294967295, 16842753, 4278255616], dtype=np.uint32),
        "u64": np.array([2**63 + 2**39 + 1, 2**63 + 2**10 + 1, 2**64 - 2**38, 2**53 + 1, 2**63 + 2**55 + 1], dtype=np.uint64),
    }
    x = np.concatenate([telling(source), extra[source]]) if source in extra else telling(source)
    assert_agree(_casts(source, x.shape), [x])


@pytest.mark.parametrize("dtype", [*INTEGERS, *FLOATS])
def test_values_of_rank_0(dtype: str) -> None:
    kinds = [kind for kind, dtypes in BINARY.items() if dtype in dtypes] + ["min", "max"]
    values = telling(dtype)

    def build(hand: Hand, x: list[Operand]) -> tuple[Operand, ...]:
        both = [hand(_elementwise(kind, (), dtype, x[0], x[1])) for kind in kinds]
        return (*both, *(hand(_elementwise(kind, (), dtype, x[0])) for kind in ("neg", "abs")))

    for a, b in ((2, 9), (0, 12), (5, 3)):
        assert_agree(build, [np.asarray(values[a]), np.asarray(values[b])])


@pytest.mark.parametrize("dtype", [*INTEGERS, *FLOATS])
@pytest.mark.parametrize("shape", [(0,), (2, 0)])
def test_no_value_at_all(shape: tuple[int, ...], dtype: str) -> None:
    kinds = [kind for kind, dtypes in BINARY.items() if dtype in dtypes] + ["min", "max"]

    def build(hand: Hand, x: list[Operand]) -> tuple[Operand, ...]:
        casts = [hand(Convert(shape=shape, dtype=to, operands=(x[0],))) for to in ALL if to != dtype]
        return (*casts, *(hand(_elementwise(kind, shape, dtype, x[0], x[0])) for kind in kinds))

    assert_agree(build, [np.zeros(shape, NUMPY_DTYPES[dtype])])


@pytest.mark.parametrize("source", ALL)
def test_casts_of_rank_0(source: str) -> None:
    for x in telling(source)[[2, 4, -1]]:
        assert_agree(_casts(source, ()), [np.asarray(x)])
