"""reduce and cumsum against sums and products of Python's integers, in f32 for short floats, and over nothing."""

from __future__ import annotations

import functools
import operator
from typing import Any

import numpy as np
import pytest
from numpy_entries import DTYPES, FLOATS, INTEGERS, answer, array, assert_same

from linnet_core.graph.calls import Cumsum, Reduce

NAN, INF = float("nan"), float("inf")


def reduced(kind: Any, dims: tuple[int, ...]) -> Any:
    return lambda hand, x: hand(Reduce(kind=kind, dims=dims, shape=x.shape[: len(x.shape) - len(dims)], operands=(x,)))


def running(axis: int) -> Any:
    return lambda hand, x: hand(Cumsum(axis=axis, operands=(x,)))


def wrapped(value: int, dtype: str) -> int:
    info = np.iinfo(DTYPES[dtype])
    low, size = int(info.min), int(info.max) - int(info.min) + 1
    return (value - low) % size + low


RULES: dict[str, Any] = {"sum": sum, "prod": lambda v: functools.reduce(operator.mul, v, 1), "max": max, "min": min}


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("kind", RULES)
def test_integers_stay_in_their_own_dtype(kind: str, dtype: str) -> None:
    info = np.iinfo(DTYPES[dtype])
    high, low = int(info.max), int(info.min)
    rows = [[high, 3, 100], [low, 7, 1], [5, 0, high], [high, high, high]]
    wanted = [wrapped(RULES[kind](row), dtype) for row in rows]
    assert_same(answer(reduced(kind, (1,)), array(rows, dtype)), array(wanted, dtype))
    cube = array(rows, dtype).reshape(2, 2, 3)
    flat = [wrapped(RULES[kind](rows[2 * i] + rows[2 * i + 1]), dtype) for i in range(2)]
    assert_same(answer(reduced(kind, (1, 2)), cube), array(flat, dtype))
    assert_same(answer(reduced(kind, (0,)), array(rows[0], dtype)), array(wanted[0], dtype))


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("kind", RULES)
def test_floats(kind: str, dtype: str) -> None:
    rows = [[1.5, -2.0, 4.0], [INF, 1.0, 2.0], [-INF, INF, 0.5], [NAN, 1.0, 2.0], [1.0, 2.0, NAN], [-0.5, -0.25, -8.0]]

    def rule(row: list[float]) -> float:
        return NAN if any(x != x for x in row) else RULES[kind](row)

    assert_same(answer(reduced(kind, (1,)), array(rows, dtype)), array([rule(row) for row in rows], dtype))
    assert_same(answer(reduced(kind, (0,)), array(rows[3], dtype)), array(NAN, dtype))


@pytest.mark.parametrize("dtype", ["f16", "bf16"])
def test_short_floats_accumulate_in_f32(dtype: str) -> None:
    ones = array(np.ones(4096), dtype)
    assert_same(answer(reduced("sum", (0,)), ones), array(4096.0, dtype))
    assert_same(answer(reduced("prod", (0,)), array([1.0078125] * 32, "bf16").astype(DTYPES[dtype])), array(1.0078125**32, dtype))
    with np.errstate(all="ignore"):
        wanted = np.arange(1, 4097, dtype=np.float32).astype(DTYPES[dtype])
    assert_same(answer(running(0), ones), wanted)


@pytest.mark.parametrize("dtype", ["bool"])
def test_any_and_all(dtype: str) -> None:
    cube = array([[[1, 1], [1, 1]], [[0, 0], [0, 1]], [[0, 0], [0, 0]]], dtype)
    assert_same(answer(reduced("any", (1, 2)), cube), array([1, 1, 0], dtype))
    assert_same(answer(reduced("all", (1, 2)), cube), array([1, 0, 0], dtype))
    assert_same(answer(reduced("all", (0, 1, 2)), cube), array(0, dtype))
    assert_same(answer(reduced("any", (2,)), cube), array([[1, 1], [0, 1], [0, 0]], dtype))


@pytest.mark.parametrize("dtype", [*INTEGERS, *FLOATS])
def test_over_nothing(dtype: str) -> None:
    info: Any = np.iinfo(DTYPES[dtype]) if dtype in INTEGERS else None
    low, high = (int(info.min), int(info.max)) if info else (-INF, INF)
    for kind, identity in {"sum": 0, "prod": 1, "max": low, "min": high}.items():
        assert_same(answer(reduced(kind, (1,)), array(np.zeros((2, 0)), dtype)), array([identity] * 2, dtype))
        assert_same(answer(reduced(kind, (0,)), array(np.zeros(0), dtype)), array(identity, dtype))
        assert_same(answer(reduced(kind, (1, 2)), array(np.zeros((2, 3, 0)), dtype)), array([identity] * 2, dtype))
        assert_same(answer(reduced(kind, (1,)), array(np.zeros((0, 3)), dtype)), array(np.zeros(0), dtype))


def test_any_and_all_over_nothing() -> None:
    empty = np.zeros((2, 0), np.bool_)
    assert_same(answer(reduced("any", (1,)), empty), array([0, 0], "bool"))
    assert_same(answer(reduced("all", (1,)), empty), array([1, 1], "bool"))


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_reduction_of_no_axes_is_its_operand(dtype: str) -> None:
    x = array([[1, 0], [1, 1]], dtype)
    assert_same(answer(reduced("max" if dtype != "bool" else "any", ()), x), x)


@pytest.mark.parametrize("dtype", INTEGERS)
def test_running_sums_wrap(dtype: str) -> None:
    values = [100, 100, 50, 27, 1]
    wanted, total = [], 0
    for value in values:
        total = wrapped(total + value, dtype)
        wanted.append(total)
    x = array([values, values[::-1]], dtype)
    assert_same(answer(running(1), x)[0], array(wanted, dtype))
    down = answer(running(0), x)
    assert_same(down[1], array([wrapped(a + b, dtype) for a, b in zip(values, values[::-1], strict=True)], dtype))


def test_running_sums_of_nothing() -> None:
    assert_same(answer(running(1), np.zeros((2, 0), np.float32)), np.zeros((2, 0), np.float32))
