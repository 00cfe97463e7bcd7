"""Arrays written on the command line.

In: text such as `[[1, 2.5], [nan, -inf]]`, and what is wanted.  Out: the array; each number is rounded once, from its decimal
text, and an integer is exact.
"""

from __future__ import annotations

import json
import math
import re
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from linnet_core.check.integers import fits
from linnet_core.check.types import FLOATS
from linnet_core.errors import UsageError
from linnet_core.python_source.literals import round_to
from linnet_core.weights.arrays import Wanted, describe, numpy_dtype

if TYPE_CHECKING:
    import numpy as np

#: JSON's reader knows these words under other names.
_WORDS = {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity", "True": "true", "False": "false"}
_WORD = re.compile(r"-?\b(?:nan|inf|True|False)\b")


class _Decimal:
    """A number with a point or an exponent, as written."""

    def __init__(self, text: str) -> None:
        self.text = text


def parse_literal(text: str, wanted: Wanted) -> np.ndarray[Any, Any]:
    """The array `text` writes; `UsageError` when it cannot be read or has another shape, or a number does not fit the dtype."""
    import numpy as np

    spelled = _WORD.sub(lambda match: _WORDS.get(match.group(), match.group()), text)
    try:
        nested = json.loads(spelled, parse_float=_Decimal)
    except (ValueError, RecursionError):
        raise UsageError(f"--input {wanted.name}: `{_short(text)}` is no file that exists, and no number or list of numbers") from None
    flat: list[Any] = []
    shape = _flatten(nested, flat, wanted, text, 0)
    if shape != wanted.shape:
        raise UsageError(f"--input {wanted.name}: {describe(wanted.shape, wanted.dtype)} is wanted, the literal has shape {list(shape)}")
    numbers = [_number(value, wanted) for value in flat]
    return np.array(numbers, dtype=numpy_dtype(wanted.dtype)).reshape(wanted.shape)


def _flatten(nested: Any, flat: list[Any], wanted: Wanted, text: str, depth: int) -> tuple[int, ...]:
    """Append the numbers in order; the shape of the nesting."""
    if not isinstance(nested, list):
        flat.append(nested)
        return ()
    if depth == len(wanted.shape):
        raise UsageError(f"--input {wanted.name}: {describe(wanted.shape, wanted.dtype)} is wanted, the literal has more axes")
    shapes = [_flatten(part, flat, wanted, text, depth + 1) for part in nested]
    if any(shape != shapes[0] for shape in shapes):
        raise UsageError(f"--input {wanted.name}: the lists in `{_short(text)}` have different lengths")
    # an empty list says nothing about the axes below it; the wanted shape does
    rest = shapes[0] if shapes else wanted.shape[depth + 1 :] if wanted.shape[depth] == 0 else ()
    return (len(nested), *rest)


def _number(value: Any, wanted: Wanted) -> Any:
    dtype = wanted.dtype
    if dtype == "bool":
        if isinstance(value, bool):
            return value
    elif dtype in FLOATS:
        if isinstance(value, float):  # nan and the infinities
            return value
        if isinstance(value, (int, _Decimal)) and not isinstance(value, bool):
            return _rounded(value, dtype)
    elif isinstance(value, int) and not isinstance(value, bool):
        if fits(value, dtype):
            return value
        raise UsageError(f"--input {wanted.name}: {value} does not fit {dtype}")
    shown = value.text if isinstance(value, _Decimal) else value
    raise UsageError(f"--input {wanted.name}: {shown!r} is no {dtype}")


def _rounded(value: int | _Decimal, dtype: str) -> float:
    if isinstance(value, int):
        return round_to(Fraction(value), dtype)
    nearest = float(value.text)
    # nothing is left to round, and the exact value may have a million digits; a Decimal reads as many as are written
    return nearest if nearest == 0.0 or math.isinf(nearest) else round_to(Fraction(Decimal(value.text)), dtype)


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."
