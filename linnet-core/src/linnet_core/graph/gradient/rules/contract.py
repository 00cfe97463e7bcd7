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
    factors = ((call.operand(0), call.lhs_axes), (call.operand(1), call.rhs_axes))
    for (mine, own), (other, axes) in (factors, factors[::-1]):
        if not b.wants(mine):
            continue
        made = tuple([axis for axis in own if axis in call.out_axes or axis in axes])
        if g.shape or len(made) < len(axes):
            share = b.terms.contracted(g, b.value(other), (call.out_axes, axes), made)
        else:  # a number times the other factor
            share = b.terms.mul(g, b.terms.transpose(b.value(other), tuple(map(axes.index, made))))
        b.add(mine, b.emitter.broadcast(share, mine.shape, tuple(map(own.index, made))))


def _reads(step: Step, call: Contract, wanted: frozenset[str]) -> list[str]:
    lhs, rhs = map(name_of, call.operands)
    return [*([rhs] if lhs in wanted else []), *([lhs] if rhs in wanted else [])]


RULES = {Contract: Rule(_contract, _reads)}
