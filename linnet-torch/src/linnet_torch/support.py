"""The functions printed source may need, as text.

In: nothing.  Out: `FUNCTIONS`: the text of each, and which others it calls.  They follow docs/language/semantics.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_torch import support_losses, support_processes, support_traces
from linnet_torch.kernels.launch import LAUNCHES, REDUCTIONS

if TYPE_CHECKING:
    from linnet_core.python_source.support import Functions

_DIV = '''
def _div(a, b):
    """Truncating; by 0 all bits set, the lowest by -1 wraps."""
    signed = a.dtype.is_signed
    special = (b == 0) | (b == -1) if signed else b == 0
    quotient = torch.div(a, torch.where(special, 1, b), rounding_mode="trunc")
    if signed:
        quotient = torch.where(b == -1, -a, quotient)
    return torch.where(b == 0, -1 if signed else torch.iinfo(a.dtype).max, quotient)
'''

_REM = '''
def _rem(a, b):
    """The sign of the dividend; by 0 the dividend."""
    special = (b == 0) | (b == -1) if a.dtype.is_signed else b == 0
    rest = torch.fmod(a, torch.where(special, 1, b))
    return torch.where(b == 0, a, torch.where(special, 0, rest))
'''

_SHL = '''
def _shl(a, n, bits):
    """By the width or more, or a negative amount: 0."""
    inside = (n >= 0) & (n < bits)
    return torch.where(inside, a << torch.where(inside, n, 0), 0)
'''

_SHR = '''
def _shr(a, n, bits):
    """By the width or more, or a negative amount: 0, and -1 for a negative."""
    inside = (n >= 0) & (n < bits)
    return torch.where(inside, a >> torch.where(inside, n, 0), -(a < 0).to(a.dtype) if a.dtype.is_signed else 0)
'''

_TRUNCATE = '''
def _truncate(x, dtype):
    """A float to an integer: toward zero, the nearest value that fits, 0 for NaN."""
    info = torch.iinfo(dtype)
    wide = torch.trunc(x.double())
    low, high = wide < info.min, wide >= float(info.max) + 1.0 if info.bits >= 32 else wide > info.max
    inside = torch.where(low | high | torch.isnan(wide), 0.0, wide)
    if dtype == torch.uint64:
        big = inside >= 9223372036854775808.0
        bits = torch.where(big, inside - 9223372036854775808.0, inside).to(torch.int64) ^ torch.where(big, -9223372036854775808, 0)
        return torch.where(high, -1, bits).view(torch.uint64)
    whole = inside.to(torch.int64)
    return torch.where(high, info.max, torch.where(low, info.min, whole)).to(dtype)
'''

_ROUND_ONCE = '''
def _round_once(x, dtype):
    """To a short float with one rounding: first to f32 with the last bit set where digits were lost (round to odd)."""
    if x.dtype == torch.uint64:
        return _unsigned_to_float(x, dtype)
    if x.dtype == torch.uint32:
        x = x.to(torch.int64)
    exact = x if x.dtype == torch.float64 else x.to(torch.float64)
    if x.dtype == torch.int64:
        exact = _odd(exact, (x - exact.clamp(max=9223372036854774784.0).to(torch.int64)).to(torch.float64))
    near = exact.to(torch.float32)
    return _odd(near, torch.nan_to_num(exact - near.to(torch.float64), nan=0.0)).to(dtype)


def _odd(near, lost):
    """`near`, or its neighbour on the side of what was lost, whichever has its last bit set."""
    bits = near.view(torch.int32 if near.dtype == torch.float32 else torch.int64)
    even = (bits & 1) == 0
    side = torch.where(lost > 0, torch.inf, -torch.inf).to(near.dtype)
    return torch.where(even & (lost != 0) & torch.isfinite(near), torch.nextafter(near, side), near)
'''

_POSITIONS = '''
def _positions(at, count, size):
    """Positions of a write that starts at `at`, wrapped into the axis, and which of them are inside it."""
    at = at.to(torch.int64)
    if count:
        at = at + torch.arange(count, device=at.device)
    return at.remainder(size), (at >= 0) & (at < size)
'''

_WRITE_SPAN = '''
def _write_span(cache, value, at, inside, in_place=False):
    """`value` at the positions `at` of axis 2; those that are not inside keep what they hold."""
    kept = torch.where(inside[:, None], value, cache.index_select(2, at))
    return cache.index_copy_(2, at, kept) if in_place else cache.index_copy(2, at, kept)
'''

_WRITE_ROWS = '''
def _write_rows(cache, value, at, inside, in_place=False):
    """`value[b]` at position `at[b]` of row b; a row whose position is not inside keeps what it holds."""
    rows = torch.arange(cache.shape[0], device=cache.device)
    kept = torch.where(inside[:, None, None], value[:, :, 0], cache[rows, :, at])
    target = cache if in_place else cache.clone()
    target[rows, :, at] = kept
    return target
'''

_WRITE_SLOTS = '''
def _write_slots(cache, value, at, inside, slots, known, in_place=False):
    """`value[m]` at the positions `at` of row `slots[m]`; what is not inside, in rows or positions, keeps what it holds."""
    target = cache if in_place else cache.clone()
    for m in range(slots.shape[0]):
        row = slots[m].reshape(1)
        old = cache.index_select(0, row).index_select(2, at)
        kept = torch.where(inside[:, None] & known[m], value[m : m + 1], old)
        target[row[:, None], :, at[None]] = kept.permute(0, 2, 1, 3)
        cache = target
    return target
'''

_TOKENS = '''
def _tokens(rows, positions, count, size):
    """Where tokens are written, whether that is inside, and which token; one that is outside is replaced by one that is inside."""
    rows, positions = rows.to(torch.int64), positions.to(torch.int64)
    inside = (rows >= 0) & (rows < count) & (positions >= 0) & (positions < size)
    token = torch.where(inside, torch.arange(rows.shape[0], device=rows.device), inside.to(torch.uint8).argmax())
    return rows[token].remainder(count), positions[token].remainder(size), inside[token], token
'''

_WRITE_TOKENS = '''
def _write_tokens(cache, value, rows, positions, inside, token, in_place=False):
    """`value[0, :, token[p]]` at position `positions[p]` of row `rows[p]`; where that is not inside, what is there stays."""
    kept = torch.where(inside[:, None, None], value[0].index_select(1, token).transpose(0, 1), cache[rows, :, positions])
    target = cache if in_place else cache.clone()
    target[rows, :, positions] = kept
    return target
'''

_ATTEND_SINK = '''
def _attend_sink(query, key, value, sinks, scale, hidden):
    """The heads that share a key head as rows of one product; each head's sink is one more score, which has weight and no value."""
    batch, heads, queries, width = query.shape
    shared, keys = key.shape[1:3]
    rows = heads // shared * queries
    scores = torch.matmul((query * scale).reshape(batch, shared, rows, width), key.transpose(2, 3))
    scores = scores.reshape(batch, heads, queries, keys).masked_fill(hidden[:, None], -1e30)
    sinks = sinks.to(scores.dtype).reshape(heads, 1, 1).expand(batch, heads, queries, 1)
    weights = torch.softmax(torch.cat((scores, sinks), -1), -1)[..., :keys]
    return torch.matmul(weights.reshape(batch, shared, rows, keys), value).reshape(batch, heads, queries, width)
