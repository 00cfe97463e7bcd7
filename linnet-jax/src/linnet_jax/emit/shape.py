"""reshape, transpose, broadcast, slice, concat, iota.

In: a call.  Out: an expression.
"""

from __future__ import annotations

from linnet_core.graph.calls import Broadcast, Concat, Iota, Reshape, Slice, Transpose
from linnet_core.python_source.layout import tuple_text
from linnet_core.python_source.writer import slice_text, spread_of
from linnet_jax.writer import JaxWriter, shape_text


def reshape(w: JaxWriter, call: Reshape) -> str:
    """Row-major."""
    return f"{w.tensor(call.operands[0])}.reshape({shape_text(call.shape)})"


def transpose(w: JaxWriter, call: Transpose) -> str:
    """Axes in another order."""
    x = w.tensor(call.operands[0])
    return f"{x}.T" if call.permutation == (1, 0) else f"{x}.transpose({shape_text(call.permutation)})"


def broadcast(w: JaxWriter, call: Broadcast) -> str:
    """Operand axes put in order, size-1 axes made where new ones are due, then spread."""
    x, spread = w.tensor(call.operands[0]), spread_of(call)
    if spread.order is not None:
        x = f"{x}.transpose({shape_text(spread.order)})"
    if spread.aligned is not None:
        x = f"{x}.reshape({shape_text(spread.aligned)})"
    return x if spread.shape is None else f"jnp.broadcast_to({x}, {shape_text(spread.shape)})"


def slice_(w: JaxWriter, call: Slice) -> str:
    """Basic indexing; an axis taken whole is `:`."""
    return f"{w.tensor(call.operands[0])}{slice_text(call)}"


def concat(w: JaxWriter, call: Concat) -> str:
    """Joined along one axis."""
    return f"jnp.concatenate({tuple_text([w.tensor(o) for o in call.operands])}, axis={call.axis})"


def iota(w: JaxWriter, call: Iota) -> str:
    """i64."""
    return f"jnp.arange({call.length}, dtype={w.dtype('i64')})"


WRITERS = {Reshape: reshape, Transpose: transpose, Broadcast: broadcast, Slice: slice_, Concat: concat, Iota: iota}
