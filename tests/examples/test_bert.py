"""`examples/bert` agrees with the encoder of `torch.nn`, and has the parameters of the published models."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from agreement import differences
from published import parameters_at
from running import program
from tiny import BERT_INPUTS, EXAMPLES, values
from torch import Tensor, nn
from torch_layers import affine, attention, layer, named, tensor, under

PATH = str(EXAMPLES / "bert")
EPS = 1e-12
SIZES = [
    pytest.param({}, id="tiny"),
    pytest.param({"Heads": 1, "D": 5, "Inner": 7, "S": 1}, id="odd sizes, one position"),
    pytest.param({"Heads": 8, "D": 48, "Layers": 3, "S": 32, "B": 1}, id="as long as may be"),
    pytest.param({"Layers": 0, "TypeVocab": 3}, id="no layer"),
]


def _norm(weights: dict[str, np.ndarray], path: str, x: Tensor) -> Tensor:
    return nn.functional.layer_norm(x, x.shape[-1:], *affine(weights, path), eps=EPS)


def _layer(own: dict[str, np.ndarray], heads: int) -> nn.Module:
    """`nn.TransformerEncoderLayer` with the weights of one layer."""
    parts = ("attention.query", "attention.key", "attention.value", "attention.output.dense")
    values = {
        **attention("self_attn", own, parts),
        **named("norm1", affine(own, "attention.output.LayerNorm")),
        **named("linear1", affine(own, "intermediate.dense")),
        **named("linear2", affine(own, "output.dense")),
        **named("norm2", affine(own, "output.LayerNorm")),
    }
    return layer(nn.TransformerEncoderLayer, values, heads=heads, norm_first=False, eps=EPS)


@torch.no_grad()
def by_hand(entry: str, weights: dict[str, np.ndarray], layers: int, heads: int, tokens: np.ndarray, token_types: np.ndarray) -> np.ndarray:
    tables = [tensor(weights[f"embeddings.{name}_embeddings.weight"]) for name in ("word", "token_type", "position")]
    x = tables[0][tensor(tokens)] + tables[1][tensor(token_types)] + tables[2][: tokens.shape[1]]
    x = _norm(weights, "embeddings.LayerNorm", x)
    for i in range(layers):
        x = _layer(under(weights, f"encoder.layer.{i}"), heads)(x)
    if entry == "pool":
        x = torch.tanh(nn.functional.linear(x[:, 0], *affine(weights, "pooler.dense")))
    return x.numpy()


@pytest.mark.parametrize("optionals", ["absent", "present"])
@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("target", ["numpy", "torch"])
@pytest.mark.parametrize("entry", list(BERT_INPUTS))
def test_it_agrees_with_the_encoder_of_torch(entry: str, target: str, sizes: dict[str, Any], optionals: str) -> None:
    one = program(target, PATH, sizes, entry=entry, preset="tiny", optionals=optionals)
    random = np.random.default_rng(4)
    shape = one.inputs[0].shape
    inputs = {
        "tokens": random.integers(0, 256, shape).astype(np.int32),
        "token_types": random.integers(0, sizes.get("TypeVocab", 2), shape).astype(np.int32),
    }
    weights = values(one.parameters)
    (given,), _ = one.run(inputs, weights)
    wanted = by_hand(entry, weights, sizes.get("Layers", 2), sizes.get("Heads", 2), **inputs)
    assert differences(given, wanted, 1e-5) is None


@pytest.mark.parametrize(
    ("preset", "wanted"), [pytest.param("base", 109_482_240, id="base"), pytest.param("large", 335_141_888, id="large")]
)
def test_the_presets_have_the_parameters_of_the_published_models(preset: str, wanted: int) -> None:
    """The biases are optional and all there."""
    required, optional = parameters_at("bert", preset)
    assert required + optional == wanted
