"""The pass of this target's own that takes rows; the others are those of core, and the decoder of `printed/` shows them together."""

from __future__ import annotations

import numpy as np
from programs import PLUGIN

from linnet_core.conformance.case import fresh, given
from linnet_core.conformance.compare import difference
from linnet_core.conformance.hand import Hand, finished
from linnet_core.graph.calls import Gather, Operand, Reshape


def test_positions_of_rows_are_read_without_the_axis_they_come_with() -> None:
    def build(hand: Hand, leaves: list[Operand]) -> Operand:
        columns = hand(Reshape(shape=(2, 1), operands=(leaves[1],)))
        return hand(Gather(shape=(2, 3), operands=(leaves[0], columns)))

    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    arrays = [x, np.array([1, 0])]
    assert "in_x0[in_x1]" in finished(fresh(PLUGIN), build, arrays).source()
    assert difference(given(PLUGIN, build, arrays)[0], x[[1, 0]]) is None
