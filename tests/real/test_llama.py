"""The entries a public Llama is served and trained with, of `models/llama.linnet`, agree with whole sequences run by hand in PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from agreement import differences
from one_run import HERE, TARGETS, made_up
from running import Program, program
from torch import Tensor

PATH = str(HERE / "models" / "llama.linnet")
SIZES = {"Vocab": 12, "H": 24, "Heads": 6, "KvHeads": 2, "Inner": 20, "Layers": 2, "Batch": 2, "MaxSeq": 8, "T": "f32", "PageSize": 2}
FIRST, SECOND = [3, 1, 4, 1, 5], [9, 2, 6]
I32, I64 = np.int32, np.int64


def exported(target: str, entry: str, **sizes: Any) -> Program:
    return program(target, PATH, {**SIZES, **sizes}, root="Model", entry=entry)


def weights_of(one: Program) -> dict[str, np.ndarray]:
    return {leaf.path: 0.4 * made_up(leaf.path, leaf.shape, leaf.dtype, 1) for leaf in one.parameters}


def zeros(one: Program) -> dict[str, np.ndarray]:
    return {leaf.path: np.zeros(leaf.shape, np.float32) for leaf in one.states}


class ByHand:
    """A whole sequence at a time, no cache, no shard."""

    def __init__(self, one: Program) -> None:
        self.weights = {path: torch.from_numpy(value) for path, value in weights_of(one).items()}

    def norm(self, x: Tensor, path: str) -> Tensor:
        return F.rms_norm(x, x.shape[-1:], self.weights[f"{path}.weight"], 1e-5)

    def heads(self, x: Tensor, path: str, *, turn: bool) -> Tensor:
        y = (x @ self.weights[f"{path}.weight"].T).unflatten(-1, (-1, 4)).transpose(0, 1)
        if not turn:
            return y
        angles = torch.arange(len(x))[:, None] * 10000.0 ** (-torch.arange(2) / 2)
        a, b = y.split(2, -1)
        return torch.cat([a * angles.cos() - b * angles.sin(), b * angles.cos() + a * angles.sin()], -1)

    def hidden(self, tokens: list[int]) -> Tensor:
        x = self.weights["embed_tokens.weight"][tokens]
        for i in range(2):
            at = f"layers.{i}"
            normed = self.norm(x, f"{at}.input_norm")
            q, k = (self.heads(normed, f"{at}.{name}_proj", turn=True) for name in "qk")
            v = self.heads(normed, f"{at}.v_proj", turn=False)
            y = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
            x = x + y.transpose(0, 1).flatten(1) @ self.weights[f"{at}.o_proj.weight"].T
            normed = self.norm(x, f"{at}.post_attention_norm")
            gate, up, down = (self.weights[f"{at}.mlp.{name}.weight"].T for name in ("gate", "up", "down"))
            x = x + (F.silu(normed @ gate) * (normed @ up)) @ down
        return self.norm(x, "norm")

    def logits(self, tokens: list[int]) -> Tensor:
        return self.hidden(tokens) @ self.weights["lm_head.weight"].T


def assert_is(given: np.ndarray, wanted: Tensor) -> None:
    assert differences(np.asarray(given), wanted.numpy(), 1e-5) is None


PACKED = {
    "tokens": np.array(FIRST + SECOND, I32),
    "positions": np.array([0, 1, 2, 3, 4, 0, 1, 2], I32),
    "segments": np.array([0] * 5 + [1] * 3, I32),
}
ROWS = {"rows": PACKED["segments"], "last": np.array([4, 7], I32)}
#: Where page `i` of row 0 and of row 1 lies in the pool; the pages of a row need not follow one another.
PAGES = np.array([[2, 0, 5], [1, 4, 3]], I32)


@pytest.mark.parametrize("target", TARGETS)
def test_packed_sequences_do_not_see_one_another(target: str) -> None:
    one = exported(target, "hidden_packed", P=8)
    (given,), _ = one.run(PACKED, weights_of(one))
    model = ByHand(one)
    assert_is(given, torch.cat([model.hidden(FIRST), model.hidden(SECOND)]))


@pytest.mark.parametrize("target", TARGETS)
def test_losses_of_packed_sequences(target: str) -> None:
    probs, loss = exported(target, "log_probs_packed", P=8), exported(target, "loss_packed", P=8)
    model, targets = ByHand(probs), np.array([1, 4, 1, 5, 0, 2, 6, 0], I64)
    scores = F.log_softmax(torch.cat([model.logits(FIRST), model.logits(SECOND)]), -1)
    wanted = scores[torch.arange(8), torch.from_numpy(targets)]
    weights = np.linspace(0, 1, 8, dtype=np.float32)
    inputs = {**PACKED, "targets": targets, "weights": weights}
    assert_is(probs.run(inputs, weights_of(probs))[0][0], wanted)
    assert_is(loss.run(inputs, weights_of(loss))[0][0], -(wanted * torch.from_numpy(weights)).sum())


@pytest.mark.parametrize("target", TARGETS)
def test_slots_are_filled_and_steps_go_on_from_them(target: str) -> None:
    """Two sequences into the slots 1 and 0, then two packed ones beside one more token of each of the first."""
    prefill, step = exported(target, "prefill_slots", M=2, S=5), exported(target, "step_packed", P=2)
    model, weights = ByHand(prefill), weights_of(prefill)
    padded = np.array([FIRST, [*SECOND, 0, 0]], I32)
    inputs = {"tokens": padded, "slots": np.array([1, 0], I32), "lengths": np.array([5, 3], I32)}
    (given,), states = prefill.run(inputs, weights, zeros(prefill))
    assert_is(given, torch.stack([model.logits(FIRST)[-1], model.logits(SECOND)[-1]]))
    inputs = {
        "tokens": np.array([7, 8], I32),
        "rows": np.array([0, 1], I32),
        "positions": np.array([6, 7], I32),
        "segments": np.array([0, 1], I32),
        "last": np.array([0, 1], I32),
        "step_tokens": np.array([[10], [11]], I32),
        "step_positions": np.array([3, 5], I32),
    }
    (given,), _ = step.run(inputs, weights, states)
    assert_is(given[2:], torch.stack([model.logits([*SECOND, 10])[-1], model.logits([*FIRST, 11])[-1]]))


@pytest.mark.parametrize("target", TARGETS)
def test_packed_steps_fill_the_caches(target: str) -> None:
    """The packed sequences of one call, without their last tokens, are those whose next tokens the other call takes."""
    first, then = exported(target, "step_packed", P=8), exported(target, "step_packed", P=1)
    model, weights = ByHand(first), weights_of(first)
    inputs = {**PACKED, **ROWS, "step_tokens": np.array([[0], [0]], I32), "step_positions": np.array([7, 7], I32)}
    (given,), states = first.run(inputs, weights, zeros(first))
    assert_is(given[:2], torch.stack([model.logits(FIRST)[-1], model.logits(SECOND)[-1]]))
    one = {
        "tokens": [0],
        "rows": [0],
        "positions": [6],
        "segments": [0],
        "last": [0, 0],
        "step_tokens": [[8], [7]],
        "step_positions": [5, 3],
    }
    (given,), _ = then.run({name: np.array(value, I32) for name, value in one.items()}, weights, states)
    assert_is(given[2:], torch.stack([model.logits([*FIRST, 8])[-1], model.logits([*SECOND, 7])[-1]]))


def _slots(rows: np.ndarray, positions: np.ndarray) -> np.ndarray:
    return (PAGES[rows, positions // 2] * 2 + positions % 2).astype(I32)


@pytest.mark.parametrize("target", TARGETS)
def test_pages_hold_what_caches_hold(target: str) -> None:
    """Two sequences into a pool of six pages, then one more token of each."""
    pool = {"Batch": 1, "MaxSeq": 12}
    prefill, decode = (
        exported(target, "prefill_paged", P=8, Rows=2, Pages=3, **pool),
        exported(target, "decode_paged", Rows=2, Pages=3, **pool),
    )
    model, weights = ByHand(prefill), weights_of(prefill)
    inputs = {**PACKED, **ROWS, "slots": _slots(ROWS["rows"], PACKED["positions"]), "table": PAGES}
    (given,), states = prefill.run(inputs, weights, zeros(prefill))
    assert_is(given, torch.stack([model.logits(FIRST)[-1], model.logits(SECOND)[-1]]))
    inputs = {"tokens": np.array([[8], [7]], I32), "positions": np.array([5, 3], I32), "table": PAGES}
    (given,), _ = decode.run(inputs, weights, states)
    assert_is(given, torch.stack([model.logits([*FIRST, 8])[-1], model.logits([*SECOND, 7])[-1]]))


@pytest.mark.parametrize("target", TARGETS)
def test_cold_samples_are_the_likeliest(target: str) -> None:
    one = exported(target, "sample", Steps=4)
    model = ByHand(one)
    inputs = {"token": np.array([[3], [9]], I32), "pos": np.array(0, I32), "key": np.array([0, 5], I64)}
    (given,), _ = one.run({**inputs, "temperature": np.array(1e-4, np.float32)}, weights_of(one), zeros(one))
    for row, start in zip(given, (3, 9), strict=True):
        tokens = [start]
        for _ in range(4):
            tokens.append(int(model.logits(tokens)[-1].argmax()))
        assert row.tolist() == tokens[1:]
    (hot,), _ = one.run({**inputs, "temperature": np.array(50.0, np.float32)}, weights_of(one), zeros(one))
    assert hot.tolist() != given.tolist()


@pytest.mark.parametrize("target", TARGETS)
def test_a_shard_is_as_wide_as_its_part(target: str) -> None:
    """With one process for two shards the shapes are those of a shard, and the logits are gathered."""
    one = exported(target, "hidden_packed", P=8, Shards=2)
    shapes = {leaf.path: leaf.shape for leaf in one.parameters}
    assert shapes["layers.0.q_proj.weight"] == (12, 24)
    assert shapes["layers.0.k_proj.weight"] == (4, 24)
    assert shapes["lm_head.weight"] == (6, 24)
    assert one.run(PACKED, weights_of(one))[0][0].shape == (8, 24)
