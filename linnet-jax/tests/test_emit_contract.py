"""contract: printed JAX sums the same products as the reference."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from made_by_hand import NUMPY_DTYPES, Hand, assert_agree, on_jax
from telling_values import FLOATS, INTEGERS, ordinary, telling

from linnet_core.graph.calls import Contract, Operand
from linnet_jax.target import JaxTarget

TOLERANCES = {"f16": 1e-3, "bf16": 8e-3, "f32": 1e-5, "f64": 1e-12}
SIZES = {0: 2, 1: 3, 2: 4, 3: 5}


def _contract(lhs: tuple[int, ...], rhs: tuple[int, ...], out: tuple[int, ...], dtype: str) -> Any:
    shape = tuple(SIZES[axis] for axis in out)
    return lambda hand, x: hand(Contract(lhs_axes=lhs, rhs_axes=rhs, out_axes=out, shape=shape, dtype=dtype, operands=(x[0], x[1])))


@pytest.mark.parametrize("dtype", [*INTEGERS, *FLOATS])
@pytest.mark.parametrize(
    ("lhs", "rhs", "out"),
    [
        pytest.param((0, 1), (1, 2), (0, 2), id="a product of matrices"),
        pytest.param((0, 1), (2, 1), (2, 0), id="transposed"),
        pytest.param((0, 1, 2), (0, 2, 3), (0, 1, 3), id="a batch"),
        pytest.param((1,), (1,), (), id="a dot product"),
        pytest.param((0,), (1,), (0, 1), id="an outer product"),
        pytest.param((0, 1), (1, 0), (0, 1), id="nothing summed"),
        pytest.param((0, 1, 2), (3, 1), (0, 3), id="an axis of one side summed alone"),
        pytest.param((0, 1, 2), (2, 1, 3), (0, 3), id="two axes summed"),
    ],
)
def test_sums_of_products(lhs: tuple[int, ...], rhs: tuple[int, ...], out: tuple[int, ...], dtype: str) -> None:
    arrays = [ordinary(dtype, tuple(SIZES[a] for a in axes), seed) for seed, axes in enumerate((lhs, rhs))]
    assert_agree(_contract(lhs, rhs, out, dtype), arrays, tolerance=TOLERANCES.get(dtype))


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integers_wrap(dtype: str) -> None:
    arrays = [np.resize(telling(dtype), (2, 3)), np.resize(telling(dtype)[::-1], (3, 4))]
    assert_agree(_contract((0, 1), (1, 2), (0, 2), dtype), arrays)


@pytest.mark.parametrize("dtype", [*INTEGERS, *FLOATS])
def test_over_nothing(dtype: str) -> None:
    def build(hand: Hand, x: list[Operand]) -> Operand:
        return hand(Contract(lhs_axes=(0, 1), rhs_axes=(1, 2), out_axes=(0, 2), shape=(2, 3), dtype=dtype, operands=(x[0], x[1])))

    assert_agree(build, [np.zeros((2, 0), NUMPY_DTYPES[dtype]), np.zeros((0, 3), NUMPY_DTYPES[dtype])])


@pytest.mark.parametrize("numerics", ["exact", "equivalent"])
@pytest.mark.parametrize("dtype", ["bf16", "f16"])
def test_short_floats_are_summed_in_f32(dtype: str, numerics: str) -> None:
    def build(hand: Hand, x: list[Operand]) -> Operand:
        return hand(Contract(lhs_axes=(0,), rhs_axes=(0,), out_axes=(), shape=(), dtype=dtype, operands=(x[0], x[1])))

    ones = np.ones(4096, NUMPY_DTYPES[dtype])
    assert on_jax(build, [ones, ones], numerics=numerics)[0] == NUMPY_DTYPES[dtype](4096)


@pytest.mark.parametrize("numerics", ["exact", "equivalent", "fast"])
@pytest.mark.parametrize("dtype", ["f32", "f64"])
@pytest.mark.parametrize(
    ("terms", "factor", "wanted"),
    [
        pytest.param([], np.inf, 0.0, id="no product is not nothing times infinity"),
        pytest.param([1.0, 0.0], np.inf, np.nan, id="each is multiplied"),
        pytest.param([1.0, -0.5], np.inf, np.nan, id="infinities of both signs"),
        pytest.param(["max", "max"], 0.5, "max", id="the sum before the product overflows"),
    ],
)
def test_what_one_side_has_alone_is_summed_after_the_product(terms: list, factor: float, wanted: Any, dtype: str, numerics: str) -> None:
    largest = float(np.finfo(NUMPY_DTYPES[dtype]).max)
    x = np.array([largest if term == "max" else term for term in terms], NUMPY_DTYPES[dtype])
    build = _contract((0,), (), (), dtype)
    (value,) = on_jax(build, [x, np.array(factor, NUMPY_DTYPES[dtype])], numerics=numerics)
    np.testing.assert_equal(float(value), largest if wanted == "max" else wanted)


def test_fifty_two_axes_are_taken_and_one_more_declined() -> None:
    def answer(count: int) -> str | None:
        axes = tuple(range(count))
        operand = Operand("v0", (1,) * count, "f32")
        return JaxTarget("equivalent").declines(
            Contract(lhs_axes=axes, rhs_axes=axes, out_axes=axes, shape=(1,) * count, dtype="f32", operands=(operand, operand))
        )

    assert answer(52) is None
    assert answer(53) == "einsum has 52 letters and this contraction 53 axes"
