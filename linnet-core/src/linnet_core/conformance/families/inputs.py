"""constant: a value rounded once to its dtype."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from linnet_core.check.integers import integer_range
from linnet_core.conformance.arrays import ALL, FLOATS, INTEGERS
from linnet_core.conformance.case import Case
from linnet_core.graph.calls import Constant, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

REALS = (0.1, -0.0, 1.0, 1e-40, 65519.9, 1e300, float("inf"), float("-inf"), float("nan"))
ROWS: list[tuple[Any, Any, str]] = [
    *(("boolean", value, "bool") for value in (True, False)),
    *(("integer", value, dtype) for dtype in INTEGERS for value in dict.fromkeys((0, 1, *integer_range(dtype)))),
    *(("integer", 16777217, dtype) for dtype in FLOATS),
    *(("real", value, dtype) for dtype in FLOATS for value in REALS),
    *((kind, None, dtype) for dtype in ALL for kind in ("lowest", "highest")),
]


def cases() -> Iterator[Case]:
    """All literals of a dtype in one entry."""
    for dtype in ALL:
        literals = [Literal(kind, value) for kind, value, of in ROWS if of == dtype]
        yield Case(
            name=dtype,
            build=lambda hand, x, literals=literals, dtype=dtype: tuple(hand(Constant(literal=one, dtype=dtype)) for one in literals),
            arrays=(np.zeros(1, np.float32),),
        )
