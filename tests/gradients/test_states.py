"""`--grad` of entries that write states: the new states follow the gradients, and what a state held before a call passes nothing back."""

from __future__ import annotations

import numpy as np
import pytest
from agreement import assert_all
from running import program, source_file

TEXT = """module gradients
block Model {
    param w: Tensor[3; f64]
    state mean: Tensor[3; f64]
    state cache: Tensor[4, 3; f64]
    state calls: Tensor[1; i64]
    state early: Tensor[3; f64]
    pub entry loss(x: Tensor[3; f64], at: i64, twice: bool) -> f64 {
        let before[i, j] = cache[i, j] * w[j]
        mean = (mean + x * w) * 0.5
        early = mean * w
        let rows[i, j] = if iota(4)[i] == at { early[j] } else { cache[i, j] }
        cache = rows
        calls = calls + 1
        mean = if twice { mean * w } else { mean }
        for i in 0..2 { mean = sin(mean) * w }
        return (sum[i] tanh(mean)[i] * w[i]) + sum[i, j] cache[i, j] * cache[i, j] * before[i, j]
    }
}
"""
W = np.array([0.4, -1.3, 0.8])
INPUTS = {"x": np.array([1.1, 0.3, -0.7]), "at": np.array(2), "twice": np.array(True)}
STATES = {
    "mean": np.array([0.2, -0.1, 0.5]),
    "cache": np.arange(12.0).reshape(4, 3) * 0.1,
    "calls": np.array([6]),
    "early": np.zeros(3),
}
ORDER = ["mean", "early", "cache", "calls"]


def ran(target: str, w: np.ndarray = W, *, gradient: bool = True) -> tuple[list[np.ndarray], dict[str, np.ndarray]]:
    """The results, and the new states; states are written over on some targets, so each run has its own."""
    held = {path: array.copy() for path, array in STATES.items()}
    results, states = program(target, source_file(TEXT), gradient=gradient).run(INPUTS, {"w": w}, held)
    return [np.asarray(result) for result in results], {path: np.asarray(array) for path, array in states.items()}


def test_the_loss_and_the_new_states_are_those_without_gradients_and_the_gradient_that_of_the_loss_alone() -> None:
    (loss, gradient), states = ran("numpy")
    (plain,), wanted = ran("numpy", gradient=False)
    assert loss == plain
    assert list(states) == ORDER
    assert_all(list(states.values()), list(wanted.values()))
    assert states["calls"].tolist() == [7]
    step = 1e-6
    for at in range(3):
        moved = np.eye(3)[at] * step
        slope = (ran("numpy", W + moved, gradient=False)[0][0] - ran("numpy", W - moved, gradient=False)[0][0]) / (2 * step)
        assert abs(slope - gradient[at]) < 1e-8


@pytest.mark.parametrize("target", ["torch", "jax"])
def test_targets_agree(target: str) -> None:
    pytest.importorskip(target, reason=f"{target} is not installed here; the environments `{target}` and `all` have it")
    results, states = ran(target)
    wanted, held = ran("numpy")
    assert list(states) == ORDER
    assert_all(results, wanted, 1e-12)
    assert_all(list(states.values()), list(held.values()), 1e-12)


WRITTEN = """module gradients
use std.nn.cache::{write_at}
block Model {
    param w: Tensor[1, 1, 1, 4; f32]
    state cache: Tensor[1, 1, 3, 4; f32]
    pub entry run(x: Tensor[1, 1, 1, 4; f32], at: i32) -> f32 {
        let before = sum[i, d] cache[0, 0, i, d] * w[0, 0, 0, d]
        cache = write_at(cache, x * w, at)
        return exp(before * 0.1) * sum[i, d] cache[0, 0, i, d] * cache[0, 0, i, d]
    }
}
"""


@pytest.mark.parametrize("target", ["numpy", "torch", "jax"])
def test_a_state_the_way_back_reads_is_not_overwritten_before(target: str) -> None:
    pytest.importorskip(target, reason=f"{target} is not installed here; the environments `{target}` and `all` have it")
    x, w = np.arange(1, 5, dtype=np.float32).reshape(1, 1, 1, 4) * 0.5, np.array([0.5, -1, 2, 1], np.float32).reshape(1, 1, 1, 4)
    cache = np.arange(12, dtype=np.float32).reshape(1, 1, 3, 4) * 0.1
    given = {"x": x, "at": np.array(1, np.int32)}
    (loss, gradient), states = program(target, source_file(WRITTEN), gradient=True).run(given, {"w": w}, {"cache": cache.copy()})
    after = cache.copy()
    after[0, 0, 1] = (x * w)[0, 0, 0]
    outer, squares = np.exp((cache * w).sum() * 0.1), (after * after).sum()
    wanted = outer * 0.1 * cache.sum(axis=2, keepdims=True) * squares + outer * 2 * x * x * w
    assert_all([loss, gradient, states["cache"]], [np.float32(outer * squares), wanted, after], 2e-6)
