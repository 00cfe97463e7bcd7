"""The library calls of `std.nn.parallel`, which several processes or devices make together.

In: the call.  Out: a call of the target's support function of that name: `_all_reduce`, `_all_gather` or `_shared`, each the identity where
nothing takes part but itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from linnet_core.graph.calls import NativeCall
    from linnet_core.python_source.writer import Writer


def _all_reduce(w: Writer, call: NativeCall, words: frozenset[str]) -> str:
    return f"{w.use('_all_reduce')}({w.tensor(call.operands[0])})"


def _shared(w: Writer, call: NativeCall, words: frozenset[str]) -> str:
    return f"{w.use('_shared')}({w.tensor(call.operands[0])})"


def _all_gather(w: Writer, call: NativeCall, words: frozenset[str]) -> str:
    return f"{w.use('_all_gather')}({w.tensor(call.operands[0])}, {call.generics['Shards']})"


EXCHANGES: dict[str, Callable[[Writer, NativeCall, frozenset[str]], str]] = {
    "torch.distributed.all_reduce": _all_reduce,
    "torch.distributed.all_gather": _all_gather,
    "torch.distributed.shared": _shared,
}
