"""Losses of the examples at `tiny`: the gradients of `--grad` are those PyTorch has of the models written by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from agreement import differences
from llama_module import Llama
from running import program
from tiny import EXAMPLES, LLAMA_INPUTS, LLAMA_SIZES, TRAIN_INPUTS, values
from train_module import Train

if TYPE_CHECKING:
    from pathlib import Path

    from running import Program

F32 = 1e-5

LLAMA_LOSS = """
    /// `sum -weights ln p(targets)`.
    pub entry loss<B: Dim, S: Dim>(tokens: Tensor[B, S; i32], targets: Tensor[B * S; i64], weights: Tensor[B * S; f32]) -> f32 {
        return cross_entropy(reshape(logits(hidden(tokens)), [B * S, Vocab]), targets, weights)
    }

    /// Logits at every position"""


def assert_gradients(one: Program, inputs: dict[str, np.ndarray], model: torch.nn.Module, loss: torch.Tensor) -> None:
    """The result is `loss`, and every gradient that of the model's parameter of its path."""
    loss.backward()
    given, *gradients = one.run(inputs, values(one.parameters))[0]
    assert differences(np.asarray(given), loss.detach().numpy(), F32) is None
    parameters = dict(model.named_parameters())
    assert set(one.finish.gradients) == set(parameters)
    for path, found in zip(one.finish.gradients, gradients, strict=True):
        wanted = parameters[path].grad
        assert wanted is not None
        scale = float(wanted.abs().max())
        assert scale > 0, path
        assert differences(np.asarray(found) / np.float32(scale), wanted.numpy() / np.float32(scale), 1e-4) is None, path


@pytest.mark.parametrize("target", ["numpy", "torch"])
def test_the_loss_of_train_has_the_gradients_of_pytorch(target: str) -> None:
    one = program(target, str(EXAMPLES / "train"), entry="loss", preset="tiny", gradient=True)
    model = Train(Vocab=256, Context=12, H=64, Heads=4, Layers=2)
    model.load({path: torch.from_numpy(value) for path, value in values(one.parameters).items()})
    inputs = TRAIN_INPUTS["loss"]
    tokens, targets, weights = (torch.from_numpy(inputs[name].copy()).flatten() for name in ("tokens", "targets", "weights"))
    logits = Train.forward.__wrapped__(model, tokens.view(2, 8))  # under its no_grad
    each = F.cross_entropy(logits.flatten(0, 1), targets, reduction="none")
    assert_gradients(one, inputs, model, (each * weights).sum())


@pytest.mark.parametrize("target", ["numpy", "torch"])
def test_a_loss_of_llama_has_the_gradients_of_pytorch(target: str, tmp_path: Path) -> None:
    for file in sorted((EXAMPLES / "llama").rglob("*")):
        if file.suffix in (".linnet", ".toml"):
            place = tmp_path / file.relative_to(EXAMPLES / "llama")
            place.parent.mkdir(parents=True, exist_ok=True)
            text = file.read_text(encoding="utf-8")
            if file.name == "lib.linnet":
                text = text.replace("\n    /// Logits at every position", LLAMA_LOSS, 1)
                text = text.replace("use std.nn.linear::{Linear}\n", "use std.nn.linear::{Linear}\nuse std.nn.loss::{cross_entropy}\n")
            place.write_text(text, encoding="utf-8")
    one = program(target, str(tmp_path), {"T": "f32"}, entry="loss", preset="tiny", gradient=True)
    model = Llama(**LLAMA_SIZES)
    model.load({path: torch.from_numpy(value) for path, value in values(one.parameters).items()})
    tokens = LLAMA_INPUTS["forward"]["tokens"]
    inputs = {"tokens": tokens, "targets": tokens[:, ::-1].astype(np.int64).flatten(), "weights": np.linspace(0.1, 1, 16, dtype=np.float32)}
    logits = model.lm_head(model.norm(model._hidden(torch.from_numpy(tokens.copy()), None)))
    each = F.cross_entropy(logits.flatten(0, 1), torch.from_numpy(inputs["targets"].copy()), reduction="none")
    assert_gradients(one, inputs, model, (each * torch.from_numpy(inputs["weights"])).sum())
