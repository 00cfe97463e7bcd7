"""What emitters do here beside the kit: which contractions are declined, what is no line, what is said of positions outside."""

from __future__ import annotations

import numpy as np
import pytest
from hand_made import PLUGIN, on_torch

from linnet_core.conformance.hand import Hand, finished
from linnet_core.errors import RuntimeFailure
from linnet_core.graph.calls import Contract, Gather, Operand, Slice, Transpose
from linnet_torch.target import TorchTarget


def test_fifty_two_axes_are_taken_and_one_more_declined() -> None:
    def answer(count: int) -> str | None:
        axes = tuple(range(count))
        operand = Operand("v0", (1,) * count, "f32")
        call = Contract(lhs_axes=axes, rhs_axes=axes, out_axes=axes, shape=(1,) * count, dtype="f32", operands=(operand, operand))
        return TorchTarget("equivalent").declines(call)

    assert answer(52) is None
    assert answer(53) == "einsum has 52 letters and this contraction 53 axes"


def test_a_slice_that_takes_everything_is_no_line_of_its_own() -> None:
    def build(hand: Hand, x: list[Operand]) -> Operand:
        whole = hand(Slice(starts=(0, 0), limits=(2, 3), strides=(1, 1), shape=(2, 3), operands=(x[0],)))
        return hand(Transpose(shape=(3, 2), permutation=(1, 0), operands=(whole,)))

    arrays = [np.arange(6.0, dtype=np.float32).reshape(2, 3)]
    assert "[:, :]" not in finished(PLUGIN.make({"numerics": "equivalent"}), build, arrays).source()
    assert np.array_equal(on_torch(build, arrays)[0], arrays[0].T)


@pytest.mark.parametrize(
    ("source", "position"),
    [
        pytest.param(np.arange(10.0, dtype=np.float32), [[12]], id="past the end"),
        pytest.param(np.zeros((10, 3), np.float32), [[0, 12]], id="past the end of its own axis"),
    ],
)
def test_a_position_outside_is_reported(source: np.ndarray, position: list[list[int]]) -> None:
    with pytest.raises(RuntimeFailure, match="out of bounds"):
        on_torch(lambda hand, x: hand(Gather(shape=(1,), operands=(x[0], x[1]))), [source, np.array(position)])
