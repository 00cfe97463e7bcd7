"""What the standard library computes of images, written from the formulas with every loop spelled out.

In: arrays as float64.  Out: as `reference.py`.
"""

from __future__ import annotations

import numpy as np


def windows(x, sizes, strides, pads, padding):
    """Each window of the trailing axes, with its place: positions outside `x` hold `padding`."""
    lead = x.ndim - len(sizes)
    extents = x.shape[lead:]
    counts = [(n + 2 * p - k) // s + 1 for n, k, s, p in zip(extents, sizes, strides, pads, strict=True)]
    for place in np.ndindex(*counts):
        window = np.full((*x.shape[:lead], *sizes), padding, x.dtype)
        for element in np.ndindex(*sizes):
            at = tuple(i * s + u - p for i, u, s, p in zip(place, element, strides, pads, strict=True))
            if all(0 <= a < n for a, n in zip(at, extents, strict=True)):
                window[(..., *element)] = x[(..., *at)]
        yield place, window


def convolution(x, weight, bias=None, *, strides, pads):
    """sum over channels and the kernel of the padded window times the weight, plus the bias of the channel."""
    sizes = weight.shape[2:]
    counts = [(n + 2 * p - k) // s + 1 for n, k, s, p in zip(x.shape[2:], sizes, strides, pads, strict=True)]
    y = np.zeros((len(x), len(weight), *counts))
    for place, window in windows(x, sizes, strides, pads, 0.0):
        for b, o in np.ndindex(len(x), len(weight)):
            y[(b, o, *place)] = np.sum(window[b] * weight[o]) + (0.0 if bias is None else bias[o])
    return y


def zero_pad(x, *pads):
    """Zeros on both sides of the trailing axes."""
    return np.pad(x, [(0, 0)] * (x.ndim - len(pads)) + [(p, p) for p in pads])


def max_pool(x, size, stride, pad, padding=-1e30):
    """The largest of each window, NaN where it holds one."""
    counts = [(n + 2 * pad - size) // stride + 1 for n in x.shape[2:]]
    y = np.zeros((*x.shape[:2], *counts))
    for place, window in windows(x, (size, size), (stride, stride), (pad, pad), padding):
        y[(..., *place)] = window.max(axis=(2, 3))
    return y


def global_average_pool(x):
    """sum x / (H W)"""
    return np.sum(x / max(1, x.shape[2] * x.shape[3]), axis=(2, 3))


def upsample(x, scale):
    """x[.., floor(i / scale), floor(j / scale)]"""
    y = np.zeros((*x.shape[:2], x.shape[2] * scale, x.shape[3] * scale))
    for i, j in np.ndindex(*y.shape[2:]):
        y[..., i, j] = x[..., i // scale, j // scale]
    return y
