"""What a repeated function writes into an argument is not answered: who called it goes on with the argument, on both targets that write."""

from __future__ import annotations

import numpy as np
import pytest
from programs import printed

TEXT = """
use std.nn.cache::{write_at}

block Layer<W: Dim> where W > 0 {
    param scale: Tensor[W; f32]
    state keys: Tensor[1, 1, W, W; f32]
    state values: Tensor[1, 1, W, W; f32]

    pub fn put(x: Tensor[1, 1, 1, W; f32], pos: i32) -> Tensor[1, 1, 1, W; f32] {
        let y = x * scale
        keys = write_at(keys, y, pos)
        values = write_at(values, exp(y), pos)
        return y
    }

    pub fn held() -> Tensor[1, 1, W, W; f32] {
        return keys + values
    }
}

pub block Model<W: Dim, Layers: Dim> where W > 0, Layers > 0 {
    sub layers: [Layer<W>; Layers]

    pub entry run(x: Tensor[1, 1, 1, W; f32], pos: i32) -> Tensor[1, 1, W, W; f32] {
        let before = layers[0].held()
        static for layer in layers {
            let _ignored = layer.put(x, pos)
        }
        return before * layers[0].held()
    }
}
"""


@pytest.mark.parametrize("target", ["torch", "numpy"])
def test_a_function_that_only_writes_answers_nothing_and_its_arguments_are_read_on(target: str) -> None:
    shared, flat = (printed(TEXT, target, bind={"W": 4, "Layers": 2}, unroll=unroll) for unroll in (False, True))
    calls = [line.strip() for line in shared.source.splitlines() if line.startswith("    block_layers_0(")]
    assert len(calls) == 2
    assert "_region" not in shared.source
    generator = np.random.default_rng(3)
    leaves = {path: generator.standard_normal(4).astype(np.float32) for path in shared.parameters}
    states = {path: generator.standard_normal((1, 1, 4, 4)).astype(np.float32) for path in shared.states}
    inputs = {"x": generator.standard_normal((1, 1, 1, 4)).astype(np.float32), "pos": np.asarray(2, np.int32)}
    found, wanted = ([*results, *after.values()] for results, after in (one.run({**inputs, **leaves, **states}) for one in (shared, flat)))
    assert [each.tobytes() for each in found] == [each.tobytes() for each in wanted]
    assert not np.array_equal(found[0], (states["layers.0.keys"] + states["layers.0.values"]) ** 2)
