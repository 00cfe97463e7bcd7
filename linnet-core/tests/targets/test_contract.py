"""contract against sums written out over the whole grid: every arrangement of axes, every dtype."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from numpy_entries import DTYPES, FLOATS, INTEGERS, answer, array, assert_same, printed

from linnet_core.graph.calls import Contract

SIZES = {0: 2, 1: 3, 2: 4, 3: 2}


def contracted(left: tuple[int, ...], right: tuple[int, ...], out: tuple[int, ...], dtype: str, sizes: dict[int, int] = SIZES) -> Any:
    shape = tuple(sizes[axis] for axis in out)
    return lambda hand, a, b: hand(Contract(lhs_axes=left, rhs_axes=right, out_axes=out, shape=shape, dtype=dtype, operands=(a, b)))


def by_definition(
    a: np.ndarray, b: np.ndarray, left: tuple[int, ...], right: tuple[int, ...], out: tuple[int, ...], sizes: dict[int, int] = SIZES
) -> np.ndarray:
    """The sum in Python's numbers, one product after another."""
    axes = sorted({*left, *right})
    total = np.zeros(tuple(sizes[axis] for axis in out), object)
    for at in itertools.product(*(range(sizes[axis]) for axis in axes)):
        place = dict(zip(axes, at, strict=True))
        product = a[tuple(place[axis] for axis in left)].item() * b[tuple(place[axis] for axis in right)].item()
        total[tuple(place[axis] for axis in out)] += product
    return total


ARRANGEMENTS = [
    pytest.param((0, 2), (2, 1), (0, 1), id="matrices"),
    pytest.param((0, 2), (1, 2), (0, 1), id="second transposed"),
    pytest.param((2, 0), (2, 1), (1, 0), id="first transposed, result turned"),
    pytest.param((0,), (0,), (), id="dot"),
    pytest.param((0, 1), (0, 1), (0,), id="dot of rows"),
    pytest.param((0, 1), (1, 0), (0,), id="dot of rows of a transposed"),
    pytest.param((0, 1), (0, 1), (), id="sum of all products"),
    pytest.param((0,), (1,), (0, 1), id="outer"),
    pytest.param((0,), (1,), (1, 0), id="outer turned"),
    pytest.param((0, 1, 2), (0, 2, 3), (0, 1, 3), id="batch"),
    pytest.param((0, 1, 2), (2, 3), (0, 1, 3), id="two rows"),
    pytest.param((0, 1, 2), (3, 1, 2), (0, 3), id="two summed"),
    pytest.param((3, 2, 1, 0), (0, 2, 1), (3, 1), id="many"),
    pytest.param((0, 1), (0, 1), (0, 1), id="nothing summed"),
    pytest.param((0, 1), (0,), (0,), id="only the first has the summed axis"),
    pytest.param((0,), (1, 0), (), id="only the second has a summed axis"),
    pytest.param((0, 2), (1, 3), (0,), id="each has a summed axis of its own"),
    pytest.param((), (0,), (0,), id="a scalar"),
]


@pytest.mark.parametrize(("left", "right", "out"), ARRANGEMENTS)
@pytest.mark.parametrize("dtype", ["f32", "bf16", "i32"])
def test_arrangements(left: tuple[int, ...], right: tuple[int, ...], out: tuple[int, ...], dtype: str) -> None:
    numbers = np.random.Generator(np.random.PCG64(5))
    a, b = (array(numbers.integers(-3, 4, tuple(SIZES[axis] for axis in axes)), dtype) for axes in (left, right))
    # small integers: exact in every dtype, in any order
    assert_same(
        answer(contracted(left, right, out, dtype), a, b), by_definition(a, b, left, right, out).astype(np.float64).astype(DTYPES[dtype])
    )


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integers_wrap(dtype: str) -> None:
    high = int(np.iinfo(DTYPES[dtype]).max)
    low = int(np.iinfo(DTYPES[dtype]).min)
    a, b = array([[high, 3, 100], [low, 7, 5]], dtype), array([[high, 2, 77], [9, high, 1], [1, 1, 1]], dtype)
    wanted = by_definition(a, b, (0, 1), (1, 2), (0, 2), {0: 2, 1: 3, 2: 3})
    size = high - low + 1
    wrapped = np.array([[(int(v) - low) % size + low for v in row] for row in wanted], DTYPES[dtype])
    assert_same(answer(contracted((0, 1), (1, 2), (0, 2), dtype, {0: 2, 1: 3, 2: 3}), a, b), wrapped)
    rows = answer(contracted((0, 1), (0, 1), (0,), dtype, {0: 2, 1: 3}), a, a)
    assert_same(
        rows, np.array([(int(v) - low) % size + low for v in by_definition(a, a, (0, 1), (0, 1), (0,), {0: 2, 1: 3})], DTYPES[dtype])
    )


@pytest.mark.parametrize("dtype", ["f16", "bf16"])
@pytest.mark.parametrize("axes", [pytest.param(((0, 1), (1, 2), (0, 2)), id="matrices"), pytest.param(((1,), (1,), ()), id="dot")])
def test_short_floats_are_summed_in_f32(axes: Any, dtype: str) -> None:
    sizes = {0: 1, 1: 512, 2: 1}
    ones = [np.ones(tuple(sizes[axis] for axis in given), DTYPES[dtype]) for given in axes[:2]]
    result = answer(contracted(*axes, dtype, sizes), *ones)
    assert_same(result, np.full(result.shape, 512.0).astype(DTYPES[dtype]))


@pytest.mark.parametrize("dtype", ["f16", "bf16"])
def test_products_of_short_floats_are_not_rounded(dtype: str) -> None:
    # (1 + u)(1 - u) - 1 is -u*u, which a product rounded to the dtype would lose
    u = 2.0**-7
    a, b = array([1 + u, 1.0], dtype), array([1 - u, -1.0], dtype)
    assert_same(answer(contracted((0,), (0,), (), dtype, {0: 2}), a, b), array(-u * u, dtype))


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize(("left", "right", "out"), [((0, 1), (1, 2), (0, 2)), ((0, 1), (0, 1), (0,)), ((0, 1), (2,), (0, 2))], ids=str)
def test_over_nothing(left: Any, right: Any, out: Any, dtype: str) -> None:
    sizes = {0: 2, 1: 0, 2: 3}
    a, b = (np.zeros(tuple(sizes[axis] for axis in axes), DTYPES[dtype]) for axes in (left, right))
    assert_same(answer(contracted(left, right, out, dtype, sizes), a, b), np.zeros(tuple(sizes[axis] for axis in out), DTYPES[dtype]))


def test_a_sum_that_one_factor_alone_has_is_of_products() -> None:
    # summed first, the factor would overflow and 0 times infinity be NaN
    a, b = array([[3e38, 3e38]], "f32"), array([0.0], "f32")
    assert_same(answer(contracted((0, 1), (0,), (0,), "f32", {0: 1, 1: 2}), a, b), array([0.0], "f32"))


def test_a_product_with_stored_weights_is_one_product_of_matrices() -> None:
    source = printed(contracted((0, 1, 2), (3, 2), (0, 1, 3), "f32"), [np.zeros((2, 3, 4), np.float32), np.zeros((2, 4), np.float32)])
    assert "np.matmul(in_x0.reshape((6, 4)), in_x1.T).reshape((2, 3, 2))" in source
