"""The model of `examples/llama` in PyTorch, as one writes it by hand: a decoder with a static cache.

In: `Sizes`.  Out: `Decoder`, whose `forward(tokens, at)` writes the cache rows `at` and answers the logits of the last token.  The
straightforward form: norms by their formula, `F.linear` through `nn.Linear`, `scaled_dot_product_attention` with grouped heads, cache
rows written in place with `index_copy_`.  Parameters are allocated and not filled: who needs numbers loads them.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class Sizes(NamedTuple):
    """The preset `small` of the example, by its own names; `T` is f32."""

    Layers: int
    Vocab: int = 32000
    H: int = 512
    Heads: int = 8
    KvHeads: int = 4
    Inner: int = 1376
    Batch: int = 1
    MaxSeq: int = 4096


def linear(inputs: int, outputs: int) -> nn.Linear:
    """A projection without bias whose weight nobody has filled."""
    return nn.utils.skip_init(nn.Linear, inputs, outputs, bias=False)


def rotate(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Rotary positions of x [B, N, S, D] by tables [S, D]."""
    first, second = x.chunk(2, dim=-1)
    return x * cos + torch.cat((-second, first), dim=-1) * sin


class RmsNorm(nn.Module):
    """x / sqrt(mean(x^2) + eps) * weight, in f32."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(width))

    def forward(self, x: Tensor) -> Tensor:
        wide = x.float()
        scaled = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + 1e-5)
        return scaled.to(x.dtype) * self.weight


class Attention(nn.Module):
    """Grouped-query attention over the whole cache, masked."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        self.heads, self.kv_heads, self.size = sizes.Heads, sizes.KvHeads, sizes.H // sizes.Heads
        self.q_proj = linear(sizes.H, sizes.H)
        self.k_proj = linear(sizes.H, self.kv_heads * self.size)
        self.v_proj = linear(sizes.H, self.kv_heads * self.size)
        self.o_proj = linear(sizes.H, sizes.H)
        cache = (sizes.Batch, self.kv_heads, sizes.MaxSeq, self.size)
        self.register_buffer("keys", torch.zeros(cache))
        self.register_buffer("values", torch.zeros(cache))

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor, mask: Tensor, at: Tensor) -> Tensor:
        batch, length, width = x.shape
        q = self.q_proj(x).view(batch, length, self.heads, self.size).transpose(1, 2)
        k = self.k_proj(x).view(batch, length, self.kv_heads, self.size).transpose(1, 2)
        v = self.v_proj(x).view(batch, length, self.kv_heads, self.size).transpose(1, 2)
        keys = self.keys.index_copy_(2, at, rotate(k, cos, sin))
        values = self.values.index_copy_(2, at, v)
        y = F.scaled_dot_product_attention(rotate(q, cos, sin), keys, values, attn_mask=mask, enable_gqa=True)
        return self.o_proj(y.transpose(1, 2).reshape(batch, length, width))


class SwiGlu(nn.Module):
    """The gated feed-forward layer."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        self.gate = linear(sizes.H, sizes.Inner)
        self.up = linear(sizes.H, sizes.Inner)
        self.down = linear(sizes.Inner, sizes.H)

    def forward(self, x: Tensor) -> Tensor:
        return self.down(F.silu(self.gate(x)) * self.up(x))


class Layer(nn.Module):
    """Attention and feed-forward, each on a normalized input and added to it."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        self.input_norm = RmsNorm(sizes.H)
        self.attention = Attention(sizes)
        self.post_attention_norm = RmsNorm(sizes.H)
        self.mlp = SwiGlu(sizes)

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor, mask: Tensor, at: Tensor) -> Tensor:
        x = x + self.attention(self.input_norm(x), cos, sin, mask, at)
        return x + self.mlp(self.post_attention_norm(x))


class Decoder(nn.Module):
    """The whole model; parameter and cache names are those of the example."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        self.embed_tokens = nn.utils.skip_init(nn.Embedding, sizes.Vocab, sizes.H)
        self.layers = nn.ModuleList(Layer(sizes) for _ in range(sizes.Layers))
        self.norm = RmsNorm(sizes.H)
        self.lm_head = linear(sizes.H, sizes.Vocab)
        size = sizes.H // sizes.Heads
        angles = torch.outer(torch.arange(sizes.MaxSeq).float(), 500000.0 ** (-torch.arange(0, size, 2).float() / size))
        self.register_buffer("cos", torch.cat((angles, angles), -1).cos(), persistent=False)
        self.register_buffer("sin", torch.cat((angles, angles), -1).sin(), persistent=False)
        self.register_buffer("positions", torch.arange(sizes.MaxSeq), persistent=False)

    def forward(self, tokens: Tensor, at: Tensor) -> Tensor:
        """Logits [B, Vocab] after `tokens` [B, S] at the positions `at` [S]."""
        cos, sin = self.cos[at], self.sin[at]
        mask = self.positions <= at[:, None]
        x = self.embed_tokens(tokens)
        for layer in self.layers:
            x = layer(x, cos, sin, mask, at)
        return self.lm_head(self.norm(x[:, -1]))
