"""Cache writes happen in place only where nobody reads the old cache; the kit (`test_conformance.py`) holds what they give."""

from __future__ import annotations

import numpy as np
import pytest
from programs import printed

from linnet_core.conformance.programs.cache import KINDS, Kind, text


@pytest.mark.parametrize("kind", [kind for kind in KINDS if not kind.single], ids=lambda kind: kind.op)
def test_more_positions_than_the_cache_has_are_declined(kind: Kind) -> None:
    assert printed(text(kind, 7)).declined == ((kind.implementation, "7 positions do not fit a cache of 6"),)


@pytest.mark.parametrize("after", ["cache", "old", "cache + old"])
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.op)
def test_a_state_is_written_in_place_unless_its_old_value_is_read_later(kind: Kind, after: str) -> None:
    one = printed(text(kind, 2, after=after))
    assert ("in_place=True" in one.main) is (after == "cache")
    assert ("IN_PLACE = ['cache']" if after == "cache" else "IN_PLACE = []") in one.source


LAYERS = """use std.nn.cache::{write_at}

pub block Layer {
    state keys: Tensor[1, 2, 6, 4; f32]

    pub fn step(value: Tensor[1, 2, 1, 4; f32], at: i32) -> Tensor[1, 2, 6, 4; f32] {
        keys = write_at(keys, value, at)
        return keys
    }
}

pub block Model {
    sub layers: [Layer; 3]

    pub entry run(value: Tensor[1, 2, 1, 4; f32], at: i32) -> Tensor[1, 2, 6, 4; f32] {
        var total = fill<f32>([1, 2, 6, 4], 0.0)
        static for layer in layers {
            total = total + layer.step(value, at)
        }
        return total
    }
}
"""


def test_positions_are_made_once_for_all_layers() -> None:
    one = printed(LAYERS)
    assert one.main.count("_positions(") == 1
    assert one.main.count("in_place=True") == 3
    zeros = {path: np.zeros((1, 2, 6, 4), np.float32) for path in one.states}
    (given,), states = one.run({"value": np.ones((1, 2, 1, 4), np.float32), "at": np.asarray(2, np.int32), **zeros})
    assert list(states) == [f"layers.{i}.keys" for i in range(3)]
    assert given[0, 0, :, 0].tolist() == [0, 0, 3, 0, 0, 0]


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
def test_a_cache_a_loop_carries_is_written_in_place(steps: int) -> None:
    one = printed(LOOP)
    assert one.main.count("in_place=True") == 1
    assert "IN_PLACE = ['keys']" in one.source
    arrays = {
        "value": np.ones((1, 1, 1, 2), np.float32),
        "steps": np.asarray(steps, np.int32),
        "keys": np.full((1, 1, 6, 2), 9, np.float32),
    }
    (count,), states = one.run(arrays)
    assert count == steps
    assert states["keys"][0, 0, :, 0].tolist() == [float(i + 1) if i < steps else 9.0 for i in range(6)]
