"""Numbers in generated source, and the scalars known while it is generated.

In: literal values and dtypes.  Out: Python text, and values rounded to a dtype as the run would round them.
"""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fractions import Fraction

#: Stored short, computed in f32 and rounded once (docs/language/semantics.md).
SHORT_FLOATS = ("f16", "bf16")
#: The formats of `struct` that round an f64 once, to nearest, ties to even: so that few programs need exact fractions for it.
_PACKED = {"f16": "e", "f32": "f"}


def round_to(value: float | Fraction, dtype: str) -> float:
    """`value` rounded once to a float dtype, to nearest, ties to even; too large is infinite.

    A `Fraction` is rounded from its exact value.  IEEE 754-2019, section 4.3.1; bf16 has 8 significant bits and f32's exponents.
    """
    if not isinstance(value, float):
        return _rounded(value, dtype)
    if not math.isfinite(value) or value == 0.0 or dtype == "f64":
        return value
    packed = _PACKED.get(dtype)
    if packed is None:
        return _rounded(value, dtype)
    try:
        return struct.unpack(packed, struct.pack(packed, value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)


def _rounded(value: float | Fraction, dtype: str) -> float:
    """The same from the exact value."""
    from fractions import Fraction  # few programs have a number that wants it

    precision, lowest, highest = {"f16": (11, -14, 15), "bf16": (8, -126, 127), "f32": (24, -126, 127), "f64": (53, -1022, 1023)}[dtype]
    exact = Fraction(value)
    sign = -1.0 if exact < 0 else 1.0
    exact = abs(exact)
    exponent = max(_floor_log2(exact), lowest)
    unit = Fraction(2) ** (exponent - precision + 1)
    rounded = round(exact / unit) * unit  # round() of a Fraction takes ties to even
    if rounded >= Fraction(2) ** (highest + 1):
        return sign * math.inf
    return sign * float(rounded)


def _floor_log2(value: Fraction) -> int:
    if value == 0:
        return -10_000
    over, under = value.numerator, value.denominator
    guess = over.bit_length() - under.bit_length()
    return guess if under << max(guess, 0) <= over << max(-guess, 0) else guess - 1


def real_text(value: float) -> str:
    """A float as Python writes it; infinities and NaN as calls of `float`."""
    return repr(value) if math.isfinite(value) else f'float("{value}")'


def shortest(value: float | bool, dtype: str) -> float | bool:
    """The number with the fewest decimal digits that is `value` in f32; of another dtype the value itself.

    Only for f32: frameworks compute f16 and bf16 in f32, where the digits that tell two of their values apart would be another number.
    """
    if dtype != "f32" or not isinstance(value, float) or not math.isfinite(value):
        return value
    for digits in range(1, 9):
        short = float(f"{value:.{digits}g}")
        if abs(short) < 3.4e38 and struct.unpack("f", struct.pack("f", short))[0] == value:
            return short
    return value