'''

_PAGES = '''
def _pages(table, size, slots):
    """The slot of every position of each row, brought into the pool where a table names what is no page."""
    at = table.to(torch.int64)[:, :, None] * size + torch.arange(size, device=table.device)
    return at.flatten(1).clamp(0, slots - 1)
'''

_POOL_SLOTS = '''
def _pool_slots(table, positions, size, slots):
    """The slot of every position of each row, and true where it is behind the row's last position."""
    at = _pages(table, size, slots)
    return at, (torch.arange(at.shape[1], device=at.device) > positions[:, None])[:, None]
'''

_FROM_POOL = '''
def _from_pool(pool, at):
    """The keys or values [B, H, K, D] at the slots [B, K] of a pool [1, H, N, D]."""
    return pool[0].index_select(1, at.flatten()).unflatten(1, at.shape).transpose(0, 1)
'''

_POOL_BIAS = '''
def _pool_bias(table, rows, positions, size, slots):
    """For tokens and slots of a pool: 0 where a token sees the slot, -1e30 at other slots of its row, -inf at those of other rows."""
    at = _pages(table, size, slots)
    never = torch.iinfo(torch.int64).max
    first = torch.full((table.shape[0], slots), never, device=at.device)
    first = first.scatter_reduce(1, at, torch.arange(at.shape[1], device=at.device).expand_as(at), "amin")[rows.to(torch.int64)]
    return torch.where(first <= positions[:, None], 0.0, torch.where(first < never, -1e30, -torch.inf))
