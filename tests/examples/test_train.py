"""`examples/train`: logits and losses as PyTorch has them, tokens as the formula draws them, gradients as autograd has them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import random_reference
import torch
import torch.nn.functional as F
from agreement import differences
from running import program, source_file
from tiny import EXAMPLES, TRAIN_INPUTS, values
from train_module import Train

from linnet_core.cli.app import run

PATH = str(EXAMPLES / "train")
TARGETS = ["numpy", "torch"]


def ran(entry: str, target: str, inputs: dict[str, np.ndarray], sizes: dict[str, int] | None = None) -> tuple[list[np.ndarray], Train]:
    """The results of an entry, and the module written by hand with the same weights."""
    one = program(target, PATH, sizes, entry=entry, preset="tiny")
    weights = values(one.parameters)
    model = Train(Vocab=256, Context=12, H=64, Heads=4, Layers=2)
    return one.run(inputs, weights)[0], model.load({path: torch.from_numpy(value) for path, value in weights.items()})


@pytest.mark.parametrize("target", TARGETS)
def test_logits_and_losses_are_those_of_pytorch(target: str) -> None:
    inputs = TRAIN_INPUTS["loss"]
    tokens, targets, weights = (torch.from_numpy(inputs[name].copy()) for name in ("tokens", "targets", "weights"))
    (logits,), model = ran("forward", target, TRAIN_INPUTS["forward"])
    wanted = model(tokens)
    assert differences(np.asarray(logits), wanted.numpy(), 1e-5) is None
    each = F.cross_entropy(wanted.flatten(0, 1), targets.flatten(), reduction="none")
    (loss,), _ = ran("loss", target, inputs)
    assert differences(np.asarray(loss), (each * weights.flatten()).sum().numpy(), 1e-5) is None
    (log_probs, entropies), _ = ran("log_probs", target, TRAIN_INPUTS["log_probs"])
    assert differences(np.asarray(log_probs), -each.view(2, 8).numpy(), 1e-5) is None
    assert differences(np.asarray(entropies), torch.distributions.Categorical(logits=wanted).entropy().numpy(), 1e-5) is None


@pytest.mark.parametrize("target", TARGETS)
def test_equal_weights_make_the_mean_and_zeros_leave_tokens_out(target: str) -> None:
    inputs = TRAIN_INPUTS["loss"]
    tokens, targets = (torch.from_numpy(inputs[name].copy()) for name in ("tokens", "targets"))
    kept = np.zeros((2, 8), np.float32)
    kept[:, :5] = 0.1
    (loss,), model = ran("loss", target, {**inputs, "weights": kept})
    targets[:, 5:] = -100
    wanted = F.cross_entropy(model(tokens).flatten(0, 1), targets.flatten(), ignore_index=-100)
    assert differences(np.asarray(loss), wanted.numpy(), 1e-5) is None


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({}, id="a key"),
        pytest.param({"key": np.array([0, 0], np.int64)}, id="another key"),
        pytest.param({"temperature": np.float32(0.05)}, id="cold"),
        pytest.param({"temperature": np.float32(50.0)}, id="hot"),
    ],
)
@pytest.mark.parametrize("target", TARGETS)
def test_tokens_are_drawn_as_the_formula_says(target: str, change: dict[str, Any]) -> None:
    inputs = {**TRAIN_INPUTS["sample"], **{name: np.asarray(value) for name, value in change.items()}}
    (given,), model = ran("sample", target, inputs)
    window, drawn = torch.from_numpy(inputs["tokens"].copy()), []
    for key in random_reference.split(inputs["key"], 5):
        logits = model(window)[:, -1].double().numpy() / float(inputs["temperature"])
        drawn.append(random_reference.categorical(key, logits))
        window = torch.cat((window[:, 1:], torch.from_numpy(drawn[-1])[:, None]), 1)
    assert np.array_equal(given, np.stack(drawn, 1))


@pytest.mark.parametrize("target", TARGETS)
def test_a_key_gives_the_same_tokens_again_and_another_key_others(target: str) -> None:
    inputs = {**TRAIN_INPUTS["sample"], "temperature": np.asarray(2.0, np.float32)}
    (once,), _ = ran("sample", target, inputs)
    (again,), _ = ran("sample", target, inputs)
    (other,), _ = ran("sample", target, {**inputs, "key": np.array([8, 2**32 - 3], np.int64)})
    assert np.array_equal(once, again)
    assert not np.array_equal(once, other)


#: What each op's gradient clause takes and gives, and the op in PyTorch.
GRADIENTS = [
    pytest.param("squared_relu", "Tensor[*S; T]", {}, lambda x: F.relu(x).square(), id="squared_relu"),
    pytest.param("soft_cap", "Tensor[*S; T]", {"limit": np.float32(3.0)}, lambda x, limit: torch.tanh(x / limit) * limit, id="soft_cap"),
    pytest.param(
        "gain",
        "(Tensor[*S, H; T], Tensor[H; T])",
        {"w": np.linspace(-1, 2, 4, dtype=np.float32)},
        lambda x, w: x * w,
        id="gain",
    ),
]


def gradient_entry(name: str, results: str) -> str:
    """The op's gradient clause as an entry of its own: parameters, result and the result's gradient in, gradients out."""
    text = (Path(PATH) / "src" / "ops.linnet").read_text(encoding="utf-8")
    header, _, rest = text.partition(f"pub op {name}<")[2].partition(" {\n")
    generics, _, more = header.partition(">(")
    parameters, _, result = more.rpartition(") -> ")
    body = rest.partition("} grad(y, dy) {\n")[2].partition("\n}\n")[0]
    taken = f"{parameters.rstrip().rstrip(',')}, y: {result}, dy: {result}"
    return f"module gradient\n\npub entry {name}<{generics}>({taken}) -> {results} {{\n{body}\n}}\n"


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(("name", "results", "more", "by_hand"), GRADIENTS)
def test_the_gradients_are_those_of_the_bodies(name: str, results: str, more: dict[str, Any], by_hand: Any, target: str) -> None:
    sizes: dict[str, Any] = {"S": "2,3", "H": 4, "T": "f32"} if "w" in more else {"S": "2,3,4", "T": "f32"}
    random = np.random.default_rng(4)
    x, dy = (random.standard_normal((2, 3, 4)).astype(np.float32) for _ in range(2))
    taken = [torch.from_numpy(np.asarray(value)).requires_grad_() for value in (x, *more.values())]
    y = by_hand(*taken)
    wanted = torch.autograd.grad(y, taken[: 1 if "limit" in more else None], torch.from_numpy(dy))
    one = program(target, source_file(gradient_entry(name, results)), sizes, entry=name)
    given, _ = one.run({"x": x, **more, "y": y.detach().numpy(), "dy": dy})
    assert len(given) == len(wanted)
    for a, b in zip(given, wanted, strict=True):
        assert differences(np.asarray(a), b.numpy(), 1e-6) is None


@pytest.mark.parametrize(
    ("right", "wrong", "code"),
    [
        pytest.param("(dy * w, dw)", "dy * w", "E2101", id="one gradient of two"),
        pytest.param("(dy * w, dw)", "(dw, dy * w)", "E2101", id="the other order"),
        pytest.param("let dw[h] = sum[*s] dy[*s, h]", "let dw[h] = sum[*s] dz[*s, h]", "E1201", id="an unknown name"),
    ],
)
def test_a_clause_that_gives_something_else_is_refused(
    right: str, wrong: str, code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (Path(PATH) / "src" / "ops.linnet").read_text(encoding="utf-8")
    assert right in text
    file = tmp_path / "ops.linnet"
    file.write_text(text.replace(right, wrong), encoding="utf-8")
    assert run(["check", str(file)]) == 1
    assert code in capsys.readouterr().err
