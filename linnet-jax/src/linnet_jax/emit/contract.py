"""contract, as einsum.

In: a contraction.  Out: a reason to decline it, or its text.
"""

from __future__ import annotations

import string

from linnet_core.check.integers import INTEGER_BITS
from linnet_core.graph.calls import Contract
from linnet_core.python_source.literals import SHORT_FLOATS
from linnet_jax.writer import JaxWriter, shape_text

LETTERS = string.ascii_letters


def declines(call: Contract) -> str | None:
    """einsum has a letter for each axis."""
    axes = {*call.lhs_axes, *call.rhs_axes, *call.out_axes}
    return f"einsum has {len(LETTERS)} letters and this contraction {len(axes)} axes" if len(axes) > len(LETTERS) else None


def equation(call: Contract, out_axes: tuple[int, ...]) -> str:
    """Letters by first appearance: lhs, rhs, out."""
    letters: dict[int, str] = {}
    for axis in (*call.lhs_axes, *call.rhs_axes, *call.out_axes):
        letters.setdefault(axis, LETTERS[len(letters)])
    left, right, out = ("".join(letters[a] for a in axes) for axes in (call.lhs_axes, call.rhs_axes, out_axes))
    return f"{left},{right}->{out}"


def _summed_on_one_side(call: Contract) -> tuple[int, ...]:
    """Axes that are summed and that one operand alone has, in the order they appear."""
    shared = {*call.lhs_axes} & {*call.rhs_axes}
    return tuple(axis for axis in (*call.lhs_axes, *call.rhs_axes) if axis not in shared and axis not in call.out_axes)


def contract(w: JaxWriter, call: Contract) -> str:
    """A sum of products; those of short floats are exact in f32 and rounded once, when they have been added.

    einsum sums an axis of one operand alone before it multiplies.  Of integers that is the same sum; of floats it is another: the sum may
    overflow where no product does, and nothing times infinity is NaN.  So floats are summed along it after they are multiplied.
    """
    left, right = (w.tensor(o) for o in call.operands)
    if call.dtype in INTEGER_BITS:
        return f'jnp.einsum("{equation(call, call.out_axes)}", {left}, {right}, preferred_element_type={w.dtype(call.dtype)})'
    alone = _summed_on_one_side(call)
    text = equation(call, (*call.out_axes, *alone))
    total = f".sum({shape_text(tuple(range(-len(alone), 0)))})" if alone else ""
    if call.dtype in SHORT_FLOATS and (w.numerics != "fast" or alone):
        product = f'jnp.einsum("{text}", {w.wide(left)}, {w.wide(right)}{w.precision})'
        return f"{product}{total}.astype({w.dtype(call.dtype)})"
    return f'jnp.einsum("{text}", {left}, {right}{w.precision}){total}'


WRITERS = {Contract: contract}
