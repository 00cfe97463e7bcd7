"""Loops and conditionals as functions: they run as the reference does, differentiate where they count, and hold what they share apart."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from jax_programs import printed

from linnet_core.conformance.compare import difference

F32 = np.float32


def _agree(text: str, arrays: dict[str, np.ndarray], tolerance: float = 1e-6) -> None:
    results, states = printed(text).run(arrays)
    wanted, wanted_states = printed(text, "numpy").run(arrays)
    for given, right in (*zip(results, wanted, strict=True), *((states[path], wanted_states[path]) for path in wanted_states)):
        assert difference(given, np.asarray(right), tolerance) is None


SHARED = """pub entry run(x: Tensor[3; f32], limit: f32) -> (Tensor[3; f32], i32) {
    var y = x
    var n: i32 = 0
    while exp(y[0]) * 2.0 < limit && n < 50 {
        y = y + exp(y[0])
        n = n + 1
    }
    return (y, n)
}
"""


@pytest.mark.parametrize("limit", [0.0, 5.0, 1e4])
def test_what_a_condition_computes_is_computed_in_the_body_too(limit: float) -> None:
    _agree(SHARED, {"x": np.array([0.1, 0.2, 0.3], F32), "limit": np.asarray(limit, F32)})


def test_a_while_is_two_functions() -> None:
    main = printed(SHARED).main
    assert main.count("jax.lax.while_loop(w0_condition, w0_body, ") == 1
    assert main.count("def w0_condition(carried):") == main.count("def w0_body(carried):") == 1
    assert "del " not in main


NESTED = """pub entry run(n: i32, x: Tensor[2; f32]) -> (i32, Tensor[2; f32]) {
    var total: i32 = 0
    var y = x
    var i: i32 = 0
    while i < n {
        for j in 0..3 {
            y = if (i + cast<i32>(j)) % 2 == 0 { exp(y * 0.1) } else { sin(y) + x }
            total = total + i * cast<i32>(j)
        }
        i = i + 1
    }
    return (total, y)
}
"""


@pytest.mark.parametrize("n", [0, 1, 4])
def test_loops_and_conditionals_inside_one_another(n: int) -> None:
    _agree(NESTED, {"n": np.asarray(n, np.int32), "x": np.array([1, -2], F32)})


CHOICE = """pub block Model {
    state seen: Tensor[3; f32]

    fn added(y: Tensor[3; f32]) -> (Tensor[3; f32], f32) {
        seen = seen + y
        return (y * 2.0, sum[n] y[n])
    }

    pub entry run(x: Tensor[3; f32], c: bool) -> (Tensor[3; f32], f32) {
        let y = exp(x)
        return if c { added(y) } else { (sin(x), 0.5) }
    }
}
"""


@pytest.mark.parametrize("c", [True, False])
def test_an_if_gives_several_values_and_writes_states(c: bool) -> None:
    one = printed(CHOICE)
    assert one.main.count("jax.lax.cond(") == 1
    _agree(CHOICE, {"x": np.array([0.5, -1, 2], F32), "c": np.asarray(c), "seen": np.ones(3, F32)})


SCAN = """pub entry run(x: Tensor[4; f32], w: Tensor[4, 4; f32]) -> f32 {
    var h = x
    let rows = for i in 0..3 {
        let next[a] = sum[b] w[a, b] * h[b]
        h = tanh(next)
        yield h * cast<f32>(i + 1)
    }
    return (sum[i, a] rows[i, a] * rows[i, a]) + (sum[b] h[b])
}
"""


def test_a_scan_differentiates_backwards() -> None:
    jax = pytest.importorskip("jax", reason="jax is not installed here; the environment of linnet-jax has it")
    one = printed(SCAN)
    module: dict[str, Any] = {}
    exec(one.source, module)
    generator = np.random.Generator(np.random.PCG64(3))
    x, w = generator.standard_normal(4), 0.5 * generator.standard_normal((4, 4))
    _agree(SCAN, {"x": x.astype(F32), "w": w.astype(F32)}, 1e-5)
    slopes = jax.grad(lambda x, w: module["main"](x, w, *module["constants"]())[0], argnums=(0, 1))(x.astype(F32), w.astype(F32))

    def value(x: np.ndarray, w: np.ndarray) -> float:
        h, total = x, 0.0
        for i in range(3):
            h = np.tanh(w @ h)
            total += float(np.sum((h * (i + 1)) ** 2))
        return total + float(h.sum())

    step = 1e-6
    for at in range(4):
        d = np.zeros(4)
        d[at] = step
        assert abs(float(slopes[0][at]) - (value(x + d, w) - value(x - d, w)) / (2 * step)) < 1e-4
        e = np.zeros((4, 4))
        e[at, 1] = step
        assert abs(float(slopes[1][at, 1]) - (value(x, w + e) - value(x, w - e)) / (2 * step)) < 1e-4


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_counted_loop_of_few_turns(count: int) -> None:
    text = (
        f"pub entry run(x: Tensor[2; f32]) -> (Tensor[2; f32], Tensor[{count}, 2; f32]) {{\n    var y = x\n"
        f"    let rows = for i in 0..{count} {{\n        y = y + cast<f32>(i)\n        yield y\n    }}\n    return (y, rows)\n}}\n"
    )
    _agree(text, {"x": np.array([1, 2], F32)})
