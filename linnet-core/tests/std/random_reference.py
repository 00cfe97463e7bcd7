"""Threefry-2x32 with 20 rounds on 32-bit words, and the numbers std.random makes from it.

In: keys of two words.  Out: words as uint32, numbers as float64.  From Salmon et al., "Parallel random numbers: as easy as 1, 2, 3".
"""

from __future__ import annotations

import numpy as np

_ROTATIONS = (13, 15, 26, 6, 17, 29, 16, 24)
_PARITY = 0x1BD11BDA
_WORD = 2**32


def threefry2x32(key, counter):
    """One pair of words, in Python's integers."""
    words = [int(key[0]) % _WORD, int(key[1]) % _WORD]
    words.append(words[0] ^ words[1] ^ _PARITY)
    x = [(int(c) + k) % _WORD for c, k in zip(counter, words, strict=False)]
    for n in range(20):
        rotation = _ROTATIONS[n % 8]
        x[0] = (x[0] + x[1]) % _WORD
        x[1] = (x[1] << rotation | x[1] >> (32 - rotation)) % _WORD ^ x[0]
        if n % 4 == 3:
            group = n // 4 + 1
            x[0] = (x[0] + words[group % 3]) % _WORD
            x[1] = (x[1] + words[(group + 1) % 3] + group) % _WORD
    return x


def split(key, count):
    """The keys of the counters (0, i)."""
    return np.array([threefry2x32(key, (0, i)) for i in range(count)], np.int64).reshape(count, 2)


def bits(key, count):
    """The words of the counters (0, i): both halves, one over the other."""
    keys = split(key, count)
    return keys[:, 0] ^ keys[:, 1]


def uniform(key, count):
    """23 bits of each word below the point."""
    return (bits(key, count) >> 9) / 2.0**23


def normal(key, count):
    """Box and Muller."""
    u = uniform(key, 2 * count)
    return np.sqrt(-2 * np.log1p(-u[:count])) * np.cos(2 * np.pi * u[count:])


def categorical(key, logits):
    """The first largest logit with Gumbel noise; no position of probability 0."""
    with np.errstate(divide="ignore"):
        noise = -np.log(-np.log1p(-uniform(key, logits.size))).reshape(logits.shape)
        found = [np.argmax(np.where(row == -np.inf, -np.inf, row + n)) for row, n in zip(logits, noise, strict=True)]
    return np.array(found, np.int32)
