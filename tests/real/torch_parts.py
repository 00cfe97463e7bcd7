"""Parts of transformers in PyTorch.

In: vectors of heads.  Out: the same, taken apart or turned.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from torch import Tensor


def heads(x: Tensor, count: int) -> Tensor:
    """`[B, S, count * D]` to `[B, count, S, D]`."""
    return x.unflatten(-1, (count, -1)).transpose(1, 2)


def cut(x: Tensor, size: int) -> Tensor:
    """`[B, S, N * size]` to `[B, N, S, size]`."""
    return x.unflatten(-1, (-1, size)).transpose(1, 2)


def turned(x: Tensor, base: float) -> Tensor:
    """Rotary positions of `[B, H, S, D]`, half the vector turned against the other half."""
    half = x.shape[-1] // 2
    angles = torch.arange(x.shape[-2])[:, None] * base ** (-torch.arange(half) / half)
    a, b = x[..., :half], x[..., half:]
    return torch.cat([a * angles.cos() - b * angles.sin(), b * angles.cos() + a * angles.sin()], -1)
