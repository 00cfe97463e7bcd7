"""`--prepare` on jax: weights are joined and dequantized once, and `main` answers what it answered before."""

from __future__ import annotations

from typing import Any

import numpy as np
from jax_programs import printed

from linnet_core.conformance.programs.printed import Printed

TEXT = (
    "use std.nn.linear::{linear}\nuse std.quant::{Int8Linear}\n\n"
    "pub block Root {\n    param a: Tensor[3, 4; f32]\n    param b: Tensor[5, 4; f32]\n    sub up: Int8Linear<4, 6, f32>\n"
    "    pub entry run(x: Tensor[2, 4; f32]) -> (Tensor[2, 3; f32], Tensor[2, 5; f32], Tensor[2, 6; f32]) {\n"
    "        return (linear(x, a, none), linear(x, b, none), up.forward(x * 2.0))\n    }\n}\n"
)


def _results(program: Printed) -> list[np.ndarray]:
    numbers = np.random.Generator(np.random.PCG64(3))
    shapes = {"x": (2, 4), "a": (3, 4), "b": (5, 4), "up.scale": (6,)}
    arrays = {name: numbers.standard_normal(shape, np.float32) for name, shape in shapes.items()}
    arrays["up.weight"] = numbers.integers(-8, 8, (6, 4), np.int8)
    return program.run(arrays)[0]


def test_work_on_weights_moves_and_nothing_changes() -> None:
    plain, prepared = printed(TEXT), printed(TEXT, prepare=True)
    module: dict[str, Any] = {}
    exec(compile(prepared.source, "printed", "exec"), module)
    assert len(module["PREPARED"]) == 2
    assert module["PREPARED_ONLY"] == ["a", "b", "up.weight", "up.scale"]
    for before, after in zip(_results(plain), _results(prepared), strict=True):
        np.testing.assert_allclose(after, before, rtol=1e-5, atol=1e-5)
