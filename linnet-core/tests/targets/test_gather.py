"""gather, update_row, scatter_add, and library calls that read at positions: every position is held against its own axis."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy_entries import DTYPES, answer, array, assert_same

from linnet_core.errors import RuntimeFailure
from linnet_core.graph.calls import Gather, NativeCall, Operand, ScatterAdd, UpdateRow


def gathered(shape: tuple[int, ...]) -> Any:
    return lambda hand, source, at: hand(Gather(shape=shape, operands=(source, at)))


def embedded(shape: tuple[int, ...], dtype: str) -> Any:
    call = "torch.nn.functional.embedding"
    return lambda hand, ids, table: hand(NativeCall(implementation=call, generics={}, shape=shape, dtype=dtype, operands=(ids, table)))


def taken(shape: tuple[int, ...], dtype: str) -> Any:
    return lambda hand, x, at: hand(
        NativeCall(implementation="torch.index_select", generics={}, shape=shape, dtype=dtype, operands=(x, at))
    )


def updated(hand: Any, stack: Operand, at: Operand, row: Operand) -> Operand:
    return hand(UpdateRow(operands=(stack, at, row)))


SOURCE = np.arange(24).reshape(2, 3, 4)


@pytest.mark.parametrize("dtype", DTYPES)
def test_rows_of_one_axis(dtype: str) -> None:
    source = array(SOURCE % 2 if dtype == "bool" else SOURCE, dtype)
    assert_same(answer(gathered((3, 3, 4)), source, array([[1], [0], [1]], "i64")), np.stack([source[1], source[0], source[1]]))


@pytest.mark.parametrize(
    ("indices", "shape"),
    [
        pytest.param([[1, 2], [0, 0]], (2, 4), id="two axes"),
        pytest.param([[[1, 2, 3], [0, 0, 1]]], (1, 2), id="all axes and two leading ones"),
        pytest.param([1, 2, 3], (), id="one element"),
        pytest.param([1], (3, 4), id="one row"),
        pytest.param([[], []], (2, 2, 3, 4), id="no axis"),
        pytest.param(np.zeros((0, 2)), (0, 4), id="no position"),
    ],
)
def test_several_axes(indices: Any, shape: tuple[int, ...]) -> None:
    at = array(indices, "i64")
    lead = at.shape[:-1]
    wanted = np.zeros(shape, np.float32)
    for place in np.ndindex(lead):
        wanted[place] = SOURCE[tuple(int(i) for i in at[place])]
    assert_same(answer(gathered(shape), array(SOURCE, "f32"), at), wanted)


OUTSIDE = [
    pytest.param(gathered((1, 3, 4)), SOURCE, [[-1]], "index -1 is outside an axis of 2", id="before the first row"),
    pytest.param(gathered((1, 3, 4)), SOURCE, [[2]], "index 2 is outside an axis of 2", id="past the last row"),
    pytest.param(gathered((1, 4)), SOURCE, [[0, 3]], "index 3 is outside an axis of 3", id="past its own axis, inside the array"),
    pytest.param(gathered(()), SOURCE, [1, -1, 0], "index -1 is outside an axis of 3", id="before its own axis, inside the array"),
    pytest.param(taken((2, 3, 1), "f32"), SOURCE, [4], "index 4 is outside an axis of 4", id="take past the end"),
    pytest.param(taken((2, 3, 1), "f32"), SOURCE, [-1], "index -1 is outside an axis of 4", id="take before the start"),
    pytest.param(lambda hand, t, i: embedded((1, 3, 4), "f32")(hand, i, t), SOURCE, [-1], "index -1", id="embedding before the start"),
    pytest.param(lambda hand, t, i: embedded((1, 3, 4), "f32")(hand, i, t), SOURCE, [2], "index 2", id="embedding past the end"),
]


@pytest.mark.parametrize(("build", "source", "at", "message"), OUTSIDE)
def test_outside_raises(build: Any, source: Any, at: Any, message: str) -> None:
    with pytest.raises(RuntimeFailure, match=message):
        answer(build, array(source, "f32"), array(at, "i64"))


@pytest.mark.parametrize("dtype", ["i32", "i64", "u8", "u64", "i8"])
def test_positions_of_every_integer_dtype(dtype: str) -> None:
    table = array(SOURCE[0], "bf16")
    assert_same(answer(embedded((2, 2, 4), "bf16"), array([[0, 2], [1, 1]], dtype), table), table[np.array([[0, 2], [1, 1]])])
    assert_same(answer(taken((3, 2), "bf16"), table, array([3, 0], dtype)), table[:, [3, 0]])
    with pytest.raises(RuntimeFailure):
        answer(taken((3, 1), "bf16"), table, array([100], dtype))


@pytest.mark.parametrize("dtype", ["f32", "bf16", "bool"])
def test_update_row(dtype: str) -> None:
    stack, row = array(SOURCE % 2, dtype), array(np.ones((3, 4)), dtype)
    before = stack.copy()
    result = answer(updated, stack, array(1, "i64"), row)
    assert_same(result, np.stack([before[0], row]))
    assert_same(stack, before)
    for at in (-1, 2):
        with pytest.raises(RuntimeFailure, match="outside an axis of 2"):
            answer(updated, stack, array(at, "i64"), row)


@pytest.mark.parametrize("dtype", ["f32", "f16", "bf16", "i32"])
def test_scatter_add_adds_what_falls_together(dtype: str) -> None:
    build = lambda hand, at, values: hand(ScatterAdd(shape=(2, 3), dtype=dtype, operands=(at, values)))  # noqa: E731
    at, values = array([[0, 1], [1, 2], [0, 1]], "i64"), array([1, 2, 4], dtype)
    assert_same(answer(build, at, values), array([[0, 5, 0], [0, 0, 2]], dtype))
    many = array(np.zeros((512, 2)), "i64")
    assert_same(answer(build, many, array(np.ones(512), dtype))[0, 0], array(512, dtype))
