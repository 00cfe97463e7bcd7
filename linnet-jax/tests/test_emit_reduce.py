"""reduce and cumsum: printed JAX gives the values of the reference, over nothing too, in the operand's own dtype."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from made_by_hand import NUMPY_DTYPES, Hand, assert_agree, on_jax
from telling_values import ALL, BOOLS, FLOATS, INTEGERS, telling

from linnet_core.graph.calls import Cumsum, Operand, Reduce

TOLERANCES = {"f16": 1e-3, "bf16": 8e-3, "f32": 1e-6, "f64": 1e-12}
KINDS = {"sum": (*INTEGERS, *FLOATS), "prod": (*INTEGERS, *FLOATS), "max": ALL[1:], "min": ALL[1:], "any": BOOLS, "all": BOOLS}
ROWS = [pytest.param(kind, dtype, id=f"{kind}-{dtype}") for kind, dtypes in KINDS.items() for dtype in dtypes]


def _over(kind: str, dims: tuple[int, ...], shape: tuple[int, ...]) -> Any:
    return lambda hand, x: hand(Reduce(kind=kind, dims=dims, shape=shape, operands=(x[0],)))  # type: ignore[arg-type]  # the table's words are the kinds of reductions


@pytest.mark.parametrize(("kind", "dtype"), ROWS)
@pytest.mark.parametrize(
    ("dims", "shape"),
    [
        pytest.param((2,), (2, 3), id="last"),
        pytest.param((1, 2), (2,), id="last two"),
        pytest.param((0, 1, 2), (), id="every"),
        pytest.param((), (2, 3, 4), id="none"),
    ],
)
def test_over_trailing_axes(kind: str, dtype: str, dims: tuple[int, ...], shape: tuple[int, ...]) -> None:
    x = np.resize(telling(dtype), (2, 3, 4))
    if dtype in FLOATS:
        x = np.resize(np.array([1.5, -2.0, 0.25, 3.0, 1.0, -0.5, 2.0]).astype(NUMPY_DTYPES[dtype]), (2, 3, 4))
    assert_agree(_over(kind, dims, shape), [x], tolerance=TOLERANCES.get(dtype))


@pytest.mark.parametrize(("kind", "dtype"), ROWS)
@pytest.mark.parametrize(
    ("given", "dims", "shape"),
    [
        pytest.param((2, 0), (1,), (2,), id="rows of nothing"),
        pytest.param((0, 3), (1,), (0,), id="no row"),
        pytest.param((2, 3, 0), (1, 2), (2,), id="two axes, one of them empty"),
        pytest.param((0,), (0,), (), id="nothing at all"),
    ],
)
def test_over_nothing(kind: str, dtype: str, given: tuple[int, ...], dims: tuple[int, ...], shape: tuple[int, ...]) -> None:
    assert_agree(_over(kind, dims, shape), [np.zeros(given, NUMPY_DTYPES[dtype])])


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("kind", ["sum", "prod", "max", "min"])
@pytest.mark.parametrize("special", [np.nan, np.inf, -np.inf])
def test_special_values(kind: str, dtype: str, special: float) -> None:
    x = np.array([[1.0, special, 3.0], [special, special, special], [0.0, 2.0, 1.0]]).astype(NUMPY_DTYPES[dtype])
    assert_agree(_over(kind, (1,), (3,)), [x])


@pytest.mark.parametrize("dtype", [*INTEGERS, *FLOATS])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_running_sums(axis: int, dtype: str) -> None:
    x = np.resize(telling(dtype), (2, 3, 4))
    if dtype in FLOATS:
        x = np.resize(np.array([1.5, -2.0, 0.25, 3.0, 1.0, -0.5, 2.0]).astype(NUMPY_DTYPES[dtype]), (2, 3, 4))
    assert_agree(lambda hand, a: hand(Cumsum(axis=axis, operands=(a[0],))), [x], tolerance=TOLERANCES.get(dtype))


@pytest.mark.parametrize("dtype", [*INTEGERS, *FLOATS])
def test_running_sums_of_nothing(dtype: str) -> None:
    assert_agree(lambda hand, a: hand(Cumsum(axis=0, operands=(a[0],))), [np.zeros((0, 2), NUMPY_DTYPES[dtype])])


@pytest.mark.parametrize(
    ("dtype", "count"),
    [pytest.param("bf16", 512, id="bf16"), pytest.param("f16", 4096, id="f16"), pytest.param("bf16", 100_003, id="long")],
)
def test_short_floats_do_not_saturate(dtype: str, count: int) -> None:
    ones = np.ones(count, NUMPY_DTYPES[dtype])

    def build(hand: Hand, x: list[Operand]) -> tuple[Operand, ...]:
        return hand(Reduce(kind="sum", dims=(0,), shape=(), operands=(x[0],))), hand(Cumsum(axis=0, operands=(x[0],)))

    total, running = on_jax(build, [ones])
    assert total == NUMPY_DTYPES[dtype](count)
    assert running[-1] == NUMPY_DTYPES[dtype](count)


def test_narrow_integers_keep_their_width() -> None:
    def build(hand: Hand, x: list[Operand]) -> tuple[Operand, ...]:
        return (
            hand(Cumsum(axis=0, operands=(x[0],))),
            hand(Reduce(kind="sum", dims=(0,), shape=(), operands=(x[0],))),
            hand(Reduce(kind="prod", dims=(0,), shape=(), operands=(x[1],))),
        )

    running, total, product = on_jax(build, [np.array([200, 100, 50], np.uint8), np.array([100, 3], np.int8)])
    assert (running.dtype, running.tolist()) == (np.uint8, [200, 44, 94])
    assert (total.dtype, total) == (np.uint8, 94)
    assert (product.dtype, product) == (np.int8, 44)
