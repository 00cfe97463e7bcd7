"""The pass that stores large matrices the way a product of one row reads them fastest: [in, out].

In: `Joined`, the products of weights, and the names of parameters and constants.  Out: the same with `Upright` weights and `UprightLinear`
in place of those `linear`s.

One row times a matrix of 32000 x 512 takes less than half the time stored [in, out]; a matrix that fits the caches, or a product of many
rows, gains nothing.  Such a weight keeps its order, so that a decode step and a prefill prepare the same.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from linnet_core.graph.calls import Operand
from linnet_core.python_source.constants import split_by
from linnet_core.python_source.joined import Joined, linear_of_weight
from linnet_core.python_source.steps import Step
from linnet_torch.calls import Upright, UprightLinear

if TYPE_CHECKING:
    from linnet_core.graph.calls import NativeCall

#: Elements from which on a matrix is turned.
LEAST = 1 << 22


def turn(joined: Joined, fixed: set[str]) -> Joined:
    """Each matrix once, however many products read it."""
    known = fixed | {name for step in joined.weights for name in step.results}
    known |= {name for step in split_by(joined.body, known)[0] for name in step.results}
    weights = list(joined.weights)
    turned: set[str] = set()
    body: list[Step] = []
    for step in joined.body:
        call = linear_of_weight(step, known)
        body.append(step if call is None or not _gains(call) else Step(_turned(call, weights, turned), step.results))
    return Joined(weights, body)


def _gains(call: NativeCall) -> bool:
    """A short float loses: the head in bf16 takes 1.38 of the time."""
    return call.dtype == "f32" and prod(call.shape[:-1]) == 1 and prod(call.operand(1).shape) >= LEAST


def _turned(call: NativeCall, weights: list[Step], turned: set[str]) -> UprightLinear:
    x, weight = call.operand(0), call.operand(1)
    name = f"u_{weight.value}"
    upright = Upright(operands=(weight,))
    if name not in turned:
        turned.add(name)
        weights.append(Step(upright, (name,)))
    (type,) = upright.result_types()
    return UprightLinear(operands=(x, Operand(name, type.shape, type.dtype), *call.operands[2:]))
