"""The exchanges of `std.nn.parallel` in an entry that is differentiated, and what their bodies say where the target declines them.

In: a call that every process makes, with operands of the target.  Out: the operand that stands for its result.  Of their bodies nothing
but the exchange would be missing, so they are the only library calls that stay calls under a gradient.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.errors import SourceError
from linnet_core.graph.calls import NativeCall, Operand
from linnet_core.graph.exchanges import COLLECTIVE
from linnet_core.graph.target import Declined
from linnet_core.text.diagnostic import Diagnostic

if TYPE_CHECKING:
    from linnet_core.graph.emitter import Emitter

ALL_REDUCE = f"{COLLECTIVE}all_reduce"
ALL_GATHER = f"{COLLECTIVE}all_gather"


def exchanged(emitter: Emitter, call: NativeCall, *, differentiated: bool) -> Operand:
    """The call, or its body.  `SourceError` where the target joins the parts of processes and a gradient flows to them."""
    x = call.operand(0)
    made = emitter.offered(call, call.shape, call.dtype)
    if not isinstance(made, Declined):
        if differentiated and call.implementation == ALL_GATHER:
            raise _no_own_part()
        return made
    if call.implementation != ALL_GATHER:
        return x
    rows, columns = x.shape
    shards = call.generics["Shards"]
    copies = emitter.broadcast(emitter.reshape(x, (rows, 1, columns)), (rows, shards, columns), (0, 1, 2))
    return emitter.reshape(copies, call.shape)


def summed_over_processes(emitter: Emitter, x: Operand) -> Operand:
    """`x` of all processes added up; `x` where the target exchanges nothing."""
    call = NativeCall(implementation=ALL_REDUCE, generics={}, shape=x.shape, dtype=x.dtype, operands=(x,))
    return exchanged(emitter, call, differentiated=False)


def _no_own_part() -> SourceError:
    message = "gradient: `all_gather` has no gradient across processes, since no call of a graph says which columns are a process' own"
    help = (
        "differentiate the printed source with the target's own framework, split columns by `shared` and rows by `all_reduce`, "
        "or give --no-library for one process"
    )
    return SourceError([Diagnostic("E6001", message, None, help=help)])
