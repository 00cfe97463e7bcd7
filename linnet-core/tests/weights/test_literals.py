"""Arrays written on the command line: exact integers, decimals rounded once, shapes, and one line about everything else."""

from __future__ import annotations

import math
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linnet_core.errors import UsageError
from linnet_core.weights.arrays import Wanted
from linnet_core.weights.literals import parse_literal

NAN, INF = float("nan"), float("inf")


def parsed(text: str, dtype: str, shape: tuple[int, ...] = ()) -> np.ndarray:
    return parse_literal(text, Wanted("x", shape, dtype))


@pytest.mark.parametrize(
    ("text", "dtype", "shape", "wanted"),
    [
        pytest.param("9223372036854775807", "i64", (), 2**63 - 1, id="highest i64"),
        pytest.param("-9223372036854775808", "i64", (), -(2**63), id="lowest i64"),
        pytest.param("18446744073709551615", "u64", (), 2**64 - 1, id="highest u64"),
        pytest.param("[9007199254740993, -9007199254740993]", "i64", (2,), [2**53 + 1, -(2**53) - 1], id="beyond 53 bits"),
        pytest.param("[[1, 2], [3, 4]]", "u8", (2, 2), [[1, 2], [3, 4]], id="nested"),
        pytest.param("[true, False, True]", "bool", (3,), [True, False, True], id="bools of both spellings"),
        pytest.param("0.1", "f16", (), 0.0999755859375, id="a tenth in f16"),
        pytest.param("1.00390625000000000001", "bf16", (), 1.0078125, id="rounded once from the decimal"),
        pytest.param("1.0004882812500000000001", "f16", (), 1.0009765625, id="rounded once to f16"),
        pytest.param("16842753", "bf16", (), 16908288.0, id="an integer for a float"),
        pytest.param("[nan, inf, -inf, NaN, Infinity]", "f32", (5,), [NAN, INF, -INF, NAN, INF], id="words"),
        pytest.param("[-0.0, 0.0, -0]", "f32", (3,), [-0.0, 0.0, 0.0], id="zeros"),
        pytest.param("1e999", "f64", (), INF, id="too large"),
        pytest.param("-1e999999999999", "f32", (), -INF, id="an exponent nobody computes"),
        pytest.param("-1e-999999999999", "f32", (), -0.0, id="too small"),
        pytest.param("1e-45", "f32", (), 1.401298464324817e-45, id="subnormal"),
        pytest.param("70000", "f16", (), INF, id="an integer too large for f16"),
        pytest.param("[]", "f32", (0,), [], id="nothing"),
        pytest.param("[]", "f32", (0, 4), np.zeros((0, 4)), id="nothing, of rank 2"),
        pytest.param("0." + "1" * 5000, "f32", (), 0.1111111119389534, id="more digits than Python reads as an integer"),
        pytest.param("1" * 5000 + "e-4999", "f64", (), 1.1111111111111112, id="digits before the point and an exponent"),
        pytest.param("[[], []]", "i32", (2, 0), np.zeros((2, 0)), id="two of nothing"),
        pytest.param("[[], []]", "i32", (2, 0, 3), np.zeros((2, 0, 3)), id="two of nothing, of rank 3"),
    ],
)
def test_values(text: str, dtype: str, shape: tuple[int, ...], wanted: Any) -> None:
    found = parsed(text, dtype, shape)
    assert found.shape == shape
    if dtype in ("f16", "bf16", "f32", "f64"):
        a, b = found.astype(np.float64), np.asarray(wanted, np.float64)
        assert np.array_equal(a, b, equal_nan=True)
        assert np.array_equal(np.signbit(a), np.signbit(b))
    else:
        assert found.tolist() == np.asarray(wanted, found.dtype).tolist()


@given(value=st.floats(allow_nan=False, allow_infinity=False))
def test_a_double_reads_back(value: float) -> None:
    found = float(parsed(repr(value), "f64"))
    assert found == value
    assert math.copysign(1, found) == math.copysign(1, value)


@given(value=st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_a_single_reads_as_bf16_as_ml_dtypes_rounds_it(value: float) -> None:
    assert float(parsed(repr(value), "bf16")) == float(np.float32(value).astype(ml_dtypes.bfloat16))


@pytest.mark.parametrize(
    ("text", "dtype", "shape", "message"),
    [
        pytest.param("256", "u8", (), "256 does not fit u8", id="too large"),
        pytest.param("-1", "u64", (), "-1 does not fit u64", id="negative"),
        pytest.param("9223372036854775808", "i64", (), "does not fit i64", id="one above i64"),
        pytest.param("1.0", "i32", (), "'1.0' is no i32", id="a point for an integer"),
        pytest.param("true", "i32", (), "True is no i32", id="a bool for an integer"),
        pytest.param("1", "bool", (), "1 is no bool", id="a number for a bool"),
        pytest.param("true", "f32", (), "True is no f32", id="a bool for a float"),
        pytest.param('"1"', "f32", (), "is no f32", id="text"),
        pytest.param("null", "f32", (), "is no f32", id="null"),
        pytest.param('{"a": 1}', "f32", (), "is no f32", id="an object"),
        pytest.param("[1, 2]", "f32", (3,), "f32[3] is wanted, the literal has shape [2]", id="another length"),
        pytest.param("1", "f32", (1,), "f32[1] is wanted, the literal has shape []", id="a number for a vector"),
        pytest.param("[1]", "f32", (), "f32 is wanted, the literal has more axes", id="a vector for a number"),
        pytest.param("[[1, 2], [3]]", "f32", (2, 2), "different lengths", id="ragged"),
        pytest.param("[[1, 2], 3]", "f32", (2, 2), "different lengths", id="ragged in depth"),
        pytest.param("[1, [2]]", "f32", (2,), "more axes", id="a list among numbers"),
        pytest.param("missing.bin", "f32", (), "no file that exists, and no number", id="neither file nor number"),
        pytest.param("[1, 2", "f32", (2,), "no number or list of numbers", id="unclosed"),
        pytest.param("[" * 100_000, "f32", (2,), "no number or list of numbers", id="deep"),
        pytest.param("[" * 500 + "]" * 500, "f32", (2,), "more axes", id="deep and closed"),
        pytest.param("", "f32", (), "no number", id="empty"),
        pytest.param("9" * 5000, "f32", (), "no number", id="more digits than Python reads"),
    ],
)
def test_one_line_about_everything_else(text: str, dtype: str, shape: tuple[int, ...], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        parsed(text, dtype, shape)
    assert message in str(caught.value)
    assert str(caught.value).startswith("--input x: ")
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200
