"""reshape, transpose, broadcast, slice, concat.

In: a step and the adjoint of its result.  Out: the operands' shares: the elements put back where they came from, summed where one was
spread, zeros where none was taken.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.graph.calls import Broadcast, Concat, Reshape, Slice, Transpose
from linnet_core.graph.gradient.rules.gather import scattered
from linnet_core.graph.gradient.rules.rule import Rule

if TYPE_CHECKING:
    from linnet_core.graph.calls import Operand
    from linnet_core.graph.gradient.adjoints import Adjoints
    from linnet_core.graph.gradient.tape import Step


def _reshape(b: Adjoints, step: Step, call: Reshape, g: Operand) -> None:
    b.add(call.operands[0], b.emitter.reshape(g, call.operand(0).shape))


def _transpose(b: Adjoints, step: Step, call: Transpose, g: Operand) -> None:
    b.add(call.operands[0], b.terms.transpose(g, tuple(map(call.permutation.index, range(len(call.permutation))))))


def _broadcast(b: Adjoints, step: Step, call: Broadcast, g: Operand) -> None:
    x = call.operand(0)
    kept = tuple([axis for axis, size in zip(call.dims, x.shape, strict=True) if size == call.shape[axis]])
    b.add(x, b.emitter.reshape(b.terms.summed(g, kept), x.shape))


def _slice(b: Adjoints, step: Step, call: Slice, g: Operand) -> None:
    x = call.operand(0)
    if all(stride == 1 for stride in call.strides):
        b.add(x, _padded(b, call, g))
        return
    last = max(axis for axis, size in enumerate(x.shape) if call.shape[axis] != size)
    columns = [_column(b, call, axis, last + 1) for axis in range(last + 1)]
    indices = columns[0] if len(columns) == 1 else b.emitter.concat(tuple(columns), last + 1)
    b.add(x, scattered(b, indices, g, x.shape, "a slice with a step"))


def _padded(b: Adjoints, call: Slice, g: Operand) -> Operand:
    """`g` with zeros before and after it, axis by axis from the last: the parts stay small as long as possible."""
    for axis in reversed(range(len(call.shape))):
        before, after = call.starts[axis], call.operand(0).shape[axis] - call.limits[axis]
        parts = [b.terms.zeros((*g.shape[:axis], size, *g.shape[axis + 1 :]), g.dtype) if size else None for size in (before, after)]
        whole = tuple([part for part in (parts[0], g, parts[1]) if part is not None])
        if len(whole) > 1:
            g = b.emitter.concat(whole, axis)
    return g


def _column(b: Adjoints, call: Slice, axis: int, axes: int) -> Operand:
    """The positions a slice takes along one axis, over its first `axes` axes."""
    e, shape = b.emitter, call.shape[:axes]
    positions = b.terms.binary("mul", e.iota(shape[axis]), e.integer(call.strides[axis]))
    positions = b.terms.binary("add", positions, e.integer(call.starts[axis]))
    return e.reshape(e.broadcast(positions, shape, (axis,)), (*shape, 1))


def _concat(b: Adjoints, step: Step, call: Concat, g: Operand) -> None:
    start = 0
    for part in call.operands:
        assert part is not None
        stop = start + part.shape[call.axis]
        if b.wants(part):
            starts = tuple([start if axis == call.axis else 0 for axis in range(len(g.shape))])
            limits = tuple([stop if axis == call.axis else size for axis, size in enumerate(g.shape)])
            b.add(part, b.emitter.slice(g, starts, limits, (1,) * len(g.shape)))
        start = stop


RULES = {
    Reshape: Rule(_reshape),
    Transpose: Rule(_transpose),
    Broadcast: Rule(_broadcast),
    Slice: Rule(_slice),
    Concat: Rule(_concat),
}
