"""constant: printed JAX holds the value rounded once to its dtype, as the reference does."""

from __future__ import annotations

import numpy as np
import pytest
from made_by_hand import Hand, assert_agree
from telling_values import ALL, FLOATS, INTEGERS

from linnet_core.check.integers import integer_range
from linnet_core.graph.calls import Constant, Literal, Operand

ROWS = [
    *(("boolean", value, "bool") for value in (True, False)),
    *(("integer", value, dtype) for dtype in INTEGERS for value in dict.fromkeys((0, 1, *integer_range(dtype)))),
    *(("integer", 16777217, dtype) for dtype in FLOATS),
    *(
        ("real", value, dtype)
        for dtype in FLOATS
        for value in (0.1, -0.0, 1.0, 1e-40, 65519.9, 1e300, float("inf"), float("-inf"), float("nan"))
    ),
    *((kind, None, dtype) for dtype in ALL for kind in ("lowest", "highest")),
]


@pytest.mark.parametrize(("kind", "value", "dtype"), [pytest.param(*row, id=f"{row[0]}-{row[1]}-{row[2]}") for row in ROWS])
def test_constants(kind: str, value: float | None, dtype: str) -> None:
    def build(hand: Hand, x: list[Operand]) -> Operand:
        return hand(Constant(literal=Literal(kind, value), dtype=dtype))  # type: ignore[arg-type]  # the table's words are the kinds of literals

    assert_agree(build, [np.zeros(1, np.float32)])
