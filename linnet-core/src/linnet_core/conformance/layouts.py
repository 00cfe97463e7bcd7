"""Arrays as NumPy may hold them: what a runner is given need not be contiguous, its own, or to be written.

In: values.  Out: arrays [3, 5] of them, each laid out otherwise, by name.
"""

from __future__ import annotations

import numpy as np


def layouts(values: np.ndarray) -> dict[str, np.ndarray]:
    """Of the first 15 values."""
    x = values[:15]
    frozen = x.reshape(3, 5).copy()
    frozen.flags.writeable = False
    return {
        "as it is": x.reshape(3, 5),
        "in another order": x.reshape(5, 3).T,
        "with gaps": np.repeat(x, 2).reshape(3, 10)[:, ::2],
        "backwards": x[::-1].reshape(3, 5),
        "read-only": frozen,
        "spread": np.broadcast_to(x[:5], (3, 5)),
    }
