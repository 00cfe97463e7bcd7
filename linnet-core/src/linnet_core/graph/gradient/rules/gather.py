"""gather, scatter_add, update_row.

In: a step and the adjoint of its result.  Out: the operands' shares; a position read twice gets both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.errors import SourceError
from linnet_core.graph.calls import Gather, ScatterAdd, UpdateRow
from linnet_core.graph.gradient.rules.rule import Rule, name_of
from linnet_core.graph.rows import row_at, update_row
from linnet_core.graph.target import Declined
from linnet_core.text.diagnostic import Diagnostic

if TYPE_CHECKING:
    from linnet_core.graph.calls import Operand
    from linnet_core.graph.calls.values import Shape
    from linnet_core.graph.gradient.adjoints import Adjoints
    from linnet_core.graph.gradient.tape import Step


def scattered(b: Adjoints, indices: Operand, g: Operand, shape: Shape, what: str) -> Operand:
    """Zeros of `shape` with `g` added at the positions; `SourceError` naming `what` where the target declines."""
    made = b.emitter.offered(ScatterAdd(shape=shape, dtype=g.dtype, operands=(indices, g)), shape, g.dtype)
    if isinstance(made, Declined):
        message = f"gradient: target `{b.emitter.target.name}` cannot write the gradient of {what}: {made.reason}"
        raise SourceError([Diagnostic("E6001", message, None, help="use another target")])
    return made


def _gather(b: Adjoints, step: Step, call: Gather, g: Operand) -> None:
    source, indices = call.operand(0), call.operand(1)
    b.add(source, scattered(b, b.value(indices), g, source.shape, "a read at positions known at run time"))


def _gather_reads(step: Step, call: Gather, wanted: frozenset[str]) -> list[str]:
    return [name_of(call.operands[1])]


def _scatter_add(b: Adjoints, step: Step, call: ScatterAdd, g: Operand) -> None:
    b.add(call.operands[1], b.emitter.gather(g, b.value(call.operands[0])))


def _scatter_add_reads(step: Step, call: ScatterAdd, wanted: frozenset[str]) -> list[str]:
    return [name_of(call.operands[0])]


def _update_row(b: Adjoints, step: Step, call: UpdateRow, g: Operand) -> None:
    stack, index, row = call.operands
    at = b.value(index)
    if b.wants(row):
        b.add(row, row_at(b.emitter, g, at))
    if b.wants(stack):
        b.add(stack, update_row(b.emitter, g, at, b.terms.zeros(g.shape[1:], g.dtype)))


def _update_row_reads(step: Step, call: UpdateRow, wanted: frozenset[str]) -> list[str]:
    return [name_of(call.operands[1])]


RULES = {
    Gather: Rule(_gather, _gather_reads),
    ScatterAdd: Rule(_scatter_add, _scatter_add_reads),
    UpdateRow: Rule(_update_row, _update_row_reads),
}
