"""Every float dtype on both targets, at the values where arithmetic is surprising: one rounding, NaN, infinities, zeros, subnormals."""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from agreement import assert_all
from running import program

FILE = str(Path(__file__).parent / "floats.linnet")
TARGETS = ["numpy", "torch"]
DTYPES: dict[str, Any] = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64}
#: Bits of precision, exponent of the smallest normal number, exponent of 2 that is infinite.
FORMATS = {"f16": (11, -14, 16), "bf16": (8, -126, 128), "f32": (24, -126, 128), "f64": (53, -1022, 1024)}
EDGES = [0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 0.1, 3.0, 7.75, 1e-3, -1e-3, 100.1, 3e4, -6e4, 1e-7, 6e-8, math.inf, -math.inf, math.nan]


def short(name: str) -> Any:
    """The dtype an operation of `name` computes in before its one rounding."""
    return np.float64 if name == "f64" else np.float32


def stored(values: Any, name: str) -> np.ndarray:
    with np.errstate(all="ignore"):
        return np.asarray(values, np.float64).astype(DTYPES[name])


def pairs(name: str) -> tuple[np.ndarray, np.ndarray]:
    values = stored(EDGES, name)
    return np.repeat(values, len(values)), np.tile(values, len(values))


def results(target: str, entry: str, bindings: dict[str, Any], **inputs: np.ndarray) -> list[np.ndarray]:
    return [np.asarray(result) for result in program(target, FILE, bindings, entry=entry).run(inputs)[0]]


@pytest.mark.parametrize("name", list(DTYPES))
@pytest.mark.parametrize("target", TARGETS)
def test_two_operands(target: str, name: str) -> None:
    a, b = pairs(name)
    given = results(target, "pairs", {"N": len(a), "T": name}, a=a, b=b)
    x, y = a.astype(short(name)), b.astype(short(name))
    with np.errstate(all="ignore"):
        wide = [x + y, x - y, x * y, x / y, np.fmod(x, y)]
        wanted = [value.astype(DTYPES[name]) for value in wide]
    assert_all(given[:5], wanted)
    # Which zero the smaller of two zeros is stays open.
    assert_all(
        [value + np.zeros((), value.dtype) for value in given[5:]],
        [np.minimum(x, y).astype(a.dtype) + a.dtype.type(0), np.maximum(x, y).astype(a.dtype) + a.dtype.type(0)],
    )


@pytest.mark.parametrize("name", list(DTYPES))
@pytest.mark.parametrize("target", TARGETS)
def test_comparisons(target: str, name: str) -> None:
    a, b = pairs(name)
    given = results(target, "compared", {"N": len(a), "T": name}, a=a, b=b)
    both = [(float(p), float(q)) for p, q in zip(a, b, strict=True)]
    wanted = [
        [p == q for p, q in both],
        [p != q for p, q in both],
        [p < q for p, q in both],
        [p <= q for p, q in both],
        [p > q for p, q in both],
        [p >= q for p, q in both],
    ]
    assert_all(given, [np.array(row) for row in wanted])


@pytest.mark.parametrize("name", list(DTYPES))
@pytest.mark.parametrize("target", TARGETS)
def test_one_operand(target: str, name: str) -> None:
    a = stored(EDGES, name)
    wide = a.astype(short(name))
    with np.errstate(all="ignore"):
        wanted = [value.astype(DTYPES[name]) for value in (-wide, np.abs(wide), np.sqrt(wide))]
        assert_all(results(target, "exact", {"N": len(a), "T": name}, a=a), wanted)


@pytest.mark.parametrize("name", list(DTYPES))
@pytest.mark.parametrize("target", TARGETS)
def test_functions_are_near(target: str, name: str) -> None:
    a = stored([0.0, 0.25, 0.5, 1.0, 2.0, 3.5, 9.0, -1.0, -0.5, math.inf, -math.inf, math.nan], name)
    wide = a.astype(np.float64)
    with np.errstate(all="ignore"):
        exact = [np.exp(wide), np.log(wide), 1 / np.sqrt(wide), np.sin(wide), np.cos(wide), np.tanh(wide)]
        wanted = [value.astype(DTYPES[name]) for value in exact]
    tolerance = {"f16": 1e-3, "bf16": 1e-2, "f32": 1e-6, "f64": 1e-12}[name]
    assert_all(results(target, "near", {"N": len(a), "T": name}, a=a), wanted, tolerance)


def rounded(value: float, name: str) -> float:
    """The nearest value of a format, ties to even, by exact rational arithmetic."""
    if not math.isfinite(value) or value == 0:
        return value
    precision, smallest, infinite = FORMATS[name]
    exponent = max(math.frexp(value)[1] - 1, smallest)
    unit = Fraction(2) ** (exponent - precision + 1)
    kept = round(Fraction(abs(value)) / unit) * unit
    return math.copysign(math.inf if kept >= Fraction(2) ** infinite else float(kept), value)


@pytest.mark.parametrize("to", list(DTYPES))
@pytest.mark.parametrize("name", list(DTYPES))
@pytest.mark.parametrize("target", TARGETS)
def test_a_cast_rounds_once(target: str, name: str, to: str) -> None:
    ties = [1 + 2**-11 + 2**-30, 1 + 2**-8 + 2**-33, 1 + 2**-24 + 2**-50, 1 + 2**-8 - 2**-33, 1 + 3 * 2**-11 - 2**-40, 65520.0, 65519.99]
    tiny = [2.0**-24, 2.0**-25, 2.0**-25 * 1.0000001, 2.0**-133, 2.0**-134, 2.0**-134 * 1.0000001, 2.0**-149, 2.0**-150, 5e-324, 1e-310]
    large = [65504.0, 65536.0, 3.3895e38, 3.4028235677973366e38, 3.4e38, 1e308]
    some = [*EDGES, *ties, *tiny, *large]
    a = stored([*some, *(-value for value in some)], name)
    wanted = np.array([rounded(float(value), to) for value in a]).astype(DTYPES[to])
    assert_all(results(target, "converted", {"N": len(a), "T": name, "U": to}, a=a), [wanted])


@pytest.mark.parametrize("name", list(DTYPES))
@pytest.mark.parametrize("target", TARGETS)
def test_sums_accumulate_wide_and_round_once(target: str, name: str) -> None:
    generator = np.random.Generator(np.random.PCG64(4))
    count = 4096
    a, b = (stored(generator.uniform(0.5, 1.0, count), name) for _ in range(2))
    total, product, running = results(target, "sums", {"N": count, "T": name}, a=a, b=b)
    x, y = a.astype(np.float64), b.astype(np.float64)
    # The rounding at the end, and what f32 (f64 for f64) may lose on the way.
    limit = 2.0 ** -FORMATS[name][0] + (1e-12 if name == "f64" else 2e-5)
    for given, exact in ((total, np.sum(x)), (product, np.sum(x * y)), (running, np.cumsum(x))):
        assert given.dtype == DTYPES[name]
        assert np.all(np.abs(given.astype(np.float64) - exact) <= limit * np.abs(exact))
