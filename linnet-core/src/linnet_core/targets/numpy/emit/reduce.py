"""reduce and cumsum: in the operand's own dtype, short floats in f32 and rounded once; over nothing, the identity."""

from __future__ import annotations

import math

from linnet_core.check.integers import INTEGER_BITS
from linnet_core.graph.calls import Cumsum, Reduce
from linnet_core.python_source.fold import identity
from linnet_core.python_source.literals import SHORT_FLOATS
from linnet_core.python_source.writer import scalar_text, shape_text
from linnet_core.targets.numpy.writer import NumpyWriter


def reduce(w: NumpyWriter, call: Reduce) -> str:
    """Over trailing axes."""
    operand = call.operand(0)
    if not call.dims:
        return w.tensor(operand)
    if math.prod(operand.shape[axis] for axis in call.dims) == 0:
        return f"np.full({shape_text(call.shape)}, {scalar_text(identity(call.kind, operand.dtype))}, dtype={w.dtype(operand.dtype)})"
    accumulated = call.kind in ("sum", "prod") and operand.dtype in INTEGER_BITS
    dtype = f", dtype={w.dtype(operand.dtype)}" if accumulated else ""
    return w.rounded(f"{w.wide(operand)}.{call.kind}(axis={shape_text(call.dims)}{dtype})", operand.dtype)


def cumsum(w: NumpyWriter, call: Cumsum) -> str:
    """Running sums along one axis."""
    operand = call.operand(0)
    dtype = "np.float32" if operand.dtype in SHORT_FLOATS else w.dtype(operand.dtype)
    return w.rounded(f"np.cumsum({w.wide(operand)}, {call.axis}, dtype={dtype})", operand.dtype)


WRITERS = {Reduce: reduce, Cumsum: cumsum}
