"""The library calls of `std.nn.parallel`, which several devices make together.

In: the call.  Out: an expression.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from linnet_core.graph.calls import NativeCall
    from linnet_jax.writer import JaxWriter


def _all_reduce(w: JaxWriter, call: NativeCall, words: frozenset[str]) -> str:
    return f"{w.use('_all_reduce')}({w.tensor(call.operands[0])})"


def _shared(w: JaxWriter, call: NativeCall, words: frozenset[str]) -> str:
    return f"{w.use('_shared')}({w.tensor(call.operands[0])})"


def _all_gather(w: JaxWriter, call: NativeCall, words: frozenset[str]) -> str:
    return f"{w.use('_all_gather')}({w.tensor(call.operands[0])}, {call.generics['Shards']})"


WRITERS: dict[str, Callable[[JaxWriter, NativeCall, frozenset[str]], str]] = {
    "torch.distributed.all_reduce": _all_reduce,
    "torch.distributed.all_gather": _all_gather,
    "torch.distributed.shared": _shared,
}
