"""`--grad` of a hostile program: names the printed module has itself, an axis of no elements, a state, optionals, wide integers."""

from __future__ import annotations

import numpy as np
import pytest
from agreement import assert_all
from running import program, source_file

TEXT = """module hostile
block Inner {
    param w: Tensor[3, 3; f64]
    param bias: Tensor[3; f64]?
    param none_: Tensor[0, 3; f64]
    param wide: Tensor[2; i64]
    pub fn forward(x: Tensor[3; f64]) -> Tensor[3; f64] {
        let y[i] = sum[j] w[i, j] * x[j]
        return match bias { some(b) => y + b none => y }
    }
}
block M {
    sub class_: Inner
    sub main: Inner
    param GRADIENTS: Tensor[3; f64]
    param PREPARED: Tensor[3; f64]
    state np: Tensor[3; f64]
    entry loss(x: Tensor[3; f64], torch: Tensor[3; f64]) -> f64 {
        let v = broadcast_to(GRADIENTS * 2.0, [3, 3])
        let t = permute(v, [1, 0])
        let e = sum[k, j] main.none_[k, j] * x[j]
        np = main.forward(x * PREPARED) + np
        let q = cast<f64>(main.wide[1] % 1000) * PREPARED[0]
        let z = class_.forward(np)
        return (sum[i, j] t[i, j] * v[i, j]) + e + (sum[i] np[i] * torch[i]) + q * x[0] + sum[i] z[i] * z[i]
    }
}
"""
RANDOM = np.random.default_rng(11)
GIVEN = {"x": RANDOM.normal(size=3), "torch": RANDOM.normal(size=3)}
#: Beyond 32 bits: its remainder by 1000 is 783, that of its lower 32 bits is 7.
WIDE = 2**40 + 7


def members() -> dict[str, np.ndarray]:
    random = np.random.default_rng(12)
    found = {"GRADIENTS": random.normal(size=3), "PREPARED": random.normal(size=3)}
    for block in ("class_", "main"):
        found[f"{block}.w"], found[f"{block}.bias"] = random.normal(size=(3, 3)), random.normal(size=3)
        found[f"{block}.none_"], found[f"{block}.wide"] = np.zeros((0, 3)), np.array([1, WIDE])
    return found


def ran(target: str, optionals: str) -> tuple[list[np.ndarray], np.ndarray, tuple[str, ...]]:
    one = program(target, source_file(TEXT), gradient=True, optionals=optionals)
    results, states = one.run(GIVEN, members(), {"np": np.array([0.5, -1.0, 2.0])})
    return [np.asarray(result) for result in results], np.asarray(states["np"]), one.finish.gradients


@pytest.mark.parametrize("optionals", ["absent", "present"])
def test_gradients_are_those_written_out(optionals: str) -> None:
    (_, *gradients), np_after, labels = ran("numpy", optionals)
    found, given, held = dict(zip(labels, gradients, strict=True)), members(), np.array([0.5, -1.0, 2.0])
    bias = 1.0 if optionals == "present" else 0.0
    x, w, outer = GIVEN["x"], given["main.w"], given["class_.w"]
    after = w @ (x * given["PREPARED"]) + bias * given["main.bias"] + held
    z = outer @ after + bias * given["class_.bias"]
    back = GIVEN["torch"] + outer.T @ (2 * z)
    prepared = x * (w.T @ back) + np.array([WIDE % 1000 * x[0], 0, 0])
    wanted = {
        "GRADIENTS": 8 * given["GRADIENTS"].sum() * np.ones(3),
        "PREPARED": prepared,
        "class_.w": np.outer(2 * z, after),
        "main.w": np.outer(back, x * given["PREPARED"]),
        "class_.none_": np.zeros((0, 3)),
        "main.none_": np.zeros((0, 3)),
    }
    if bias:
        wanted |= {"class_.bias": 2 * z, "main.bias": back}
    assert set(found) == set(wanted)
    assert_all([found[label] for label in wanted], list(wanted.values()), 1e-12)
    assert_all([np_after], [after], 1e-12)


@pytest.mark.parametrize("target", ["torch", "jax"])
@pytest.mark.parametrize("optionals", ["absent", "present"])
def test_targets_agree(optionals: str, target: str) -> None:
    pytest.importorskip(target, reason=f"{target} is not installed here; the environments `{target}` and `all` have it")
    results, after, labels = ran(target, optionals)
    wanted, held, names = ran("numpy", optionals)
    assert labels == names
    assert_all([*results, after], [*wanted, held], 1e-12)
