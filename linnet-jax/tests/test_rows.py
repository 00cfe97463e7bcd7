"""States answered as rows: when, what `step` and `update` say, and that one query sees the row as if it had been written."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from jax_programs import printed

from linnet_core.conformance.arrays import ordinary
from linnet_core.conformance.compare import difference
from linnet_core.conformance.programs.printed import Printed

jax = pytest.importorskip("jax", reason="what was printed is run by jax")

ATTEND = """use std.nn.cache::{write_at}
use std.nn.attention::{grouped_attention}

pub block Model {
    state keys: Tensor[2, 2, 5, 4; f32]
    state values: Tensor[2, 2, 5, 4; f32]

    pub entry run(q: Tensor[2, 4, 1, 4; f32], k: Tensor[2, 2, 1, 4; f32], v: Tensor[2, 2, 1, 4; f32], at: i32) -> Tensor[2, 4, 1, 4; f32] {
        keys = write_at(keys, k, at)
        values = write_at(values, v, at)
        let positions = iota<i32>(5)
        let last = iota<i32>(1) + at
        let mask[i, s] = positions[s] <= last[i]
        return grouped_attention(q, keys, values, 0.5, some(mask))
    }
}
"""
EACH = (
    ATTEND.replace("write_at", "write_rows")
    .replace("at: i32)", "at: Tensor[2; i32])")
    .replace("let last = iota<i32>(1) + at", "let last = iota<i32>(1)")
    .replace("let mask[i, s] = positions[s] <= last[i]", "let mask[b, i, s] = positions[s] <= at[b] + last[i]")
    .replace("grouped_attention", "grouped_attention_rows")
    .replace("some(mask)", "mask")
)


def _module(one: Printed) -> dict[str, Any]:
    module: dict[str, Any] = {}
    exec(compile(one.source, "<printed>", "exec"), module)
    return module


def _arrays(at: Any) -> dict[str, np.ndarray]:
    shapes = {"q": (2, 4, 1, 4), "k": (2, 2, 1, 4), "v": (2, 2, 1, 4), "keys": (2, 2, 5, 4), "values": (2, 2, 5, 4)}
    found = {name: ordinary("f32", shape, seed) for seed, (name, shape) in enumerate(shapes.items())}
    return {**found, "at": np.asarray(at, np.int32)}


def _both(text: str, arrays: dict[str, np.ndarray]) -> None:
    (given,), states = printed(text).run(arrays)
    (wanted,), wanted_states = printed(text, "numpy", "exact").run(arrays)
    assert difference(given, wanted, 1e-5) is None
    for path, state in wanted_states.items():
        assert difference(states[path], state) is None


@pytest.mark.parametrize("at", [0, 2, 4, 5, -1])
def test_one_query_sees_the_row_inside_and_not_outside(at: int) -> None:
    assert "_attend_rows(" in printed(ATTEND).source
    _both(ATTEND, _arrays(at))


@pytest.mark.parametrize("at", [[0, 4], [3, 3], [2, 5]])
def test_each_row_of_a_batch_has_a_position_of_its_own(at: list[int]) -> None:
    assert "_attend_rows(" in printed(EACH).source
    _both(EACH, _arrays(at))


@pytest.mark.parametrize("old", [np.nan, np.inf])
@pytest.mark.parametrize("cache", ["keys", "values"])
def test_what_is_overwritten_has_no_say_even_where_it_is_not_finite(cache: str, old: float) -> None:
    arrays = _arrays(2)
    arrays[cache][1, :, 2] = old
    _both(ATTEND, arrays)


@pytest.mark.parametrize("at", [2, 7])
def test_a_row_that_is_not_finite_is_seen_only_where_it_is_written(at: int) -> None:
    arrays = _arrays(at)
    arrays["v"][0, 1, 0, 2] = np.inf
    _both(ATTEND, arrays)


def test_step_reads_the_states_and_update_writes_the_rows() -> None:
    arrays = _arrays(1)
    one = printed(ATTEND)
    module = _module(one)
    assert module["ROWS"] == module["NEXT_STATES"] == ["keys", "values"]
    leaves = [arrays[name] for names in (one.inputs, one.parameters, one.states) for name in names]
    result, *rows = jax.jit(module["step"])(*leaves, *module["constants"]())
    assert [row.shape for row in rows] == [(2, 2, 1, 4), (2, 2, 1, 4), ()]
    states = (jax.numpy.array(arrays["keys"]), jax.numpy.array(arrays["values"]))
    keys, values = jax.jit(module["update"], donate_argnums=0)(states, tuple(rows))
    (wanted,), next_states = one.run(arrays)
    assert difference(np.asarray(result), wanted) is None
    assert difference(np.asarray(keys), next_states["keys"]) is None
    assert difference(np.asarray(values), next_states["values"]) is None
    assert states[0].is_deleted()


MIXED = """use std.nn.cache::{write_at, write_span}

pub block Model {
    state count: Tensor[1; i32]
    state keys: Tensor[1, 1, 6, 2; f32]
    state values: Tensor[1, 1, 6, 2; f32]

    pub entry run(x: Tensor[1, 1, 1, 2; f32], y: Tensor[1, 1, 2, 2; f32]) -> f32 {
        let at = count[0]
        values = write_span(values, y, at)
        values = write_at(values, x, at + 1)
        count = count + 1
        keys = write_at(keys, x, at + 2)
        return sum[s] keys[0, 0, s, 0]
    }
}
"""


def test_states_of_both_kinds_in_one_entry() -> None:
    arrays = {
        "x": ordinary("f32", (1, 1, 1, 2), 1),
        "y": ordinary("f32", (1, 1, 2, 2), 2),
        "count": np.asarray([3], np.int32),
        "keys": ordinary("f32", (1, 1, 6, 2), 3),
        "values": ordinary("f32", (1, 1, 6, 2), 4),
    }
    module = _module(printed(MIXED))
    assert (module["NEXT_STATES"], module["ROWS"]) == (["values", "count", "keys"], ["values", "keys"])
    _both(MIXED, arrays)


def test_a_state_written_for_more_than_its_half_is_answered_whole() -> None:
    text = MIXED.replace("y: Tensor[1, 1, 2, 2; f32]", "y: Tensor[1, 1, 4, 2; f32]")
    assert _module(printed(text))["ROWS"] == ["keys"]
