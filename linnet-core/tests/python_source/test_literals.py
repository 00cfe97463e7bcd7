"""Rounding and spelling of numbers, against NumPy and ml_dtypes and by reading the text back."""

from __future__ import annotations

import math
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linnet_core.python_source.literals import real_text, round_to, shortest
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


@pytest.mark.parametrize(
    ("decimal", "text"),
    [
        pytest.param("1e-5", "1e-05", id="an epsilon"),
        pytest.param("0.1", "0.1", id="a tenth"),
        pytest.param("-1e30", "-1e+30", id="a score"),
        pytest.param("0.7978845608", "0.7978846", id="more digits than f32 has"),
        pytest.param("16777216", "16777216.0", id="an integer"),
        pytest.param("0.0", "0.0", id="zero"),
        pytest.param("-0.0", "-0.0", id="negative zero"),
        pytest.param("1e-45", "1e-45", id="the smallest"),
        pytest.param("3.4028234663852886e38", "3.4028234663852886e+38", id="the largest"),
        pytest.param("inf", "inf", id="infinity"),
    ],
)
def test_a_number_of_f32(decimal: str, text: str) -> None:
    assert repr(shortest(float(np.float32(decimal)), "f32")) == text


def test_every_number_of_f32_is_itself_again() -> None:
    generator = np.random.Generator(np.random.PCG64(11))
    bits = generator.integers(0, 2**32, 4000, dtype=np.uint32)
    for value in bits.view(np.float32):
        if np.isfinite(value):
            given = shortest(float(value), "f32")
            assert np.float32(given).view(np.uint32) == value.view(np.uint32)


@pytest.mark.parametrize("dtype", ["bf16", "f16", "f64"])
def test_a_number_of_another_dtype_is_exact(dtype: str) -> None:
    assert shortest(0.10009765625, dtype) == 0.10009765625


def test_integers_and_bools_are_left_alone() -> None:
    assert shortest(3, "i32") == 3
    assert shortest(True, "bool") is True
