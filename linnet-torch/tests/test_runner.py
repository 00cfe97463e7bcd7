"""Running printed source: the arrays given are not written, results have their dtypes, what goes wrong is one line."""

from __future__ import annotations

import numpy as np
import pytest
from programs import PLUGIN, printed

from linnet_core.conformance.arrays import ALL, telling
from linnet_core.conformance.case import given
from linnet_core.conformance.hand import Hand
from linnet_core.conformance.layouts import layouts
from linnet_core.errors import LinnetError, RuntimeFailure
from linnet_core.graph.calls import Operand, Transpose
from linnet_core.weights.arrays import numpy_dtype
from linnet_torch import runner

EMBEDDING = (
    "use std.nn.embedding::{embedding}\n\n"
    "pub entry run(ids: Tensor[2; i32], table: Tensor[3, 4; f32]) -> Tensor[2, 4; f32] {\n    return embedding(ids, table)\n}\n"
)


@pytest.mark.parametrize("dtype", ALL)
def test_arrays_of_any_layout(dtype: str) -> None:
    def build(hand: Hand, leaves: list[Operand]) -> Operand:
        return hand(Transpose(shape=(5, 3), permutation=(1, 0), operands=(leaves[0],)))

    for name, x in layouts(telling(dtype)).items():
        (result,) = given(PLUGIN, build, [x])
        assert result.dtype == numpy_dtype(dtype)
        assert np.array_equal(np.ascontiguousarray(result).view(np.uint8), np.ascontiguousarray(x.T).view(np.uint8)), name


@pytest.mark.parametrize("dtype", ALL)
def test_an_argument_answered_as_it_is_is_a_copy(dtype: str) -> None:
    for x in (telling(dtype), np.asarray(telling(dtype)[3])):
        (result,) = given(PLUGIN, lambda hand, leaves: leaves[0], [x])
        assert result.shape == x.shape
        assert not np.shares_memory(result, x)


def test_states_given_are_not_written() -> None:
    one = printed(
        "pub block Counter {\n    state count: Tensor[2; f32]\n\n    pub entry run() -> Tensor[2; f32] {\n"
        "        count = count + 1.0\n        return count\n    }\n}\n"
    )
    before = np.array([1, 2], np.float32)
    (result,), states = one.run({"count": before})
    assert before.tolist() == [1, 2]
    assert result.tolist() == states["count"].tolist() == [2, 3]
    assert not np.shares_memory(result, states["count"])


@pytest.mark.parametrize("ids", [[0, 3], [-1, 0]])
def test_an_index_outside_is_one_line(ids: list[int]) -> None:
    arrays = {"ids": np.array(ids, np.int32), "table": np.zeros((3, 4), np.float32)}
    with pytest.raises(RuntimeFailure, match=r"^torch: [^\n]*$"):
        printed(EMBEDDING).run(arrays)


def test_arrays_of_other_shapes_are_one_line() -> None:
    one = printed("pub entry run(x: Tensor[3; f32], y: Tensor[3; f32]) -> Tensor[3; f32] {\n    return x + y\n}\n")
    with pytest.raises(LinnetError, match=r"^torch: [^\n]*$"):
        runner.run(one.source, [np.zeros(3, np.float32), np.zeros(2, np.float32)], [], [])


def test_a_result_with_more_axes_than_arrays_have_is_told() -> None:
    source = "def constants(device):\n    return ()\n\n\ndef main(x):\n    return (x.reshape((1,) * 65),)\n"
    with pytest.raises(RuntimeFailure, match=r"^torch: a result has 65 axes; an array has 64 at most$"):
        runner.run(source, [np.zeros(1, np.float32)], [], [])
