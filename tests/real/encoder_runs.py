"""What public encoders, and GPT-2, ask of the language.

In: nothing.  Out: a function for each program, by its name, which gives the runs of it and what PyTorch makes of the same numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
import torch.nn.functional as F
from one_run import Run
from torch_parts import heads, turned

if TYPE_CHECKING:
    from torch import Tensor


def attended(q: Tensor, k: Tensor, v: Tensor, count: int, mask: Tensor | None = None, *, causal: bool = False) -> Tensor:
    """Attention of `count` heads over `[B, S, D]`."""
    q, k, v = (heads(part, count) for part in (q, k, v))
    return F.scaled_dot_product_attention(q, k, v, mask, is_causal=causal).transpose(1, 2).flatten(2)


def gpt2() -> list[Run]:
    def tied(tokens: Tensor, wte: Tensor, wpe: Tensor, ln_f_weight: Tensor, ln_f_bias: Tensor) -> Tensor:
        x = wte[tokens] + wpe[: tokens.shape[1]]
        return F.layer_norm(x, x.shape[-1:], ln_f_weight, ln_f_bias) @ wte.T

    return [
        Run("gpt2 Projection.forward", lambda x, weight, bias: x @ weight + bias, {"S": "2,3", "In": 4, "Out": 5}),
        Run(
            "gpt2 split",
            lambda fused: torch.stack([heads(part, 3) for part in fused.chunk(3, -1)]),
            {"B": 2, "S": 4, "H": 6, "Heads": 3},
        ),
        Run("gpt2 Tied.forward", tied, {"Vocab": 4, "MaxPositions": 7, "H": 6, "B": 2, "S": 5}),
    ]


def bert() -> list[Run]:
    def post_norm(x: Tensor, dense_weight: Tensor, dense_bias: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
        return F.layer_norm(x + F.gelu(F.linear(x, dense_weight, dense_bias)), x.shape[-1:], weight, bias, 1e-12)

    def forward(tokens: Tensor, token_types: Tensor, words: Tensor, places: Tensor, types: Tensor, **_: Tensor) -> Tensor:
        return words[tokens] + types[token_types] + places[: tokens.shape[1]]

    def pool(tokens: Tensor, token_types: Tensor, pooler_weight: Tensor, **tables: Tensor) -> Tensor:
        return torch.tanh(forward(tokens, token_types, **tables)[:, 0] @ pooler_weight.T)

    def mean_pool(x: Tensor, mask: Tensor) -> Tensor:
        kept = mask[..., None].float()
        return F.normalize((x * kept).sum(1) / kept.sum(1).clamp(min=1e-9))

    sizes = {"Vocab": 4, "MaxPositions": 6, "TypeVocab": 4, "D": 5, "B": 2, "S": 3}
    return [
        Run("bert PostNorm.forward", post_norm, {"D": 6, "B": 2, "S": 3}, optionals="present"),
        Run("bert Pooled.forward", forward, sizes),
        Run("bert Pooled.pool", pool, sizes),
        Run("bert mean_pool", mean_pool, {"B": 4, "S": 5, "D": 3}),
        Run("bert Shifted.forward", lambda x, places: x + places[2:6], {"MaxPositions": 6, "D": 3, "B": 2, "S": 4}),
    ]


def dinov2() -> list[Run]:
    def patches(image: Tensor, cls_token: Tensor, position_embeddings: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
        rows = F.conv2d(image, weight, bias, stride=weight.shape[2]).flatten(2).mT
        return torch.cat([cls_token.expand(len(image), -1, -1), rows], 1) + position_embeddings

    def scaled(x: Tensor, lambda1: Tensor, fc1_weight: Tensor, fc2_weight: Tensor) -> Tensor:
        return x + lambda1 * (F.gelu(x @ fc1_weight.T) @ fc2_weight.T)

    sizes = {"Height": 6, "Width": 8, "Channels": 3, "Patch": 2, "D": 5, "B": 2}
    return [
        Run("dinov2 Patches.forward", patches, sizes),
        Run("dinov2 Scaled.forward", scaled, {"D": 3, "Inner": 5, "S": "2,3"}),
    ]


def whisper() -> list[Run]:
    def decode(x: Tensor, audio: Tensor, q_proj_weight: Tensor, k_proj_weight: Tensor, v_proj_weight: Tensor) -> Tensor:
        own = attended(x @ q_proj_weight.T, x @ k_proj_weight.T, x @ v_proj_weight.T, 2, causal=True)
        return attended(own @ q_proj_weight.T, audio @ k_proj_weight.T, audio @ v_proj_weight.T, 2)

    def strided(mel: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
        return F.conv1d(mel, weight, bias, 2, 1).mT

    return [
        *(Run(f"whisper Conv.strided {frames}", strided, {"Cin": 3, "Cout": 4, "B": 2, "Frames": frames}) for frames in (1, 2, 9)),
        Run("whisper Cross.decode", decode, {"D": 6, "Heads": 2, "B": 2, "S": 3, "A": 5}),
    ]


def siglip() -> list[Run]:
    def probe(x: Tensor, probe: Tensor, in_proj_weight: Tensor, in_proj_bias: Tensor, out_proj_weight: Tensor) -> Tensor:
        attention = torch.nn.MultiheadAttention(6, 2, batch_first=True)
        attention.load_state_dict(
            {
                "in_proj_weight": in_proj_weight,
                "in_proj_bias": in_proj_bias,
                "out_proj.weight": out_proj_weight,
                "out_proj.bias": torch.zeros(6),
            }
        )
        with torch.no_grad():
            return attention(probe.expand(len(x), -1, -1), x, x)[0][:, 0]

    def text(tokens: Tensor, token_embedding: Tensor, position_embedding: Tensor, **_: Tensor) -> Tensor:
        return (token_embedding[tokens] + position_embedding)[:, -1]

    def image(image: Tensor, vision_weight: Tensor, **_: Tensor) -> Tensor:
        return image @ vision_weight.T

    def similarity(logit_scale: Tensor, logit_bias: Tensor, **given: Tensor) -> Tensor:
        return F.normalize(text(**given)) @ F.normalize(image(**given)).T * logit_scale.exp() + logit_bias

    sizes = {"Pixels": 7, "VisionD": 5, "Vocab": 4, "MaxPositions": 3, "TextD": 5}
    return [
        Run("siglip Probe.forward", probe, {"D": 6, "Heads": 2, "B": 2, "S": 5}),
        Run("siglip Towers.image_features", image, {**sizes, "B": 2, "TextD": 4}),
        Run("siglip Towers.text_features", text, {**sizes, "B": 2, "TextD": 4}),
        Run("siglip Towers.similarity", similarity, {**sizes, "Bi": 2, "Bt": 3}),
    ]


def modernbert() -> list[Run]:
    def gated(x: Tensor, Wi: Tensor, Wo: Tensor) -> Tensor:
        value, gate = (x @ Wi.T).chunk(2, -1)
        return (F.gelu(value) * gate) @ Wo.T

    def encoder(x: Tensor, final_norm: Tensor, **weights: Tensor) -> Tensor:
        at = torch.arange(x.shape[1])
        near = (at[:, None] - at).abs() <= 2
        for three in range(2):
            for name, base, mask in (("everywhere", 160000.0, None), ("nearby_0", 10000.0, near), ("nearby_1", 10000.0, near)):
                own = f"layers_{three}_{name}"
                norm = weights.get(f"{own}_norm")
                normed = x if norm is None else F.layer_norm(x, x.shape[-1:], norm)
                q, k, v = (heads(part, 2) for part in (normed @ weights[f"{own}_Wqkv"].T).chunk(3, -1))
                y = F.scaled_dot_product_attention(turned(q, base), turned(k, base), v, mask)
                x = x + y.transpose(1, 2).flatten(2) @ weights[f"{own}_Wo"].T
        return F.layer_norm(x, x.shape[-1:], final_norm)

    sizes = {"D": 8, "Heads": 2, "Layers": 6, "Window": 4, "B": 2, "S": 7}
    return [
        Run("modernbert Gated.forward", gated, {"D": 3, "Inner": 5, "S": "2,4"}),
        *(Run(f"modernbert Encoder.forward {optionals}", encoder, sizes, optionals=optionals) for optionals in ("absent", "present")),
    ]
