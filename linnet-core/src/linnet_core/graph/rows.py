"""Stacks of rows, as scans and the gradients of loops keep them.

In: an emitter and operands.  Out: zeros for a stack, a stack with one row replaced, one row of a stack.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.types import FLOATS
from linnet_core.graph.calls import Compare, Literal, Operand, Select, UpdateRow
from linnet_core.graph.target import Declined

if TYPE_CHECKING:
    from linnet_core.graph.calls.values import Shape
    from linnet_core.graph.emitter import Emitter


def zero(emitter: Emitter, dtype: str) -> Operand:
    """The constant 0, or false, of a dtype."""
    if dtype == "bool":
        return emitter.literal(Literal("boolean", False), dtype)
    if dtype in FLOATS:
        return emitter.literal(Literal("real", 0.0), dtype)
    return emitter.integer(0, dtype)


def zeros(emitter: Emitter, shape: Shape, dtype: str) -> Operand:
    """A tensor of zeros."""
    return emitter.spread(zero(emitter, dtype), shape)


def update_row(emitter: Emitter, stack: Operand, index: Operand, row: Operand) -> Operand:
    """The stack with one row replaced; where the target declines, by a comparison with an iota and a select."""
    made = emitter.offered(UpdateRow(operands=(stack, index, row)), stack.shape, stack.dtype)
    if not isinstance(made, Declined):
        return made
    rows = stack.shape[0]
    positions = emitter.iota(rows)
    wanted = emitter.broadcast(index, (rows,), ())
    mask = emitter.one(Compare(kind="eq", shape=(rows,), operands=(positions, wanted)), (rows,), "bool")
    everywhere = emitter.broadcast(mask, stack.shape, (0,))
    spread = emitter.broadcast(row, stack.shape, tuple(range(1, len(stack.shape))))
    call = Select(shape=stack.shape, dtype=stack.dtype, operands=(everywhere, spread, stack))
    return emitter.one(call, stack.shape, stack.dtype)


def row_at(emitter: Emitter, stack: Operand, index: Operand) -> Operand:
    """Row `index` (i64, rank 0) of the stack."""
    return emitter.gather(stack, emitter.reshape(index, (1,)))
