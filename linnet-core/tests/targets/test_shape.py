"""reshape, transpose, broadcast, slice, concat, iota against loops over positions, for every dtype."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from numpy_entries import DTYPES, answer, answers, array, assert_same, printed

from linnet_core.graph.calls import Broadcast, Concat, Iota, Reshape, Slice, Transpose


def numbered(shape: tuple[int, ...], dtype: str) -> np.ndarray:
    count = int(np.prod(shape))
    return array(np.arange(count) % 2 if dtype == "bool" else np.arange(count) % 100, dtype).reshape(shape)


@pytest.mark.parametrize("dtype", DTYPES)
def test_reshape(dtype: str) -> None:
    x = numbered((2, 3), dtype)
    assert_same(answer(lambda hand, a: hand(Reshape(shape=(3, 1, 2), operands=(a,))), x), array(list(x.flat), dtype).reshape(3, 1, 2))


@pytest.mark.parametrize(
    ("given", "shape"),
    [pytest.param((), (1, 1), id="from rank 0"), pytest.param((1, 1), (), id="to rank 0"), pytest.param((0, 3), (3, 0), id="nothing")],
)
@pytest.mark.parametrize("dtype", ["f32", "bf16", "bool", "i64"])
def test_reshape_of_odd_ranks(given: tuple[int, ...], shape: tuple[int, ...], dtype: str) -> None:
    x = numbered(given, dtype)
    result = answer(lambda hand, a: hand(Reshape(shape=shape, operands=(a,))), x)
    assert result.shape == shape
    assert result.dtype == x.dtype


@pytest.mark.parametrize("permutation", list(itertools.permutations(range(3))), ids=str)
def test_transpose(permutation: tuple[int, ...]) -> None:
    x = numbered((2, 3, 4), "f32")
    shape = tuple(x.shape[axis] for axis in permutation)
    result = answer(lambda hand, a: hand(Transpose(shape=shape, permutation=permutation, operands=(a,))), x)
    assert result.shape == shape
    for at in np.ndindex(shape):
        assert result[at] == x[tuple(at[permutation.index(axis)] for axis in range(3))]


@pytest.mark.parametrize(
    ("given", "shape", "dims"),
    [
        pytest.param((), (2, 3), (), id="scalar"),
        pytest.param((3,), (2, 3), (1,), id="trailing"),
        pytest.param((2,), (2, 3), (0,), id="leading"),
        pytest.param((3, 2), (2, 3), (1, 0), id="reordered"),
        pytest.param((4, 2), (2, 3, 4), (2, 0), id="reordered with a new axis"),
        pytest.param((1, 3), (2, 3), (0, 1), id="an axis of one spreads"),
        pytest.param((3, 1), (5, 4, 3), (2, 1), id="reordered and spread"),
        pytest.param((0,), (2, 0), (1,), id="nothing"),
        pytest.param((2, 2), (2, 2), (1, 0), id="square and reordered"),
    ],
)
@pytest.mark.parametrize("dtype", ["f32", "bf16", "bool", "i8"])
def test_broadcast(given: tuple[int, ...], shape: tuple[int, ...], dims: tuple[int, ...], dtype: str) -> None:
    x = numbered(given, dtype)
    result = answer(lambda hand, a: hand(Broadcast(shape=shape, dims=dims, operands=(a,))), x)
    assert (result.shape, result.dtype) == (shape, x.dtype)
    for at in np.ndindex(shape):
        assert result[at] == x[tuple(at[dim] if x.shape[axis] > 1 else 0 for axis, dim in enumerate(dims))]


@pytest.mark.parametrize(
    ("starts", "limits", "strides"),
    [
        pytest.param((0, 0), (4, 5), (1, 1), id="all"),
        pytest.param((1, 2), (3, 5), (1, 1), id="inner"),
        pytest.param((0, 1), (4, 5), (2, 3), id="strides"),
        pytest.param((2, 0), (2, 5), (1, 1), id="nothing"),
        pytest.param((3, 4), (4, 5), (1, 1), id="one"),
    ],
)
def test_slice(starts: Any, limits: Any, strides: Any) -> None:
    x = numbered((4, 5), "f32")
    rows, columns = (range(*bounds) for bounds in zip(starts, limits, strides, strict=True))
    call: Any = {"starts": starts, "limits": limits, "strides": strides, "shape": (len(rows), len(columns))}
    wanted = array([[x[r, c] for c in columns] for r in rows], "f32").reshape(len(rows), len(columns))
    assert_same(answer(lambda hand, a: hand(Slice(**call, operands=(a,))), x), wanted)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("axis", [0, 1])
def test_concat(axis: int, dtype: str) -> None:
    x, empty = numbered((2, 2), dtype), numbered((2, 0) if axis else (0, 2), dtype)
    wanted = [[x[r % 2, c % 2] for c in range(4 if axis else 2)] for r in range(2 if axis else 4)]
    assert_same(answer(lambda hand, a, b: hand(Concat(axis=axis, operands=(a, b, a))), x, empty), array(wanted, dtype))


def test_iota() -> None:
    three, none = answers(lambda hand: (hand(Iota(length=3)), hand(Iota(length=0))))
    assert_same(three, array([0, 1, 2], "i64"))
    assert_same(none, array([], "i64"))


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(lambda a: Slice(starts=(0, 0), limits=(2, 3), strides=(1, 1), shape=(2, 3), operands=(a,)), id="slice of everything"),
        pytest.param(lambda a: Transpose(shape=(2, 3), permutation=(0, 1), operands=(a,)), id="transpose that moves nothing"),
        pytest.param(lambda a: Reshape(shape=(2, 3), operands=(a,)), id="reshape to the same shape"),
        pytest.param(lambda a: Broadcast(shape=(2, 3), dims=(0, 1), operands=(a,)), id="broadcast to the same shape"),
        pytest.param(lambda a: Concat(axis=1, operands=(a,)), id="one part"),
    ],
)
def test_what_changes_nothing_is_not_printed(call: Any) -> None:
    source = printed(lambda hand, a: hand(call(a)), [numbered((2, 3), "f32")])
    assert source.endswith("def main(in_x0):\n    return (in_x0.copy(),)\n")
