"""Literals at the ends of every dtype: the last that fits, the first that does not, at compile time and in what is computed."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from linnet_core.check.program import Let, Literal

#: An integer literal is at most the largest i64, so nothing written exceeds u64 and the ends of i64 are those of reading (E1005).
INTEGERS = {
    "i8": (-(2**7), 2**7 - 1),
    "i16": (-(2**15), 2**15 - 1),
    "i32": (-(2**31), 2**31 - 1),
    "i64": (-(2**63), 2**63 - 1),
    "u8": (0, 2**8 - 1),
    "u16": (0, 2**16 - 1),
    "u32": (0, 2**32 - 1),
    "u64": (0, 2**63 - 1),
}
#: The largest number, and the middle between it and what would be the next: from there on it rounds to infinity.
FLOATS = {
    "f16": (65504.0, 65520.0),
    "bf16": (float(ml_dtypes.finfo(ml_dtypes.bfloat16).max), 2.0**128 * (1 - 2.0**-9)),
    "f32": (float(np.finfo(np.float32).max), 2.0**128 * (1 - 2.0**-25)),
}


def literal(checked) -> object:
    assert checked.program is not None, checked.found
    (let,) = (s for s in checked.program.root.functions[0].body if isinstance(s, Let))
    assert isinstance(let.value, Literal)
    return let.value.value


def function(dtype: str, text: str) -> str:
    return f"fn f() {{\n    let n: {dtype} = {text}\n    return\n}}"


@pytest.mark.parametrize("dtype", INTEGERS)
def test_the_ends_of_an_integer_dtype_fit_and_what_lies_beyond_does_not(check_text, dtype):
    low, high = INTEGERS[dtype]
    for fits in (low, high, 0):
        assert literal(check_text(function(dtype, str(fits)))) == fits
    beyond = "E1005" if high == 2**63 - 1 else "E2105"
    assert [code for code, _ in check_text(function(dtype, str(high + 1))).errors] == [beyond]
    beyond = "E1005" if low == -(2**63) else "E2105"
    assert [code for code, _ in check_text(function(dtype, str(low - 1))).errors] == [beyond]
    assert [code for code, _ in check_text(function(dtype, "1.0")).errors] == ["E2105"]


@pytest.mark.parametrize("dtype", FLOATS)
def test_the_largest_float_fits_and_what_rounds_to_infinity_does_not(check_text, dtype):
    largest, middle = FLOATS[dtype]
    below = float(np.nextafter(middle, 0))
    for sign in (1, -1):
        for fits in (largest, below):
            assert literal(check_text(function(dtype, f"{sign * fits!r}"))) == sign * fits  # rounded when it is used
        for beyond in (middle, 2 * middle):
            assert [code for code, _ in check_text(function(dtype, f"{sign * beyond!r}")).errors] == ["E2105"]


def test_the_ends_of_f64_are_those_of_reading(check_text):
    assert literal(check_text(function("f64", "1.7976931348623157e308"))) == np.finfo(np.float64).max
    assert [code for code, _ in check_text(function("f64", "1e309")).errors] == ["E2105"]
    assert literal(check_text(function("f64", "5e-324"))) == 5e-324
    assert literal(check_text(function("f32", "1e-60"))) == 1e-60  # rounds to 0, which is no misfit


@pytest.mark.parametrize("text", ["0", "1", "1.0", "-1"])
def test_a_bool_takes_no_number(check_text, text):
    assert [code for code, _ in check_text(function("bool", text)).errors] == ["E2101"]


@pytest.mark.parametrize(
    ("value", "help"),
    [
        pytest.param("fill([2], 0.0) + x", "say its dtype: `fill<f32>([2], 0.0)`", id="fill on the left"),
        pytest.param("x * fill([2], 0)", "say its dtype: `fill<f32>([2], 0)`", id="fill of an integer on the right"),
        pytest.param("max(iota(2), x)", "say its dtype: `iota<f32>(2)`", id="iota"),
        pytest.param("fill([2], 0.00000000000000000000000000000000001) + x", "say its dtype: `fill<f32>(...)`", id="a long one"),
        pytest.param("fill<f64>([2], 0.0) + x", "convert one of them: `cast<f64>(x)`", id="a dtype that was written"),
        pytest.param("fill([2], s) + x", "convert one of them: `cast<f64>(x)`", id="the dtype of its scalar"),
        pytest.param("fill([2], 0.5) + i", "convert one of them: `cast<f64>(i)`", id="a fraction beside integers"),
    ],
)
def test_a_default_dtype_is_repaired_where_it_was_left_out(check_text, value, help):
    found = check_text(f"fn f(x: Tensor[2; f32], i: Tensor[2; i32], s: f64) {{ let _y = {value} return }}").only
    assert (found.code, found.help) == ("E2103", help)
