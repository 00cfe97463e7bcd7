"""The pass that takes rows by positions as they come.

In: steps, and the types names were defined with.  Out: steps in which a gather along one axis is a `TakeRows` where its positions were
only given the axis of one that a gather wants: it reads them without that axis, which then nobody may need.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.graph.calls import Broadcast, Gather, Operand, Reshape
from linnet_core.python_source.steps import Step
from linnet_torch.calls import TakeRows

if TYPE_CHECKING:
    from collections.abc import Mapping

    from linnet_core.graph.calls import ResultType


def take_rows(steps: list[Step], types: Mapping[str, ResultType]) -> list[Step]:
    """The steps, gathers by one column of positions replaced."""
    #: Name of positions [..., 1] -> the operand they were made from, of the shape without that axis.
    columns: dict[str, Operand] = {}
    kept: list[Step] = []
    for step in steps:
        call = step.call
        if isinstance(call, Reshape | Broadcast):
            source = call.operand(0)
            own = types.get(str(source.value))
            if own is not None and own.shape == source.shape and call.shape == (*source.shape, 1) and _in_order(call):
                columns[step.results[0]] = source
        elif isinstance(call, Gather) and (positions := columns.get(str(call.operand(1).value))) is not None:
            step = Step(TakeRows(shape=call.shape, operands=(call.operands[0], positions)), step.results, step.slot)
        kept.append(step)
    return kept


def _in_order(call: Reshape | Broadcast) -> bool:
    """Whether operand axes become the leading axes of the result in their order."""
    return not isinstance(call, Broadcast) or call.dims == tuple(range(len(call.dims)))
