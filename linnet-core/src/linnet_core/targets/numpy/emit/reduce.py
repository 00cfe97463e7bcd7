"""reduce and cumsum: in the operand's own dtype, short floats in f32 and rounded once; over nothing, the identity."""

from __future__ import annotations

import math

from linnet_core.check.integers import INTEGER_BITS, integer_range
from linnet_core.graph.calls import Cumsum, Reduce
from linnet_core.python_source.literals import real_text
from linnet_core.python_source.writer import shape_text
from linnet_core.targets.numpy.writer import SHORT_FLOATS, NumpyWriter


def reduce(w: NumpyWriter, call: Reduce) -> str:
    """Over trailing axes."""
    operand = call.operand(0)
    if not call.dims:
        return w.tensor(operand)
    if math.prod(operand.shape[axis] for axis in call.dims) == 0:
        return f"np.full({shape_text(call.shape)}, {_identity(call.kind, operand.dtype)}, dtype={w.dtype(operand.dtype)})"
    accumulated = call.kind in ("sum", "prod") and operand.dtype in INTEGER_BITS
    dtype = f", dtype={w.dtype(operand.dtype)}" if accumulated else ""
    return w.rounded(f"{w.wide(operand)}.{call.kind}(axis={shape_text(call.dims)}{dtype})", operand.dtype)


def _identity(kind: str, dtype: str) -> str:
    """What a reduction over nothing gives."""
    match kind:
        case "any" | "all":
            return repr(kind == "all")
        case "sum" | "prod":
            return repr(int(kind == "prod"))
    if dtype in INTEGER_BITS:
        return repr(integer_range(dtype)[kind == "min"])
    return real_text(-math.inf if kind == "max" else math.inf)


def cumsum(w: NumpyWriter, call: Cumsum) -> str:
    """Running sums along one axis."""
    operand = call.operand(0)
    dtype = "np.float32" if operand.dtype in SHORT_FLOATS else w.dtype(operand.dtype)
    return w.rounded(f"np.cumsum({w.wide(operand)}, {call.axis}, dtype={dtype})", operand.dtype)


WRITERS = {Reduce: reduce, Cumsum: cumsum}
