"""Statements of the graph's contract that no other file here holds: names of nested things, states of loops, what documents keep."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from exporting import calls, exported, nodes, ops
from interpreter import compute
from listing_target import Listing

from linnet_core.errors import SourceError
from linnet_core.graph.document import document
from linnet_core.graph.nodes import CallNode
from linnet_core.plugins.manager import find_target

LOOPS: dict[str, bool] = {"supports_while": True, "supports_counted": True}

CHOICES = """
enum Mode { A, B }
block Cell<H: Dim> {
    state t: Tensor[H; f32]
    pub fn g(x: Tensor[H; f32]) -> Tensor[H; f32] {
        t = t + x
        return t
    }
}
pub block Model<H: Dim> {
    sub maybe: Cell<H>?
    sub d: Cell<H>
    sub es: [Cell<H>; 2]
    pub entry optional(x: Tensor[H; f32], n: i64) -> Tensor[H; f32] {
        var y = x
        var i = 0
        while i < n {
            y = match maybe { some(c) => c.g(y) none => d.g(y) }
            i = i + 1
        }
        return y
    }
    pub entry known(x: Tensor[H; f32], n: i64) -> Tensor[H; f32] {
        var y = x
        var i = 0
        let k = H > 3
        while i < n {
            y = if k { d.g(y) } else { es[1].g(y) }
            i = i + 1
        }
        return y
    }
    pub entry variant(x: Tensor[H; f32], n: i64) -> Tensor[H; f32] {
        var y = x
        let m = Mode.B
        for i in 0..2 { y = match m { A => d.g(y) _ => es[0].g(y) } }
        return y
    }
    pub entry unrolled(x: Tensor[H; f32], n: i64) -> Tensor[H; f32] {
        var y = x
        static for j in 0..2 {
            var i = 0
            while i < n {
                y = if j < 1 { d.g(y) } else { es[1].g(y) }
                i = i + 1
            }
        }
        return y
    }
}
"""


@pytest.mark.parametrize(
    ("entry", "request_", "carried", "written"),
    [
        pytest.param("optional", {}, ["d.t"], ("d.t",), id="an absent optional"),
        pytest.param("optional", {"optionals": True}, ["maybe.t"], ("maybe.t",), id="a present optional"),
        pytest.param("known", {"bind": {"H": 4}}, ["d.t"], ("d.t",), id="a condition that holds"),
        pytest.param("known", {}, ["es.1.t"], ("es.1.t",), id="a condition that does not"),
        pytest.param("variant", {}, ["es.0.t"], ("es.0.t",), id="a variant"),
        pytest.param("unrolled", {}, ["d.t", "es.1.t"], ("d.t", "es.1.t"), id="a condition of the loop's own, anew in each copy of it"),
    ],
)
def test_a_loop_carries_the_states_of_the_arms_it_takes(
    entry: str, request_: dict[str, Any], carried: list[str], written: tuple[str, ...]
) -> None:
    recording = exported(CHOICES, Listing(**LOOPS), entry=entry, **{"bind": {"H": 2}, **request_})
    assert [call.path for call in calls(recording, "state")] == carried
    assert calls(recording, "finish")[0].states == written


def test_loops_nest_and_the_inner_one_sees_the_outer_index() -> None:
    text = """
pub entry run<T: Dim>(x: f32) -> (f32, i64) {
    var y = x
    var n = 0
    for i in 0..T {
        var k = 0
        while k < i {
            y = y + 1.0
            k = k + 1
            n = n + k
        }
    }
    return (y, n)
}
"""
    recording = exported(text, Listing(**LOOPS), bind={"T": 4})
    brackets = [op for op in ops(recording) if op.startswith(("begin", "while", "end"))]
    assert brackets == ["begin_counted", "begin_while", "while_condition", "end_while", "end_counted"]
    assert [len(call.operands) for call in (*calls(recording, "begin_counted"), *calls(recording, "begin_while"))] == [2, 3]
    assert [value.item() for value in compute(recording.graph, x=0.5)] == [6.5, 1 + 3 + 6]


def test_a_loop_of_a_called_function_stands_in_its_call() -> None:
    text = """
