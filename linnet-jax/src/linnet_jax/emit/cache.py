"""native_call on caches: values written at positions known at run time.

In: a `native_call` of one of `WRITERS`.  Out: a reason to decline, or a call of a support function.  A position outside the cache is
dropped, as in the body: XLA by itself moves a span back into the cache, and reads a negative position from the back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from linnet_core.graph.calls import NativeCall
    from linnet_jax.writer import JaxWriter


def declines(call: NativeCall, words: frozenset[str]) -> str | None:
    """There must be a position to write, and the span must fit."""
    cache, value = call.operand(0).shape, call.operand(1).shape
    if 0 in (cache[0], cache[2]):
        return "there is no position to write"
    if "tokens" not in words and value[2] > cache[2]:
        return f"{value[2]} positions do not fit a cache of {cache[2]}"
    return None


def _called(function: str, w: JaxWriter, call: NativeCall) -> str:
    return f"{w.use(function)}({', '.join(w.tensor(o) for o in call.operands)})"


def _span(w: JaxWriter, call: NativeCall, words: frozenset[str]) -> str:
    return _called("_write_span", w, call)


def _put(w: JaxWriter, call: NativeCall, words: frozenset[str]) -> str:
    if "tokens" in words:
        return _called("_write_tokens", w, call)
    return _called("_write_rows" if len(call.operands) == 3 else "_write_slots", w, call)


WRITERS: dict[str, Callable[[JaxWriter, NativeCall, frozenset[str]], str]] = {
    "torch.Tensor.index_copy": _span,
    "torch.Tensor.index_put": _put,
}
