"""gather, scatter_add, update_row: printed JAX reads and writes the same positions as the reference, in every dtype."""

from __future__ import annotations

import numpy as np
import pytest
from made_by_hand import NUMPY_DTYPES, Hand, assert_agree, on_jax
from telling_values import ALL, FLOATS, INTEGERS, ordinary, telling

from linnet_core.graph.calls import Gather, Operand, ScatterAdd, UpdateRow


@pytest.mark.parametrize("dtype", ALL)
@pytest.mark.parametrize(
    ("indices", "shape"),
    [
        pytest.param(np.array([[2], [0], [2]]), (3, 3, 4), id="one axis"),
        pytest.param(np.array([[1, 2], [0, 0]]), (2, 4), id="two axes"),
        pytest.param(np.array([1, 2, 3]), (), id="one element"),
        pytest.param(np.array([[[2], [1]], [[0], [0]]]), (2, 2, 3, 4), id="a grid of positions"),
        pytest.param(np.zeros((0, 1), np.int64), (0, 3, 4), id="no position"),
        pytest.param(np.zeros((2, 0), np.int64), (2, 3, 3, 4), id="no column"),
        pytest.param(np.array([2]), (3, 4), id="one row"),
    ],
)
def test_gather(indices: np.ndarray, shape: tuple[int, ...], dtype: str) -> None:
    source = np.resize(telling(dtype), (3, 3, 4))
    assert_agree(lambda hand, x: hand(Gather(shape=shape, operands=(x[0], x[1]))), [source, indices])


@pytest.mark.parametrize("dtype", [*INTEGERS, *FLOATS])
@pytest.mark.parametrize(
    ("indices", "values"),
    [
        pytest.param(np.array([[2], [0], [2]]), (3, 3), id="one axis, a position twice"),
        pytest.param(np.array([[1, 2], [0, 0], [1, 2]]), (3,), id="two axes"),
        pytest.param(np.zeros((0, 1), np.int64), (0, 3), id="nothing"),
    ],
)
def test_scatter_add(indices: np.ndarray, values: tuple[int, ...], dtype: str) -> None:
    def build(hand: Hand, x: list[Operand]) -> Operand:
        return hand(ScatterAdd(shape=(3, 3), dtype=dtype, operands=(x[0], x[1])))

    assert_agree(build, [indices, ordinary(dtype, values)], tolerance={"f16": 1e-3, "bf16": 8e-3, "f32": 1e-6}.get(dtype))


@pytest.mark.parametrize("dtype", ["bf16", "f16"])
def test_short_floats_do_not_saturate_in_scatter_add(dtype: str) -> None:
    def build(hand: Hand, x: list[Operand]) -> Operand:
        return hand(ScatterAdd(shape=(2,), dtype=dtype, operands=(x[0], x[1])))

    (total,) = on_jax(build, [np.zeros((4096, 1), np.int64), np.ones(4096, NUMPY_DTYPES[dtype])])
    assert total.astype(np.float64).tolist() == [4096.0, 0.0]


@pytest.mark.parametrize("dtype", ALL)
@pytest.mark.parametrize("shape", [(3,), (3, 2), (1, 2, 2)])
def test_update_row(shape: tuple[int, ...], dtype: str) -> None:
    stack = np.resize(telling(dtype), shape)
    row = np.resize(telling(dtype)[::-1], shape[1:])
    index = np.asarray(shape[0] - 1, dtype=np.int64)
    assert_agree(lambda hand, x: hand(UpdateRow(operands=(x[0], x[1], x[2]))), [stack, index, row])


@pytest.mark.parametrize("position", [10, 12, -1])
def test_a_position_outside_reads_the_last_element(position: int) -> None:
    def build(hand: Hand, x: list[Operand]) -> Operand:
        return hand(Gather(shape=(1,), operands=(x[0], x[1])))

    assert on_jax(build, [np.arange(10.0, dtype=np.float32), np.array([[position]])])[0].tolist() == [9.0]


def test_a_position_is_held_against_its_own_axis() -> None:
    def build(hand: Hand, x: list[Operand]) -> Operand:
        return hand(Gather(shape=(1,), operands=(x[0], x[1])))

    assert on_jax(build, [np.arange(30.0, dtype=np.float32).reshape(10, 3), np.array([[0, 12]])])[0].tolist() == [2.0]
