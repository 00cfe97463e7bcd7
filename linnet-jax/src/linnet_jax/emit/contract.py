"""contract, as einsum.

In: a contraction.  Out: its text.
"""

from __future__ import annotations

from linnet_core.check.integers import INTEGER_BITS
from linnet_core.graph.calls import Contract
from linnet_core.python_source.einsum import equation, summed_on_one_side
from linnet_core.python_source.literals import SHORT_FLOATS
from linnet_jax.writer import JaxWriter, shape_text


def contract(w: JaxWriter, call: Contract) -> str:
    """A sum of products; those of short floats are exact in f32 and rounded once, when they have been added.

    Floats are summed along an axis of one operand alone after they are multiplied, as `summed_on_one_side` says.
    """
    left, right = (w.tensor(o) for o in call.operands)
    if call.dtype in INTEGER_BITS:
        return f'jnp.einsum("{equation(call, call.out_axes)}", {left}, {right}, preferred_element_type={w.dtype(call.dtype)})'
    alone = summed_on_one_side(call)
    text = equation(call, (*call.out_axes, *alone))
    total = f".sum({shape_text(tuple(range(-len(alone), 0)))})" if alone else ""
    if call.dtype in SHORT_FLOATS and (w.numerics != "fast" or alone):
        product = f'jnp.einsum("{text}", {w.wide(left)}, {w.wide(right)}{w.precision})'
        return f"{product}{total}.astype({w.dtype(call.dtype)})"
    return f'jnp.einsum("{text}", {left}, {right}{w.precision}){total}'


WRITERS = {Contract: contract}
