"""end_custom_gradient.

In: the step that ends an op with a `grad` clause, and the adjoint of its result.  Out: for each float tensor it took what the clause
says, whatever the slope of the body is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.graph.calls import EndCustomGradient, Operand
from linnet_core.graph.gradient.rules.rule import Rule

if TYPE_CHECKING:
    from linnet_core.graph.gradient.adjoints import Adjoints
    from linnet_core.graph.gradient.tape import Step


def _end_custom_gradient(b: Adjoints, step: Step, call: EndCustomGradient, g: Operand) -> None:
    assert step.pullback is not None
    arguments = call.operands[: call.arguments]
    given = [str(b.value(argument).value) for argument in arguments]
    gradients = step.pullback([*given, str(b.result(step).value), str(g.value)])
    for argument, name in zip(arguments, gradients, strict=True):
        if argument is not None and name is not None:
            b.add(argument, Operand(name, argument.shape, argument.dtype))


def _reads(step: Step, call: EndCustomGradient, wanted: frozenset[str]) -> list[str]:
    return [*step.operand_names(), step.results[0]]


RULES = {EndCustomGradient: Rule(_end_custom_gradient, _reads)}
