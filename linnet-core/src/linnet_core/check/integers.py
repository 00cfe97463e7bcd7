"""The integers a dtype holds.

In: the name of an integer dtype, and integers.  Out: its bits, its range, whether it holds a value, and values wrapped into it.
"""

from __future__ import annotations

from linnet_core.check.types import INTEGERS

#: Bits of each integer dtype.
INTEGER_BITS: dict[str, int] = {dtype: int(dtype[1:]) for dtype in INTEGERS}


def integer_range(dtype: str) -> tuple[int, int]:
    """Lowest and highest value of an integer dtype."""
    bits = INTEGER_BITS[dtype]
    return (0, (1 << bits) - 1) if dtype[0] == "u" else (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)


def fits(value: int, dtype: str) -> bool:
    """Whether the integer dtype holds `value`."""
    lowest, highest = integer_range(dtype)
    return lowest <= value <= highest


def wrapped(value: int, dtype: str) -> int:
    """`value` in two's complement of the integer dtype's width."""
    lowest, highest = integer_range(dtype)
    return (value - lowest) % (highest - lowest + 1) + lowest
