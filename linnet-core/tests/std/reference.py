"""The standard library's formulas, written once more from the formulas, in NumPy and double precision.

In: arrays (floats as float64, whatever dtype the program under test uses).  Out: what the op of the same name should give,
unrounded.  Loops are spelled out where that is nearer to the formula than an array expression.
"""

from __future__ import annotations

import math

import numpy as np


def dot(a, b):
    """sum_i a_i b_i"""
    return sum((a[i] * b[i] for i in range(len(a))), start=a.dtype.type(0))


def outer(a, b):
    """a_m b_n"""
    return np.array([[p * q for q in b] for p in a])


def matmul(a, b):
    """sum_k a_mk b_kn, over any leading axes."""
    return np.sum(a[..., :, :, None] * b[..., None, :, :], axis=-2, dtype=a.dtype)


def linear(x, weight, bias=None):
    """sum_i x_i w_oi (+ b_o)"""
    y = np.sum(x[..., None, :] * weight, axis=-1)
    return y if bias is None else y + bias


def embedding(ids, table):
    """table[id]"""
    flat = np.array([table[i] for i in ids.reshape(-1)]).reshape(ids.size, table.shape[1])
    return flat.reshape((*ids.shape, table.shape[1]))


def relu(x):
    """max(x, 0)"""
    return np.where(x > 0, x, 0.0)


def sigmoid(x):
    """1 / (1 + e^-x), without overflow."""
    return np.where(x >= 0, 1 / (1 + np.exp(-np.abs(x))), np.exp(-np.abs(x)) / (1 + np.exp(-np.abs(x))))


def silu(x):
    """x sigmoid(x)"""
    return x * sigmoid(x)


def gelu(x):
    """x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))"""
    return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def gelu_erf(x):
    """x Phi(x)"""
    return x * np.array([0.5 * math.erfc(-v / math.sqrt(2)) for v in np.ravel(x)]).reshape(np.shape(x))


def swiglu(x, gate_weight, up_weight, down_weight):
    """W_down (silu(W_gate x) * W_up x)"""
    return linear(silu(linear(x, gate_weight)) * linear(x, up_weight), down_weight)


def softmax(x):
    """e^(x - max) / sum e^(x - max) over the last axis."""
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def rms_norm(x, weight, eps=1e-5):
    """x / sqrt(mean x^2 + eps) * w"""
    return x / np.sqrt(np.mean(x * x, axis=-1, keepdims=True) + eps) * weight


def layer_norm(x, weight, bias=None, eps=1e-5):
    """(x - mean) / sqrt(variance + eps) * w (+ b)"""
    centered = x - np.mean(x, axis=-1, keepdims=True)
    y = centered / np.sqrt(np.mean(centered**2, axis=-1, keepdims=True) + eps) * weight
    return y if bias is None else y + bias


def batch_norm(x, mean, variance, weight, bias, eps=1e-5):
    """(x - mean_c) / sqrt(variance_c + eps) w_c + b_c"""
    y = np.empty_like(x)
    for c in range(x.shape[1]):
        y[:, c] = (x[:, c] - mean[c]) / math.sqrt(variance[c] + eps) * weight[c] + bias[c]
    return y


def group_norm(x, weight, bias, groups, eps=1e-6):
    """Each group of channels of each image normalized over its channels and positions."""
    y = np.empty_like(x)
    size = x.shape[1] // groups
    for b in range(x.shape[0]):
        for g in range(groups):
            part = x[b, g * size : (g + 1) * size]
            y[b, g * size : (g + 1) * size] = (part - part.mean()) / math.sqrt(part.var() + eps)
    return y * weight[:, None, None] + bias[:, None, None]


def causal_mask(queries, keys):
    """k <= q + (K - Q)"""
    return np.array([[k <= q + keys - queries for k in range(keys)] for q in range(queries)])


def attention(query, key, value, scale, mask=None, sinks=None):
    """One query at a time; `mask` is [Q, K] or [B, Q, K], and key heads may be fewer than query heads."""
    batch, heads, queries, _ = query.shape
    shared = heads // key.shape[1]
    y = np.empty(query.shape)
    for b in range(batch):
        for h in range(heads):
            for q in range(queries):
                scores = np.array([np.dot(query[b, h, q], k) for k in key[b, h // shared]]) * scale
                if mask is not None:
                    scores = np.where(mask[b, q] if mask.ndim == 3 else mask[q], scores, -1e30)
                y[b, h, q] = _weights(scores, None if sinks is None else sinks[h]) @ value[b, h // shared]
    return y


def _weights(scores, sink):
    """softmax of the scores, with one more score that has no value when there is a sink."""
    top = scores.max() if sink is None else max(scores.max(), sink)
    e = np.exp(scores - top)
    return e / (e.sum() + (0.0 if sink is None else math.exp(sink - top)))


def write(cache, value, rows, starts):
    """`value[m]` written into row `rows[m]` from position `starts[m]`; positions outside the cache are dropped."""
    y = cache.copy()
    for m, (row, start) in enumerate(zip(rows, starts, strict=True)):
        for n in range(value.shape[2]):
            if 0 <= start + n < cache.shape[2] and 0 <= row < cache.shape[0]:
                y[row, :, start + n] = value[m, :, n]
    return y


def write_at(cache, value, at):
    """Every row from the same position; serves `write_span` too."""
    return write(cache, value, range(len(cache)), [int(at)] * len(cache))


def write_rows(cache, value, at):
    """Every row at its own position."""
    return write(cache, value, range(len(cache)), [int(a) for a in at])


def write_slots(cache, value, slots, at):
    """The named rows from the same position; a scalar names one row."""
    rows = [int(s) for s in np.atleast_1d(slots)]
    return write(cache, value, rows, [int(at)] * len(rows))


def write_tokens(cache, value, rows, positions):
    """Token p at its own row and position; what is outside the cache is dropped."""
    y = cache.copy()
    for p, (row, position) in enumerate(zip(rows, positions, strict=True)):
        if 0 <= row < cache.shape[0] and 0 <= position < cache.shape[2]:
            y[row, :, position] = value[0, :, p]
    return y


def rotate_half(x):
    """(-second half, first half)"""
    half = x.shape[-1] // 2
    return np.stack([-x[..., half + i] if i < half else x[..., i - half] for i in range(x.shape[-1])], axis=-1)


def rope(x, cos_table, sin_table):
    """x cos + rotate_half(x) sin; tables [S, D], or [B, S, D] for `rope_rows`."""
    if cos_table.ndim == 3:
        cos_table, sin_table = cos_table[:, None], sin_table[:, None]
    return x * cos_table + rotate_half(x) * sin_table


def argmax(x):
    """The first position of the maximum; the length of a row that holds a NaN."""

    def first(row):
        best = 0
        for n, v in enumerate(row):
            if v != v:
                return len(row)
            best = n if v > row[best] else best
        return best

    return np.array([first(row) for row in x.reshape(-1, x.shape[-1])], dtype=np.int32).reshape(x.shape[:-1])
