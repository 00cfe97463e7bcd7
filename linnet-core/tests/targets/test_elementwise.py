"""elementwise, compare, select, convert against values worked out in Python's integers and fractions, over all dtypes and on rank 0."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy_entries import DTYPES, FLOATS, INTEGERS, SIGNED, answer, array, assert_same

from linnet_core.graph.calls import Compare, Convert, Elementwise, Operand, Select

NAN, INF = float("nan"), float("inf")


def limits(dtype: str) -> tuple[int, int]:
    info = np.iinfo(DTYPES[dtype])
    return int(info.min), int(info.max)


def wrapped(value: int, dtype: str) -> int:
    low, high = limits(dtype)
    return (value - low) % (high - low + 1) + low


def corner_values(dtype: str) -> list[int]:
    low, high = limits(dtype)
    return sorted({low, low + 1, high, high - 1, 0, 1, 2, 7, 100, *((-1, -2, -7) if low else ())})


def quotient(a: int, b: int, dtype: str) -> int:
    if b == 0:
        return wrapped(-1, dtype)
    return wrapped(abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1), dtype)


def remainder(a: int, b: int, dtype: str) -> int:
    return a if b == 0 else abs(a) % abs(b) * (-1 if a < 0 else 1)


def shifted_left(a: int, n: int, dtype: str) -> int:
    bits = np.dtype(DTYPES[dtype]).itemsize * 8
    return wrapped(a << n, dtype) if 0 <= n < bits else 0


def shifted_right(a: int, n: int, dtype: str) -> int:
    bits = np.dtype(DTYPES[dtype]).itemsize * 8
    return a >> n if 0 <= n < bits else -1 if a < 0 else 0


INTEGER_RULES: dict[str, Any] = {
    "add": lambda a, b, dtype: wrapped(a + b, dtype),
    "sub": lambda a, b, dtype: wrapped(a - b, dtype),
    "mul": lambda a, b, dtype: wrapped(a * b, dtype),
    "div": quotient,
    "rem": remainder,
    "min": lambda a, b, dtype: min(a, b),
    "max": lambda a, b, dtype: max(a, b),
    "bitand": lambda a, b, dtype: a & b,
    "bitor": lambda a, b, dtype: a | b,
    "bitxor": lambda a, b, dtype: a ^ b,
    "shl": shifted_left,
    "shr": shifted_right,
}


def binary(kind: Any, dtype: str) -> Any:
    return lambda hand, a, b: hand(Elementwise(kind=kind, shape=a.shape, dtype=dtype, operands=(a, b)))


def with_constant(kind: Any, dtype: str, number: Any) -> Any:
    def build(hand: Any, a: Operand) -> Operand:
        b = Operand(hand.constant(number, dtype).value, a.shape, dtype)
        return hand(Elementwise(kind=kind, shape=a.shape, dtype=dtype, operands=(a, b)))

    return build


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("kind", INTEGER_RULES)
def test_integers(kind: str, dtype: str) -> None:
    values = corner_values(dtype)
    pairs = [(a, b) for a in values for b in values]
    wanted = [INTEGER_RULES[kind](a, b, dtype) for a, b in pairs]
    left, right = array([a for a, _ in pairs], dtype), array([b for _, b in pairs], dtype)
    assert_same(answer(binary(kind, dtype), left, right), array(wanted, dtype))


@pytest.mark.parametrize("dtype", ["i8", "i64", "u8", "u64"])
@pytest.mark.parametrize("kind", INTEGER_RULES)
def test_integers_of_rank_0_and_constants(kind: str, dtype: str) -> None:
    low, high = limits(dtype)
    for a, b in [(low, high), (high, high), (7, 2), (low, 0), (high, 1), (low, wrapped(-1, dtype)), (3, 70)]:
        wanted = array(INTEGER_RULES[kind](a, b, dtype), dtype)
        assert_same(answer(binary(kind, dtype), array(a, dtype), array(b, dtype)), wanted)
        assert_same(answer(with_constant(kind, dtype, b), array(a, dtype)), wanted)


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integers_of_one_operand(dtype: str) -> None:
    values = corner_values(dtype)
    for kind, rule in {
        "neg": lambda a: wrapped(-a, dtype),
        **({"abs": lambda a: wrapped(abs(a), dtype)} if dtype in SIGNED else {}),
    }.items():
        build = lambda hand, a, kind=kind: hand(Elementwise(kind=kind, shape=a.shape, dtype=dtype, operands=(a,)))  # noqa: E731
        assert_same(answer(build, array(values, dtype)), array([rule(a) for a in values], dtype))
        assert_same(answer(build, array(values[0], dtype)), array(rule(values[0]), dtype))


FLOAT_VALUES = [0.0, -0.0, 1.0, -1.0, 1.5, -2.0, 5.5, 0.25, 96.0, INF, -INF, NAN]


def ieee(kind: str, a: float, b: float) -> float:
    """The IEEE value of two of FLOAT_VALUES."""
    match kind:
        case "add":
            return a + b
        case "sub":
            return a - b
        case "mul":
            return a * b
        case "div":
            if b == 0.0:
                return NAN if a == 0.0 or math.isnan(a) else math.copysign(INF, a) * math.copysign(1.0, b)
            return a / b
        case "rem":
            return NAN if math.isnan(a) or math.isnan(b) or math.isinf(a) or b == 0.0 else math.fmod(a, b)
    return NAN if math.isnan(a) or math.isnan(b) else min(a, b) if kind == "min" else max(a, b)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("kind", ["add", "sub", "mul", "div", "rem", "min", "max"])
def test_floats(kind: str, dtype: str) -> None:
    pairs = [(a, b) for a in FLOAT_VALUES for b in FLOAT_VALUES]
    if kind in ("min", "max"):  # which zero it gives is open
        pairs = [(a, b) for a, b in pairs if not a == b == 0.0]
    # a quotient of these is rounded from f64 to the dtype: 53 bits are enough for that to be one rounding
    wanted = np.array([ieee(kind, a, b) for a, b in pairs])
    with np.errstate(all="ignore"):
        expected = wanted.astype(np.float32).astype(DTYPES[dtype]) if dtype != "f64" else wanted
    left, right = array([a for a, _ in pairs], dtype), array([b for _, b in pairs], dtype)
    assert_same(answer(binary(kind, dtype), left, right), expected)
    for (a, b), one in list(zip(pairs, expected, strict=True))[::17]:
        assert_same(answer(binary(kind, dtype), array(a, dtype), array(b, dtype)), np.asarray(one))
        assert_same(answer(with_constant(kind, dtype, b), array(a, dtype)), np.asarray(one))


@pytest.mark.parametrize("dtype", ["f16", "bf16"])
@pytest.mark.parametrize("kind", ["add", "mul", "div"])
def test_short_floats_are_the_f32_operation_rounded_once(kind: str, dtype: str) -> None:
    numbers = np.random.Generator(np.random.PCG64(3))
    left, right = (numbers.standard_normal(500).astype(np.float32).astype(DTYPES[dtype]) for _ in range(2))
    operation = {"add": np.add, "mul": np.multiply, "div": np.divide}[kind]
    wanted = operation(left.astype(np.float32), right.astype(np.float32)).astype(DTYPES[dtype])
    assert_same(answer(binary(kind, dtype), left, right), wanted)


UNARY: dict[str, Any] = {
    "neg": lambda x: -x,
    "abs": np.abs,
    "exp": np.exp,
    "log": np.log,
    "sqrt": np.sqrt,
    "rsqrt": lambda x: x.dtype.type(1) / np.sqrt(x),
    "sin": np.sin,
    "cos": np.cos,
    "tanh": np.tanh,
}


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("kind", UNARY)
def test_floats_of_one_operand(kind: Any, dtype: str) -> None:
    values = array([*FLOAT_VALUES, 3.25, 0.0078125], dtype)
    wide = values.astype(np.float32) if dtype in ("f16", "bf16") else values
    with np.errstate(all="ignore"):
        wanted = UNARY[kind](wide).astype(DTYPES[dtype])
    build = lambda hand, a: hand(Elementwise(kind=kind, shape=a.shape, dtype=dtype, operands=(a,)))  # noqa: E731
    assert_same(answer(build, values), wanted)
    assert_same(answer(build, values[9]), wanted[9])


def test_bools() -> None:
    left, right = array([True, True, False, False], "bool"), array([True, False, True, False], "bool")
    assert_same(answer(binary("and", "bool"), left, right), array([True, False, False, False], "bool"))
    assert_same(answer(binary("or", "bool"), left, right), array([True, True, True, False], "bool"))
    negated = lambda hand, a: hand(Elementwise(kind="not", shape=a.shape, dtype="bool", operands=(a,)))  # noqa: E731
    assert_same(answer(negated, left), array([False, False, True, True], "bool"))
    assert_same(answer(negated, left[0]), array(False, "bool"))
    assert_same(answer(with_constant("and", "bool", True), left), left)


COMPARISONS: dict[str, Any] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}


@pytest.mark.parametrize("dtype", [*INTEGERS, *FLOATS])
@pytest.mark.parametrize("kind", COMPARISONS)
def test_comparisons(kind: Any, dtype: str) -> None:
    values = FLOAT_VALUES if dtype in FLOATS else corner_values(dtype)
    pairs = [(a, b) for a in values for b in values]
    wanted = array([COMPARISONS[kind](a, b) for a, b in pairs], "bool")
    build = lambda hand, a, b: hand(Compare(kind=kind, shape=a.shape, operands=(a, b)))  # noqa: E731
    assert_same(answer(build, array([a for a, _ in pairs], dtype), array([b for _, b in pairs], dtype)), wanted)
    assert_same(answer(build, array(values[0], dtype), array(values[-1], dtype)), np.asarray(COMPARISONS[kind](values[0], values[-1])))


@pytest.mark.parametrize("dtype", DTYPES)
def test_select_keeps_the_dtype_on_every_rank(dtype: str) -> None:
    def build(hand: Any, c: Operand, a: Operand, b: Operand) -> Operand:
        return hand(Select(shape=a.shape, dtype=dtype, operands=(Operand(c.value, a.shape, "bool"), a, b)))

    a, b = array([1, 0, 1], dtype), array([0, 1, 1], dtype)
    assert_same(answer(build, array([True, False, True], "bool"), a, b), array([1, 1, 1], dtype))
    assert_same(answer(build, array(False, "bool"), a, b), b)
    assert_same(answer(build, array(True, "bool"), a[0], b[0]), a[0])


def to(dtype: str) -> Any:
    return lambda hand, a: hand(Convert(shape=a.shape, dtype=dtype, operands=(a,)))


def nearest(value: Fraction, dtype: str) -> float:
    """The value of a float dtype nearest to an exact one, ties to even, found among the neighbours of a first guess."""
    if dtype == "f64":
        return value.numerator / value.denominator
    unsigned: Any = {2: np.uint16, 4: np.uint32}[np.dtype(DTYPES[dtype]).itemsize]
    with np.errstate(all="ignore"):
        guess = np.asarray(value.numerator / value.denominator, np.float64).astype(np.float32).astype(DTYPES[dtype])
    if np.isinf(guess.astype(np.float64)):
        return float(guess)
    code = int(np.abs(guess.astype(np.float32)).astype(DTYPES[dtype]).view(unsigned))
    around = [np.array(c, unsigned).view(DTYPES[dtype]) for c in range(max(code - 1, 0), code + 2)]
    exact = [(abs(Fraction(float(x)) - abs(value)), int(x.view(unsigned)) & 1, float(x)) for x in around if math.isfinite(float(x))]
    return min(exact)[2] * (-1 if value < 0 else 1)


@pytest.mark.parametrize("source", INTEGERS)
@pytest.mark.parametrize("target", INTEGERS)
def test_integers_to_integers_keep_the_low_bits(source: str, target: str) -> None:
    if source != target:
        values = corner_values(source)
        assert_same(answer(to(target), array(values, source)), array([wrapped(v, target) for v in values], target))
        assert_same(answer(to(target), array(values[0], source)), array(wrapped(values[0], target), target))


@pytest.mark.parametrize("source", INTEGERS)
@pytest.mark.parametrize("target", FLOATS)
def test_integers_to_floats_round_once(source: str, target: str) -> None:
    low, high = limits(source)
    extra = [2**24 + 1, 16842753, 2**53 + 1, 2**60 + 2**36 + 1, 2**40 + 2**15, 2**40 + 2**15 + 1, 2049, 2051, 65519]
    values = [*corner_values(source), *(s * v for v in extra for s in (1, -1) if low <= s * v <= high)]
    finite = [v for v in values if target != "f16" or abs(v) < 65520]
    assert_same(answer(to(target), array(finite, source)), array([nearest(Fraction(v), target) for v in finite], target))
    assert_same(answer(to(target), array(values[0], source)), answer(to(target), array(values[:1], source))[0])
    if target == "f16" and high > 65520:
        assert_same(answer(to("f16"), array([high], source)), array([INF], "f16"))


@pytest.mark.parametrize("source", FLOATS)
@pytest.mark.parametrize("target", INTEGERS)
def test_floats_to_integers_truncate_and_saturate(source: str, target: str) -> None:
    low, high = limits(target)
    values = array([0.0, -0.0, 0.9, -0.9, 2.9, -2.9, 126.5, 300.7, -300.7, 60000.0, -60000.0, INF, -INF, NAN, 1.0], source)
    if source != "f16":
        values = np.concatenate([values, array([1e20, -1e20, 2.0**31, 2.0**32, 2.0**63, 2.0**64, -(2.0**31), -(2.0**63)], source)])

    def rule(x: float) -> int:
        return 0 if math.isnan(x) else high if x == INF else low if x == -INF else min(max(math.trunc(x), low), high)

    assert_same(answer(to(target), values), array([rule(float(x)) for x in values], target))
    assert_same(answer(to(target), values[7]), array(rule(float(values[7])), target))


@pytest.mark.parametrize("source", FLOATS)
@pytest.mark.parametrize("target", FLOATS)
def test_floats_to_floats_round_once(source: str, target: str) -> None:
    if source == target:
        return
    numbers = np.random.Generator(np.random.PCG64(11))
    ties = [
        1 + 2.0**-11 + 2.0**-30,
        1.0039062509313226,
        1 + 2.0**-8,
        1 + 2.0**-9 + 2.0**-40,
        2.0**-24,
        2.0**-25,
        2.0**-25 * (1 + 2.0**-20),
        2.0**-134,
    ]
    scaled = numbers.standard_normal(300) * np.exp2(numbers.integers(-26, 15, 300))
    with np.errstate(all="ignore"):
        values = np.array([*ties, *(-np.array(ties)), *scaled]).astype(DTYPES[source])
    wanted = array([math.copysign(nearest(Fraction(float(v)), target), float(v)) for v in values], target)
    assert_same(answer(to(target), values), wanted)
    assert_same(answer(to(target), values[0]), wanted[0])
    special = array([0.0, -0.0, INF, -INF, NAN], source)
    assert_same(answer(to(target), special), array([0.0, -0.0, INF, -INF, NAN], target))


@pytest.mark.parametrize("dtype", [*INTEGERS, *FLOATS])
def test_bools_to_and_from(dtype: str) -> None:
    assert_same(answer(to(dtype), array([True, False], "bool")), array([1, 0], dtype))
    values = [1.5, 0.0, -0.0, NAN, INF, -1.0] if dtype in FLOATS else corner_values(dtype)
    assert_same(answer(to("bool"), array(values, dtype)), array([v != 0 for v in values], "bool"))
    assert_same(answer(to("bool"), array(values[0], dtype)), array(values[0] != 0, "bool"))


def test_rewrites_of_floats_are_not_made() -> None:
    x = array([INF, NAN, -0.0], "f32")
    assert_same(answer(with_constant("mul", "f32", 0.0), x), array([NAN, NAN, -0.0], "f32"))
    assert_same(answer(lambda hand, a: binary("sub", "f32")(hand, a, a), x), array([NAN, NAN, 0.0], "f32"))
    assert_same(answer(with_constant("add", "f32", 0.0), x), array([INF, NAN, 0.0], "f32"))
    assert_same(answer(with_constant("sub", "f32", 0.0), x), x)
    assert_same(answer(with_constant("mul", "f32", 1.0), x), x)
