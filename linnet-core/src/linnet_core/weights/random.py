"""Arrays at random, the same for every target and machine.

In: a seed, a name, a shape, a dtype, and whether it is a buffer.  Out: an array that depends on nothing else.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from linnet_core.weights.arrays import Wanted, numpy_dtype

if TYPE_CHECKING:
    import numpy as np

#: Standard deviation of random floats.
SCALE = 0.02


def random_array(seed: int, wanted: Wanted, *, buffer: bool = False) -> np.ndarray[Any, Any]:
    """Floats: 0.02 times standard normal, drawn in f64 and rounded to the dtype; integers and bools: 0 or 1.

    A `buffer` has the absolute values: running variances are buffers, and none is negative.

    The generator is PCG64, seeded by `seed` and the SHA-256 of the name.
    """
    import numpy as np

    digest = hashlib.sha256(wanted.name.encode()).digest()
    words = [int.from_bytes(digest[i : i + 4], "little") for i in range(0, 32, 4)]
    generator = np.random.Generator(np.random.PCG64([seed, *words]))
    dtype = numpy_dtype(wanted.dtype)
    if wanted.dtype == "bool" or dtype.kind in "iu":
        return generator.integers(0, 2, wanted.shape).astype(dtype)
    values = np.asarray(SCALE * generator.standard_normal(wanted.shape))
    return (np.abs(values) if buffer else values).astype(dtype)
