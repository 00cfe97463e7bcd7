"""`examples/llama` once more, by hand in PyTorch, as one would write it without this project.

In: sizes and a mapping of parameter paths to tensors.  Out: `Llama`, whose methods are the package's entries; caches are attributes.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def rotate(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Rotary positions; `cos` and `sin` are [S, D] or [B, 1, S, D]."""
    first, second = x.chunk(2, dim=-1)
    return x * cos + torch.cat((-second, first), dim=-1) * sin


class RmsNorm(nn.Module):
    def __init__(self, width: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.eps = eps

    def forward(self, x: Tensor) -> Tensor:
        wide = x.float()
        scaled = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + self.eps)
        return scaled.to(x.dtype) * self.weight


class Attention(nn.Module):
    def __init__(self, width: int, heads: int, kv_heads: int, batch: int, max_seq: int) -> None:
        super().__init__()
        self.heads, self.kv_heads, self.size = heads, kv_heads, width // heads
        self.q_proj = nn.Linear(width, width, bias=False)
        self.k_proj = nn.Linear(width, kv_heads * self.size, bias=False)
        self.v_proj = nn.Linear(width, kv_heads * self.size, bias=False)
        self.o_proj = nn.Linear(width, width, bias=False)
        self.register_buffer("keys", torch.zeros(batch, kv_heads, max_seq, self.size))
        self.register_buffer("values", torch.zeros(batch, kv_heads, max_seq, self.size))

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor, at: Tensor | None) -> Tensor:
        """`at` holds the positions [B, S] to write and attend up to; None computes whole sequences and keeps nothing."""
        batch, length, width = x.shape
        q = rotate(self.q_proj(x).view(batch, length, self.heads, self.size).transpose(1, 2), cos, sin)
        k = rotate(self.k_proj(x).view(batch, length, self.kv_heads, self.size).transpose(1, 2), cos, sin)
        v = self.v_proj(x).view(batch, length, self.kv_heads, self.size).transpose(1, 2)
        if at is None:
            y = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        else:
            rows = torch.arange(batch)[:, None]
            self.keys[rows, :, at] = k.transpose(1, 2)
            self.values[rows, :, at] = v.transpose(1, 2)
            mask = torch.arange(self.keys.shape[2]) <= at[:, None, :, None]
            y = F.scaled_dot_product_attention(q, self.keys, self.values, attn_mask=mask, enable_gqa=True)
        return self.o_proj(y.transpose(1, 2).reshape(batch, length, width))


class SwiGlu(nn.Module):
    def __init__(self, width: int, inner: int) -> None:
        super().__init__()
        self.gate = nn.Linear(width, inner, bias=False)
        self.up = nn.Linear(width, inner, bias=False)
        self.down = nn.Linear(inner, width, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        return self.down(F.silu(self.gate(x)) * self.up(x))


class Layer(nn.Module):
    def __init__(self, width: int, heads: int, kv_heads: int, inner: int, batch: int, max_seq: int) -> None:
        super().__init__()
        self.input_norm = RmsNorm(width)
        self.attention = Attention(width, heads, kv_heads, batch, max_seq)
        self.post_attention_norm = RmsNorm(width)
        self.mlp = SwiGlu(width, inner)

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor, at: Tensor | None) -> Tensor:
        x = x + self.attention(self.input_norm(x), cos, sin, at)
        return x + self.mlp(self.post_attention_norm(x))


class Llama(nn.Module):
    """Sizes by the package's own names."""

    def __init__(self, *, Vocab: int, H: int, Heads: int, KvHeads: int, Inner: int, Layers: int, Batch: int, MaxSeq: int) -> None:
        super().__init__()
        self.embed_tokens = nn.Embedding(Vocab, H)
        self.layers = nn.ModuleList(Layer(H, Heads, KvHeads, Inner, Batch, MaxSeq) for _ in range(Layers))
        self.norm = RmsNorm(H)
        self.lm_head = nn.Linear(H, Vocab, bias=False)
        size = H // Heads
        angles = torch.outer(torch.arange(MaxSeq).float(), 500000.0 ** (-torch.arange(0, size, 2).float() / size))
        self.cos, self.sin = torch.cat((angles, angles), -1).cos(), torch.cat((angles, angles), -1).sin()

    def load(self, parameters: dict[str, Tensor]) -> Llama:
        """Take the weights; every parameter must be there and nothing else."""
        states = {name: value for name, value in self.state_dict().items() if name.endswith((".keys", ".values"))}
        self.load_state_dict(parameters | states)
        return self

    def caches(self) -> dict[str, Tensor]:
        """The states by path."""
        return {name: value for name, value in self.named_buffers() if name.endswith((".keys", ".values"))}

    def _hidden(self, tokens: Tensor, at: Tensor | None) -> Tensor:
        dtype = self.embed_tokens.weight.dtype
        if at is None:
            cos, sin = self.cos[: tokens.shape[1]], self.sin[: tokens.shape[1]]
        else:
            cos, sin = self.cos[at][:, None], self.sin[at][:, None]
        x = self.embed_tokens(tokens)
        for layer in self.layers:
            x = layer(x, cos.to(dtype), sin.to(dtype), at)
        return x

    def _from(self, tokens: Tensor, pos: int) -> Tensor:
        return (torch.arange(tokens.shape[1]) + pos).expand(tokens.shape[0], -1)

    @torch.no_grad()
    def forward(self, tokens: Tensor) -> Tensor:
        return self.lm_head(self.norm(self._hidden(tokens, None)))

    @torch.no_grad()
    def next_token(self, tokens: Tensor) -> Tensor:
        return self.forward(tokens)[:, -1]

    @torch.no_grad()
    def prefill(self, tokens: Tensor, pos: int) -> Tensor:
        return self.lm_head(self.norm(self._hidden(tokens, self._from(tokens, pos))[:, -1]))

    def decode(self, token: Tensor, pos: int) -> Tensor:
        return self.prefill(token, pos)

    @torch.no_grad()
    def decode_rows(self, tokens: Tensor, positions: Tensor) -> Tensor:
        return self.lm_head(self.norm(self._hidden(tokens, positions[:, None].long())[:, -1]))

    def generate(self, token: Tensor, pos: int, steps: int) -> Tensor:
        """Greedy tokens [B, steps]."""
        found = []
        for step in range(steps):
            token = self.decode(token, pos + step).argmax(-1, keepdim=True)
            found.append(token)
        return torch.cat(found, 1).int()

    def generate_until(self, token: Tensor, pos: int, eos: int, limit: int) -> tuple[Tensor, int]:
        """Greedy tokens [B, limit] with `eos` after an end, and the steps taken."""
        tokens = torch.full((token.shape[0], limit), eos)
        ended = torch.zeros(token.shape[0], dtype=torch.bool)
        count = 0
        while count < limit and not ended.all():
            chosen = self.decode(token, pos + count).argmax(-1)
            chosen = torch.where(ended, eos, chosen)
            tokens[:, count] = chosen
            ended = ended | (chosen == eos)
            token = chosen[:, None]
            count += 1
        return tokens.int(), count
