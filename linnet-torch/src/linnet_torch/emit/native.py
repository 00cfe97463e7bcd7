"""native_call: which library calls this target takes, and their text.

In: a `native_call` as the document has it.  Out: a reason to decline (`declines`), or an expression.  Attention and cache writes are taken
here and written by `emit/cache.py` and `emit/attention.py` after `passes/spell.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.graph.calls import NativeCall, Operand
from linnet_core.python_source import score_blocks
from linnet_core.python_source.exchange_text import EXCHANGES
from linnet_core.python_source.library_names import base_name
from linnet_core.python_source.literals import SHORT_FLOATS
from linnet_torch.emit import images
from linnet_torch.writer import DTYPES, UNSIGNED_WIDE, TorchWriter

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from linnet_core.python_source.fold import Scalar


def declines(call: NativeCall, known: Mapping[str, Scalar]) -> str | None:
    """Why the library call is not taken; None when it is."""
    name, words = base_name(call.implementation)
    if name in _ATTENTION:
        return _attention(call)
    if name in _CACHE:
        return _cache(call, words)
    if name in images.WRITERS and (reason := images.declines(name, call)) is not None:
        return reason
    if name in _SCORES:
        return score_blocks.declines(call)
    writer = _WRITERS.get(name)
    if writer is None:
        return f"{call.implementation} is not written by this target"
    if name == "torch.matmul" and call.dtype in UNSIGNED_WIDE:
        return f"torch multiplies no matrices of {call.dtype}"
    if name in _EPSILON and known.get(str(call.operand(len(call.operands) - 1).value)) is None:
        return "epsilon is not known when the source is printed"
    return None


def written() -> tuple[str, ...]:
    """The library calls that may be taken, by their names without what stands in parentheses."""
    return (*_WRITERS, *_ATTENTION, *_CACHE)


def _attention(call: NativeCall) -> str | None:
    """The kernel needs at least one key, and head counts that divide."""
    query, key = call.operand(0), call.operand(1)
    if key.shape[2] == 0 or query.shape[2] == 0:
        return "there is no position to attend to"
    if key.shape[1] == 0 or query.shape[1] % key.shape[1] != 0:
        return f"{query.shape[1]} query heads do not share {key.shape[1]} key heads evenly"
    if call.implementation in _PAGED:
        if 0 in call.operand(3).shape:
            return "there is no page to attend to"
        if call.generics.get("Size", 0) <= 0:
            return "the size of a page is not known"
    return None


def _cache(call: NativeCall, words: frozenset[str]) -> str | None:
    cache, value = call.operand(0).shape, call.operand(1).shape
    if 0 in (cache[0], cache[2]):
        return "there is no position to write"
    if "tokens" not in words and value[2] > cache[2]:
        return f"{value[2]} positions do not fit a cache of {cache[2]}"
    return None


def native(w: TorchWriter, call: NativeCall) -> str:
    """The text of a library call that was taken."""
    name, words = base_name(call.implementation)
    return _WRITERS[name](w, call, words)


def _linear(w: TorchWriter, call: NativeCall, words: frozenset[str]) -> str:
    x, weight, bias = call.operands
    return f"{w.f('linear')}({w.tensor(x)}, {w.tensor(weight)}{', ' + w.tensor(bias) if bias is not None else ''})"


def _matmul(w: TorchWriter, call: NativeCall, words: frozenset[str]) -> str:
    return f"torch.matmul({w.tensor(call.operands[0])}, {w.tensor(call.operands[1])})"


def _embedding(w: TorchWriter, call: NativeCall, words: frozenset[str]) -> str:
    return f"{w.f('embedding')}({w.tensor(call.operands[0])}, {w.tensor(call.operands[1])})"


def _take(w: TorchWriter, call: NativeCall, words: frozenset[str]) -> str:
    return f"torch.index_select({w.tensor(call.operands[0])}, -1, {w.tensor(call.operands[1])})"


def _causal(w: TorchWriter, call: NativeCall, words: frozenset[str]) -> str:
    queries, keys = call.shape
    return f"torch.ones(({queries}, {keys}), dtype=torch.bool, device={w.device}).tril({keys - queries})"


def _softmax(w: TorchWriter, call: NativeCall, words: frozenset[str]) -> str:
    return f"torch.softmax({w.tensor(call.operands[0])}, -1)"


def _unary(function: str) -> Callable[[TorchWriter, NativeCall, frozenset[str]], str]:
    return lambda w, call, words: f"torch.{function}({w.tensor(call.operands[0])})"


def _silu(w: TorchWriter, call: NativeCall, words: frozenset[str]) -> str:
    return f"{w.f('silu')}({w.tensor(call.operands[0])})"


def _gelu(w: TorchWriter, call: NativeCall, words: frozenset[str]) -> str:
    return f"{w.f('gelu')}({w.tensor(call.operands[0])}{', approximate=' + repr('tanh') if 'tanh' in words else ''})"


def _width(x: Operand) -> str:
    return f"({x.shape[-1]},)"


def _rms_norm(w: TorchWriter, call: NativeCall, words: frozenset[str]) -> str:
    """The kernel computes in f32 by itself; a short float is rounded before the weight is multiplied, as the op says."""
    x, weight, eps = (call.operand(i) for i in range(3))
    if call.dtype in SHORT_FLOATS:
        return f"{w.f('rms_norm')}({w.tensor(x)}, {_width(x)}, eps={w.number(eps)}) * {w.tensor(weight)}"
    return f"{w.f('rms_norm')}({w.tensor(x)}, {_width(x)}, {w.tensor(weight)}, {w.number(eps)})"


def _layer_norm(w: TorchWriter, call: NativeCall, words: frozenset[str]) -> str:
    """As `_rms_norm`; a short float is widened around the kernel unless the policy is fast."""
    x, weight, bias, eps = call.operands
    assert x is not None
    number, shift = w.number(eps), w.tensor(bias) if bias is not None else None
    if call.dtype not in SHORT_FLOATS:
        return f"{w.f('layer_norm')}({w.tensor(x)}, {_width(x)}, {w.tensor(weight)}, {shift}, {number})"
    inner = f"{w.f('layer_norm')}({w.tensor(x)}, {_width(x)}, eps={number})"
    if "input dtype" not in words:
        inner = f"{w.f('layer_norm')}({w.tensor(x)}.float(), {_width(x)}, eps={number}).to({DTYPES[call.dtype]})"
    return f"{inner} * {w.tensor(weight)}{f' + {shift}' if shift is not None else ''}"


def _log_probs(w: TorchWriter) -> str:
    """The support function, which computes again on the way back."""
    w.flags.add("checkpoint")
    return w.use("_linear_log_probs")


#: Over a pool of pages; the fourth operand lists those of each row.
_PAGED = ("linnet.paged_attention", "linnet.paged_prefill_attention")
_ATTENTION = ("torch.nn.functional.scaled_dot_product_attention", "linnet.sink_attention", *_PAGED)
_CACHE = ("torch.Tensor.index_copy", "torch.Tensor.index_put")
_EPSILON = {"torch.rms_norm", "torch.nn.functional.layer_norm", *images.EPSILON}

_SCORES = score_blocks.writers(_log_probs)

_WRITERS: dict[str, Callable[[TorchWriter, NativeCall, frozenset[str]], str]] = {
    "torch.nn.functional.linear": _linear,
    "torch.matmul": _matmul,
    "torch.nn.functional.embedding": _embedding,
    "torch.index_select": _take,
    "torch.tril": _causal,
    "torch.softmax": _softmax,
    "torch.relu": _unary("relu"),
    "torch.sigmoid": _unary("sigmoid"),
    "torch.nn.functional.silu": _silu,
    "torch.nn.functional.gelu": _gelu,
    "torch.rms_norm": _rms_norm,
    "torch.nn.functional.layer_norm": _layer_norm,
    **images.WRITERS,
    **EXCHANGES,
    **_SCORES,
}

WRITERS = {NativeCall: native}
