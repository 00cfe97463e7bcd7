"""Choices, static loops, run-time loops: what they compute on every kind of target, and their brackets."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from exporting import calls, exported, nodes, ops
from interpreter import compute
from listing_target import Listing

LOOP_TARGETS = [
    pytest.param({"supports_while": True}, id="while"),
    pytest.param(
        {"supports_while": True, "while_needs_initial_condition": True, "while_needs_trailing_condition": True}, id="conditions outside"
    ),
    pytest.param({"supports_while": True, "supports_counted": True}, id="counted"),
    pytest.param({"supports_while": True, "supports_counted": True, "takes": frozenset(("update_row",))}, id="counted, rows"),
    pytest.param({"supports_counted": True, "supports_while": True, "broadcasts_elementwise": True}, id="broadcasting"),
]

COLLATZ = """
pub entry run(n: i64) -> i64 {
    var x = n
    var steps = 0
    while x != 1 {
        x = if x - x / 2 * 2 == 0 { x / 2 } else { 3 * x + 1 }
        steps = steps + 1
    }
    return steps
}
"""
COUNTER = """
block Cell {
    state held: Tensor[1; f32]
    pub fn add(x: f32) -> f32 {
        held = held + x
        return held[0]
    }
    pub fn peek() -> f32 { return held[0] }
}
pub block Cells {
    sub cells: [Cell; 3]
    sub idle: Cell
    state total: Tensor[1; f32]
    pub entry all(x: f32) -> f32 {
        var i = 0
        while i < 2 {
            static for cell in cells { total = total + cell.add(x) }
            i = i + 1
        }
        return total[0]
    }
    pub entry one(x: f32) -> f32 {
        var i = 0
        while i < 2 {
            let _ = cells[1].add(x)
            i = i + 1
        }
        return cells[1].peek()
    }
    pub entry reads(x: f32) -> f32 {
        var y = x
        while y < idle.peek() { y = y + 1.0 }
        return y
    }
}
"""


@pytest.mark.parametrize("target", LOOP_TARGETS)
@pytest.mark.parametrize(("n", "steps"), [(1, 0), (6, 8), (27, 111)])
def test_a_while_loop_runs_until_its_condition_fails(target: dict[str, Any], n: int, steps: int) -> None:
    (result,) = compute(exported(COLLATZ, Listing(**target)).graph, n=n)
    assert result == steps


def test_the_brackets_of_a_while_stand_in_order() -> None:
    text = "pub entry run(n: i64) -> i64 { var x = n while x < 9 { x = x + 1 } return x }"
    plain = [op for op in ops(exported(text, Listing(supports_while=True))) if "while" in op]
    assert plain == ["begin_while", "while_condition", "end_while"]
    needing = Listing(supports_while=True, while_needs_initial_condition=True, while_needs_trailing_condition=True)
    recording = exported(text, needing)
    assert [op for op in ops(recording) if "while" in op or op == "compare"] == [
        "compare",
        "while_initial_condition",
        "begin_while",
        "compare",
        "while_condition",
        "compare",
        "while_trailing_condition",
        "end_while",
    ]
    (condition,) = nodes(recording, "while_condition")
    assert len(condition.results) == 1, "the names the body sees"


@pytest.mark.parametrize("target", LOOP_TARGETS)
def test_states_assigned_in_a_loop_are_threaded(target: dict[str, Any]) -> None:
    recording = exported(COUNTER, Listing(**target), entry="all")
    held = {f"cells.{at}.held": [at] for at in range(3)}
    values = compute(recording.graph, x=1, total=[100], **held)
    assert [value.item() for value in values] == [100 + 1 + 2 + 3 + 2 + 3 + 4, 2, 3, 4, 115]


@pytest.mark.parametrize(
    ("entry", "carried", "written"),
    [
        pytest.param(
            "all",
            ["cells.0.held", "cells.1.held", "cells.2.held", "total"],
            ("cells.0.held", "cells.1.held", "cells.2.held", "total"),
            id="through an array",
        ),
        pytest.param("one", ["cells.1.held"], ("cells.1.held",), id="one element of an array"),
        pytest.param("reads", ["idle.held"], (), id="read in the condition only"),
    ],
)
def test_a_loop_carries_the_states_it_touches_in_path_order(entry: str, carried: list[str], written: tuple[str, ...]) -> None:
    recording = exported(COUNTER, Listing(supports_while=True), entry=entry)
    assert [call.path for call in calls(recording, "state")] == carried
    (begin,) = calls(recording, "begin_while")
    assert len(begin.operands) == 1 + len(carried)
    (finish,) = calls(recording, "finish")
    assert finish.states == written


def test_a_static_range_gives_each_iteration_its_own_constant() -> None:
    text = """
