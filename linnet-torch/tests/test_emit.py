"""What emitters do here beside the kit: what is said of positions outside."""

from __future__ import annotations

import numpy as np
import pytest
from programs import PLUGIN

from linnet_core.conformance.case import given
from linnet_core.errors import RuntimeFailure
from linnet_core.graph.calls import Gather


@pytest.mark.parametrize(
    ("source", "position"),
    [
        pytest.param(np.arange(10.0, dtype=np.float32), [[12]], id="past the end"),
        pytest.param(np.zeros((10, 3), np.float32), [[0, 12]], id="past the end of its own axis"),
    ],
)
def test_a_position_outside_is_reported(source: np.ndarray, position: list[list[int]]) -> None:
    with pytest.raises(RuntimeFailure, match="out of bounds"):
        given(PLUGIN, lambda hand, x: hand(Gather(shape=(1,), operands=(x[0], x[1]))), [source, np.array(position)])
