"""reduce, cumsum.

In: a step and the adjoint of its result.  Out: the operand's share.  All that equal a `max` or `min` share it evenly; of a product each
factor gets the product of the others, also where some are 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.graph.calls import Cumsum, Operand, Reduce
from linnet_core.graph.gradient.rules.rule import Rule, name_of

if TYPE_CHECKING:
    from linnet_core.graph.gradient.adjoints import Adjoints
    from linnet_core.graph.gradient.tape import Step

#: Dtypes that count no further than a few hundred or a few thousand.
_COUNTED_IN_F32 = ("f16", "bf16")


def _reduce(b: Adjoints, step: Step, call: Reduce, g: Operand) -> None:
    match call.kind:
        case "sum":
            b.add(call.operands[0], _spread(b, g, call))
        case "max" | "min":
            b.add(call.operands[0], _shared(b, step, call, g))
        case "prod":
            whole = _spread(b, g, call)
            b.add(call.operands[0], b.terms.unless_zero(whole, b.terms.mul(whole, _product_of_others(b, call))))


def _reads(step: Step, call: Reduce, wanted: frozenset[str]) -> list[str]:
    return {"sum": [], "prod": [name_of(call.operands[0])]}.get(call.kind, [name_of(call.operands[0]), step.results[0]])


def _spread(b: Adjoints, x: Operand, call: Reduce) -> Operand:
    """A value of the result's shape over the axes that were reduced."""
    return b.emitter.broadcast(x, call.operand(0).shape, tuple(range(len(call.shape))))


def _shared(b: Adjoints, step: Step, call: Reduce, g: Operand) -> Operand:
    t, e, x = b.terms, b.emitter, b.value(call.operands[0])
    reached = t.compare("eq", x, _spread(b, b.result(step), call))
    dtype = "f32" if g.dtype in _COUNTED_IN_F32 else g.dtype
    count = e.reduce("sum", e.convert(reached, dtype), len(call.dims))
    share = e.convert(t.div(e.convert(g, dtype), count), g.dtype)
    return t.select(reached, _spread(b, share, call), t.zero(g))


def _product_of_others(b: Adjoints, call: Reduce) -> Operand:
    """For each factor: of no zeros the product over it; beside one zero 0; of the only zero the product of the rest; of several 0."""
    t, e, x = b.terms, b.emitter, b.value(call.operands[0])
    nothing, count = t.zero(x), len(call.dims)
    is_zero = t.compare("eq", x, nothing)
    others = t.select(is_zero, t.real(1.0, x.dtype), x)
    product = e.reduce("prod", others, count)
    zeros = e.reduce("sum", e.convert(is_zero, "f32"), count)
    beside_none = t.select(t.compare("eq", zeros, t.real(0.0, "f32")), product, nothing)
    beside_one = t.select(t.compare("eq", zeros, t.real(1.0, "f32")), product, nothing)
    return t.select(is_zero, _spread(b, beside_one, call), t.div(_spread(b, beside_none, call), others))


def _cumsum(b: Adjoints, step: Step, call: Cumsum, g: Operand) -> None:
    """The running sum from the other end: exact where the total less the running sum would lose the small among the large."""
    axis, rank = call.axis, len(g.shape)
    order = (axis, *[other for other in range(rank) if other != axis])
    summed = Cumsum(axis=0, operands=(_reversed(b, b.terms.transpose(g, order)),))
    (type,) = summed.result_types()
    back = _reversed(b, b.emitter.one(summed, type.shape, type.dtype))
    b.add(call.operands[0], b.terms.transpose(back, tuple(map(order.index, range(rank)))))


def _reversed(b: Adjoints, x: Operand) -> Operand:
    """The first axis from its end to its start."""
    e, size = b.emitter, x.shape[0]
    positions = b.terms.binary("sub", e.integer(size - 1), e.iota(size))
    return e.gather(x, e.reshape(positions, (size, 1)))


RULES = {Reduce: Rule(_reduce, _reads), Cumsum: Rule(_cumsum)}
