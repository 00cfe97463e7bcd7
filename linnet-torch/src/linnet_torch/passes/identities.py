"""The pass that takes away what changes nothing.

In: steps, and the types names were defined with.  Out: steps without slices of everything, reshapes, transposes and broadcasts to the same,
concatenations of one and reductions over no axis; those that read their results read what they were made of.  A gather along one axis
reads its positions without the axis of one they come with.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from linnet_core.graph.calls import Broadcast, Call, Concat, Gather, Operand, Reduce, Reshape, Slice, Transpose
from linnet_core.python_source.steps import Step
from linnet_torch.calls import TakeRows

if TYPE_CHECKING:
    from collections.abc import Mapping

    from linnet_core.graph.calls import ResultType


def drop_identities(steps: list[Step], types: Mapping[str, ResultType]) -> list[Step]:
    """The steps that do something."""
    same: dict[str, str] = {}
    #: Name of positions [..., 1] -> the operand they were reshaped from, of the shape without that axis.
    columns: dict[str, Operand] = {}
    kept: list[Step] = []
    for step in steps:
        call = _renamed(step.call, same)
        if _changes_nothing(call, types):
            same[step.results[0]] = str(call.operand(0).value)
            continue
        if isinstance(call, Reshape | Broadcast):
            source = call.operand(0)
            own = types.get(str(source.value))
            if own is not None and own.shape == source.shape and call.shape == (*source.shape, 1) and _in_order(call):
                columns[step.results[0]] = source
        elif isinstance(call, Gather) and str(call.operand(1).value) in columns:
            call = TakeRows(shape=call.shape, operands=(call.operands[0], columns[str(call.operand(1).value)]))
        kept.append(step if call is step.call else Step(call, step.results))
    return kept


def _renamed(call: Call, same: Mapping[str, str]) -> Call:
    """The call with operands that stand for others replaced; the same object when there are none."""
    if not any(o is not None and o.value in same for o in call.operands):
        return call
    operands = tuple(o if o is None or o.value not in same else Operand(same[str(o.value)], o.shape, o.dtype) for o in call.operands)
    return msgspec.structs.replace(call, operands=operands)


def _changes_nothing(call: Call, types: Mapping[str, ResultType]) -> bool:
    """Whether the result is the first operand, of the type that was defined with."""
    match call:
        case Slice(starts=starts, limits=limits, strides=strides):
            whole = not any(starts) and limits == call.operand(0).shape and all(stride == 1 for stride in strides)
        case Transpose(permutation=permutation):
            whole = permutation == tuple(range(len(permutation)))
        case Broadcast():
            whole = call.shape == call.operand(0).shape and _in_order(call)
        case Reshape():
            whole = call.shape == call.operand(0).shape
        case Concat():
            whole = len(call.operands) == 1
        case Reduce(dims=dims):
            whole = not dims
        case _:
            return False
    own = types.get(str(call.operand(0).value))
    return whole and own is not None and own.shape == call.operand(0).shape and own.dtype == call.operand(0).dtype


def _in_order(call: Reshape | Broadcast) -> bool:
    """Whether operand axes become the leading axes of the result in their order."""
    return not isinstance(call, Broadcast) or call.dims == tuple(range(len(call.dims)))
