"""reduce and cumsum.

In: a call.  Out: an expression that accumulates in the operand's own dtype, f16 and bf16 in f32 with one rounding at the end.
"""

from __future__ import annotations

import math

from linnet_core.graph.calls import Cumsum, Reduce
from linnet_core.python_source.fold import identity
from linnet_core.python_source.literals import SHORT_FLOATS
from linnet_jax.writer import JaxWriter, scalar_text, shape_text


def reduce(w: JaxWriter, call: Reduce) -> str:
    """Over trailing axes."""
    operand = call.operand(0)
    x = w.tensor(operand)
    if not call.dims:
        return x
    if math.prod(operand.shape[axis] for axis in call.dims) == 0:
        value = scalar_text(identity(call.kind, operand.dtype))
        return f"jnp.full({shape_text(call.shape)}, {value}, dtype={w.dtype(operand.dtype)})"
    axes = f"axis={shape_text(call.dims)}"
    if call.kind in ("sum", "prod"):
        return _accumulated(w, f"jnp.{call.kind}({x}, {axes}, ", operand.dtype)
    return f"jnp.{call.kind}({x}, {axes})"


def _accumulated(w: JaxWriter, start: str, dtype: str) -> str:
    """A call that begins with `start`, accumulating in `dtype` or, of a short float, in f32."""
    if dtype in SHORT_FLOATS:
        return f"{start}dtype=jnp.float32).astype({w.dtype(dtype)})"
    return f"{start}dtype={w.dtype(dtype)})"


def cumsum(w: JaxWriter, call: Cumsum) -> str:
    """Running sums along one axis."""
    operand = call.operand(0)
    return _accumulated(w, f"jnp.cumsum({w.tensor(operand)}, axis={call.axis}, ", operand.dtype)


WRITERS = {Reduce: reduce, Cumsum: cumsum}
