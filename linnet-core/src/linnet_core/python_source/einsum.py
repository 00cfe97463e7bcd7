"""Contractions as an einsum writes them.

In: a contraction.  Out: why it has no equation, or the equation.
"""

from __future__ import annotations

import string
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from linnet_core.graph.calls import Contract

LETTERS = string.ascii_letters


def too_many_axes(call: Contract) -> str | None:
    """Why there is no equation: einsum has a letter for each axis."""
    axes = {*call.lhs_axes, *call.rhs_axes, *call.out_axes}
    return f"einsum has {len(LETTERS)} letters and this contraction {len(axes)} axes" if len(axes) > len(LETTERS) else None


def equation(call: Contract, out_axes: tuple[int, ...]) -> str:
    """Letters by first appearance: lhs, rhs, out; the result has the axes `out_axes`."""
    letters: dict[int, str] = {}
    for axis in (*call.lhs_axes, *call.rhs_axes, *call.out_axes):
        letters.setdefault(axis, LETTERS[len(letters)])
    left, right, out = ("".join(letters[a] for a in axes) for axes in (call.lhs_axes, call.rhs_axes, out_axes))
    return f"{left},{right}->{out}"


def summed_on_one_side(call: Contract) -> tuple[int, ...]:
    """Axes that are summed and that one operand alone has, in the order they appear.

    einsum sums such an axis before it multiplies.  Of integers that is the same sum; of floats it is another: the sum may overflow where
    no product does, and nothing times infinity is NaN.  So targets sum floats along it after they are multiplied.
    """
    shared = {*call.lhs_axes} & {*call.rhs_axes}
    return tuple(axis for axis in (*call.lhs_axes, *call.rhs_axes) if axis not in shared and axis not in call.out_axes)
