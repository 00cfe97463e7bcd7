"""native_call: only those whose library function gives the body's own bits, each with its positions held against their axes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.graph.calls import NativeCall
from linnet_core.python_source.steps import Step
from linnet_core.targets.numpy.calls import CacheWrite
from linnet_core.targets.numpy.writer import NumpyWriter

if TYPE_CHECKING:
    from collections.abc import Callable


def declines(call: NativeCall) -> str | None:
    """Why the library call is not taken; None when it is."""
    if call.implementation not in _WRITERS and call.implementation not in _CACHE:
        return "the reference computes the body, but for a few library calls that give its own bits"
    if call.implementation == "torch.nn.functional.max_pool2d" and not {"K", "Stride", "Pad"} <= call.generics.keys():
        return "the window's size, stride and padding are not all known"
    return None


def with_cache_writes(steps: list[Step]) -> list[Step]:
    """The steps with library calls that write a cache as this target's own `CacheWrite`."""
    return [
        Step(_cache_write(s.call), s.results) if isinstance(s.call, NativeCall) and s.call.implementation in _CACHE else s for s in steps
    ]


def _cache_write(call: NativeCall) -> CacheWrite:
    return CacheWrite(implementation=call.implementation, operands=call.operands)


def native(w: NumpyWriter, call: NativeCall) -> str:
    """The text of a library call that was taken."""
    return _WRITERS[call.implementation](w, call)


def _operands(w: NumpyWriter, call: NativeCall) -> str:
    return ", ".join(w.tensor(o) for o in call.operands)


def _embedding(w: NumpyWriter, call: NativeCall) -> str:
    ids, table = (w.tensor(o) for o in call.operands)
    return f"{w.use('_take')}({table}, {ids}, 0)"


def _take(w: NumpyWriter, call: NativeCall) -> str:
    return f"{w.use('_take')}({_operands(w, call)}, -1)"


def _causal(w: NumpyWriter, call: NativeCall) -> str:
    queries, keys = call.shape
    return f"np.tri({queries}, {keys}, {keys - queries}, dtype=np.bool_)"


def _max_pool(w: NumpyWriter, call: NativeCall) -> str:
    size, stride, pad = (call.generics[name] for name in ("K", "Stride", "Pad"))
    return f"{w.use('_max_pool')}({_operands(w, call)}, {size}, {stride}, {pad})"


def _upsample(w: NumpyWriter, call: NativeCall) -> str:
    x = call.operand(0)
    scale = next((after // before for before, after in zip(x.shape[2:], call.shape[2:], strict=True) if before), 1)
    return f"{w.tensor(x)}.repeat({scale}, axis=2).repeat({scale}, axis=3)"


def cache_write(w: NumpyWriter, call: CacheWrite) -> str:
    """The function of its kind, in place or not."""
    function = w.use(_CACHE[call.implementation][len(call.operands) > 3])
    return f"{function}({', '.join(w.tensor(o) for o in call.operands)}{', in_place=True' if call.in_place else ''})"


#: Implementation -> the functions for three and for four operands.
_CACHE = {
    "torch.Tensor.index_copy": ("_write_span", "_write_span"),
    "torch.Tensor.index_put": ("_write_rows", "_write_slots"),
    "torch.Tensor.index_put(tokens)": ("_write_tokens", "_write_tokens"),
}

_WRITERS: dict[str, Callable[[NumpyWriter, NativeCall], str]] = {
    "torch.nn.functional.embedding": _embedding,
    "torch.index_select": _take,
    "torch.tril": _causal,
    "torch.nn.functional.max_pool2d": _max_pool,
    "torch.nn.functional.interpolate(nearest)": _upsample,
}

WRITERS = {NativeCall: native, CacheWrite: cache_write}
