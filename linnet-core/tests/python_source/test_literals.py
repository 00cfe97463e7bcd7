"""Rounding and spelling of numbers, against NumPy and ml_dtypes and by reading the text back."""

from __future__ import annotations

import math
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linnet_core.python_source.literals import real_text, round_to
from linnet_core.python_source.writer import scalar_text, shape_text

DTYPES = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64}


def same(a: float, b: float) -> bool:
    return (math.isnan(a) and math.isnan(b)) or (a == b and math.copysign(1, a) == math.copysign(1, b))


@pytest.mark.parametrize(
    ("a", "b", "are"),
    [
        pytest.param(1.0, 1.0, True, id="equal"),
        pytest.param(math.nan, math.nan, True, id="two NaNs"),
        pytest.param(1.0, 1.0000000000000002, False, id="neighbours"),
        pytest.param(0.0, -0.0, False, id="two zeros"),
        pytest.param(math.nan, 0.0, False, id="one NaN"),
        pytest.param(math.inf, -math.inf, False, id="two infinities"),
    ],
)
def test_sameness_of_floats(a: float, b: float, are: bool) -> None:
    assert same(a, b) is are


@pytest.mark.parametrize("dtype", ["f16", "f32", "f64"])
@given(value=st.floats())
def test_a_double_rounds_as_numpy_rounds_it(dtype: str, value: float) -> None:
    with np.errstate(all="ignore"):
        assert same(round_to(value, dtype), float(np.float64(value).astype(DTYPES[dtype])))


@given(value=st.floats(width=32))
def test_a_single_rounds_to_bf16_as_ml_dtypes_rounds_it(value: float) -> None:
    assert same(round_to(value, "bf16"), float(np.float32(value).astype(ml_dtypes.bfloat16)))


@pytest.mark.parametrize("dtype", ["f16", "bf16", "f32"])
def test_every_subnormal_and_half_of_it(dtype: str) -> None:
    tiny = float(ml_dtypes.finfo(DTYPES[dtype]).smallest_subnormal)
    for n in range(1, 127):
        assert round_to(n * tiny, dtype) == n * tiny
        # halfway to the next: to the even one
        assert round_to((n + 0.5) * tiny, dtype) == (n + n % 2) * tiny
    assert same(round_to(-tiny / 2, dtype), -0.0)
    assert round_to(-tiny / 2 * (1 + 2.0**-20), dtype) == -tiny


@given(value=st.fractions(min_value=-(10**40), max_value=10**40))
def test_a_fraction_rounds_from_its_exact_value(value: Fraction) -> None:
    assert round_to(value, "f64") == value.numerator / value.denominator


@pytest.mark.parametrize("dtype", ["f16", "bf16", "f32"])
@given(numerator=st.integers(-(10**6), 10**6), exponent=st.integers(-30, 12))
def test_nothing_representable_is_nearer(dtype: str, numerator: int, exponent: int) -> None:
    exact = Fraction(numerator) * Fraction(10) ** exponent
    found = np.array(round_to(exact, dtype)).astype(DTYPES[dtype])
    if np.isinf(found.astype(np.float64)):
        assert abs(exact) > Fraction(float(ml_dtypes.finfo(DTYPES[dtype]).max))
        return
    distance = abs(Fraction(float(found)) - exact)
    code = found.view({2: np.int16, 4: np.int32}[found.itemsize])
    for other in (code - 1, code + 1):
        neighbour = float(np.array(other, code.dtype).view(found.dtype))
        if math.isfinite(neighbour):
            assert distance <= abs(Fraction(neighbour) - exact)


@pytest.mark.parametrize(
    ("value", "dtype", "wanted"),
    [
        pytest.param(Fraction(1, 10), "f16", 0.0999755859375, id="a tenth in f16"),
        pytest.param(Fraction(1, 10), "bf16", 0.10009765625, id="a tenth in bf16"),
        pytest.param(65519.99, "f16", 65504.0, id="below the middle to infinity"),
        pytest.param(65520.0, "f16", math.inf, id="at the middle to infinity"),
        pytest.param(-3.4e38, "bf16", -math.inf, id="beyond bf16"),
        pytest.param(16842753, "bf16", 16908288.0, id="one rounding of an integer"),
        pytest.param(-0.0, "f16", -0.0, id="minus zero"),
    ],
)
def test_round_to(value: float | Fraction, dtype: str, wanted: float) -> None:
    given_value = Fraction(value) if isinstance(value, int) else value
    assert same(round_to(given_value, dtype), wanted)


@given(value=st.floats())
def test_the_text_of_a_float_reads_back(value: float) -> None:
    assert same(eval(real_text(value)), value)
    assert same(eval("1.0 and " + scalar_text(value)), value)
    assert same(eval(f"-{scalar_text(value)}"), -value)


def test_shapes() -> None:
    assert [shape_text(shape) for shape in ((), (3,), (3, 4))] == ["()", "(3,)", "(3, 4)"]
