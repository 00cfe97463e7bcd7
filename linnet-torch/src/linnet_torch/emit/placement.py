"""transfer and gather_parts.

In: the call.  Out: an expression.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.graph.calls import GatherParts, Transfer
from linnet_torch.calls import Fetch

if TYPE_CHECKING:
    from linnet_torch.writer import TorchWriter


def transfer(w: TorchWriter, call: Transfer) -> str:
    """A copy on another device."""
    return f"{w.use('_fetched' if isinstance(call, Fetch) else '_moved')}({w.tensor(call.operands[0])}, {w.device_at(call.slot)})"


def gather_parts(w: TorchWriter, call: GatherParts) -> str:
    """The whole of a parameter; a scalar has no parts."""
    parameter = call.operand(0)
    if not parameter.shape:
        return w.tensor(parameter)
    return f"{w.use('_whole')}({w.tensor(parameter)}, {parameter.shape[0]})"


WRITERS = {Transfer: transfer, Fetch: transfer, GatherParts: gather_parts}