fn count(n: i64) -> i64 {
    var k = 0
    while k < n { k = k + 1 }
    return k
}
pub entry run(n: i64) -> i64 { return count(n) * count(n + 1) }
"""
    recording = exported(text, Listing(**LOOPS))
    found = [node for node in recording.graph.nodes if isinstance(node, CallNode)]
    assert len(found) == 2
    for node in found:
        kinds = [inner.call.op for inner in node.body if not isinstance(inner, CallNode)]
        assert [kind for kind in kinds if "while" in kind] == ["begin_while", "while_condition", "end_while"]
    assert compute(recording.graph, n=3)[0] == 12


NESTED = """
block Cell<H: Dim, T: Float> {
    param w: Tensor[H; T]
    state s: Tensor[H; T]
    pub fn g<K: Dim>(x: Tensor[H; T], y: Tensor[K; f32]) -> Tensor[H; T] {
        s = x
        return x * w
    }
}
pub block Model<N: Dim> {
    sub grid: [[Cell<N, f32>; 2]; 2]
    pub entry run(x: Tensor[N; f32], y: Tensor[3; f32]) -> Tensor[N; f32] {
        var z = x
        static for row in grid { static for cell in row { z = cell.g(z, y) } }
        return grid[1][0].g(z, y)
    }
}
"""


def test_arrays_of_arrays_are_numbered_level_by_level() -> None:
    recording = exported(NESTED, bind={"N": 2})
    cells = ["grid.0.0", "grid.0.1", "grid.1.0", "grid.1.1"]
    assert [call.path for call in calls(recording, "parameter")] == [f"{cell}.w" for cell in cells]
    headers = [node.header for node in recording.graph.nodes if isinstance(node, CallNode)]
    assert [header.path for header in headers] == [*cells, "grid.1.0"]
    assert calls(recording, "finish")[0].states == tuple(f"{cell}.s" for cell in cells)


def test_the_callees_own_generics_stand_before_those_of_its_block() -> None:
    header = next(node.header for node in exported(NESTED, bind={"N": 2}).graph.nodes if isinstance(node, CallNode))
    assert list(header.generics.items()) == [("K", 3), ("H", 2), ("T", "f32")]


@pytest.mark.parametrize(
    ("text", "bind", "message", "notes"),
    [
        pytest.param(
            "pub entry run<N: Dim>(x: Tensor[N; f32]) -> Tensor[2; f32] { let y[i] = x[N - 3] + cast<f32>(iota(2)[i])   return y }",
            {"N": 2},
            "position -1 is outside an axis of 2",
            ["N = 2"],
            id="an element before the first",
        ),
        pytest.param(
            "pub entry run<N: Dim, M: Dim>(x: Tensor[N; f32]) -> Tensor[2; f32] { let y[i] = x[M] + cast<f32>(iota(2)[i])   return y }",
            {"N": 2, "M": 2},
            "position 2 is outside an axis of 2",
            ["N = 2"],
            id="an element beyond the last",
        ),
        pytest.param(
            "block C { param w: f32 pub fn f() -> f32 { return w } }\n"
            "pub block M<L: Dim> { sub cs: [C; L] pub entry run() -> f32 { return cs[2].f() } }",
            {"L": 1},
            "position 2 is outside an array of length 1",
            ["L = 1"],
            id="a block beyond the last",
        ),
    ],
)
def test_a_position_that_does_not_fit_names_the_sizes(text: str, bind: dict[str, int], message: str, notes: list[str]) -> None:
    with pytest.raises(SourceError) as caught:
        exported(text, bind=bind)
    (found,) = caught.value.diagnostics
    assert (found.code, found.message, list(found.notes)) == ("E6002", message, notes)
    assert found.span is not None


def test_a_target_keeps_zeros_of_two_signs_and_of_two_dtypes_apart() -> None:
    plugin = find_target("numpy")
    assert plugin is not None
    text = """
pub entry run(x: Tensor[2; f32]) -> (Tensor[2; f32], Tensor[2; f32], Tensor[2; f64], Tensor[2; f32]) {
    return (x * 0.0, x * -0.0, cast<f64>(x) * 0.0, x * 0.0)
}
"""
    recording = exported(text, plugin.make({"numerics": "equivalent"}))
    constants = [node for node in document(recording.graph)["nodes"] if node["op"] == "constant"]
    spelled = {node["results"][0]: (str(node["literal"]["value"]), node["dtype"]) for node in constants}
    assert sorted(spelled.values()) == [("-0.0", "f32"), ("0.0", "f32"), ("0.0", "f64")]
    first, second, third, again = (operand.value for operand in calls(recording, "finish")[0].operands if operand is not None)
    assert first == again
    assert len({first, second, third}) == 3


def test_a_sum_of_squares_contracts_a_value_with_itself() -> None:
    recording = exported("pub entry run(x: Tensor[4; f32]) -> f32 { return sum[k] x[k] * x[k] }")
    (contract,) = document(recording.graph)["nodes"][1:-1]
    assert contract == {
        "op": "contract",
        "lhs_axes": [0],
        "rhs_axes": [0],
        "out_axes": [],
        "shape": [],
        "dtype": "f32",
        "operands": [0, 0],
        "results": [1],
    }
    assert compute(recording.graph, x=[1, 2, 3, 4])[0] == 30


def test_writes_of_nested_arms_are_merged_from_the_inside_out() -> None:
    text = """
pub block M {
    state s: Tensor[1; f32]
    fn up(x: Tensor[1; f32]) -> Tensor[1; f32] {
        s = s + x
        return s
    }
    pub entry run(x: Tensor[1; f32], a: bool, b: bool) -> Tensor[1; f32] {
        let y = if a { if b { up(x) } else { up(x * 10.0) } } else { x }
        return y + s
    }
}
"""
    recording = exported(text)
    assert [node.call.op for node in nodes(recording) if node.call.op in ("select", "state")].count("state") == 1
    for a, b in ((True, True), (True, False), (False, True)):
        s = 5 + (0 if not a else 2 if b else 20)
        result, state = compute(recording.graph, x=[2.0], a=a, b=b, s=[5.0])
        assert (np.asarray(result).item(), np.asarray(state).item()) == ((s if a else 2) + s, s)
