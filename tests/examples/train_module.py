"""`examples/train` once more, by hand in PyTorch.

In: sizes and a mapping of parameter paths to tensors.  Out: `Train`, which gives logits; what is made of them is the test's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
import torch.nn.functional as F
from torch import Tensor, nn

if TYPE_CHECKING:
    from collections.abc import Mapping


class Layer(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.attn_norm = nn.RMSNorm(width, eps=1e-5)
        self.qkv = nn.Linear(width, 3 * width, bias=False)
        self.out = nn.Linear(width, width, bias=False)
        self.attn_gain = nn.Parameter(torch.ones(width))
        self.mlp_norm = nn.RMSNorm(width, eps=1e-5)
        self.up = nn.Linear(width, 4 * width, bias=False)
        self.down = nn.Linear(4 * width, width, bias=False)
        self.mlp_gain = nn.Parameter(torch.ones(width))

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = (y.unflatten(-1, (self.heads, -1)).transpose(1, 2) for y in self.qkv(self.attn_norm(x)).chunk(3, dim=-1))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2)
        x = x + self.attn_gain * self.out(y)
        return x + self.mlp_gain * self.down(F.relu(self.up(self.mlp_norm(x))).square())


class Train(nn.Module):
    """Sizes by the package's own names."""

    def __init__(self, *, Vocab: int, Context: int, H: int, Heads: int, Layers: int) -> None:
        super().__init__()
        self.wte = nn.Embedding(Vocab, H)
        self.wpe = nn.Embedding(Context, H)
        self.layers = nn.ModuleList(Layer(H, Heads) for _ in range(Layers))
        self.norm = nn.RMSNorm(H, eps=1e-5)

    def load(self, parameters: Mapping[str, Tensor]) -> Train:
        """Take the weights; every parameter must be there and nothing else."""
        self.load_state_dict(parameters)
        return self

    @torch.no_grad()
    def forward(self, tokens: Tensor) -> Tensor:
        x = self.wte(tokens) + self.wpe.weight[: tokens.shape[1]]
        for layer in self.layers:
            x = layer(x)
        return 15 * torch.tanh(self.norm(x) @ self.wte.weight.T / 15)
