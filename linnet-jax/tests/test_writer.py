"""Numbers in printed source: those of f32 by their shortest digits, all others by those Python gives the value."""

from __future__ import annotations

import numpy as np
import pytest

from linnet_jax.writer import shortest


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
