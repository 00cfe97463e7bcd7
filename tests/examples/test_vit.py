"""`examples/vit` agrees with a convolution and the encoder of `torch.nn`, and has the parameters of the published model."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from agreement import differences
from published import parameters_at
from running import program
from tiny import EXAMPLES, VIT_INPUTS, values
from torch import nn
from torch_layers import affine, layer, named, tensor, under

PATH = str(EXAMPLES / "vit")
EPS = 1e-6
SIZES = [
    pytest.param({}, id="tiny"),
    pytest.param({"Height": 3, "Width": 5, "Patch": 1, "Channels": 1, "B": 1}, id="patches of one pixel"),
    pytest.param({"Height": 6, "Width": 6, "Patch": 6, "Heads": 1, "D": 5, "Inner": 3}, id="one patch, odd sizes"),
    pytest.param({"Height": 9, "Width": 15, "Patch": 3, "Channels": 4, "Layers": 3}, id="four channels, three layers"),
]


def _layer(own: dict[str, np.ndarray], heads: int) -> nn.Module:
    """`nn.TransformerEncoderLayer` with the weights of one layer."""
    weight, bias = affine(own, "attn.qkv")
    values = {
        "self_attn.in_proj_weight": weight,
        "self_attn.in_proj_bias": bias,
        **named("self_attn.out_proj", affine(own, "attn.proj")),
        **named("norm1", affine(own, "norm1")),
        **named("linear1", affine(own, "mlp.fc1")),
        **named("linear2", affine(own, "mlp.fc2")),
        **named("norm2", affine(own, "norm2")),
    }
    return layer(nn.TransformerEncoderLayer, values, heads=heads, norm_first=True, eps=EPS)


@torch.no_grad()
def by_hand(entry: str, weights: dict[str, np.ndarray], layers: int, heads: int, image: np.ndarray) -> np.ndarray:
    kernel = affine(weights, "patch_embed.proj")
    patches = nn.functional.conv2d(tensor(image), *kernel, stride=kernel[0].shape[2]).flatten(2).mT
    x = torch.cat([tensor(weights["cls_token"]).expand(len(image), -1, -1), patches], 1) + tensor(weights["pos_embed"])
    for i in range(layers):
        x = _layer(under(weights, f"blocks.{i}"), heads)(x)
    x = nn.functional.layer_norm(x, x.shape[-1:], *affine(weights, "norm"), eps=EPS)
    if entry == "classify":
        x = nn.functional.linear(x[:, 0], *affine(weights, "head"))
    return x.numpy()


@pytest.mark.parametrize("optionals", ["absent", "present"])
@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("target", ["numpy", "torch"])
@pytest.mark.parametrize("entry", list(VIT_INPUTS))
def test_it_agrees_with_a_convolution_and_the_encoder_of_torch(entry: str, target: str, sizes: dict[str, Any], optionals: str) -> None:
    one = program(target, PATH, sizes, entry=entry, preset="tiny", optionals=optionals)
    image = np.random.default_rng(4).standard_normal(one.inputs[0].shape).astype(np.float32)
    weights = values(one.parameters)
    (given,), _ = one.run({"image": image}, weights)
    wanted = by_hand(entry, weights, sizes.get("Layers", 2), sizes.get("Heads", 4), image)
    assert differences(given, wanted, 1e-5) is None


def test_the_preset_has_the_parameters_of_the_published_model() -> None:
    """The biases are optional and all there."""
    assert sum(parameters_at("vit", "base")) == 86_567_656
