"""Every integer dtype and operation on both targets, against Python's unbounded integers and docs/language/semantics.md."""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import ml_dtypes
import numpy as np
import pytest
from agreement import assert_all
from running import program

if TYPE_CHECKING:
    from collections.abc import Callable

FILE = str(Path(__file__).parent / "integers.linnet")
TARGETS = ["numpy", "torch"]
INTEGERS = ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"]
FLOATS: dict[str, Any] = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64}
#: Bits of precision and the largest exponent of 2 that is finite.
PRECISION = {"f16": (11, 16), "bf16": (8, 128), "f32": (24, 128), "f64": (53, 1024)}


def numpy_dtype(name: str) -> np.dtype:
    return np.dtype(name.replace("i", "int") if name[0] == "i" else name.replace("u", "uint"))


def width(name: str) -> int:
    return int(name[1:])


def wrapped(value: int, name: str) -> int:
    """The two's complement value of the low bits."""
    low = value % 2 ** width(name)
    return low - 2 ** width(name) if name[0] == "i" and low >= 2 ** (width(name) - 1) else low


def ends(name: str) -> tuple[int, int]:
    bits = width(name)
    return (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if name[0] == "i" else (0, 2**bits - 1)


def edges(name: str) -> list[int]:
    """The ends, what lies beside them and beside zero, and some in between."""
    low, high = ends(name)
    some = [low, low + 1, low // 2, -3, -2, -1, 0, 1, 2, 3, 7, high // 3, high // 2 + 1, high - 1, high]
    return sorted({value for value in some if low <= value <= high})


def array(values: list[int], name: str) -> np.ndarray:
    return np.array(values, dtype=object).astype(numpy_dtype(name))


def pairs(name: str) -> tuple[list[int], list[int]]:
    values = edges(name)
    return [a for a in values for _ in values], [b for _ in values for b in values]


def divided(a: int, b: int, name: str) -> int:
    if b == 0:
        return wrapped(-1, name)
    return wrapped(abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1), name)


def remainder(a: int, b: int, name: str) -> int:
    return a if b == 0 else wrapped(a - b * divided_exactly(a, b), name)


def divided_exactly(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def shifted(a: int, n: int, name: str, left: bool) -> int:
    if not 0 <= n < width(name):
        return -1 if a < 0 and not left else 0
    return wrapped(a << n if left else a >> n, name)


ARITHMETIC: list[Callable[[int, int, str], int]] = [
    lambda a, b, name: wrapped(a + b, name),
    lambda a, b, name: wrapped(a - b, name),
    lambda a, b, name: wrapped(a * b, name),
    divided,
    remainder,
    lambda a, b, name: min(a, b),
    lambda a, b, name: max(a, b),
]
BITS: list[Callable[[int, int, str], int]] = [
    lambda a, b, name: a & b,
    lambda a, b, name: a | b,
    lambda a, b, name: a ^ b,
    lambda a, b, name: shifted(a, b, name, True),
    lambda a, b, name: shifted(a, b, name, False),
]
COMPARED: list[Callable[[int, int], bool]] = [
    lambda a, b: a == b,
    lambda a, b: a != b,
    lambda a, b: a < b,
    lambda a, b: a <= b,
    lambda a, b: a > b,
    lambda a, b: a >= b,
]


def results(target: str, entry: str, bindings: dict[str, Any], inputs: dict[str, np.ndarray]) -> list[np.ndarray]:
    return [np.asarray(result) for result in program(target, FILE, bindings, entry=entry).run(inputs)[0]]


@pytest.mark.parametrize("name", INTEGERS)
@pytest.mark.parametrize("target", TARGETS)
def test_arithmetic_wraps_and_truncates(target: str, name: str) -> None:
    a, b = pairs(name)
    given = results(target, "arithmetic", {"N": len(a), "T": name}, {"a": array(a, name), "b": array(b, name)})
    assert_all(given, [array([rule(p, q, name) for p, q in zip(a, b, strict=True)], name) for rule in ARITHMETIC])


@pytest.mark.parametrize("name", INTEGERS)
@pytest.mark.parametrize("target", TARGETS)
def test_bits(target: str, name: str) -> None:
    a, b = pairs(name)
    given = results(target, "bits", {"N": len(a), "T": name}, {"a": array(a, name), "b": array(b, name)})
    assert_all(given, [array([rule(p, q, name) for p, q in zip(a, b, strict=True)], name) for rule in BITS])


@pytest.mark.parametrize("name", INTEGERS)
@pytest.mark.parametrize("target", TARGETS)
def test_comparisons(target: str, name: str) -> None:
    a, b = pairs(name)
    given = results(target, "compared", {"N": len(a), "T": name}, {"a": array(a, name), "b": array(b, name)})
    assert_all(given, [np.array([rule(p, q) for p, q in zip(a, b, strict=True)]) for rule in COMPARED])


@pytest.mark.parametrize("name", INTEGERS)
@pytest.mark.parametrize("target", TARGETS)
def test_one_operand(target: str, name: str) -> None:
    values = edges(name)
    given = results(target, "one_operand", {"N": len(values), "T": name}, {"a": array(values, name)})
    assert_all(given, [array([wrapped(-v, name) for v in values], name), array([wrapped(abs(v), name) for v in values], name)])


@pytest.mark.parametrize("name", INTEGERS)
@pytest.mark.parametrize("target", TARGETS)
def test_reductions_stay_in_their_dtype(target: str, name: str) -> None:
    values = edges(name)
    rows = [values, values[::-1], [values[-1]] * len(values)]
    given = results(
        target,
        "reduced",
        {"R": 3, "C": len(values), "T": name},
        {"x": array([value for row in rows for value in row], name).reshape(3, -1)},
    )
    running = [[wrapped(sum(row[: n + 1]), name) for n in range(len(row))] for row in rows]
    assert_all(
        given,
        [
            array([wrapped(sum(row), name) for row in rows], name),
            array([wrapped(math.prod(row), name) for row in rows], name),
            array([max(row) for row in rows], name),
            array([min(row) for row in rows], name),
            np.stack([array(row, name) for row in running]),
        ],
    )


@pytest.mark.parametrize("name", INTEGERS)
@pytest.mark.parametrize("target", TARGETS)
def test_a_contraction_wraps(target: str, name: str) -> None:
    values = edges(name)[-6:]
    a = [values, values[::-1]]
    given = results(
        target,
        "multiplied",
        {"M": 2, "K": 6, "N": 1, "T": name},
        {"a": array([value for row in a for value in row], name).reshape(2, 6), "b": array(values, name).reshape(6, 1)},
    )
    assert_all(given, [array([wrapped(sum(p * q for p, q in zip(row, values, strict=True)), name) for row in a], name).reshape(2, 1)])


@pytest.mark.parametrize("to", [*INTEGERS, "bool"])
@pytest.mark.parametrize("name", INTEGERS)
@pytest.mark.parametrize("target", TARGETS)
def test_a_cast_keeps_the_low_bits(target: str, name: str, to: str) -> None:
    values = edges(name)
    given = results(target, "converted", {"N": len(values), "T": name, "U": to}, {"a": array(values, name)})
    wanted = np.array([v != 0 for v in values]) if to == "bool" else array([wrapped(v, to) for v in values], to)
    assert_all(given, [wanted])


def rounded(value: int, name: str) -> float:
    """The nearest value of a float dtype, ties to even, infinite beyond its largest."""
    precision, exponent = PRECISION[name]
    spare = max(abs(value).bit_length() - precision, 0)
    kept = round(Fraction(abs(value), 2**spare)) * 2**spare
    nearest = math.inf if kept >= 2**exponent else float(kept)
    return -nearest if value < 0 else nearest


@pytest.mark.parametrize("to", list(FLOATS))
@pytest.mark.parametrize("name", INTEGERS)
@pytest.mark.parametrize("target", TARGETS)
def test_a_cast_to_a_float_rounds_once(target: str, name: str, to: str) -> None:
    low, high = ends(name)
    # Beside a tie of bf16 and of f32, where a rounding on the way would decide wrongly.
    ties = [257, 258, 259, 2**24 + 1, 2**24 + 2**16 + 1, 2**24 + 2**16 - 1, 2**40 + 2**32 + 1, 2**54 + 2**46 + 1, 2**62 + 2**38 + 1]
    values = sorted({v for v in [*edges(name), *ties, *(-tie for tie in ties)] if low <= v <= high})
    given = results(target, "converted", {"N": len(values), "T": name, "U": to}, {"a": array(values, name)})
    assert_all(given, [np.array([rounded(v, to) for v in values]).astype(FLOATS[to])])


@pytest.mark.parametrize("to", INTEGERS)
@pytest.mark.parametrize("name", list(FLOATS))
@pytest.mark.parametrize("target", TARGETS)
def test_a_float_is_truncated_and_held_within_the_dtype(target: str, name: str, to: str) -> None:
    low, high = ends(to)
    some = [
        0.0,
        -0.0,
        0.5,
        -0.5,
        0.99,
        -0.99,
        1.5,
        -1.5,
        100.75,
        -100.75,
        65504.0,
        3e4,
        -3e4,
        float(low),
        float(high),
        2.0 * high,
        math.inf,
    ]
    values = np.array([*some, -math.inf, math.nan, 2.0 * low], np.float64)
    with np.errstate(all="ignore"):
        stored = values.astype(FLOATS[name])
    given = results(target, "truncated", {"N": len(stored), "T": name, "U": to}, {"a": stored})

    def held(value: float) -> int:
        if math.isnan(value):
            return 0
        if math.isinf(value):
            return high if value > 0 else low
        return min(max(math.trunc(value), low), high)

    assert_all(given, [array([held(float(v)) for v in stored], to)])


@pytest.mark.parametrize("name", INTEGERS)
@pytest.mark.parametrize("target", TARGETS)
def test_selection_joining_and_gathering(target: str, name: str) -> None:
    values = edges(name)
    count = len(values)
    picks = [(3 * n) % count for n in range(count)]
    inputs = {
        "c": np.array([n % 2 == 0 for n in range(count)]),
        "a": array(values, name),
        "b": array(values[::-1], name),
        "at": np.array(picks, np.int32),
    }
    given = results(target, "chosen", {"N": count, "T": name}, inputs)
    chosen = [values[n] if n % 2 == 0 else values[-1 - n] for n in range(count)]
    assert_all(given, [array(chosen, name), array(values + values[::-1], name), array([values[p] for p in picks], name)])
