"""Cache writes: bit for bit what the bodies give, inside, at the edges and outside; in place only where nobody reads the old cache."""

from __future__ import annotations

import numpy as np
import pytest
from hand_made import NUMPY_DTYPES
from programs import printed

from linnet_core.conformance.arrays import ordinary
from linnet_core.conformance.compare import difference

KINDS = {
    "write_at": ("i32", "at"),
    "write_span": ("i32", "at"),
    "write_rows": ("Tensor[2; i32]", "at"),
    "write_slot": ("i32", "slots, at"),
    "write_slots": ("Tensor[3; i32]", "slots, at"),
}
IMPLEMENTATIONS = {
    "write_at": "torch.Tensor.index_copy",
    "write_span": "torch.Tensor.index_copy",
    "write_rows": "torch.Tensor.index_put",
    "write_slot": "torch.Tensor.index_put",
    "write_slots": "torch.Tensor.index_put",
}


def _shape(kind: str, count: int) -> tuple[int, ...]:
    """The shape of what is written into a cache [2, 3, 6, 4]."""
    rows = {"write_slot": 1, "write_slots": 3}.get(kind, 2)
    return (rows, 3, 1 if kind in ("write_at", "write_rows") else count, 4)


def _program(kind: str, count: int, *, state: bool = False, after: str = "") -> str:
    """An entry that writes once; with `state` into a state, answering `after` besides."""
    value = f"value: Tensor[{', '.join(map(str, _shape(kind, count)))}; f32]"
    position = "at: Tensor[2; i32]" if kind == "write_rows" else "at: i32"
    slots = {"write_slot": ", slots: i32", "write_slots": ", slots: Tensor[3; i32]"}.get(kind, "")
    call = f"{kind}(cache, value, {'slots, at' if slots else 'at'})"
    cache = "Tensor[2, 3, 6, 4; f32]"
    use = f"use std.nn.cache::{{{kind}}}\n\n"
    if not state:
        return f"{use}pub entry run(cache: {cache}, {value}, {position}{slots}) -> {cache} {{\n    return {call}\n}}\n"
    return (
        f"{use}pub block Holder {{\n    state cache: {cache}\n\n    pub entry run({value}, {position}{slots}) -> {cache} {{\n"
        f"        let old = cache\n        cache = {call}\n        return {after}\n    }}\n}}\n"
    )


def _arrays(kind: str, count: int, at: object, slots: object) -> dict[str, np.ndarray]:
    found = {
        "cache": ordinary("f32", (2, 3, 6, 4), 1),
        "value": ordinary("f32", _shape(kind, count), 2),
        "at": np.asarray(at, np.int32),
    }
    return {**found, "slots": np.asarray(slots, np.int32)} if "slot" in kind else found


LOWEST, HIGHEST = -(2**31), 2**31 - 1
SCALARS = [0, 3, 5, 6, -1, -2, -6, 7, 100, LOWEST, HIGHEST]
ROWS = [
    *(pytest.param("write_at", 1, at, None, id=f"at {at}") for at in SCALARS),
    *(pytest.param("write_span", count, at, None, id=f"{count} from {at}") for count in (1, 3, 6) for at in SCALARS),
    *(pytest.param("write_rows", 1, at, None, id=f"rows at {at}") for at in ([0, 5], [-1, 2], [6, 0], [7, -7], [3, 3], [LOWEST, HIGHEST])),
    *(
        pytest.param("write_slot", count, at, slot, id=f"{count} from {at} of row {slot}")
        for count in (1, 3)
        for at in (0, 4, -2, 9)
        for slot in (0, 1, 2, -1)
    ),
    *(
        pytest.param("write_slots", count, at, slots, id=f"{count} from {at} of rows {slots}")
        for count in (1, 3)
        for at in (0, 4, -2)
        for slots in ([0, 1, 5], [1, 1, 0], [-1, 2, 7], [0, 0, 0], [0, 2, -2])
    ),
]


@pytest.mark.parametrize("numerics", ["exact", "fast"])
@pytest.mark.parametrize(("kind", "count", "at", "slots"), ROWS)
def test_a_write_gives_the_bits_of_its_body(kind: str, count: int, at: object, slots: object, numerics: str) -> None:
    library = printed(_program(kind, count), numerics=numerics)
    assert library.taken == (IMPLEMENTATIONS[kind],)
    arrays = _arrays(kind, count, at, slots)
    before = arrays["cache"].copy()
    (given,), _ = library.run(arrays)
    (wanted,), _ = printed(_program(kind, count), numerics=numerics, library=False).run(arrays)
    assert difference(given, wanted) is None
    assert np.array_equal(arrays["cache"], before)


@pytest.mark.parametrize("dtype", ["f16", "bf16", "f64"])
@pytest.mark.parametrize("kind", list(KINDS))
def test_other_dtypes(kind: str, dtype: str) -> None:
    text = _program(kind, 2).replace("; f32]", f"; {dtype}]")
    arrays = _arrays(kind, 2, [1, 5] if kind == "write_rows" else 1, [1, 0, 1] if kind == "write_slots" else 1)
    arrays = {name: a.astype(NUMPY_DTYPES[dtype]) if a.dtype == np.float32 else a for name, a in arrays.items()}
    (given,), _ = printed(text).run(arrays)
    (wanted,), _ = printed(text, "numpy", library=False).run(arrays)
    assert difference(given, wanted) is None


@pytest.mark.parametrize("kind", ["write_span", "write_slot", "write_slots"])
def test_more_positions_than_the_cache_has_are_declined(kind: str) -> None:
    library = printed(_program(kind, 7))
    assert library.declined == ((IMPLEMENTATIONS[kind], "7 positions do not fit a cache of 6"),)
    for at in (0, -1, 3):
        arrays = _arrays(kind, 7, at, [1, 0, 1] if kind == "write_slots" else 1)
        (given,), _ = library.run(arrays)
        (wanted,), _ = printed(_program(kind, 7), "numpy", library=False).run(arrays)
        assert difference(given, wanted) is None


@pytest.mark.parametrize("after", ["cache", "old", "cache + old"])
@pytest.mark.parametrize("kind", list(KINDS))
def test_a_state_is_written_in_place_unless_its_old_value_is_read_later(kind: str, after: str) -> None:
    text = _program(kind, 2, state=True, after=after)
    library = printed(text)
    assert ("in_place=True" in library.main) is (after == "cache")
    assert ("IN_PLACE = ['cache']" if after == "cache" else "IN_PLACE = []") in library.source
    arrays = _arrays(kind, 2, [1, 5] if kind == "write_rows" else 1, [1, 0, 1] if kind == "write_slots" else 1)
    before = arrays["cache"].copy()
    (given,), states = library.run(arrays)
    (wanted,), wanted_states = printed(text, "numpy", library=False).run(arrays)
    assert difference(given, wanted) is None
    assert difference(states["cache"], wanted_states["cache"]) is None
    assert np.array_equal(arrays["cache"], before)


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
