"""A state across the borders of ranges: each is seen by a range as it is before it, and no write is lost between two."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from agreement import differences
from expected import f32
from running import program, source_file
from slicing import Document, metadata, printed, run_in_order

from linnet_core.errors import DocumentError

if TYPE_CHECKING:
    from running import Program

STATES = str(Path(__file__).parent / "states.linnet")
TARGETS = pytest.mark.parametrize("target", ["numpy", "torch"])
X, LAST = f32(1, 2), f32(10, 20)


def log(target: str) -> Program:
    """Steps: 0 input, 1 state, 2 constant, 3 the product that `last` becomes, 4 constant, 5 the sum, 6 finish."""
    return program(target, STATES, {"N": 2}, entry="step")


def asked(name: str, start: int, stop: int, inputs: Any, outputs: Any, states: Any) -> dict[str, Any]:
    return {"name": name, "start": start, "stop": stop, "inputs": inputs, "outputs": outputs, "states": states}


WAYS = [
    pytest.param([], [1], [], id="the state has the new value"),
    pytest.param([3], [1, 3], [], id="the new value is handed on"),
    pytest.param([3], [1, 3], [["last", 3]], id="the new value is handed on and stored twice"),
]


@TARGETS
@pytest.mark.parametrize(("handed", "given", "stored"), WAYS)
def test_a_reader_after_the_write_gets_the_new_value(target: str, handed: Any, given: Any, stored: Any) -> None:
    one = log(target)
    request = [asked("first", 0, 4, [0], given, [["last", 3]]), asked("second", 4, 7, [1, *handed], [1, 5], stored)]
    results, states = run_in_order(one, request, printed(one, request), {"x": X}, {}, {"last": LAST})
    assert [differences(a, b) for a, b in zip(results, [LAST, f32(3, 5)], strict=True)] == [None, None]
    assert list(states) == ["last"]
    assert differences(states["last"], f32(2, 4)) is None


@TARGETS
def test_a_write_that_is_not_listed_is_refused(target: str) -> None:
    with pytest.raises(DocumentError, match=r"slice `first`: state `last` becomes value 3 at step 3; `states` has to list it"):
        printed(log(target), [asked("first", 0, 4, [0], [1, 3], [])])


@TARGETS
def test_a_range_without_work_passes_on_what_it_is_given(target: str) -> None:
    one = log(target)
    (text,) = printed(one, [asked("pass", 6, 7, [0, 5], [5, 0, 5], [])])
    assert metadata(text, "INPUTS") == ["x", one.graph.values[5].name]
    assert one.plugin.run is not None
    assert [value.tolist() for value in one.plugin.run(text, [X, LAST], [], [])] == [[10, 20], [1, 2], [10, 20]]


@TARGETS
def test_a_loop_keeps_its_state_to_itself(target: str) -> None:
    one = program(target, STATES, {"N": 2}, entry="times")
    inputs, states = {"x": X, "n": np.asarray(3, np.int32)}, {"last": LAST}
    document = Document(one.graph)
    wanted = one.run(inputs, {}, states)
    for cut in document.cuts():
        request = document.request([cut])
        results, after = run_in_order(one, request, printed(one, request), inputs, {}, states)
        assert differences(results[0], wanted[0][0]) is None, cut
        assert differences(after["last"], wanted[1]["last"]) is None, cut


CACHE = """
module field.cache

use std.nn.cache::{write_at}

// The first write is no final value: what it made is handed on, and the state keeps what it had until the second.
pub block Cache {
    state k: Tensor[1, 1, 4, 2; f32]

    pub entry twice(v: Tensor[1, 1, 1, 2; f32], at: i32) -> (Tensor[1, 1, 4, 2; f32], Tensor[1, 1, 4, 2; f32]) {
        let before = k
        k = write_at(k, v, at)
        let between = k * 3.0
        k = write_at(k, v * 2.0, at + 1)
        return (between + k, before)
    }
}
"""


@TARGETS
def test_a_cache_that_is_written_twice(target: str) -> None:
    one = program(target, source_file(CACHE), entry="twice")
    inputs = {"v": np.full((1, 1, 1, 2), 5, np.float32), "at": np.asarray(1, np.int32)}
    states = {"k": np.arange(8, dtype=np.float32).reshape(1, 1, 4, 2)}
    wanted = one.run(inputs, {}, states)
    document = Document(one.graph)
    free = document.cuts()
    for cuts in [[cut] for cut in free] + [[first, second] for first in free for second in free if first < second]:
        request = document.request(cuts)
        results, after = run_in_order(one, request, printed(one, request), inputs, {}, states)
        assert [differences(a, b) for a, b in zip(results, wanted[0], strict=True)] == [None, None], cuts
        assert differences(after["k"], wanted[1]["k"]) is None, cuts
