"""`examples/unet` once more, by hand in PyTorch.

In: the counts of channels and a mapping of parameter paths to tensors.  Out: `Unet`; its paths are those of the package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
import torch.nn.functional as F
from torch import Tensor, nn

if TYPE_CHECKING:
    from collections.abc import Mapping


class Residual(nn.Module):
    def __init__(self, size_in: int, size_out: int, emb: int) -> None:
        super().__init__()
        self.norm1 = nn.GroupNorm(32, size_in)
        self.conv1 = nn.Conv2d(size_in, size_out, 3, padding=1)
        self.time_emb_proj = nn.Linear(emb, size_out)
        self.norm2 = nn.GroupNorm(32, size_out)
        self.conv2 = nn.Conv2d(size_out, size_out, 3, padding=1)
        self.conv_shortcut = nn.Conv2d(size_in, size_out, 1) if size_in != size_out else nn.Identity()

    def forward(self, x: Tensor, step: Tensor) -> Tensor:
        y = self.conv1(F.silu(self.norm1(x))) + self.time_emb_proj(F.silu(step))[:, :, None, None]
        return self.conv_shortcut(x) + self.conv2(F.silu(self.norm2(y)))


class Attention(nn.Module):
    def __init__(self, size: int, context: int, head: int) -> None:
        super().__init__()
        self.head = head
        self.to_q = nn.Linear(size, size, bias=False)
        self.to_k = nn.Linear(context, size, bias=False)
        self.to_v = nn.Linear(context, size, bias=False)
        self.to_out = nn.Linear(size, size)

    def forward(self, x: Tensor, other: Tensor) -> Tensor:
        q, k, v = (y.unflatten(-1, (-1, self.head)).transpose(1, 2) for y in (self.to_q(x), self.to_k(other), self.to_v(other)))
        weights = (q @ k.mT / self.head**0.5).softmax(-1)
        return self.to_out((weights @ v).transpose(1, 2).flatten(2))


class FeedForward(nn.Module):
    def __init__(self, size: int) -> None:
        super().__init__()
        self.proj = nn.Linear(size, 8 * size)
        self.out = nn.Linear(4 * size, size)

    def forward(self, x: Tensor) -> Tensor:
        value, gate = self.proj(x).chunk(2, dim=-1)
        return self.out(value * F.gelu(gate))


class TransformerBlock(nn.Module):
    def __init__(self, size: int, context: int, head: int) -> None:
        super().__init__()
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(size), nn.LayerNorm(size), nn.LayerNorm(size)
        self.attn1 = Attention(size, size, head)
        self.attn2 = Attention(size, context, head)
        self.ff = FeedForward(size)

    def forward(self, x: Tensor, text: Tensor) -> Tensor:
        own = self.norm1(x)
        x = x + self.attn1(own, own)
        x = x + self.attn2(self.norm2(x), text)
        return x + self.ff(self.norm3(x))


class SpatialTransformer(nn.Module):
    def __init__(self, size: int, context: int, head: int, depth: int) -> None:
        super().__init__()
        self.norm = nn.GroupNorm(32, size, eps=1e-6)
        self.proj_in = nn.Linear(size, size)
        self.transformer_blocks = nn.ModuleList(TransformerBlock(size, context, head) for _ in range(depth))
        self.proj_out = nn.Linear(size, size)

    def forward(self, x: Tensor, text: Tensor) -> Tensor:
        y = self.proj_in(self.norm(x).flatten(2).mT)
        for block in self.transformer_blocks:
            y = block(y, text)
        return x + self.proj_out(y).mT.reshape(x.shape)


class Resize(nn.Module):
    def __init__(self, size: int, stride: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(size, size, 3, stride, 1)

    def forward(self, x: Tensor) -> Tensor:
        return self.conv(x)


class StepEmbedding(nn.Module):
    def __init__(self, size: int, emb: int) -> None:
        super().__init__()
        self.linear_1 = nn.Linear(size, emb)
        self.linear_2 = nn.Linear(emb, emb)

    def forward(self, x: Tensor) -> Tensor:
        return self.linear_2(F.silu(self.linear_1(x)))


class Stage(nn.Module):
    """Residual blocks of the widths given, with attention behind each where there is a `depth`."""

    def __init__(self, widths: list[tuple[int, int]], emb: int, context: int, head: int, depth: int = 0) -> None:
        super().__init__()
        self.count, self.depth = len(widths), depth
        for number, (size_in, size_out) in enumerate(widths):
            self.add_module(f"resnet_{number}", Residual(size_in, size_out, emb))
            if depth:
                self.add_module(f"attention_{number}", SpatialTransformer(size_out, context, head, depth))

    def step(self, number: int, x: Tensor, step: Tensor, text: Tensor) -> Tensor:
        x = self.get_submodule(f"resnet_{number}")(x, step)
        return self.get_submodule(f"attention_{number}")(x, text) if self.depth else x


class Middle(nn.Module):
    def __init__(self, size: int, emb: int, context: int, head: int, depth: int) -> None:
        super().__init__()
        self.resnet_0 = Residual(size, size, emb)
        self.attention = SpatialTransformer(size, context, head, depth)
        self.resnet_1 = Residual(size, size, emb)

    def forward(self, x: Tensor, step: Tensor, text: Tensor) -> Tensor:
        return self.resnet_1(self.attention(self.resnet_0(x, step), text), step)


class Unet(nn.Module):
    def __init__(
        self, widths: tuple[int, int, int], emb: int, head: int, context: int, step: int, added: int, depths: tuple[int, int]
    ) -> None:
        super().__init__()
        a, b, c = widths
        few, many = depths
        self.conv_in = nn.Conv2d(4, a, 3, padding=1)
        self.time_embedding = StepEmbedding(step, emb)
        self.add_embedding = StepEmbedding(added, emb)
        self.down_0 = Stage([(a, a), (a, a)], emb, context, head)
        self.halve_0 = Resize(a, 2)
        self.down_1 = Stage([(a, b), (b, b)], emb, context, head, few)
        self.halve_1 = Resize(b, 2)
        self.down_2 = Stage([(b, c), (c, c)], emb, context, head, many)
        self.mid = Middle(c, emb, context, head, many)
        self.up_0 = Stage([(c + c, c), (c + c, c), (c + b, c)], emb, context, head, many)
        self.double_0 = Resize(c, 1)
        self.up_1 = Stage([(c + b, b), (b + b, b), (b + a, b)], emb, context, head, few)
        self.double_1 = Resize(b, 1)
        self.up_2 = Stage([(b + a, a), (a + a, a), (a + a, a)], emb, context, head)
        self.conv_norm_out = nn.GroupNorm(32, a)
        self.conv_out = nn.Conv2d(a, 4, 3, padding=1)

    def load(self, parameters: Mapping[str, Tensor]) -> Unet:
        """Take the weights; every parameter must be there and nothing else."""
        self.load_state_dict(parameters)
        return self

    @torch.no_grad()
    def forward(self, latent: Tensor, timestep_embedding: Tensor, text_embedding: Tensor, added_embedding: Tensor) -> Tensor:
        step = self.time_embedding(timestep_embedding) + self.add_embedding(added_embedding)
        x = self.conv_in(latent)
        kept = [x]
        for stage, halve in ((self.down_0, self.halve_0), (self.down_1, self.halve_1), (self.down_2, None)):
            for number in range(stage.count):
                x = stage.step(number, x, step, text_embedding)
                kept.append(x)
            if halve is not None:
                x = halve(x)
                kept.append(x)
        x = self.mid(x, step, text_embedding)
        for stage, double in ((self.up_0, self.double_0), (self.up_1, self.double_1), (self.up_2, None)):
            for number in range(stage.count):
                x = stage.step(number, torch.cat((x, kept.pop()), 1), step, text_embedding)
            if double is not None:
                x = double(F.interpolate(x, scale_factor=2, mode="nearest"))
        return self.conv_out(F.silu(self.conv_norm_out(x)))
