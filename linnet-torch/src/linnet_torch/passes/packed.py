"""The pass that gives large matrices of weights to oneDNN where many rows are multiplied with them.

In: `Joined`, the products of weights, and the names of parameters and constants.  Out: the same with `Packed` weights and `PackedLinear`
in place of those `linear`s.

A product of 128 rows takes half the time of `F.linear` on a processor where MKL takes its plain kernels.  A call costs some 25 microseconds
more and enters more parallel sections, so that products of few rows and small matrices keep `F.linear`.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from linnet_core.graph.calls import Operand
from linnet_core.python_source.constants import split_by
from linnet_core.python_source.joined import Joined, linear_of_weight
from linnet_core.python_source.steps import Step
from linnet_torch.calls import Packed, PackedLinear

if TYPE_CHECKING:
    from linnet_core.graph.calls import NativeCall

#: Elements from which on a matrix is packed, and rows from which on its product gains.
LEAST = 1 << 18
LEAST_ROWS = 8


def pack(joined: Joined, fixed: set[str]) -> Joined:
    """Each matrix once, however many products read it."""
    known = fixed | {name for step in joined.weights for name in step.results}
    known |= {name for step in split_by(joined.body, known)[0] for name in step.results}
    weights = list(joined.weights)
    packed: set[str] = set()
    body: list[Step] = []
    for step in joined.body:
        call = linear_of_weight(step, known)
        body.append(step if call is None or not _gains(call) else Step(_packed(call, weights, packed), step.results, step.slot))
    return Joined(weights, body)


def _gains(call: NativeCall) -> bool:
    """oneDNN is what torch takes for short floats anyway, and it knows no f64."""
    return call.dtype == "f32" and prod(call.operand(1).shape) >= LEAST and prod(call.shape[:-1]) >= LEAST_ROWS


def _packed(call: NativeCall, weights: list[Step], packed: set[str]) -> PackedLinear:
    x, weight = call.operand(0), call.operand(1)
    name = f"k_{weight.value}"
    if name not in packed:
        packed.add(name)
        weights.append(Step(Packed(operands=(weight,)), (name,)))
    return PackedLinear(operands=(x, Operand(name, weight.shape, weight.dtype), *call.operands[2:]))
