"""`examples/whisper` agrees with convolutions, encoder and decoder of `torch.nn`, and has the parameters of the published models."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from agreement import differences
from published import parameters_at
from running import program
from tiny import EXAMPLES, values
from torch import Tensor, nn
from torch_layers import affine, attention, layer, named, tensor, under

PATH = str(EXAMPLES / "whisper")
EPS = 1e-5
ODD = pytest.param({"Heads": 1, "D": 5, "Inner": 7, "Mels": 3, "EncoderLayers": 3, "DecoderLayers": 1}, id="odd sizes")
HEARD = [
    pytest.param({}, id="tiny"),
    pytest.param({"Frames": 1, "B": 1}, id="one frame"),
    pytest.param({"Frames": 16}, id="an even number of frames"),
    ODD,
]
TEXTS = [
    pytest.param({}, id="tiny"),
    pytest.param({"S": 1, "A": 1, "B": 1}, id="one of everything"),
    pytest.param({"A": 40, "S": 32}, id="as long as may be"),
    ODD,
]


def _attention(path: str, own: dict[str, np.ndarray], name: str) -> dict[str, Tensor]:
    return attention(path, own, [f"{name}.{part}_proj" for part in ("q", "k", "v", "out")])


def _layer(kind: type[nn.TransformerEncoderLayer | nn.TransformerDecoderLayer], own: dict[str, np.ndarray], heads: int) -> nn.Module:
    """A layer of `torch.nn` with the weights of one layer; that of the decoder has a norm and an attention between."""
    norms = ["self_attn_layer_norm", "final_layer_norm"]
    values = {
        **_attention("self_attn", own, "self_attn"),
        **named("linear1", affine(own, "fc1")),
        **named("linear2", affine(own, "fc2")),
    }
    if kind is nn.TransformerDecoderLayer:
        norms.insert(1, "encoder_attn_layer_norm")
        values |= _attention("multihead_attn", own, "encoder_attn")
    for i, norm in enumerate(norms):
        values |= named(f"norm{i + 1}", affine(own, norm))
    return layer(kind, values, heads=heads, norm_first=True, eps=EPS)


def _norm(weights: dict[str, np.ndarray], path: str, x: Tensor) -> Tensor:
    return nn.functional.layer_norm(x, x.shape[-1:], *affine(weights, path), eps=EPS)


@torch.no_grad()
def encoded(weights: dict[str, np.ndarray], layers: int, heads: int, mel: np.ndarray) -> np.ndarray:
    x = nn.functional.gelu(nn.functional.conv1d(tensor(mel), *affine(weights, "encoder.conv1"), padding=1))
    x = nn.functional.gelu(nn.functional.conv1d(x, *affine(weights, "encoder.conv2"), stride=2, padding=1)).mT
    x = x + tensor(weights["encoder.embed_positions.weight"])
    for i in range(layers):
        x = _layer(nn.TransformerEncoderLayer, under(weights, f"encoder.layers.{i}"), heads)(x)
    return _norm(weights, "encoder.layer_norm", x).numpy()


@torch.no_grad()
def decoded(weights: dict[str, np.ndarray], layers: int, heads: int, tokens: np.ndarray, audio: np.ndarray) -> np.ndarray:
    table, positions = (tensor(weights[f"decoder.embed_{name}.weight"]) for name in ("tokens", "positions"))
    length = tokens.shape[1]
    x = table[tensor(tokens)] + positions[:length]
    mask = nn.Transformer.generate_square_subsequent_mask(length)
    for i in range(layers):
        x = _layer(nn.TransformerDecoderLayer, under(weights, f"decoder.layers.{i}"), heads)(x, tensor(audio), tgt_mask=mask)
    return (_norm(weights, "decoder.layer_norm", x) @ table.T).numpy()


@pytest.mark.parametrize("sizes", HEARD)
@pytest.mark.parametrize("target", ["numpy", "torch"])
def test_the_encoder_agrees_with_that_of_torch(target: str, sizes: dict[str, Any]) -> None:
    one = program(target, PATH, sizes, entry="encode", preset="tiny")
    mel = np.random.default_rng(4).standard_normal(one.inputs[0].shape).astype(np.float32)
    weights = values(one.parameters)
    (given,), _ = one.run({"mel": mel}, weights)
    wanted = encoded(weights, sizes.get("EncoderLayers", 2), sizes.get("Heads", 4), mel)
    assert differences(given, wanted, 1e-5) is None


@pytest.mark.parametrize("sizes", TEXTS)
@pytest.mark.parametrize("target", ["numpy", "torch"])
def test_the_decoder_agrees_with_that_of_torch(target: str, sizes: dict[str, Any]) -> None:
    one = program(target, PATH, sizes, entry="decode", preset="tiny")
    random = np.random.default_rng(4)
    tokens = random.integers(0, 256, one.inputs[0].shape).astype(np.int32)
    audio = random.standard_normal(one.inputs[1].shape).astype(np.float32)
    weights = values(one.parameters)
    (given,), _ = one.run({"tokens": tokens, "audio": audio}, weights)
    wanted = decoded(weights, sizes.get("DecoderLayers", 2), sizes.get("Heads", 4), tokens, audio)
    assert differences(given, wanted, 1e-5) is None


@pytest.mark.parametrize(
    ("preset", "wanted"), [pytest.param("whisper-tiny", 37_760_640, id="tiny"), pytest.param("large-v3", 1_543_490_560, id="large-v3")]
)
def test_the_presets_have_the_parameters_of_the_published_models(preset: str, wanted: int) -> None:
    """No bias is optional: keys have none, everything else has one."""
    assert parameters_at("whisper", preset) == (wanted, 0)
