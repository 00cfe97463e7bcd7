"""The bytes of a tensor as numbers, by GE's rules for what has a value."""

from __future__ import annotations

import math
import struct

import pytest

from linnet_ge.formats.tensors import tensor_value
from linnet_ge.model import TensorValue


@pytest.mark.parametrize(
    ("dtype", "data", "state", "values"),
    [
        pytest.param("DT_INT32", struct.pack("<3i", -1, 0, 7), "values", (-1, 0, 7), id="int32"),
        pytest.param("DT_INT8", b"\xff\x01", "values", (-1, 1), id="int8 is a number"),
        pytest.param("DT_UINT64", b"\xff" * 8, "values", (2**64 - 1,), id="uint64"),
        pytest.param("DT_FLOAT16", struct.pack("<2e", 1.5, -0.0), "values", (1.5, -0.0), id="float16"),
        pytest.param("DT_FLOAT", struct.pack("<2f", math.inf, 0.5), "values", (math.inf, 0.5), id="float"),
        pytest.param("DT_BOOL", b"\x01\x00", "values", (True, False), id="bool"),
        pytest.param("DT_BFLOAT16", b"\x80\x3f", "not_supported", (), id="bfloat16"),
        pytest.param("DT_BFLOAT16", b"", "not_supported", (), id="unsupported before empty"),
        pytest.param(None, b"ab", "not_supported", (), id="no dtype"),
        pytest.param("DT_FLOAT", b"", "empty", (), id="empty"),
        pytest.param("DT_FLOAT", b"abc", "invalid", (), id="not a whole number of elements"),
    ],
)
def test_bytes_become_numbers(dtype: str | None, data: bytes, state: str, values: tuple[object, ...]) -> None:
    assert tensor_value(dtype, (1,), data) == TensorValue(state, values, dtype, (1,))  # pyright: ignore[reportArgumentType]  # from the table


def test_many_elements_are_made_when_they_are_asked_for() -> None:
    numbers = tuple(range(1000))
    data = struct.pack("<1000i", *numbers)
    values = tensor_value("DT_INT32", (1000,), data).values
    assert not isinstance(values, tuple)
    assert (len(values), values[0], values[-1], values[2:5], tuple(values)) == (1000, 0, 999, (2, 3, 4), numbers)
    assert values == numbers
    assert values == tensor_value("DT_INT32", (1000,), data).values
    assert values != numbers[:-1]
    assert hash(values) == hash(numbers)
    with pytest.raises(IndexError):
        values[1000]