'''

_ATTEND_SINGLE = '''
def _attend_single(query, key, value, scale, hidden):
    """One query a head, the heads that share a key head as rows of one product; where `hidden` is true the score is -1e30."""
    scores = torch.matmul(query * scale, key.transpose(2, 3)).masked_fill_(hidden, -1e30)
    return torch.matmul(torch.softmax(scores, -1), value)
'''

_ATTEND_SINGLE_WIDE = '''
def _attend_single_wide(query, key, value, scale, hidden):
    """`_attend_single` for short floats: scores, weights and sums in f32, rounded once; of the wide cache only one half at a time."""
    scores = torch.matmul(query.float() * scale, key.float().transpose(2, 3)).masked_fill_(hidden, -1e30)
    return torch.matmul(torch.softmax(scores, -1), value.float()).to(value.dtype)
'''

_UNSIGNED_TO_FLOAT = '''
def _unsigned_to_float(x, dtype):
    """u64 to a float: what is beyond i64 as half its value, the bit that is lost kept in the last one, so that there is one rounding."""
    bits = x.view(torch.int64)
    high = bits < 0
    half = torch.where(high, ((bits >> 1) & 0x7FFFFFFFFFFFFFFF) | (bits & 1), bits)
    near = half.to(dtype) if dtype in (torch.float32, torch.float64) else _round_once(half, dtype)
    return torch.where(high, near * 2.0, near)
'''

_UNSIGNED_IN = '''
_FLIP = -9223372036854775808


def _unsigned_in(x):
    """u16, u32 and u64 in int64; u64 as its bits."""
    return x.view(torch.int64) if x.dtype == torch.uint64 else x.to(torch.int64)


def _unsigned_out(x, dtype):
    """Back, wrapped to the width."""
    if dtype == torch.uint64:
        return x.contiguous().view(torch.uint64)
    return (x & (0xFFFF if dtype == torch.uint16 else 0xFFFFFFFF)).to(dtype)

'''

_UNSIGNED_DIVIDE = '''
def _unsigned_divide(a, b):
    """Quotient and remainder of u64 held as int64 bits; by 0 all bits set and the dividend."""
    safe = torch.where(b == 0, 1, b)
    half = torch.div((a >> 1) & ~_FLIP, torch.where(safe < 0, 1, safe), rounding_mode="trunc") << 1
    rest = a - half * safe
    half = half + ((rest ^ _FLIP) >= (safe ^ _FLIP)).to(torch.int64)
    big = ((a ^ _FLIP) >= (safe ^ _FLIP)).to(torch.int64)
    quotient = torch.where(safe < 0, big, half)
    return torch.where(b == 0, -1, quotient), torch.where(b == 0, a, a - quotient * safe)

'''

_UNSIGNED = '''
def _unsigned(kind, *operands):
    """An elementwise operation on u16, u32 or u64."""
    dtype = operands[0].dtype
    bits = 8 * operands[0].element_size()
    a, b = _unsigned_in(operands[0]), _unsigned_in(operands[-1])
    inside = (b >= 0) & (b < bits)
    if kind == "neg":
        result = -a
    elif kind == "abs":
        result = a.clone()
    elif kind in ("add", "sub", "mul"):
        result = getattr(torch, kind)(a, b)
    elif kind in ("bitand", "bitor", "bitxor"):
        result = getattr(torch, "bitwise_" + kind[3:])(a, b)
    elif kind in ("min", "max"):
        below = (a ^ _FLIP) < (b ^ _FLIP)
        result = torch.where(below == (kind == "min"), a, b)
    elif kind in ("div", "rem"):
        result = _unsigned_divide(a, b)[kind == "rem"]
    elif kind == "shl":
        result = torch.where(inside, a << torch.where(inside, b, 0), 0)
    else:
        amount = torch.where(inside, b, 0)
        ones = torch.where(amount == 0, -1, ~(-1 << (bits - amount).clamp(max=63)))
        result = torch.where(inside, (a >> amount) & ones, 0)
    return _unsigned_out(result, dtype)
'''

_UNSIGNED_COMPARE = '''
def _unsigned_compare(kind, a, b):
    """A comparison of u16, u32 or u64."""
    return getattr(torch, kind)(_unsigned_in(a) ^ _FLIP, _unsigned_in(b) ^ _FLIP)
