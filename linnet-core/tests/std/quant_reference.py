"""Bytes of quantized weights decoded one at a time, from the definitions of their formats.

In: integers.  Out: the numbers they stand for, as doubles.
"""

from __future__ import annotations

import numpy as np


def halves(byte):
    """The lower and the upper four bits."""
    return int(byte) % 256 % 16, int(byte) % 256 // 16


def signed(half):
    """Four bits as a two's complement number."""
    return half - 16 if half > 7 else half


def unpack(packed, number):
    """`number` of both halves of every byte along the last axis."""
    rows = [[number(half) for byte in row for half in halves(byte)] for row in packed.reshape(-1, packed.shape[-1])]
    return np.array(rows).reshape(*packed.shape[:-1], 2 * packed.shape[-1])


def int8(q, scale):
    """q scale, one scale a row."""
    return q.astype(np.float64) * scale[..., None]


def int4(packed, scale):
    """The signed halves, one scale a row."""
    return int8(unpack(packed, signed), scale)


def int4_groups(packed, scale, zero):
    """(q - zero) scale, one of each a group."""
    rows, groups, half = packed.shape
    q = unpack(packed, int).reshape(rows, groups, 2 * half).astype(np.float64)
    y = (q - zero.astype(np.float64)[..., None]) * scale[..., None]
    return y.reshape(rows, groups * 2 * half)


def e2m1(half):
    """A float of a sign, two bits of exponent (bias 1) and one of mantissa."""
    sign, exponent, mantissa = half // 8, half // 2 % 4, half % 2
    size = mantissa / 2 if exponent == 0 else (1 + mantissa / 2) * 2.0 ** (exponent - 1)
    return -size if sign else size


def e8m0(scale):
    """2^(scale - 127), the exponent no further from 0 than 62."""
    return 2.0 ** min(62, max(-62, int(scale) - 127))


def mxfp4(blocks, scales):
    """Blocks of 32 small floats, each with a power of two."""
    values = unpack(blocks, e2m1)
    factors = np.array([e8m0(scale) for scale in scales.reshape(-1)]).reshape(*scales.shape, 1)
    y = values * factors
    return y.reshape(*y.shape[:2], y.shape[2] * 32)


def e4m3(byte):
    """A float of a sign, four bits of exponent (bias 7) and three of mantissa; no byte is special."""
    sign, exponent, mantissa = byte // 128, byte // 8 % 16, byte % 8
    size = mantissa / 8 * 2.0**-6 if exponent == 0 else (1 + mantissa / 8) * 2.0 ** (exponent - 7)
    return -size if sign else size


def fp8(q):
    """Every byte as an `e4m3`."""
    return np.array([e4m3(int(byte)) for byte in np.ravel(q)], np.float64).reshape(np.shape(q))
