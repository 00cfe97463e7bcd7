"""gather, scatter_add, update_row.

In: a call.  Out: an expression.  A position past the end of its axis is taken for the last one, and one from -n to -1 reads from the back:
nothing can be raised while a program runs under jit (docs/language/semantics.md names the difference).
"""

from __future__ import annotations

from linnet_core.graph.calls import Gather, Operand, ScatterAdd, UpdateRow
from linnet_core.python_source.literals import SHORT_FLOATS
from linnet_jax.writer import JaxWriter, shape_text


def gather(w: JaxWriter, call: Gather) -> str:
    """Advanced indexing, one array of positions per leading axis."""
    source, indices = call.operand(0), call.operand(1)
    if indices.shape[-1] == 0:
        return f"jnp.broadcast_to({w.tensor(source)}, {shape_text(call.shape)})"
    if 0 in source.shape[: indices.shape[-1]]:  # nothing may be read, so nothing is
        w.tensor(indices)
        return f"jnp.zeros({shape_text(call.shape)}, dtype={w.dtype(source.dtype)})"
    return f"{w.tensor(source)}[{_columns(w, indices)}]"


def _columns(w: JaxWriter, indices: Operand) -> str:
    x = w.tensor(indices)
    return ", ".join(f"{x}[..., {column}]" for column in range(indices.shape[-1]))


def scatter_add(w: JaxWriter, call: ScatterAdd) -> str:
    """Zeros with the values accumulated, short floats in f32."""
    indices, values = call.operand(0), w.tensor(call.operands[1])
    narrow = call.dtype in SHORT_FLOATS
    zeros = f"jnp.zeros({shape_text(call.shape)}, dtype={w.dtype('f32' if narrow else call.dtype)})"
    at = _columns(w, indices) or "..."
    added = f"{values}.astype(jnp.float32)" if narrow else values
    total = f"{zeros}.at[{at}].add({added if indices.shape[-1] else f'{added}.sum({shape_text(tuple(range(len(indices.shape) - 1)))})'})"
    return f"{total}.astype({w.dtype(call.dtype)})" if narrow else total


def update_row(w: JaxWriter, call: UpdateRow) -> str:
    """A copy with one row replaced."""
    stack, index, row = (w.tensor(o) for o in call.operands)
    if call.operand(0).shape[0] == 0:  # there is no row: the loop that would replace one does not turn
        return stack
    return f"jax.lax.dynamic_update_index_in_dim({stack}, {row}, {index}, 0)"


WRITERS = {Gather: gather, ScatterAdd: scatter_add, UpdateRow: update_row}