pub entry run<N: Dim>(x: i64) -> i64 {
    var y = x
    static for i in 1..N { y = if i == 2 { y * 10 } else { y + i } }
    return y
}
"""
    recording = exported(text, bind={"N": 4})
    assert "select" not in ops(recording), "the index is known at export"
    (result,) = compute(recording.graph, x=5)
    assert result == (5 + 1) * 10 + 3


def test_carried_locals_are_found_by_binding() -> None:
    text = """
pub entry run(x: f32) -> f32 {
    var y = x
    static for i in 0..2 {
        let y = 100.0
        let _z = y
    }
    y = y + 1.0
    return y
}
"""
    (result,) = compute(exported(text).graph, x=1)
    assert result == 2


@pytest.mark.parametrize(("condition", "wanted"), [(True, (3.0, 4)), (False, (1.0, 2))])
def test_an_if_may_give_a_tuple(condition: bool, wanted: tuple[float, int]) -> None:
    text = "pub entry run(c: bool, x: f32, n: i64) -> (f32, i64) { return if c { (x + 2.0, n + 2) } else { (x, n) } }"
    recording = exported(text)
    assert ops(recording).count("select") == 2
    assert tuple(value.item() for value in compute(recording.graph, c=condition, x=1, n=2)) == wanted


def test_both_arms_of_a_run_time_if_are_evaluated_and_merged() -> None:
    text = "pub entry run(c: bool, x: Tensor[3; f32]) -> Tensor[3; f32] { return if c { exp(x) } else { x } }"
    recording = exported(text)
    assert ops(recording) == ["elementwise", "broadcast", "select"]
    (select,) = calls(exported(text, Listing(broadcasts_elementwise=True)), "select")
    assert select.operand(0).shape == (3,)
    assert np.allclose(compute(recording.graph, c=True, x=[0, 1, 2])[0], np.exp([0, 1, 2]))


FOR_LOOPS = """
pub entry squares() -> Tensor[4; i64] { return for i in 0..4 { yield i * i } }
pub entry offset<A: Dim>() -> Tensor[3; i64] { return for i in A..A+3 { yield i } }
pub entry tail<T: Dim, H: Dim>(xs: Tensor[T, H; f32]) -> (Tensor[T, H; f32], Tensor[H; f32]) {
    var c = fill<f32>([H], 1.0)
    let ys = for t in 0..T {
        c = c + xs[t]
        yield c
    }
    return (ys, c)
}
pub entry pairs() -> (Tensor[3; i64], Tensor[3, 2; i64], Tensor[3; bool]) {
    return for i in 0..3 { yield (i * i, fill([2], i), i == 1) }
}
pub entry plain() -> i64 {
    var s = 0
    for i in 2..5 { s = s + i }
    return s
}
"""


@pytest.mark.parametrize("target", LOOP_TARGETS)
@pytest.mark.parametrize(
    ("entry", "bind", "given", "wanted"),
    [
        pytest.param("squares", {}, {}, [[0, 1, 4, 9]], id="squares"),
        pytest.param("offset", {"A": 5}, {}, [[5, 6, 7]], id="a range that does not start at 0"),
        pytest.param("tail", {"T": 2, "H": 2}, {"xs": np.ones((2, 2))}, [[[2, 2], [3, 3]], [3, 3]], id="a carried local beside the stack"),
        pytest.param("tail", {"T": 0, "H": 2}, {"xs": np.ones((0, 2))}, [[], [1, 1]], id="no iterations"),
        pytest.param("pairs", {}, {}, [[0, 1, 4], [[0, 0], [1, 1], [2, 2]], [False, True, False]], id="a tuple is stacked part by part"),
        pytest.param("plain", {}, {}, [9], id="no stack"),
    ],
)
def test_a_for_loop_runs_its_range(entry: str, bind: dict[str, int], given: dict[str, Any], wanted: Any, target: dict[str, Any]) -> None:
    recording = exported(FOR_LOOPS, Listing(**target), bind, entry=entry)
    assert [value.tolist() for value in compute(recording.graph, **given)] == wanted
    counted = target.get("supports_counted", False)
    assert ("begin_counted" in ops(recording)) == counted
    assert ("begin_while" in ops(recording)) != counted


def test_a_declined_row_update_is_followed_by_its_fallback() -> None:
    recording = exported(FOR_LOOPS, Listing(supports_counted=True), entry="squares")
    at = ops(recording).index("update_row")
    assert nodes(recording, "update_row")[0].declined
    assert ops(recording)[at + 1 : at + 6] == ["iota", "broadcast", "compare", "broadcast", "select"]
