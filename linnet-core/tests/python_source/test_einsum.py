"""Equations of contractions, and those that have none."""

from __future__ import annotations

import pytest

from linnet_core.graph.calls import Contract, Operand
from linnet_core.python_source.einsum import equation, summed_on_one_side, too_many_axes


def contraction(left: tuple[int, ...], right: tuple[int, ...], out: tuple[int, ...]) -> Contract:
    operands = (Operand("v0", (1,) * len(left), "f32"), Operand("v1", (1,) * len(right), "f32"))
    return Contract(lhs_axes=left, rhs_axes=right, out_axes=out, shape=(1,) * len(out), dtype="f32", operands=operands)


def test_fifty_two_axes_have_letters_and_one_more_has_none() -> None:
    axes = tuple(range(53))
    assert too_many_axes(contraction(axes[:52], axes[:52], axes[:52])) is None
    assert too_many_axes(contraction(axes, axes, axes)) == "einsum has 52 letters and this contraction 53 axes"


@pytest.mark.parametrize(
    ("call", "text", "alone"),
    [
        pytest.param(contraction((0, 1), (1, 2), (0, 2)), "ab,bc->ac", (), id="a product of matrices"),
        pytest.param(contraction((4, 2), (2, 4), ()), "ab,ba->", (), id="letters in the order of appearance"),
        pytest.param(contraction((0, 1, 3), (1, 2), (0,)), "abc,bd->a", (3, 2), id="axes of one side that are summed"),
    ],
)
def test_an_equation(call: Contract, text: str, alone: tuple[int, ...]) -> None:
    assert equation(call, call.out_axes) == text
    assert summed_on_one_side(call) == alone
