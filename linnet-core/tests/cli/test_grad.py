"""`--grad` on the command line: names of results, the same source from a replay, and what does not go with it."""

from __future__ import annotations

import json

import numpy as np
import pytest

PROGRAM = """module m
block Gate {
    param w: Tensor[2; f32]
    buffer scale: Tensor[2; f32]
    pub fn forward(x: Tensor[2; f32]) -> Tensor[2; f32] { return x * w * scale }
}
block M {
    sub gate: Gate
    entry loss(x: Tensor[2; f32] = [3.0, 4.0]) -> f32 { let y = gate.forward(x) return sum[i] y[i] }
    entry run(x: Tensor[2; f32]) -> Tensor[2; f32] { return gate.forward(x) }
}
""".replace(" = [3.0, 4.0]", " = fill<f32>([2], 3.0)")


@pytest.fixture
def model(linnet):
    (linnet.folder / "m.linnet").write_text(PROGRAM, encoding="utf-8")
    return linnet


def test_a_run_names_gradients_by_path_and_takes_defaults_as_ever(model) -> None:
    arguments = ("--grad", "--entry", "loss", "--weights", "random", "-o", "out.npz", "--json", "m.linnet")
    done = model("run", *arguments)
    assert done.returncode == 0, done.stderr
    assert [result["name"] for result in json.loads(done.stdout)["results"]] == ["results.0", "grad:gate.w"]
    arrays = np.load(model.folder / "out.npz")
    assert sorted(arrays) == ["grad:gate.w", "results.0"]
    assert arrays["grad:gate.w"].shape == (2,)


def test_a_replay_prints_what_the_target_prints_gradients_named(model) -> None:
    direct = model("numpy", "--grad", "--entry", "loss", "m.linnet")
    again = model("graph", "--replay", "--target", "numpy", "--grad", "--entry", "loss", "m.linnet")
    assert direct.stdout == again.stdout
    assert "GRADIENTS = ['gate.w']\n" in direct.stdout
    assert "RESULTS = 2\n" in direct.stdout
    assert "GRADIENTS" not in model("numpy", "--entry", "loss", "m.linnet").stdout


STATEFUL = """module m
block M {
    param w: Tensor[2; f32]
    state seen: Tensor[2; f32]
    entry loss(x: Tensor[2; f32]) -> f32 { seen = seen + x * w return sum[i] seen[i] * seen[i] }
}
"""


def test_new_states_follow_the_gradients_and_a_replay_prints_the_same(linnet) -> None:
    (linnet.folder / "m.linnet").write_text(STATEFUL, encoding="utf-8")
    np.savez(linnet.folder / "held.npz", seen=np.array([1, -2], np.float32))
    done = linnet(
        "run", "--grad", "--weights", "random", "--input", "x=[3,4]", "--state", "held.npz", "-o", "out.npz", "--json", "m.linnet"
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert [result["name"] for result in found["results"]] == ["results.0", "grad:w"]
    assert [state["name"] for state in found["states"]] == ["seen"]
    arrays = np.load(linnet.folder / "out.npz")
    np.testing.assert_allclose(arrays["grad:w"], 2 * arrays["seen"] * [3, 4], rtol=1e-6)
    printed = [linnet(*command, "--grad", "m.linnet").stdout for command in (("numpy",), ("graph", "--replay", "--target", "numpy"))]
    assert printed[0] == printed[1]
    assert "NEXT_STATES = ['seen']\n" in printed[0]


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        pytest.param(("--entry", "run"), 1, "gradient: entry `run` gives f32[2], not one float scalar", id="no scalar"),
        pytest.param(("--entry", "loss", "--place", "gate=1"), 1, "cannot be placed, offloaded or sharded together", id="place"),
        pytest.param(("--entry", "loss", "--offload", "gate"), 1, "cannot be placed, offloaded or sharded together", id="offload"),
        pytest.param(("--entry", "loss", "--fully-shard", "gate"), 1, "cannot be placed, offloaded or sharded together", id="shard"),
        pytest.param(("--entry", "loss", "--remat", "gate"), 1, "cannot compute blocks again together with its gradient", id="remat"),
        pytest.param(("--entry", "loss", "--prepare"), 2, "--prepare and --grad exclude each other", id="prepare"),
    ],
)
def test_what_has_no_gradient_is_said(model, arguments, status, words) -> None:
    done = model("numpy", "--grad", *arguments, "m.linnet")
    assert (done.returncode, done.stdout) == (status, "")
    assert words in done.stderr
    assert "Traceback" not in done.stderr
