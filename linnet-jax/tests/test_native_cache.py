"""Cache writes that are declined or that a loop carries; the kit (`test_conformance.py`) holds what they give."""

from __future__ import annotations

import numpy as np
import pytest
from jax_programs import printed

from linnet_core.conformance.programs.cache import KINDS, Kind, text


@pytest.mark.parametrize("kind", [kind for kind in KINDS if not kind.single], ids=lambda kind: kind.op)
def test_more_positions_than_the_cache_has_are_declined(kind: Kind) -> None:
    assert printed(text(kind, 7)).declined == ((kind.implementation, "7 positions do not fit a cache of 6"),)


LOOP = """use std.nn.cache::{write_at}

pub block Model {
    state keys: Tensor[1, 1, 6, 2; f32]

    pub entry run(value: Tensor[1, 1, 1, 2; f32], steps: i32) -> i32 {
        var i: i32 = 0
        while i < steps {
            keys = write_at(keys, value * cast<f32>(i + 1), i)
            i = i + 1
        }
        return i
    }
}
"""


@pytest.mark.parametrize("steps", [0, 1, 4, 8])
def test_a_cache_that_a_loop_carries(steps: int) -> None:
    one = printed(LOOP)
    arrays = {
        "value": np.ones((1, 1, 1, 2), np.float32),
        "steps": np.asarray(steps, np.int32),
        "keys": np.full((1, 1, 6, 2), 9, np.float32),
    }
    (count,), states = one.run(arrays)
    assert count == steps
    assert states["keys"][0, 0, :, 0].tolist() == [float(i + 1) if i < steps else 9.0 for i in range(6)]
