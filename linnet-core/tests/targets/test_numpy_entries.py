"""The comparison the other tests rest on sees every kind of difference."""

from __future__ import annotations

import numpy as np
import pytest
from numpy_entries import array, assert_same

NAN = float("nan")


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        pytest.param(array([0.0], "f32"), array([-0.0], "f32"), id="sign of zero"),
        pytest.param(array([0.0], "bf16"), array([-0.0], "bf16"), id="sign of a short zero"),
        pytest.param(array([1.0], "f32"), array([1.0], "f64"), id="dtype"),
        pytest.param(array([1.0], "f32"), array([[1.0]], "f32"), id="shape"),
        pytest.param(array([1], "i64"), array([2], "i64"), id="integers"),
        pytest.param(array([1.0], "f64"), np.nextafter(array([1.0], "f64"), 2.0), id="the last bit"),
        pytest.param(array([NAN], "f32"), array([1.0], "f32"), id="nan"),
    ],
)
def test_a_difference_is_seen(given: np.ndarray, wanted: np.ndarray) -> None:
    with pytest.raises(AssertionError):
        assert_same(given, wanted)


@pytest.mark.parametrize("dtype", ["f16", "bf16", "f32", "f64"])
def test_any_nan_is_any_other(dtype: str) -> None:
    assert_same(array([NAN, -0.0], dtype), array([-NAN, -0.0], dtype))
