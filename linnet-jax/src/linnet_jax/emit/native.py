"""native_call: which library calls this target takes, and their text.

In: a `native_call` as the document has it.  Out: a reason to decline (`declines`), or an expression.  Attention is taken here and written
by `emit/attention.py` after `passes/spell.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.graph.calls import NativeCall
from linnet_core.python_source import score_blocks
from linnet_core.python_source.exchange_text import EXCHANGES
from linnet_core.python_source.library_names import base_name
from linnet_core.python_source.literals import SHORT_FLOATS
from linnet_jax.emit import cache, images

if TYPE_CHECKING:
    from collections.abc import Callable

    from linnet_jax.writer import JaxWriter

ATTENTION = "torch.nn.functional.scaled_dot_product_attention"
CAUSAL = "torch.tril"


def declines(call: NativeCall) -> str | None:
    """Why the library call is not taken; None when it is."""
    name, words = base_name(call.implementation)
    if name == ATTENTION:
        return _attention(call)
    if name in cache.WRITERS:
        return cache.declines(call, words)
    if name in images.WRITERS and (reason := images.declines(name, call)) is not None:
        return reason
    if name in _SCORES:
        return score_blocks.declines(call)
    if name not in _WRITERS:
        return f"{call.implementation} is not written by this target"
    if name == "torch.softmax" and call.shape[-1:] == (0,):
        return "jax has no softmax of nothing"
    if name in ("torch.nn.functional.embedding", "torch.index_select") and _reads_nothing(name, call):
        return "there is nothing to read"
    return None


def written() -> tuple[str, ...]:
    """The library calls that may be taken, by their names without what stands in parentheses."""
    return (*_WRITERS, ATTENTION)


def _attention(call: NativeCall) -> str | None:
    """There must be keys and queries, and head counts that divide."""
    query, key = call.operand(0), call.operand(1)
    if key.shape[2] == 0 or query.shape[2] == 0:
        return "there is no position to attend to"
    if 0 in (*query.shape[1:], *key.shape[1:]):
        return "jax does not attend without heads or width"
    if query.shape[1] % key.shape[1] != 0:
        return f"{query.shape[1]} query heads do not share {key.shape[1]} key heads evenly"
    return None


def _reads_nothing(name: str, call: NativeCall) -> bool:
    """Whether the axis that is read has no position."""
    return (call.operand(1).shape[0] if name == "torch.nn.functional.embedding" else call.operand(0).shape[-1]) == 0


def native(w: JaxWriter, call: NativeCall) -> str:
    """The text of a library call that was taken."""
    name, words = base_name(call.implementation)
    return _WRITERS[name](w, call, words)


def _linear(w: JaxWriter, call: NativeCall, words: frozenset[str]) -> str:
    x, weight, bias = call.operands
    product = _product(w, w.tensor(x), f"{w.tensor(weight)}.T", call.dtype)
    return product if bias is None else f"{product} + {w.tensor(bias)}"


def _matmul(w: JaxWriter, call: NativeCall, words: frozenset[str]) -> str:
    return _product(w, w.tensor(call.operands[0]), w.tensor(call.operands[1]), call.dtype)


def _product(w: JaxWriter, left: str, right: str, dtype: str) -> str:
    """Of floats accumulated in f32 at least and rounded once; under `fast` as the device likes it."""
    if dtype in SHORT_FLOATS and w.numerics != "fast":
        return f"jnp.matmul({w.wide(left)}, {w.wide(right)}{w.precision}).astype({w.dtype(dtype)})"
    return f"jnp.matmul({left}, {right}{w.precision if dtype[0] == 'f' else ''})"


def _embedding(w: JaxWriter, call: NativeCall, words: frozenset[str]) -> str:
    return f"{w.tensor(call.operands[1])}[{w.tensor(call.operands[0])}]"


def _take(w: JaxWriter, call: NativeCall, words: frozenset[str]) -> str:
    return f"{w.tensor(call.operands[0])}[..., {w.tensor(call.operands[1])}]"


def _causal(w: JaxWriter, call: NativeCall, words: frozenset[str]) -> str:
    queries, keys = call.shape
    return f"jnp.tri({queries}, {keys}, {keys - queries}, dtype=jnp.bool_)"


def _wide(w: JaxWriter, call: NativeCall, words: frozenset[str]) -> tuple[str, str]:
    """The first operand in f32 unless it is computed as it is, and what brings the result back."""
    x = w.tensor(call.operands[0])
    if call.dtype not in SHORT_FLOATS or "input dtype" in words:
        return x, ""
    return f"{x}.astype(jnp.float32)", f".astype({w.dtype(call.dtype)})"


def _function(function: str, options: str = "") -> Callable[[JaxWriter, NativeCall, frozenset[str]], str]:
    """A function of one array, of short floats in f32."""

    def text(w: JaxWriter, call: NativeCall, words: frozenset[str]) -> str:
        x, back = _wide(w, call, words)
        return f"{function}({x}{options}){back}"

    return text


def _gelu(w: JaxWriter, call: NativeCall, words: frozenset[str]) -> str:
    x, back = _wide(w, call, words)
    return f"jax.nn.gelu({x}, approximate={'tanh' in words}){back}"


def _norm(w: JaxWriter, call: NativeCall, words: frozenset[str]) -> str:
    """A short float is normalized in f32, whose squares do not overflow, and rounded before the weight is multiplied, as the op says."""
    name, _ = base_name(call.implementation)
    x, back = _wide(w, call, frozenset())
    weight, *shift, eps = call.operands[1:]
    function = w.use("_rms_norm" if name == "torch.rms_norm" else "_layer_norm")
    added = f" + {w.tensor(shift[0])}" if shift and shift[0] is not None else ""
    return f"{function}({x}, {w.number(eps) or w.tensor(eps)}){back} * {w.tensor(weight)}{added}"


_SCORES = score_blocks.writers(lambda w: w.use("_linear_log_probs_fast" if w.numerics == "fast" else "_linear_log_probs"))

_WRITERS: dict[str, Callable[[JaxWriter, NativeCall, frozenset[str]], str]] = {
    "torch.nn.functional.linear": _linear,
    "torch.matmul": _matmul,
    "torch.nn.functional.embedding": _embedding,
    "torch.index_select": _take,
    CAUSAL: _causal,
    "torch.softmax": _function("jax.nn.softmax", ", axis=-1"),
    "torch.relu": _function("jax.nn.relu"),
    "torch.sigmoid": _function("jax.nn.sigmoid"),
    "torch.nn.functional.silu": _function("jax.nn.silu"),
    "torch.nn.functional.gelu": _gelu,
    "torch.rms_norm": _norm,
    "torch.nn.functional.layer_norm": _norm,
    **images.WRITERS,
    **EXCHANGES,
    **cache.WRITERS,
    **_SCORES,
}

WRITERS = {NativeCall: native}
