"""reshape, transpose, broadcast, slice, concat, iota.

In: a call.  Out: an expression, a view where it can be one.
"""

from __future__ import annotations

from linnet_core.graph.calls import Broadcast, Concat, Iota, Reshape, Slice, Transpose
from linnet_core.python_source.writer import slice_text, spread_of
from linnet_torch.writer import TorchWriter, shape_text


def reshape(w: TorchWriter, call: Reshape) -> str:
    """Row-major."""
    return f"{w.tensor(call.operands[0])}.reshape({shape_text(call.shape)})"


def transpose(w: TorchWriter, call: Transpose) -> str:
    """A view."""
    return f"{w.tensor(call.operands[0])}.permute({shape_text(call.permutation)})"


def broadcast(w: TorchWriter, call: Broadcast) -> str:
    """Operand axes put in order, size-1 axes made where new ones are due, then expanded: a view."""
    x, spread = w.tensor(call.operands[0]), spread_of(call)
    if spread.order is not None:
        x = f"{x}.permute({shape_text(spread.order)})"
    if spread.aligned is not None:
        x = f"{x}.reshape({shape_text(spread.aligned)})"
    return x if spread.shape is None else f"{x}.expand({shape_text(spread.shape)})"


def slice_(w: TorchWriter, call: Slice) -> str:
    """Basic indexing; an axis taken whole is `:`."""
    return f"{w.tensor(call.operands[0])}{slice_text(call)}"


def concat(w: TorchWriter, call: Concat) -> str:
    """Joined along one axis."""
    parts = ", ".join(w.tensor(o) for o in call.operands)
    return f"torch.cat(({parts},), {call.axis})"


def iota(w: TorchWriter, call: Iota) -> str:
    """i64."""
    return f"torch.arange({call.length}, device={w.device})"


WRITERS = {Reshape: reshape, Transpose: transpose, Broadcast: broadcast, Slice: slice_, Concat: concat, Iota: iota}
