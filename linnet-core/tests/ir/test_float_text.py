"""Float constants: shortest text, and one rounding from the decimal."""

from __future__ import annotations

from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linnet_core.check.types import DTypeVar
from linnet_core.ir.lower_numbers import float_text

MIDDLE = 1 + 2.0**-8  # between the bf16 values 1 and 1 + 2**-7; ties to 1


@pytest.mark.parametrize(
    ("text", "dtype", "expected"),
    [
        pytest.param("0.1", "bf16", "0.1", id="a short decimal keeps its text"),
        pytest.param("1e16", "f32", "1e+16", id="an exponent"),
        pytest.param("2", "f32", "2.0", id="an integer gets a point"),
        pytest.param("0.1000000000000000055511151231257827", "f64", "0.1", id="f64 has one rounding anyway"),
        pytest.param("0.1000000000000000055511151231257827", "f16", "0.1", id="both ways agree"),
        pytest.param("1.00390625", "bf16", "1.00390625", id="the middle itself ties to even"),
        pytest.param("1.003906250000000000001", "bf16", "1.0078125", id="just above the middle"),
        pytest.param("1.003906250000000000001", "f32", "1.00390625", id="no middle of f32"),
        pytest.param("-1.003906250000000000001", "bf16", "-1.0078125", id="below zero"),
        pytest.param("1.011718749999999999999", "bf16", "1.0078125", id="just below a middle that ties up"),
        pytest.param("9007199791611905000", "f32", "9007199791611905000", id="an integer beyond 2^53 that is no middle"),
        pytest.param("9007200328482817", "f32", "9007200328482817.0", id="sixteen digits"),
        pytest.param("1e-400000000000000000", "f32", "0.0", id="a vanishing exponent costs nothing"),
        pytest.param("1.003906250000000000001", DTypeVar(0, "T", "float"), "1.00390625", id="a generic keeps the f64"),
    ],
)
def test_text(text: str, dtype: object, expected: str) -> None:
    found = float_text(float(text), text, dtype)  # pyright: ignore[reportArgumentType]  # the table's words are dtypes
    assert float(found) == float(expected)
    assert repr(float(found)) == found


@given(st.floats(1e-6, 6e4), st.sampled_from(["f16", "bf16", "f32"]), st.integers(-25, 25))
def test_rounding_is_that_of_the_exact_decimal(low: float, dtype: str, offset: int) -> None:
    """Decimals at and around the middle of two neighbours, against exact arithmetic."""
    numpy_dtype = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32}[dtype]
    narrow = np.float64(low).astype(numpy_dtype)
    neighbours = [float(narrow), float(np.nextafter(narrow, numpy_dtype(np.inf)))]
    exact = (Fraction(neighbours[0]) + Fraction(neighbours[1])) / 2 + Fraction(offset, 10**40)
    text = f"{exact.numerator * 10**60 // exact.denominator}e-60"
    exact = Fraction(text)
    found = float(np.float64(float_text(float(text), text, dtype)).astype(numpy_dtype))  # pyright: ignore[reportArgumentType]  # the table's words are dtypes
    distances = [abs(exact - Fraction(neighbour)) for neighbour in neighbours]
    if distances[0] != distances[1]:
        assert found == neighbours[distances.index(min(distances))]
    else:
        assert found in neighbours


def test_the_case_matters() -> None:
    """Without the decimal, bf16 would get the other neighbour."""
    assert float("1.003906250000000000001") == MIDDLE
    assert float(np.float64(MIDDLE).astype(ml_dtypes.bfloat16)) == 1.0
    assert float(np.float64(float_text(MIDDLE, "1.003906250000000000001", "bf16")).astype(ml_dtypes.bfloat16)) == 1.0078125


@pytest.mark.parametrize(
    ("literal", "written", "generic"),
    [
        pytest.param("1.003906250000000000001", 1.0078125, 1.00390625, id="a decimal that f64 has in the middle"),
        pytest.param("1.0039062509313226", 1.0039062509313226, 1.0039062509313226, id="a decimal that f64 tells from the middle"),
    ],
)
def test_a_literal_beside_a_generic_is_rounded_to_f64(lowered, literal: str, written: float, generic: float) -> None:
    module = lowered(f"fn a(x: bf16) -> bf16 {{ return x * {literal} }}\nfn b<T: Float>(x: T) -> T {{ return x * {literal} }}")
    constants = [op.attrs["value"] for f in module.functions.values() for op in f.body.ops if op.kind == "const.float"]
    assert [float(text) for text in constants] == [written, generic]
