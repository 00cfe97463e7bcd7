"""What public decoders of later years, and SAM, ask of the language.

In: nothing.  Out: a function for each program, by its name, which gives the runs of it and what PyTorch makes of the same numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
import torch.nn.functional as F
from one_run import Run
from torch_parts import cut, turned

if TYPE_CHECKING:
    from torch import Tensor


def gpt_oss() -> list[Run]:
    def gated(x: Tensor) -> Tensor:
        gate, up = x[..., ::2].clamp(max=7), x[..., 1::2].clamp(-7, 7)
        return (up + 1) * gate * torch.sigmoid(gate * 1.702)

    def router(x: Tensor, router_weight: Tensor) -> Tensor:
        logits = x @ router_weight.T
        top = logits.topk(2, -1)
        return torch.zeros_like(logits).scatter(-1, top.indices, top.values.softmax(-1))

    def packed(x: Tensor, blocks: Tensor, scales: Tensor) -> Tensor:
        numbers = torch.tensor([0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6])
        pairs = torch.stack([numbers[(blocks & 15).long()], numbers[(blocks >> 4).long()]], -1).flatten(-2)
        return x @ (pairs * torch.exp2(scales.float() - 127)[..., None]).flatten(1).T

    def pairs(x: Tensor, **sinks: Tensor) -> Tensor:
        at = torch.arange(len(x))
        for pair in range(2):
            for name, window in (("near", 2), ("far", len(x))):
                score = x @ x.T / x.shape[1] ** 0.5
                seen = (at <= at[:, None]) & (at[:, None] - at < window)
                sink = sinks[f"pairs_{pair}_{name}_sink"].expand(len(x), 1)
                weights = torch.cat([score.masked_fill(~seen, -torch.inf), sink], 1).softmax(-1)[:, :-1]
                x = x + weights @ x
        return x

    ramp = Run(
        "gpt_oss ramp", lambda low, high: ((torch.arange(9) - low) / (high - low)).clamp(0, 1), {"N": 9}, given={"low": 2, "high": 6}
    )
    near_one = [[126, 128], [127, 125]] * 16
    sizes = {"H": 64, "Inner": 32, "S": "2,3"}
    return [
        Run("gpt_oss gated", gated, {"S": "2,3", "I": 4, "T": "f32"}, given={"x": torch.linspace(-12, 12, 48).reshape(2, 3, 8).numpy()}),
        Run("gpt_oss Router.forward", router, {"H": 3, "Experts": 6, "TopK": 2, "R": 5}),
        Run("gpt_oss Packed.forward", packed, sizes, below=256, given={"scales": near_one}),
        Run("gpt_oss Pairs.forward", pairs, {"H": 3, "Layers": 4, "Window": 2, "S": 6}),
        ramp,
    ]


def sam() -> list[Run]:
    def windows(x: Tensor, add: Tensor) -> tuple[Tensor, Tensor]:
        whole = F.pad(x, (0, 0, 0, 1, 0, 1))
        parts = whole.unflatten(2, (2, 3)).unflatten(1, (2, 3)).transpose(2, 3).flatten(0, 2)
        return parts + add, x + add

    def attention(x: Tensor, qkv_weight: Tensor, proj_weight: Tensor, rel_pos_h: Tensor, rel_pos_w: Tensor) -> Tensor:
        q, k, v = (part.flatten(1, 2).unflatten(-1, (2, -1)).transpose(1, 2) for part in (x @ qkv_weight.T).chunk(3, -1))
        apart = torch.arange(4)[:, None] - torch.arange(4) + 3
        grid = q.unflatten(2, (4, 4))
        rows = torch.einsum("bnijd,ikd->bnijk", grid, rel_pos_h[apart])
        columns = torch.einsum("bnijd,jkd->bnijk", grid, rel_pos_w[apart])
        extra = (rows[..., :, None] + columns[..., None, :]).flatten(-2).flatten(2, 3)
        return F.scaled_dot_product_attention(q, k, v, extra).transpose(1, 2).flatten(2).unflatten(1, (4, 4)) @ proj_weight.T

    def neck(image: Tensor, embed_weight: Tensor, conv_weight: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
        x = F.conv2d(F.conv2d(image, embed_weight, stride=2), conv_weight, padding=1)
        return F.layer_norm(x.movedim(1, -1), (5,), weight, bias, 1e-6).movedim(-1, 1)

    def pooled(x: Tensor) -> Tensor:
        return F.scaled_dot_product_attention(x[:, :1], x, x, scale=1.0)

    return [
        Run("sam windows", windows, {"B": 2, "G": 5, "Size": 3, "D": 2}),
        Run("sam Attention.forward", attention, {"Size": 4, "D": 6, "Heads": 2, "B": 2}),
        Run("sam Neck.forward", neck, {"G": 3, "Patch": 2, "D": 4, "Out": 5, "B": 2}),
        Run("sam pooled", pooled, {"B": 2, "S": 4, "D": 3}),
    ]


def decoders() -> list[Run]:
    def attended(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        return F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True).transpose(1, 2).flatten(2)

    def qwen(x: Tensor, q_norm_weight: Tensor, k_norm_weight: Tensor, **own: Tensor) -> Tensor:
        q, k, v = (cut(F.linear(x, own[f"{name}_proj_weight"], own.get(f"{name}_proj_bias")), 4) for name in "qkv")
        q, k = (turned(F.rms_norm(part, (4,), norm, 1e-6), 10000.0) for part, norm in ((q, q_norm_weight), (k, k_norm_weight)))
        return F.linear(attended(q, k, v), own["o_proj_weight"], own.get("o_proj_bias"))

    def phi(x: Tensor, qkv_proj: Tensor, gate_up_proj: Tensor, down_proj: Tensor) -> Tensor:
        q, k, v = (cut(part, 2) for part in (x @ qkv_proj.T).split([8, 4, 4], -1))
        x = x + attended(q, k, v)
        gate, up = (x @ gate_up_proj.T).chunk(2, -1)
        return x + (F.silu(gate) * up) @ down_proj.T

    def tied(tokens: Tensor, embed_tokens: Tensor, lm_head_weight: Tensor | None = None, lm_head_bias: Tensor | None = None) -> Tensor:
        return F.linear(embed_tokens[tokens], embed_tokens if lm_head_weight is None else lm_head_weight, lm_head_bias)

    def stretched(factor: Tensor, low: Tensor, high: Tensor) -> Tensor:
        rates = 10000.0 ** (-torch.arange(8) / 8)
        length = 2 * torch.pi / rates
        blend = (high - length) / (high - low)
        between = rates * blend + rates / factor * (1 - blend)
        return torch.where(length > high, rates / factor, torch.where(length < low, rates, between))

    def window() -> Tensor:
        apart = torch.arange(6)[:, None] - torch.arange(6)
        return (apart >= 0) & (apart < 3)

    sizes = {"H": 6, "Heads": 4, "KvHeads": 2, "HeadDim": 4, "T": "f32", "B": 2, "S": 5}
    both = ("absent", "present")
    return [
        *(Run(f"decoders Qwen.forward {given}", qwen, sizes, optionals=given) for given in both),
        Run("decoders Phi.forward", phi, {"H": 8, "Heads": 4, "KvHeads": 2, "Inner": 5, "T": "f32", "B": 2, "S": 5}),
        Run("decoders window", window, {"S": 6, "Window": 3}),
        *(Run(f"decoders Tied.forward {given}", tied, {"Vocab": 4, "H": 3, "B": 2, "S": 5}, optionals=given) for given in both),
        Run("decoders stretched", stretched, {"D": 16}, given={"factor": 8, "low": 20, "high": 4000}),
    ]
