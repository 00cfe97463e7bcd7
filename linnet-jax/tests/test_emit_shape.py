"""reshape, transpose, broadcast, slice, concat, iota: printed JAX moves the same elements as the reference, in every dtype."""

from __future__ import annotations

import numpy as np
import pytest
from made_by_hand import Hand, assert_agree, finished, on_jax
from telling_values import ALL, telling

from linnet_core.graph.calls import Broadcast, Concat, Iota, Operand, Reshape, Slice, Transpose
from linnet_jax.target import JaxTarget


def _grid(dtype: str) -> np.ndarray:
    return np.resize(telling(dtype), (2, 3, 4))


@pytest.mark.parametrize("dtype", ALL)
@pytest.mark.parametrize(
    "call",
    [
        pytest.param(Reshape(shape=(6, 4)), id="reshape"),
        pytest.param(Reshape(shape=(2, 1, 12)), id="reshape with an axis of one"),
        pytest.param(Transpose(shape=(4, 2, 3), permutation=(2, 0, 1)), id="transpose"),
        pytest.param(Broadcast(shape=(5, 2, 3, 4), dims=(1, 2, 3)), id="broadcast to a leading axis"),
        pytest.param(Broadcast(shape=(2, 3, 4, 5), dims=(0, 1, 2)), id="broadcast to a trailing axis"),
        pytest.param(Broadcast(shape=(4, 5, 2, 3), dims=(2, 3, 0)), id="broadcast in another order"),
        pytest.param(Broadcast(shape=(4, 3, 2), dims=(2, 1, 0)), id="broadcast that only reorders"),
        pytest.param(Slice(starts=(0, 1, 0), limits=(2, 3, 4), strides=(1, 1, 1), shape=(2, 2, 4)), id="slice"),
        pytest.param(Slice(starts=(0, 0, 1), limits=(2, 3, 4), strides=(1, 2, 2), shape=(2, 2, 2)), id="slice with strides"),
        pytest.param(Slice(starts=(1, 0, 0), limits=(1, 3, 4), strides=(1, 1, 1), shape=(0, 3, 4)), id="slice of nothing"),
        pytest.param(Slice(starts=(0, 0, 0), limits=(2, 3, 4), strides=(1, 1, 1), shape=(2, 3, 4)), id="slice of everything"),
    ],
)
def test_one_operand(call: Reshape | Transpose | Broadcast | Slice, dtype: str) -> None:
    def build(hand: Hand, x: list[Operand]) -> Operand:
        return hand(type(call)(**{name: getattr(call, name) for name in call.__struct_fields__ if name != "operands"}, operands=(x[0],)))

    assert_agree(build, [_grid(dtype)])


@pytest.mark.parametrize(
    ("shape", "result", "dims"),
    [
        pytest.param((), (2, 3), (), id="a scalar"),
        pytest.param((1, 3), (2, 3), (0, 1), id="an axis of one that spreads"),
        pytest.param((3,), (3, 1), (0,), id="a new axis of one"),
        pytest.param((1,), (4, 1), (1,), id="a leading axis before one of one"),
        pytest.param((2, 1), (1, 2), (1, 0), id="reordered with one of one"),
        pytest.param((0,), (3, 0), (1,), id="nothing"),
        pytest.param((2,), (2, 0), (0,), id="over nothing"),
    ],
)
def test_broadcasts_of_small_shapes(shape: tuple[int, ...], result: tuple[int, ...], dims: tuple[int, ...]) -> None:
    x = np.arange(int(np.prod(shape)), dtype=np.float32).reshape(shape)
    assert_agree(lambda hand, a: hand(Broadcast(shape=result, dims=dims, operands=(a[0],))), [x])


@pytest.mark.parametrize("dtype", ALL)
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_concat(axis: int, dtype: str) -> None:
    x = _grid(dtype)

    def build(hand: Hand, a: list[Operand]) -> tuple[Operand, ...]:
        return hand(Concat(axis=axis, operands=(a[0], a[0], a[0]))), hand(Concat(axis=axis, operands=(a[0],)))

    assert_agree(build, [x])


@pytest.mark.parametrize("length", [0, 1, 5])
def test_iota(length: int) -> None:
    assert_agree(lambda hand, a: hand(Iota(length=length)), [np.zeros(1, np.float32)])


def test_a_slice_that_takes_everything_is_no_line_of_its_own() -> None:
    def build(hand: Hand, x: list[Operand]) -> Operand:
        whole = hand(Slice(starts=(0, 0), limits=(2, 3), strides=(1, 1), shape=(2, 3), operands=(x[0],)))
        return hand(Transpose(shape=(3, 2), permutation=(1, 0), operands=(whole,)))

    arrays = [np.arange(6.0, dtype=np.float32).reshape(2, 3)]
    assert "[:, :]" not in finished(JaxTarget("equivalent"), build, arrays).source()
    assert np.array_equal(on_jax(build, arrays)[0], arrays[0].T)
