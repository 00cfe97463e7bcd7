"""The order of parameters, what is optional, and states threaded through an entry."""

from __future__ import annotations

import numpy as np
import pytest
from exporting import calls, exported, nodes, ops
from interpreter import compute
from listing_target import Listing

from linnet_core.errors import UsageError
from linnet_core.graph.calls import Finish

OPTIONAL = """
block Gate<H: Dim> {
    param w: Tensor[H; f32]
    param b: Tensor[H; f32]? = none
    pub fn forward(x: Tensor[H; f32]) -> Tensor[H; f32] {
        let y = x * w
        return match b { some(b) => y + b none => y }
    }
}
pub block Model<H: Dim> {
    buffer scale: Tensor[H; f32]
    sub layers: [Gate<H>; 2]
    sub extra: Gate<H>? = none
    param tail: Tensor[H; f32]
    pub entry run(x: Tensor[H; f32]) -> Tensor[H; f32] {
        var y = x * scale
        static for layer in layers { y = layer.forward(y) }
        let z = match extra { some(gate) => gate.forward(y) none => y }
        return z + tail
    }
}
"""

LOG = """
pub block Log<N: Dim> {
    state last: Tensor[N; f32]
    state other: Tensor[N; f32]
    pub entry step(x: Tensor[N; f32]) -> (Tensor[N; f32], Tensor[N; f32]) {
        let before = last
        last = x * 2.0
        return (before, last + 1.0)
    }
    pub entry write_only(x: Tensor[N; f32]) -> f32 {
        other = x
        last = x
        other = x + 1.0
        return x[0]
    }
    pub entry same(x: Tensor[N; f32]) -> Tensor[N; f32] {
        last = last
        return x
    }
    pub entry choose(c: bool, x: Tensor[N; f32]) -> f32 {
        return if c { put(x) } else { read() }
    }
    pub entry known(x: Tensor[N; f32]) -> f32 {
        return if true { put(x) } else { read() }
    }
    fn put(x: Tensor[N; f32]) -> f32 {
        last = x
        return x[0]
    }
    fn read() -> f32 { return other[0] }
}
"""


def paths(text: str, **request: object) -> list[str]:
    return [call.path for call in calls(exported(text, **{"bind": {"H": 3}, **request}), "parameter")]


def finish(text: str, entry: str) -> Finish:
    (call,) = calls(exported(text, bind={"N": 2}, entry=entry), "finish")
    assert isinstance(call, Finish)
    return call


ALL = ["scale", "layers.0.w", "layers.0.b", "layers.1.w", "layers.1.b", "extra.w", "extra.b", "tail"]


@pytest.mark.parametrize(
    ("request_", "missing"),
    [
        pytest.param({}, ["layers.0.b", "layers.1.b", "extra.w", "extra.b"], id="optionals are absent by default"),
        pytest.param({"optionals": True}, [], id="all present"),
        pytest.param({"optionals": True, "absent": frozenset(("layers.1.b",))}, ["layers.1.b"], id="one parameter listed"),
        pytest.param({"optionals": True, "absent": frozenset(("extra",))}, ["extra.w", "extra.b"], id="a block listed"),
        pytest.param({"optionals": True, "absent": frozenset(("extra.w",))}, ["extra.w", "extra.b"], id="what a block requires listed"),
        pytest.param({"optionals": True, "absent": frozenset(("extra.b",))}, ["extra.b"], id="what a block does not require listed"),
    ],
)
def test_parameters_come_depth_first_as_declared(request_: dict[str, object], missing: list[str]) -> None:
    assert paths(OPTIONAL, **request_) == [path for path in ALL if path not in missing]


@pytest.mark.parametrize("optionals", [True, False], ids=["present", "absent"])
@pytest.mark.parametrize(
    "path",
    ["layers.0.w", "nothing", "scale", "layers.7.b", "layers.b", "layers.x.b", "extra.nothing", "extra.w.0", "layers", "layers.0", ""],
)
def test_a_path_that_cannot_be_absent_is_refused(path: str, optionals: bool) -> None:
    with pytest.raises(UsageError, match=f"`{path}` cannot be absent"):
        paths(OPTIONAL, optionals=optionals, absent=frozenset((path,)))


