"""What emitters do here beside the kit: what positions outside read."""

from __future__ import annotations

import numpy as np
import pytest
from jax_programs import PLUGIN

from linnet_core.conformance.case import given
from linnet_core.graph.calls import Gather


@pytest.mark.parametrize(
    ("source", "position", "wanted"),
    [
        pytest.param(np.arange(10.0, dtype=np.float32), [[10]], 9.0, id="at the end"),
        pytest.param(np.arange(10.0, dtype=np.float32), [[12]], 9.0, id="past the end"),
        pytest.param(np.arange(10.0, dtype=np.float32), [[-1]], 9.0, id="before the start"),
        pytest.param(np.arange(30.0, dtype=np.float32).reshape(10, 3), [[0, 12]], 2.0, id="past the end of its own axis"),
    ],
)
def test_a_position_outside_reads_the_last_element(source: np.ndarray, position: list[list[int]], wanted: float) -> None:
    (value,) = given(PLUGIN, lambda hand, x: hand(Gather(shape=(1,), operands=(x[0], x[1]))), [source, np.array(position)])
    assert value.tolist() == [wanted]
