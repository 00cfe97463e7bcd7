"""What further public models of text, pictures and sound ask of the language: T5, CLIP, Mamba, Swin, ConvNeXt, EnCodec.

In: nothing.  Out: a function for each program, by its name, which gives the runs of it and what PyTorch makes of the same numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
import torch.nn.functional as F
from one_run import Run

if TYPE_CHECKING:
    from torch import Tensor

I32 = torch.int32


def text() -> list[Run]:
    def relative_bias(weight: Tensor) -> Tensor:
        """Half the buckets for each side; of those half one distance each, half by the logarithm up to 20."""
        apart = torch.arange(30) - torch.arange(25)[:, None]
        far = apart.abs()
        wide = 2 + (torch.log(far.clamp(min=1) / 2) / torch.log(torch.tensor(20 / 2)) * 2).long()
        bucket = (apart > 0) * 4 + torch.where(far < 2, far, wide.clamp(max=3))
        return weight[bucket].permute(2, 0, 1)[None]

    def head(x: Tensor, tokens: Tensor, text_projection_weight: Tensor) -> Tensor:
        return F.normalize(x[torch.arange(len(x)), tokens.argmax(1)] @ text_projection_weight.T)

    def mamba(x: Tensor, A_log: Tensor, D_skip: Tensor, conv: Tensor, **own: Tensor) -> tuple[Tensor, Tensor]:
        u = F.silu(F.conv1d(F.pad(x.mT, (2, 0)), conv[:, None], groups=4).mT)
        dt, b, c = (u @ own["x_proj_weight"].T).split([2, 3, 3], -1)
        dt = F.softplus(dt @ own["dt_proj_weight"].T)
        hidden, found = torch.zeros(2, 4, 3), []
        for t in range(x.shape[1]):
            decay = torch.exp(-dt[:, t, :, None] * A_log.exp())
            hidden = decay * hidden + (dt[:, t] * u[:, t])[..., None] * b[:, t, None]
            found.append((hidden * c[:, t, None]).sum(-1) + D_skip * u[:, t])
        return torch.stack(found, 1), hidden

    def beams(scores: Tensor, logits: Tensor) -> tuple[Tensor, ...]:
        top = (scores[:, None] + logits.log_softmax(-1)).flatten().topk(3)
        return top.values, (top.indices // 5).to(I32), (top.indices % 5).to(I32)

    def both_ways(x: Tensor, w: Tensor) -> Tensor:
        rnn = torch.nn.RNN(3, 3, bias=False, batch_first=True, bidirectional=True)
        weights = [torch.eye(3), w, torch.eye(3), w]
        rnn.load_state_dict(dict(zip(rnn.state_dict(), weights, strict=True)))
        with torch.no_grad():
            return rnn(x)[0]

    def segments(x: Tensor, segment: Tensor) -> tuple[Tensor, Tensor]:
        means = torch.stack([x[segment == k].mean(0) if (segment == k).any() else torch.zeros(2) for k in range(4)])
        return means, torch.tensor([0, 1, 2, 0, 1, 0], dtype=I32)

    sizes = {"D": 4, "N": 3, "K": 3, "R": 2, "B": 2, "S": 5}
    return [
        Run("text RelativeBias.forward", relative_bias, {"Heads": 3, "Buckets": 8, "MaxDistance": 20, "Q": 25, "K": 30}),
        Run("text TextHead.forward", head, {"D": 3, "Out": 4, "B": 3, "S": 4}, below=90),
        Run("text Mamba.forward", mamba, sizes),
        Run("text beams", beams, {"W": 2, "V": 5, "Width": 3}),
        Run("text both_ways", both_ways, {"B": 2, "S": 4, "D": 3}),
        Run("text segments", segments, {"N": 6, "K": 4, "D": 2}, given={"segment": [0, 0, 0, 2, 2, 3]}),
    ]


def pictures() -> list[Run]:
    def merging(x: Tensor, weight: Tensor, bias: Tensor, reduction_weight: Tensor) -> Tensor:
        quarters = torch.cat([x[:, ::2, ::2], x[:, 1::2, ::2], x[:, ::2, 1::2], x[:, 1::2, 1::2]], -1)
        return F.layer_norm(quarters, (12,), weight, bias) @ reduction_weight.T

    def cut(x: Tensor) -> Tensor:
        return x.unflatten(2, (3, 4)).unflatten(1, (3, 4)).transpose(2, 3).flatten(3, 4).flatten(0, 2)

    def shifted(x: Tensor) -> tuple[Tensor, Tensor]:
        areas = torch.zeros(1, 12, 12, 1)
        for i, rows in enumerate((slice(0, -4), slice(-4, -2), slice(-2, None))):
            for j, columns in enumerate((slice(0, -4), slice(-4, -2), slice(-2, None))):
                areas[:, rows, columns] = 3 * i + j
        label = cut(areas)[..., 0]
        return cut(x.roll((-2, -2), (1, 2))), label[:, :, None] == label[:, None]

    def depthwise(x: Tensor, weight: Tensor, gamma: Tensor | None = None) -> Tensor:
        y = F.conv2d(x, weight[:, None], padding=1, groups=3)
        y = y + y.sin() ** 2
        return x + (y if gamma is None else y * gamma[:, None, None])

    def quantizer(x: Tensor, **tables: Tensor) -> tuple[Tensor, Tensor]:
        left, codes = x, []
        for i in range(3):
            table = tables[f"layers_{i}_embed"]
            codes.append(torch.cdist(left, table).argmin(1))
            left = left - table[codes[-1]]
        return torch.stack(codes), x - left

    def decoder(x: Tensor, mid_weight: Tensor, mid_bias: Tensor, mean: Tensor, variance: Tensor) -> Tensor:
        flat = F.group_norm(x, 32, mid_weight, mid_bias, 1e-6).flatten(2).mT
        y = x + F.scaled_dot_product_attention(flat, flat, flat).mT.unflatten(2, x.shape[2:])
        return F.batch_norm(F.interpolate(y, scale_factor=8), mean, variance**2, torch.ones(64), torch.full((64,), 0.5), eps=1e-6)

    sizes = {"C": 3, "K": 3, "B": 2, "H": 4, "W": 5}
    return [
        Run("pictures Merging.forward", merging, {"G": 2, "D": 3, "B": 2}),
        Run("pictures shifted", shifted, {"B": 2, "N": 3, "Half": 2, "D": 2}),
        *(Run(f"pictures Depthwise.forward {given}", depthwise, sizes, optionals=given) for given in ("absent", "present")),
        Run("pictures Quantizer.encode", quantizer, {"Codes": 5, "D": 3, "Tables": 3, "N": 4}),
        Run(
            "pictures Transposed.forward",
            lambda x, weight: F.conv_transpose1d(x, weight, stride=2),
            {"Cin": 3, "Cout": 2, "K": 4, "Stride": 2, "B": 2, "L": 5},
        ),
        Run("pictures Decoder.decode", decoder, {"H": 2, "W": 3, "T": "f32", "B": 2}),
    ]
