"""The functions printed source may need, as text.

In: nothing.  Out: `FUNCTIONS`: the text of each, and which others it calls.  They follow docs/language/semantics.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from linnet_core.python_source.support import Functions

_DIV = '''
def _div(a, b):
    """Truncating; by 0 all bits set, the lowest by -1 wraps."""
    b = np.asarray(b)
    signed = b.dtype.kind == "i"
    minus = (b == -1) if signed else np.False_
    safe = np.where((b == 0) | minus, b.dtype.type(1), b)
    floor = np.floor_divide(a, safe)
    quotient = floor + ((np.remainder(a, safe) != 0) & ((a < 0) != (safe < 0))).astype(b.dtype) if signed else floor
    quotient = np.where(minus, -np.asarray(a), quotient) if signed else quotient
    return np.where(b == 0, b.dtype.type(-1 if signed else np.iinfo(b.dtype).max), quotient)
'''

_REM = '''
def _rem(a, b):
    """The sign of the dividend; by 0 the dividend."""
    b = np.asarray(b)
    special = (b == 0) | (b == -1) if b.dtype.kind == "i" else b == 0
    rest = np.fmod(a, np.where(special, b.dtype.type(1), b))
    return np.where(b == 0, a, np.where(special, b.dtype.type(0), rest))
'''

_SHL = '''
def _shl(a, n):
    """By the width or more, or a negative amount: 0."""
    n = np.asarray(n)
    inside = (n >= 0) & (n < 8 * n.dtype.itemsize)
    return np.where(inside, a << np.where(inside, n, n.dtype.type(0)), n.dtype.type(0))
'''

_SHR = '''
def _shr(a, n):
    """By the width or more, or a negative amount: 0, and -1 for a negative."""
    n = np.asarray(n)
    inside = (n >= 0) & (n < 8 * n.dtype.itemsize)
    return np.where(inside, a >> np.where(inside, n, n.dtype.type(0)), -(np.asarray(a) < 0).astype(n.dtype))
'''

_TRUNCATE = '''
def _truncate(x, dtype):
    """A float to an integer: toward zero, the nearest value that fits, 0 for NaN."""
    info = np.iinfo(dtype)
    wide = np.trunc(np.asarray(x, dtype=np.float64))
    low = wide < info.min
    high = wide >= float(info.max) if info.bits == 64 else wide > info.max
    whole = np.where(low | high | np.isnan(wide), 0.0, wide).astype(dtype)
    return np.where(high, dtype(info.max), np.where(low, dtype(info.min), whole))
'''

_ROUND_ONCE = '''
def _round_once(x, dtype):
    """To a short float with one rounding: first to f32 with the last bit set where digits were lost (round to odd)."""
    x = np.asarray(x)
    exact = x.astype(np.float64)
    if x.dtype.itemsize == 8 and x.dtype.kind != "f":
        top = np.float64(np.iinfo(x.dtype).max) if x.dtype.kind == "i" else np.float64(2.0**64)
        back = np.minimum(exact, np.nextafter(top, 0.0)).astype(x.dtype)
        exact = _odd(exact, np.where(x >= back, (x - back).astype(np.float64), -(back - x).astype(np.float64)))
    near = exact.astype(np.float32)
    return _odd(near, np.nan_to_num(exact - near.astype(np.float64), nan=0.0)).astype(dtype)


def _odd(near, lost):
    """`near`, or its neighbour on the side of what was lost, whichever has its last bit set."""
    bits = near.view(np.uint32 if near.dtype == np.float32 else np.uint64)
    even = (bits & 1) == 0
    side = np.where(lost > 0, np.inf, -np.inf).astype(near.dtype)
    return np.where(even & (lost != 0) & np.isfinite(near), np.nextafter(near, side), near)
'''

_CHECKED = '''
def _checked(positions, size):
    """The positions, all inside an axis of `size`."""
    positions = np.asarray(positions)
    outside = (positions < 0) | (positions >= size)
    if outside.any():
        raise IndexError(f"index {positions[outside].flat[0]} is outside an axis of {size}")
    return positions.astype(np.int64, copy=False)
'''

_GATHER = '''
def _gather(source, indices):
    """Each column of `indices` along its own axis of `source`."""
    return source[tuple(_checked(indices[..., i], source.shape[i]) for i in range(indices.shape[-1]))]
'''

_TAKE = '''
def _take(source, positions, axis):
    """Checked positions along one axis."""
    return np.take(source, _checked(positions, source.shape[axis]), axis)
'''

_UPDATE_ROW = '''
def _update_row(stack, index, row):
    """A copy with one row replaced."""
    stack = stack.copy()
    stack[_checked(index, stack.shape[0])] = row
    return stack
'''

_SCATTER_ADD = '''
def _scatter_add(shape, indices, values):
    """Zeros with `values` added at the positions; one given twice adds up."""
    total = np.zeros(shape, dtype=values.dtype)
    np.add.at(total, tuple(_checked(indices[..., i], shape[i]) for i in range(indices.shape[-1])), values)
    return total
'''

_MAX_POOL = '''
def _max_pool(x, size, stride, pad):
    """The largest of each window, over rows and then over columns; padding holds -1e30."""
    x = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)), constant_values=x.dtype.type(-1e30))
    height, width = ((extent - size) // stride + 1 for extent in x.shape[2:])
    rows = x[:, :, : height * stride : stride]
    for u in range(1, size):
        rows = np.maximum(rows, x[:, :, u : u + height * stride : stride])
    y = rows[..., : width * stride : stride]
    for v in range(1, size):
        y = np.maximum(y, rows[..., v : v + width * stride : stride])
    return y
'''

_WRITE_SPAN = '''
def _write_span(cache, value, at, in_place=False):
    """`value` from position `at` of axis 2 on; what falls outside is dropped."""
    cache = cache if in_place else cache.copy()
    first, last = max(int(at), 0), min(int(at) + value.shape[2], cache.shape[2])
    if first < last:
        cache[:, :, first:last] = value[:, :, first - int(at) : last - int(at)]
    return cache
'''

_WRITE_ROWS = '''
def _write_rows(cache, value, at, in_place=False):
    """`value[b]` at position `at[b]` of row b; a position outside is dropped."""
    cache = cache if in_place else cache.copy()
    (rows,) = np.nonzero((at >= 0) & (at < cache.shape[2]))
    cache[rows, :, at[rows]] = value[rows, :, 0]
    return cache
'''

_WRITE_SLOTS = '''
def _write_slots(cache, value, slots, at, in_place=False):
    """`value[m]` from position `at` on in row `slots[m]`; what falls outside, in rows or positions, is dropped."""
    cache = cache if in_place else cache.copy()
    for m, row in enumerate(np.atleast_1d(slots)):
        if 0 <= row < cache.shape[0]:
            _write_span(cache[row : row + 1], value[m : m + 1], at, in_place=True)
    return cache
'''

_WRITE_TOKENS = '''
def _write_tokens(cache, value, rows, positions, in_place=False):
    """`value[0, :, p]` at position `positions[p]` of row `rows[p]`; pairs outside the cache are dropped."""
    cache = cache if in_place else cache.copy()
    inside = (rows >= 0) & (rows < cache.shape[0]) & (positions >= 0) & (positions < cache.shape[2])
    cache[rows[inside], :, positions[inside]] = value[0].transpose(1, 0, 2)[inside]
    return cache
'''

#: Every function, in the order they are printed.
FUNCTIONS: Functions = {
    "_div": (_DIV, ()),
    "_rem": (_REM, ()),
    "_shl": (_SHL, ()),
    "_shr": (_SHR, ()),
    "_truncate": (_TRUNCATE, ()),
    "_round_once": (_ROUND_ONCE, ()),
    "_checked": (_CHECKED, ()),
    "_gather": (_GATHER, ("_checked",)),
    "_take": (_TAKE, ("_checked",)),
    "_update_row": (_UPDATE_ROW, ("_checked",)),
    "_scatter_add": (_SCATTER_ADD, ("_checked",)),
    "_max_pool": (_MAX_POOL, ()),
    "_write_span": (_WRITE_SPAN, ()),
    "_write_rows": (_WRITE_ROWS, ()),
    "_write_slots": (_WRITE_SLOTS, ("_write_span",)),
    "_write_tokens": (_WRITE_TOKENS, ()),
}
