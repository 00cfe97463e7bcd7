"""Values that tell rules apart, for every dtype.

In: a dtype's name.  Out: arrays of them; every pair of them.
"""

from __future__ import annotations

import numpy as np

from linnet_core.weights.arrays import numpy_dtype

BOOLS = ("bool",)
SIGNED = ("i8", "i16", "i32", "i64")
UNSIGNED = ("u8", "u16", "u32", "u64")
INTEGERS = (*SIGNED, *UNSIGNED)
FLOATS = ("f16", "bf16", "f32", "f64")
ALL = (*BOOLS, *INTEGERS, *FLOATS)


def telling(dtype: str) -> np.ndarray:
    """Ends, zeros, ones, odd values and, of a float, infinities, NaN and a subnormal; 17 or more, so that vector paths run."""
    kind = numpy_dtype(dtype)
    if dtype == "bool":
        return np.array([True, False] * 9 + [True])
    if dtype in FLOATS:
        special = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 7.0, -8.0, 0.1, 100.25, -300.7, 65000.0, np.inf, -np.inf, np.nan, 1e-7, 2.0**-14]
        return np.array(special, dtype=np.float64).astype(kind)
    info = np.iinfo(kind)
    ends = [info.min, info.min + 1, info.max, info.max - 1, info.max // 2 + 1, info.max // 3]
    small = [0, 1, 2, 3, 5, 7, 8, 16, 31, 32, 63, 64, 100]
    negative = [-1, -2, -3, -7] if info.min < 0 else [info.max - 6, info.max - 62, info.max - 126]
    return np.array([*ends, *small, *negative], dtype=kind)


def pairs(dtype: str) -> tuple[np.ndarray, np.ndarray]:
    """Every pair of the telling values, flat."""
    values = telling(dtype)
    return np.repeat(values, len(values)), np.tile(values, len(values))


def ordinary(dtype: str, shape: tuple[int, ...], seed: int = 0) -> np.ndarray:
    """Values of no special kind: floats about zero, small integers, bools."""
    generator = np.random.Generator(np.random.PCG64(seed))
    if dtype in FLOATS:
        return generator.standard_normal(shape).astype(numpy_dtype(dtype))
    return generator.integers(0, 2 if dtype == "bool" else 11, shape).astype(numpy_dtype(dtype))
