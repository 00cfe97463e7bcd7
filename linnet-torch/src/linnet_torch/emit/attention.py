"""Attention: the text of an `Attend`.

In: what `passes/spell.py` made of a library call that `native.py` took.  Out: an expression.

A square causal mask becomes a flag; one query with a mask is two products around a softmax, grouped heads by reshaping the query (the cache
is never copied); any other mask is a bias of 0 and -1e30, so that a row that may attend to nothing is the mean of the values, as in the
op's body.  A pool of pages is read by slot for one query a row, and whole, with a bias, for tokens of several rows.
"""

from __future__ import annotations

from linnet_torch.calls import Attend, FromPool, PoolBias, PoolSlots, ScoreBias
from linnet_torch.writer import DTYPES, TorchWriter, scalar_text, shape_text


def score_bias(w: TorchWriter, call: ScoreBias) -> str:
    """0 or -1e30, with a head axis where the mask has a row for each of the batch."""
    mask = call.operand(0)
    x = w.tensor(mask) if mask.shape == call.shape else f"{w.tensor(mask)}[:, None]"
    return f"torch.where({x}, 0.0, -1e30){'' if call.dtype == 'f32' else f'.to({DTYPES[call.dtype]})'}"


def pool_slots(w: TorchWriter, call: PoolSlots) -> str:
    """The slot of each position of each row, and which of them are hidden."""
    return f"{w.use('_pool_slots')}({', '.join(w.tensor(o) for o in call.operands)}, {call.size}, {call.slots})"


def from_pool(w: TorchWriter, call: FromPool) -> str:
    """What lies at the slots."""
    return f"{w.use('_from_pool')}({', '.join(w.tensor(o) for o in call.operands)})"


def pool_bias(w: TorchWriter, call: PoolBias) -> str:
    """0, -1e30 or -inf."""
    bias = f"{w.use('_pool_bias')}({', '.join(w.tensor(o) for o in call.operands)}, {call.size}, {call.slots})"
    return bias if call.dtype == "f32" else f"{bias}.to({DTYPES[call.dtype]})"


def attend(w: TorchWriter, call: Attend) -> str:
    """One attention."""
    query, key, value = (w.tensor(o) for o in call.operands[:3])
    rest = list(call.operands[3:])
    scale = scalar_text(call.scale) if call.scale is not None else w.tensor(rest.pop(0))
    if call.form == "single":
        return _single(w, call, scale, w.tensor(rest[0]))
    back = ""
    if call.wide:
        query, key, value = (f"{x}.float()" for x in (query, key, value))
        back = f".to({DTYPES[call.operand(0).dtype]})"
    if call.form == "sink":
        sinks, hidden = (w.tensor(o) for o in rest)
        return f"{w.use('_attend_sink')}({query}, {key}, {value}, {sinks}, {scale}, {hidden}){back}"
    if call.scale is None:  # the kernel takes a number; a tensor must not be read back to the host
        query, scale = f"{query} * {scale}", "1.0"
    options = [f"scale={scale}"]
    if call.form == "causal":
        options.insert(0, "is_causal=True")
    elif call.form == "bias":
        options.insert(0, f"attn_mask={w.tensor(rest[0])}")
    if call.grouped:
        options.append("enable_gqa=True")
    return f"{w.f('scaled_dot_product_attention')}({query}, {key}, {value}, {', '.join(options)}){back}"


def _single(w: TorchWriter, call: Attend, scale: str, hidden: str) -> str:
    """One query: grouped heads as rows of one product with each key head."""
    query, key = call.operand(0), call.operand(1)
    batch, heads, _, width = query.shape
    shared = key.shape[1]
    if len(call.operand(-1).shape) == 3:
        hidden = f"{hidden}[:, None]"
    function = w.use("_attend_single" if not call.wide else "_attend_single_wide")
    q, k, v = (w.tensor(o) for o in call.operands[:3])
    if shared == heads:
        return f"{function}({q}, {k}, {v}, {scale}, {hidden})"
    grouped = shape_text((batch, shared, heads // shared, width))
    return f"{function}({q}.reshape({grouped}), {k}, {v}, {scale}, {hidden}).reshape({shape_text(query.shape)})"


WRITERS = {Attend: attend, ScoreBias: score_bias, PoolSlots: pool_slots, FromPool: from_pool, PoolBias: pool_bias}