'''

_UNSIGNED_REDUCE = '''
def _unsigned_reduce(kind, x, dims):
    """A reduction of u16, u32 or u64 over trailing axes."""
    flat = _unsigned_in(x).flatten(dims[0])
    if kind in ("sum", "prod"):
        result = getattr(flat, kind)(dim=-1, dtype=torch.int64)
    else:
        result = getattr(flat ^ _FLIP, "a" + kind)(dim=-1) ^ _FLIP
    return _unsigned_out(result, x.dtype)
'''

_UNSIGNED_CUMSUM = '''
def _unsigned_cumsum(x, axis):
    """Running sums of u16, u32 or u64."""
    return _unsigned_out(torch.cumsum(_unsigned_in(x), axis, dtype=torch.int64), x.dtype)
'''

_UNSIGNED_SCATTER_ADD = '''
def _unsigned_scatter_add(shape, indices, values):
    """Zeros of u16, u32 or u64 with the values added at the positions."""
    zeros = torch.zeros(shape, dtype=torch.int64, device=values.device)
    return _unsigned_out(zeros.index_put(indices.unbind(-1), _unsigned_in(values), accumulate=True), values.dtype)
'''

_UNSIGNED_CONTRACT = '''
def _unsigned_contract(equation, a, b):
    """A sum of products of u16, u32 or u64."""
    return _unsigned_out(torch.einsum(equation, _unsigned_in(a), _unsigned_in(b)), a.dtype)
'''

_PACKED = '''
def _packed(weight):
    """For oneDNN, where the weight is on the CPU and torch has it; `_packed_linear` alone reads that."""
    here = weight.device.type == "cpu" and torch.backends.mkldnn.is_available()
    return weight.detach().to_mkldnn() if here else weight
'''

_PACKED_LINEAR = '''
def _packed_linear(x, weight, *bias):
    """`F.linear` of a weight of `_packed`."""
    linear = torch.nn.functional.linear
    return linear(x.to_mkldnn(), weight, *bias).to_dense() if weight.is_mkldnn else linear(x, weight, *bias)
'''

#: Every function, in the order they are printed.
FUNCTIONS: Functions = {
    "_linnet_max": (REDUCTIONS, ()),
    "_launches": (LAUNCHES, ("_linnet_max",)),
    "_div": (_DIV, ()),
    "_rem": (_REM, ()),
    "_shl": (_SHL, ()),
    "_shr": (_SHR, ()),
    "_truncate": (_TRUNCATE, ()),
    "_unsigned_to_float": (_UNSIGNED_TO_FLOAT, ("_round_once",)),
    "_round_once": (_ROUND_ONCE, ("_unsigned_to_float",)),
    "_positions": (_POSITIONS, ()),
    "_write_span": (_WRITE_SPAN, ()),
    "_write_rows": (_WRITE_ROWS, ()),
    "_write_slots": (_WRITE_SLOTS, ()),
    "_tokens": (_TOKENS, ()),
    "_write_tokens": (_WRITE_TOKENS, ()),
    "_attend_sink": (_ATTEND_SINK, ()),
    "_pages": (_PAGES, ()),
    "_pool_slots": (_POOL_SLOTS, ("_pages",)),
    "_from_pool": (_FROM_POOL, ()),
    "_pool_bias": (_POOL_BIAS, ("_pages",)),
    "_attend_single": (_ATTEND_SINGLE, ()),
    "_attend_single_wide": (_ATTEND_SINGLE_WIDE, ()),
    "_unsigned_in": (_UNSIGNED_IN, ()),
    "_unsigned_divide": (_UNSIGNED_DIVIDE, ("_unsigned_in",)),
    "_unsigned": (_UNSIGNED, ("_unsigned_in", "_unsigned_divide")),
    "_unsigned_compare": (_UNSIGNED_COMPARE, ("_unsigned_in",)),
    "_unsigned_reduce": (_UNSIGNED_REDUCE, ("_unsigned_in",)),
    "_unsigned_cumsum": (_UNSIGNED_CUMSUM, ("_unsigned_in",)),
    "_unsigned_scatter_add": (_UNSIGNED_SCATTER_ADD, ("_unsigned_in",)),
    "_unsigned_contract": (_UNSIGNED_CONTRACT, ("_unsigned_in",)),
    "_packed": (_PACKED, ()),
    "_packed_linear": (_PACKED_LINEAR, ()),
    **support_traces.FUNCTIONS,
    **support_losses.FUNCTIONS,
    **support_processes.FUNCTIONS,
}