NESTED_OPTIONAL = """
block Leaf { param w: f32 param b: f32? pub fn get() -> f32 { return w } }
block Outer { sub leaves: [[Leaf; 2]; 2] sub inner: Leaf? pub fn get() -> f32 { return leaves[1][0].get() } }
pub block Model { sub outer: Outer? pub entry run(x: f32) -> f32 { return match outer { some(o) => o.get() + x none => x } } }
"""
LEAVES = [f"outer.leaves.{i}.{j}.{name}" for i in (0, 1) for j in (0, 1) for name in ("w", "b")]


@pytest.mark.parametrize(
    ("absent", "present"),
    [
        pytest.param("outer.leaves.1.0.w", [], id="required through arrays"),
        pytest.param(
            "outer.leaves.1.0.b", [*(p for p in LEAVES if p != "outer.leaves.1.0.b"), "outer.inner.w", "outer.inner.b"], id="optional"
        ),
        pytest.param("outer.inner.w", LEAVES, id="required by an optional inside"),
        pytest.param("outer.inner", LEAVES, id="an optional inside"),
        pytest.param("outer", [], id="all of it"),
    ],
)
def test_a_block_is_absent_with_a_parameter_it_requires(absent: str, present: list[str]) -> None:
    assert paths(NESTED_OPTIONAL, bind={}, optionals=True, absent=frozenset((absent,))) == present


def test_a_present_optional_is_used() -> None:
    given = {path.replace(".", "__"): np.full(3, at + 1.0) for at, path in enumerate(ALL)}
    (result,) = compute(exported(OPTIONAL, bind={"H": 3}, optionals=True).graph, x=np.ones(3), **given)
    assert result.tolist() == [((1 * 2 + 3) * 4 + 5) * 6 + 7 + 8] * 3
    (result,) = compute(exported(OPTIONAL, bind={"H": 3}).graph, x=np.ones(3), **given)
    assert result.tolist() == [1 * 2 * 4 + 8] * 3


def test_a_state_read_before_it_is_written_is_an_input_and_later_reads_see_the_write() -> None:
    recording = exported(LOG, bind={"N": 2}, entry="step")
    assert ops(recording)[0] == "state"
    before, after, last = compute(recording.graph, x=[1, 2], last=[10, 20])
    assert (before.tolist(), after.tolist(), last.tolist()) == ([10, 20], [3, 5], [2, 4])
    call = finish(LOG, "step")
    assert (call.module, call.block, call.entry, call.returns, call.states) == ("program", "Log", "step", 2, ("last",))


def test_states_written_and_never_read_are_no_inputs_and_stand_in_order_of_first_write() -> None:
    recording = exported(LOG, bind={"N": 2}, entry="write_only")
    assert nodes(recording, "state") == []
    assert finish(LOG, "write_only").states == ("other", "last")
    assert [value.tolist() for value in compute(recording.graph, x=[1, 2])] == [1, [2, 3], [1, 2]]


def test_a_write_of_the_same_value_counts() -> None:
    assert finish(LOG, "same").states == ("last",)


@pytest.mark.parametrize(
    ("condition", "result", "last"), [pytest.param(True, 1, [1, 2], id="then"), pytest.param(False, 7, [5, 6], id="else")]
)
def test_states_written_in_an_arm_are_merged(condition: bool, result: float, last: list[float]) -> None:
    recording = exported(LOG, bind={"N": 2}, entry="choose")
    values = compute(recording.graph, c=condition, x=[1, 2], last=[5, 6], other=[7, 8])
    assert [value.tolist() for value in values] == [result, last]


def test_an_if_with_a_known_condition_is_its_taken_arm() -> None:
    recording = exported(LOG, bind={"N": 2}, entry="known")
    assert "select" not in ops(recording)
    assert nodes(recording, "state") == []


def test_every_parameter_is_emitted_before_the_body_used_or_not() -> None:
    text = "pub block M { param a: f32 param b: f32 pub entry run(x: f32) -> f32 { return x * b } }"
    order = [node.call.op for node in nodes(exported(text, Listing()))]
    assert order == ["input", "parameter", "parameter", "elementwise", "finish"]
