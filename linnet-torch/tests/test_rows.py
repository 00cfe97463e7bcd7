"""The pass of this target's own that takes rows; the others are those of core, and the decoder of `printed/` shows them together."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from programs import PLUGIN

from linnet_core.conformance.case import fresh, given
from linnet_core.conformance.compare import difference
from linnet_core.conformance.hand import Hand, finished
from linnet_core.graph.calls import Gather, Operand, Reshape
from linnet_core.loading.generated import GeneratedModule


def test_positions_of_rows_are_read_without_the_axis_they_come_with() -> None:
    def build(hand: Hand, leaves: list[Operand]) -> Operand:
        columns = hand(Reshape(shape=(2, 1), operands=(leaves[1],)))
        return hand(Gather(shape=(2, 3), operands=(leaves[0], columns)))

    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    arrays = [x, np.array([1, 0])]
    assert "in_x0[in_x1]" in finished(fresh(PLUGIN), build, arrays).source()
    assert difference(given(PLUGIN, build, arrays)[0], x[[1, 0]]) is None


@pytest.mark.parametrize(
    ("source", "position"),
    [
        pytest.param(np.arange(6, dtype=np.float32).reshape(2, 3), np.array([1]), id="of rows"),
        pytest.param(np.arange(6, dtype=np.float32).reshape(2, 3), np.array([1, 2]), id="of elements"),
        pytest.param(np.arange(6, dtype=np.float32).reshape(2, 3), np.array(1), id="as it comes"),
    ],
)
def test_what_one_position_picks_lies_apart_and_is_traced_without_a_break(source: np.ndarray, position: np.ndarray) -> None:
    def build(hand: Hand, leaves: list[Operand]) -> Operand:
        at = leaves[1] if position.shape else hand(Reshape(shape=(1,), operands=(leaves[1],)))
        return hand(Gather(shape=source.shape[len(position.reshape(-1)) :], operands=(leaves[0], at)))

    module = GeneratedModule(finished(fresh(PLUGIN), build, [source, position]).source())
    given = torch.from_numpy(source), torch.from_numpy(position)
    (found,) = module.main(*given)
    assert found.tolist() == source[tuple(position.reshape(-1))].tolist()
    assert found.untyped_storage().data_ptr() != given[0].untyped_storage().data_ptr()
    (again,) = torch.compile(module.main, backend="eager", fullgraph=True)(*given)
    assert torch.equal(again, found)
