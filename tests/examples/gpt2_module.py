"""`examples/gpt2` once more, by hand in PyTorch.

In: sizes and a mapping of parameter paths to tensors.  Out: `Gpt2`.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class Projection(nn.Module):
    """Weight stored [In, Out]."""

    def __init__(self, size_in: int, size_out: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(size_in, size_out))
        self.bias = nn.Parameter(torch.zeros(size_out))

    def forward(self, x: Tensor) -> Tensor:
        return x @ self.weight + self.bias


class Attention(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.c_attn = Projection(width, 3 * width)
        self.c_proj = Projection(width, width)

    def forward(self, x: Tensor) -> Tensor:
        batch, length, width = x.shape
        q, k, v = (
            part.view(batch, length, self.heads, width // self.heads).transpose(1, 2) for part in self.c_attn(x).split(width, dim=-1)
        )
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.c_proj(y.transpose(1, 2).reshape(batch, length, width))


class Mlp(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.c_fc = Projection(width, 4 * width)
        self.c_proj = Projection(4 * width, width)

    def forward(self, x: Tensor) -> Tensor:
        return self.c_proj(F.gelu(self.c_fc(x), approximate="tanh"))


class Layer(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.ln_1 = nn.LayerNorm(width)
        self.attn = Attention(width, heads)
        self.ln_2 = nn.LayerNorm(width)
        self.mlp = Mlp(width)

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.attn(self.ln_1(x))
        return x + self.mlp(self.ln_2(x))


class Gpt2(nn.Module):
    """Sizes by the package's own names."""

    def __init__(self, *, Vocab: int, MaxPositions: int, H: int, Heads: int, Layers: int) -> None:
        super().__init__()
        self.wte = nn.Embedding(Vocab, H)
        self.wpe = nn.Embedding(MaxPositions, H)
        self.h = nn.ModuleList(Layer(H, Heads) for _ in range(Layers))
        self.ln_f = nn.LayerNorm(H)

    def load(self, parameters: dict[str, Tensor]) -> Gpt2:
        """Take the weights; every parameter must be there and nothing else."""
        self.load_state_dict(parameters)
        return self

    @torch.no_grad()
    def forward(self, tokens: Tensor) -> Tensor:
        x = self.wte(tokens) + self.wpe.weight[: tokens.shape[1]]
        for layer in self.h:
            x = layer(x)
        return self.ln_f(x) @ self.wte.weight.T
