"""The functions printed source may need, as text.

In: nothing.  Out: `FUNCTIONS`: the text of each, and which others it calls.  They follow docs/language/semantics.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_jax import support_devices, support_losses
from linnet_jax.kernels.launch import LAUNCHES

if TYPE_CHECKING:
    from linnet_core.python_source.support import Functions

_DIV = '''
def _div(a, b):
    """Truncating; by 0 all bits set, the lowest by -1 wraps."""
    a, b = jnp.broadcast_arrays(a, b)
    ones = ~jnp.zeros_like(b)
    special = (b == 0) | (b == ones)
    quotient = jax.lax.div(a, jnp.where(special, jnp.ones_like(b), b))
    if jnp.issubdtype(b.dtype, jnp.signedinteger):
        quotient = jnp.where(b == ones, -a, quotient)
    else:
        quotient = jnp.where(b == ones, (a == ones).astype(b.dtype), quotient)
    return jnp.where(b == 0, ones, quotient)
'''

_REM = '''
def _rem(a, b):
    """The sign of the dividend; by 0 the dividend."""
    special = (b == 0) | (b == -1) if jnp.issubdtype(b.dtype, jnp.signedinteger) else b == 0
    rest = jnp.fmod(a, jnp.where(special, 1, b))
    return jnp.where(b == 0, a, jnp.where(special, 0, rest))
'''

_SHL = '''
def _shl(a, n):
    """By the width or more, or a negative amount: 0."""
    inside = (n >= 0) & (n < 8 * n.dtype.itemsize)
    return jnp.where(inside, a << jnp.where(inside, n, 0), 0)
'''

_SHR = '''
def _shr(a, n):
    """By the width or more, or a negative amount: 0, and -1 for a negative."""
    inside = (n >= 0) & (n < 8 * n.dtype.itemsize)
    return jnp.where(inside, a >> jnp.where(inside, n, 0), -(a < 0).astype(a.dtype))
'''

_ROUND_ONCE = '''
def _round_once(x, dtype):
    """To a short float with one rounding: first to a float that has more digits, with the last bit set where others were lost."""
    if x.dtype == jnp.float64:
        near = x.astype(jnp.float32)
        lost = jnp.nan_to_num(x - near.astype(jnp.float64), nan=0.0)
        even = (near.view(jnp.int32) & 1) == 0
        side = jnp.where(lost > 0, jnp.inf, -jnp.inf).astype(jnp.float32)
        return jnp.where(even & (lost != 0) & jnp.isfinite(near), jnp.nextafter(near, side), near).astype(dtype)
    size = jnp.abs(x).astype(jnp.uint32 if x.dtype.itemsize == 4 else jnp.uint64)
    one, spare = jnp.ones_like(size), 8 if x.dtype.itemsize == 4 else 40
    drop = spare - jnp.minimum(jax.lax.clz(size), spare)  # all but the first 24 digits
    kept = (size >> drop) | ((size & (one << drop) - 1) != 0)
    wide = kept.astype(jnp.float32) * (one << drop).astype(jnp.float32)
    return jnp.where(x < 0, -wide, wide).astype(dtype)
'''

_RMS_NORM = '''
def _rms_norm(x, eps):
    """Divided by the root of the mean square along the last axis."""
    return x * jax.lax.rsqrt(jnp.mean(x * x, axis=-1, keepdims=True) + eps)
'''

_LAYER_NORM = '''
def _layer_norm(x, eps):
    """Mean 0 and variance 1 along the last axis."""
    x = x - jnp.mean(x, axis=-1, keepdims=True)
    return x * jax.lax.rsqrt(jnp.mean(x * x, axis=-1, keepdims=True) + eps)
'''

_WRITE_SPAN = '''
def _write_span(cache, value, at):
    """`value` from position `at` of axis 2 on; what falls outside is dropped.

    XLA writes a span that lies inside, so that is moved there, and each position in it takes its own value or keeps what it holds.
    """
    count, size = value.shape[2], cache.shape[2]
    start = jnp.clip(at, 0, size - count)
    source = jnp.arange(count, dtype=jnp.int32) - jnp.clip(at - start, -count, count)
    old = jax.lax.dynamic_slice_in_dim(cache, start, count, 2)
    moved = value if count == 1 else jnp.take(value, source, axis=2, mode="clip")
    inside = ((source >= 0) & (source < count))[:, None]
    return jax.lax.dynamic_update_slice_in_dim(cache, jnp.where(inside, moved, old), start, 2)
'''

_WRITE_ROWS = '''
def _write_rows(cache, value, at):
    """`value[b]` at position `at[b]` of row b; a position outside is dropped."""
    rows = jnp.arange(cache.shape[0], dtype=jnp.int32)
    return cache.at[rows, :, jnp.where(at < 0, cache.shape[2], at)].set(value[:, :, 0], mode="drop")
'''

_WRITE_SLOTS = '''
def _write_slots(cache, value, slots, at):
    """`value[m]` from position `at` on in row `slots[m]`; what falls outside, in rows or positions, is dropped, and a later row stays."""
    for m, slot in enumerate(slots.reshape(-1)):
        row = jnp.clip(slot, 0, cache.shape[0] - 1)
        old = jax.lax.dynamic_slice_in_dim(cache, row, 1, 0)
        new = jnp.where(row == slot, _write_span(old, value[m : m + 1], at), old)
        cache = jax.lax.dynamic_update_slice_in_dim(cache, new, row, 0)
    return cache
'''

_WRITE_TOKENS = '''
def _write_tokens(cache, value, rows, positions):
    """`value[0, :, p]` at position `positions[p]` of row `rows[p]`; pairs outside are dropped, the last of equal ones stays."""
    count, _, size, _ = cache.shape
    inside = (rows >= 0) & (rows < count) & (positions >= 0) & (positions < size)
    row, at = jnp.where(inside, rows, count), jnp.where(inside, positions, size)
    token = jnp.arange(rows.shape[0], dtype=jnp.int32)
    last = jnp.full((count, size), -1, dtype=jnp.int32).at[row, at].max(token, mode="drop")
    kept = inside & (last.at[row, at].get(mode="clip") == token)
    return cache.at[jnp.where(kept, row, count), :, at].set(value[0].transpose((1, 0, 2)), mode="drop")
'''

_ATTEND_FAST = '''
def _attend_fast(query, key, value, scale, mask=None, causal=False):
    """Attention with heads before positions; the heads that share a key head follow one another."""
    arrays = [x.swapaxes(1, 2) for x in (query, key, value)]
    return jax.nn.dot_product_attention(*arrays, mask=mask, scale=scale, is_causal=causal, implementation="xla").swapaxes(1, 2)
'''

_ATTEND = '''
def _attend(query, key, value, scale, mask=None, causal=False):
    """`_attend_fast` with products of every digit."""
    with jax.default_matmul_precision("highest"):
        return _attend_fast(query, key, value, scale, mask, causal)
'''

_ATTEND_ONE_FAST = '''
def _attend_one_fast(query, keys, values, scale, mask=True):
    """Attention of one query: two products with keys and values as they lie, with heads before positions."""
    dtype = jnp.promote_types(query.dtype, jnp.float32)
    grouped = query.reshape((*keys.shape[:2], query.shape[1] // max(keys.shape[1], 1), keys.shape[3]))
    scores = jnp.einsum("bkgd,bksd->bkgs", grouped, keys, preferred_element_type=dtype) * scale
    weight = jax.nn.softmax(jnp.where(mask, scores, -1e30), axis=-1).astype(values.dtype)
    total = jnp.einsum("bkgs,bksd->bkgd", weight, values, preferred_element_type=dtype)
    return total.astype(query.dtype).reshape(query.shape)
'''

_ATTEND_ONE = '''
def _attend_one(query, keys, values, scale, mask=True):
    """`_attend_one_fast` with products of every digit."""
    with jax.default_matmul_precision("highest"):
        return _attend_one_fast(query, keys, values, scale, mask)
'''

_ATTEND_ROWS_FAST = '''
def _attend_rows_fast(query, keys, values, key, value, at, scale, mask=True):
    """Attention of one query to `keys` and `values` with `key` and `value` written at position `at`.

    The caches are read as they were: the score and the value of the written position are taken from the row.  Its old value has no weight,
    but nothing times infinity is NaN, so where that is not finite the written caches are made after all.
    """
    size, at, dtype = keys.shape[2], at.reshape((-1, 1, 1, 1)), jnp.promote_types(query.dtype, jnp.float32)
    here = jnp.arange(size, dtype=jnp.int32) == at
    grouped = query.reshape((*key.shape[:2], query.shape[1] // max(key.shape[1], 1), key.shape[3]))

    def scores(k):
        return jnp.einsum("bkgd,bksd->bkgs", grouped, k, preferred_element_type=dtype)

    def weights(scores):
        return jax.nn.softmax(jnp.where(mask, scores * scale, -1e30), axis=-1)

    def total(weight, v):
        return jnp.einsum("bkgs,bksd->bkgd", weight.astype(v.dtype), v, preferred_element_type=dtype)

    def beside():
        weight = weights(jnp.where(here, scores(key), scores(keys)))
        own = jnp.where(here, weight, 0).sum(axis=-1, keepdims=True) * value
        return total(jnp.where(here, 0, weight), values) + jnp.where((at >= 0) & (at < size), own, 0)

    def written():
        row = here.swapaxes(2, 3)
        return total(weights(scores(jnp.where(row, key, keys))), jnp.where(row, value, values))

    old = [jnp.take_along_axis(x, jnp.clip(at, 0, size - 1), axis=2) for x in (keys, values)]
    finite = jnp.isfinite(old[0]).all() & jnp.isfinite(old[1]).all()
    return jax.lax.cond(finite, beside, written).astype(query.dtype).reshape(query.shape)
'''

_ATTEND_ROWS = '''
def _attend_rows(query, keys, values, key, value, at, scale, mask=True):
    """`_attend_rows_fast` with products of every digit."""
    with jax.default_matmul_precision("highest"):
        return _attend_rows_fast(query, keys, values, key, value, at, scale, mask)
'''

#: Every function, in the order they are printed.
FUNCTIONS: Functions = {
    "_launches": (LAUNCHES, ()),
    "_div": (_DIV, ()),
    "_rem": (_REM, ()),
    "_shl": (_SHL, ()),
    "_shr": (_SHR, ()),
    "_round_once": (_ROUND_ONCE, ()),
    "_rms_norm": (_RMS_NORM, ()),
    "_layer_norm": (_LAYER_NORM, ()),
    "_write_span": (_WRITE_SPAN, ()),
    "_write_rows": (_WRITE_ROWS, ()),
    "_write_slots": (_WRITE_SLOTS, ("_write_span",)),
    "_write_tokens": (_WRITE_TOKENS, ()),
    "_attend_fast": (_ATTEND_FAST, ()),
    "_attend": (_ATTEND, ("_attend_fast",)),
    "_attend_one_fast": (_ATTEND_ONE_FAST, ()),
    "_attend_one": (_ATTEND_ONE, ("_attend_one_fast",)),
    "_attend_rows_fast": (_ATTEND_ROWS_FAST, ()),
    "_attend_rows": (_ATTEND_ROWS, ("_attend_rows_fast",)),
    **support_devices.FUNCTIONS,
    **support_losses.FUNCTIONS,
}
