"""Calls that several processes make together.

In: a call.  Out: whether it exchanges anything with the other processes that run the same entry.  Such a call is made by each of them,
as often and in the same order as the program says: nothing may share it, make it once for many calls, or skip it in one process.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.graph.calls import GatherParts, NativeCall

if TYPE_CHECKING:
    from linnet_core.graph.calls import Call

#: How the implementations of the ops of `std.nn.parallel` begin.
COLLECTIVE = "torch.distributed."


def exchanges(call: Call) -> bool:
    """Whether other processes have to make this call, too."""
    return isinstance(call, GatherParts) or (isinstance(call, NativeCall) and call.implementation.startswith(COLLECTIVE))
