"""The exchanges between processes: `all_reduce`, `shared`, `all_gather`.

In: a step and the adjoint of its result.  Out: the operand's share.  After `all_reduce` all processes go on with the same value, so each
has its whole adjoint; after `shared` each goes another way, so theirs are added up.  `all_gather` comes here only where it is its body.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.graph.calls import NativeCall
from linnet_core.graph.gradient.exchanging import ALL_GATHER, ALL_REDUCE, summed_over_processes
from linnet_core.graph.gradient.rules.rule import Rule

if TYPE_CHECKING:
    from linnet_core.graph.calls import Operand
    from linnet_core.graph.gradient.adjoints import Adjoints
    from linnet_core.graph.gradient.tape import Step


def _exchange(b: Adjoints, step: Step, call: NativeCall, g: Operand) -> None:
    x = call.operand(0)
    if call.implementation == ALL_REDUCE:
        b.add(x, g)
    elif call.implementation == ALL_GATHER:
        rows, columns = x.shape
        b.add(x, b.terms.summed(b.emitter.reshape(g, (rows, call.generics["Shards"], columns)), (0, 2)))
    else:
        b.add(x, summed_over_processes(b.emitter, g))


RULES = {NativeCall: Rule(_exchange)}
