"""`examples/rnn` agrees with `torch.nn.LSTM`, over whole sequences and step by step, and has the parameters of the published model."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from agreement import differences
from published import parameters_at
from running import Program, program
from tiny import EXAMPLES, values
from torch import Tensor, nn
from torch_layers import tensor

PATH = str(EXAMPLES / "rnn")
SIZES = [
    pytest.param({}, id="tiny"),
    pytest.param({"Layers": 2}, id="no layer between"),
    pytest.param({"Layers": 3, "E": 7, "H": 3, "Batch": 3, "B": 3, "S": 5, "Steps": 3}, id="odd sizes"),
    pytest.param({"Batch": 1, "B": 1, "S": 1, "Steps": 1}, id="one step of one sequence"),
]
#: Entry -> its own generics.  An entry cannot be given those of another.
OWN = {"forward": {"B", "S"}, "step": set[str](), "read": {"S"}, "generate": {"Steps"}}
ALL = {"B", "S", "Steps"}


class ByHand:
    """The model with layers of `nn.LSTM`, and the vectors it goes on from."""

    def __init__(self, one: Program, layers: int) -> None:
        self.weights = {path: tensor(value) for path, value in values(one.parameters).items()}
        self.states = {path: tensor(value) for path, value in values(one.states).items()}
        self.names = ["first", *(f"middle.{i}" for i in range(layers - 2)), "last"]

    def _run(self, name: str, x: Tensor, start: tuple[Tensor, Tensor] | None) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        own = {f"{key}_l0": self.weights[f"{name}.{key}"] for key in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")}
        lstm = nn.LSTM(x.shape[2], own["weight_hh_l0"].shape[1], batch_first=True)
        lstm.load_state_dict(own)
        return lstm(x, start)

    @torch.no_grad()
    def logits(self, tokens: Tensor, *, keep: bool) -> Tensor:
        """Of whole sequences; from the states, which are written, or from zeros."""
        table = self.weights["encoder.weight"]
        x = table[tokens]
        for name in self.names:
            kept = [f"{name}.hidden", f"{name}.memory"]
            start = (self.states[kept[0]][None], self.states[kept[1]][None]) if keep else None
            x, after = self._run(name, x, start)
            if keep:
                self.states |= {path: value[0] for path, value in zip(kept, after, strict=True)}
        return x @ table.T + self.weights["decoder.bias"]

    def generated(self, token: Tensor, steps: int) -> Tensor:
        found = []
        for _ in range(steps):
            token = self.logits(token[:, None], keep=True)[:, 0].argmax(1)
            found.append(token)
        return torch.stack(found, 1).to(torch.int32)


def _called(entry: str, model: ByHand, tokens: np.ndarray, steps: int) -> Tensor:
    given = tensor(tokens)
    match entry:
        case "generate":
            return model.generated(given, steps)
        case "step":
            return model.logits(given[:, None], keep=True)[:, 0]
        case _:
            return model.logits(given, keep=entry == "read")


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("target", ["numpy", "torch"])
@pytest.mark.parametrize("entry", list(OWN))
def test_it_agrees_with_the_lstm_of_torch(entry: str, target: str, sizes: dict[str, Any]) -> None:
    bindings = {name: size for name, size in sizes.items() if name not in ALL - OWN[entry]}
    one = program(target, PATH, bindings, entry=entry, preset="tiny")
    model = ByHand(one, sizes.get("Layers", 4))
    tokens = np.random.default_rng(4).integers(0, 256, one.inputs[0].shape).astype(np.int32)
    (given,), states = one.run({one.inputs[0].name: tokens}, values(one.parameters), values(one.states))
    wanted = _called(entry, model, tokens, sizes.get("Steps", 5))
    assert differences(given, wanted.numpy(), 1e-5) is None
    assert sorted(states) == ([] if entry == "forward" else sorted(model.states))
    for path, state in states.items():
        assert differences(state, model.states[path].numpy(), 1e-5) is None


@pytest.mark.parametrize("target", ["numpy", "torch"])
def test_reading_goes_on_where_the_last_call_ended(target: str) -> None:
    """Two calls of `read` from zeros give what one call of `forward` gives."""
    tokens = np.random.default_rng(4).integers(0, 256, (2, 8)).astype(np.int32)
    forward = program(target, PATH, entry="forward", preset="tiny")
    weights = values(forward.parameters)
    (whole,), _ = forward.run({"tokens": tokens}, weights)
    parts, states = [], {}
    for start, length in ((0, 3), (3, 5)):
        one = program(target, PATH, {"S": length}, entry="read", preset="tiny")
        zeros = {path: np.zeros_like(value) for path, value in values(one.states).items()}
        (part,), states = one.run({"tokens": tokens[:, start : start + length]}, weights, zeros | states)
        parts.append(part)
    assert differences(np.concatenate(parts, 1), whole, 1e-5) is None


@pytest.mark.parametrize("target", ["numpy", "torch"])
@pytest.mark.parametrize(
    ("entry", "size", "shape"), [("forward", "S", (2, 0, 256)), ("read", "S", (2, 0, 256)), ("generate", "Steps", (2, 0))]
)
def test_no_step_gives_nothing_and_changes_nothing(entry: str, size: str, shape: tuple[int, ...], target: str) -> None:
    one = program(target, PATH, {size: 0}, entry=entry, preset="tiny")
    before = values(one.states)
    (given,), states = one.run({leaf.name: np.zeros(leaf.shape, np.int32) for leaf in one.inputs}, values(one.parameters), before)
    assert np.shape(given) == shape
    assert {path: differences(state, before[path]) for path, state in states.items()} == dict.fromkeys(states)


def test_the_preset_has_the_parameters_of_the_published_model() -> None:
    """Said to be 24 million for a vocabulary of 10,000 words."""
    assert parameters_at("rnn", "words") == (24_221_600, 0)
