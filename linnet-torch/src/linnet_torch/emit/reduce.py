"""reduce and cumsum.

In: a call.  Out: an expression that accumulates in the operand's own dtype, f16 and bf16 in f32 with one rounding at the end.
"""

from __future__ import annotations

import math

from linnet_core.check.types import FLOATS
from linnet_core.graph.calls import Cumsum, Reduce
from linnet_core.python_source.fold import identity
from linnet_core.python_source.literals import SHORT_FLOATS
from linnet_torch.writer import DTYPES, UNSIGNED_WIDE, TorchWriter, scalar_text, shape_text


def reduce(w: TorchWriter, call: Reduce) -> str:
    """Over trailing axes."""
    operand = call.operand(0)
    x = w.tensor(operand)
    if not call.dims:
        return x
    if math.prod(operand.shape[axis] for axis in call.dims) == 0:
        value = scalar_text(identity(call.kind, operand.dtype))
        return f"torch.full({shape_text(call.shape)}, {value}, dtype={DTYPES[operand.dtype]}, device={w.device})"
    if operand.dtype in UNSIGNED_WIDE:
        return f'{w.use("_unsigned_reduce")}("{call.kind}", {x}, {shape_text(call.dims)})'
    dims = shape_text(call.dims)
    match call.kind:
        case "any" | "all":
            return f"{x}.{call.kind}(dim={dims})"
        case "max" | "min":
            return f"{x}.a{call.kind}(dim={dims})"
        case "sum":
            return f"{x}.sum(dim={dims})" if operand.dtype in FLOATS else f"{x}.sum(dim={dims}, dtype={DTYPES[operand.dtype]})"
    flat = x if len(call.dims) == 1 else f"{x}.flatten({call.dims[0]})"
    if operand.dtype in SHORT_FLOATS:
        return f"{flat}.prod(dim=-1, dtype=torch.float32).to({DTYPES[operand.dtype]})"
    return f"{flat}.prod(dim=-1, dtype={DTYPES[operand.dtype]})"


def cumsum(w: TorchWriter, call: Cumsum) -> str:
    """Running sums along one axis."""
    operand = call.operand(0)
    x = w.tensor(operand)
    if operand.dtype in UNSIGNED_WIDE:
        return f"{w.use('_unsigned_cumsum')}({x}, {call.axis})"
    if operand.dtype in SHORT_FLOATS:
        return f"torch.cumsum({x}, {call.axis}, dtype=torch.float32).to({DTYPES[operand.dtype]})"
    return f"torch.cumsum({x}, {call.axis}, dtype={DTYPES[operand.dtype]})"


WRITERS = {Reduce: reduce, Cumsum: cumsum}
