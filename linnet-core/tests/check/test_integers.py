"""The integers a dtype holds, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linnet_core.check.integers import INTEGER_BITS, fits, integer_range, wrapped

DTYPES = {
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "u8": np.uint8,
    "u16": np.uint16,
    "u32": np.uint32,
    "u64": np.uint64,
}


def test_every_integer_dtype_has_its_width() -> None:
    assert {name: 8 * np.dtype(dtype).itemsize for name, dtype in DTYPES.items()} == INTEGER_BITS


@pytest.mark.parametrize("dtype", DTYPES)
def test_the_range_is_that_of_numpy(dtype: str) -> None:
    info = np.iinfo(DTYPES[dtype])
    assert integer_range(dtype) == (info.min, info.max)
    assert fits(int(info.min), dtype)
    assert fits(int(info.max), dtype)
    assert not fits(int(info.min) - 1, dtype)
    assert not fits(int(info.max) + 1, dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@given(value=st.integers(-(2**70), 2**70))
def test_a_value_wraps_to_its_low_bits(dtype: str, value: int) -> None:
    bits = INTEGER_BITS[dtype]
    assert fits(wrapped(value, dtype), dtype)
    assert wrapped(value, dtype) & ((1 << bits) - 1) == value & ((1 << bits) - 1)
