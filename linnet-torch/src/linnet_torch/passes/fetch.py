"""Copies of parameters, which need not be waited for.

In: steps, and the names of the parameters.  Out: the steps, with a call of our own for each `transfer` of a parameter.  No step writes
over one, so a copy from pinned memory may still be on its way when the next steps run; a state may be written over behind the copy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from linnet_core.graph.calls import Transfer
from linnet_torch.calls import Fetch

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from linnet_core.python_source.steps import Step


def fetch_parameters(steps: Sequence[Step], parameters: Collection[str]) -> list[Step]:
    """`Fetch` for the copy of a parameter."""
    return [_fetched(step, parameters) for step in steps]


def _fetched(step: Step, parameters: Collection[str]) -> Step:
    call = step.call
    if type(call) is not Transfer or call.operand(0).value not in parameters:
        return step
    return replace(step, call=Fetch(slot=call.slot, operands=call.operands))
