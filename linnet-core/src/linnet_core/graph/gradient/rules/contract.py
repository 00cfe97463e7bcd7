"""contract.

In: a step and the adjoint of its result.  Out: for each factor the contraction of the adjoint with the other one, spread along the axes
that only this factor has and that were summed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.graph.calls import Contract
from linnet_core.graph.gradient.rules.rule import Rule, name_of

if TYPE_CHECKING:
    from linnet_core.graph.calls import Operand
    from linnet_core.graph.gradient.adjoints import Adjoints
    from linnet_core.graph.gradient.tape import Step


def _contract(b: Adjoints, step: Step, call: Contract, g: Operand) -> None:
    lhs, rhs = call.operands
    if b.wants(lhs):
        b.add(lhs, _share(b, g, call.out_axes, b.value(rhs), call.rhs_axes, b.value(lhs), call.lhs_axes))
    if b.wants(rhs):
        b.add(rhs, _share(b, g, call.out_axes, b.value(lhs), call.lhs_axes, b.value(rhs), call.rhs_axes))


def _share(
    b: Adjoints, g: Operand, out: tuple[int, ...], other: Operand, axes: tuple[int, ...], mine: Operand, own: tuple[int, ...]
) -> Operand:
    made = tuple([axis for axis in own if axis in out or axis in axes])
    return b.emitter.broadcast(b.terms.contracted(g, other, (out, axes), made), mine.shape, tuple(map(own.index, made)))


def _reads(step: Step, call: Contract, wanted: frozenset[str]) -> list[str]:
    lhs, rhs = map(name_of, call.operands)
    return [*([rhs] if lhs in wanted else []), *([lhs] if rhs in wanted else [])]


RULES = {Contract: Rule(_contract, _reads)}
