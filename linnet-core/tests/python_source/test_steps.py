"""prune, constants and release, each by the text it leaves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy_entries import Hand, printed

from linnet_core.graph.calls import (
    BeginCounted,
    BeginWhile,
    Compare,
    Elementwise,
    EndCounted,
    EndWhile,
    Gather,
    Iota,
    Operand,
    Reshape,
    WhileCondition,
)

X = [np.zeros(3, np.float32)]


def text(build: Any) -> tuple[str, str]:
    """The bodies of `constants` and `main`."""
    source = printed(build, X)
    once, main = source.partition("def constants():")[2].split("def main(")
    return once, main


def double(hand: Hand, x: Operand) -> Operand:
    return hand(Elementwise(kind="add", shape=x.shape, dtype=x.dtype, operands=(x, x)))


def negated(hand: Hand, x: Operand) -> Operand:
    return hand(Elementwise(kind="neg", shape=x.shape, dtype=x.dtype, operands=(x,)))


def test_what_nobody_reads_is_dropped() -> None:
    def build(hand: Hand, x: Operand) -> Any:
        double(hand, negated(hand, x))
        heads = hand.all(BeginCounted(start=0, stop=2, operands=(x,)))
        hand.all(EndCounted(operands=(double(hand, heads[1]),)))
        return [double(hand, x)]

    once, main = text(build)
    assert main.splitlines()[1:] == ["    v4 = in_x0 + in_x0", "    return (v4,)"]
    assert once.strip().startswith("return ()")


def test_what_only_the_condition_of_a_loop_needs_is_kept() -> None:
    def build(hand: Hand, x: Operand) -> Any:
        begin = BeginWhile(operands=(x, hand.constant(0, "i32")))
        head, count = hand.all(begin)
        going = hand(Compare(kind="lt", shape=(), operands=(double(hand, count), hand.constant(4, "i32"))))
        hand.all(WhileCondition(carried=begin.result_types(), operands=(going,)))
        one = hand.constant(1, "i32")
        ended = hand.all(
            EndWhile(operands=(double(hand, head), hand(Elementwise(kind="add", shape=(), dtype="i32", operands=(count, one)))))
        )
        return [ended[0]]

    source = printed(build, X)
    module: dict[str, Any] = {}
    exec(compile(source, "printed", "exec"), module)
    (result,) = module["main"](np.ones(3, np.float32), *module["constants"]())
    assert result.tolist() == [4, 4, 4]


def test_constants_are_computed_once_and_those_only_written_as_numbers_not_at_all() -> None:
    def build(hand: Hand, x: Operand) -> Any:
        table = double(hand, hand(Iota(length=3)))
        heads = hand.all(BeginCounted(start=0, stop=2, operands=(x,)))
        two = Operand(hand.constant(2.0, "f32").value, (3,), "f32")
        product = hand(Elementwise(kind="mul", shape=(3,), dtype="f32", operands=(heads[1], two)))
        inside = double(hand, double(hand, table))
        ended = hand.all(EndCounted(operands=(product,)))
        return [ended[0], inside]

    once, main = text(build)
    assert once.count(" + ") == 3
    assert "np.float32(2.0)" not in once
    assert "* 2.0" in main
    assert "np.arange" not in main


@pytest.mark.parametrize("in_loop", [pytest.param(True, id="in a loop"), pytest.param(False, id="outside")])
def test_a_read_at_a_known_position_is_computed_once_unless_a_loop_may_never_reach_it(in_loop: bool) -> None:
    def build(hand: Hand, x: Operand) -> Any:
        table = hand(Iota(length=3))
        at = hand(Reshape(shape=(1,), operands=(hand.constant(1, "i64"),)))
        if not in_loop:
            return [hand(Gather(shape=(), operands=(table, at)))]
        heads = hand.all(BeginCounted(start=0, stop=0, operands=(hand.constant(0, "i64"),)))
        return hand.all(EndCounted(operands=(hand(Gather(shape=(), operands=(table, at))),)))[:1] or heads

    once, main = text(build)
    assert ("_gather(" in main) == in_loop
    assert ("_gather(" in once) == (not in_loop)


def test_values_are_released_after_their_last_read() -> None:
    def build(hand: Hand, x: Operand) -> Any:
        a = double(hand, x)
        b = negated(hand, a)
        c = hand(Elementwise(kind="mul", shape=(3,), dtype="f32", operands=(a, b)))
        return [double(hand, c)]

    _, main = text(build)
    assert main.splitlines()[1:] == [
        "    v0 = in_x0 + in_x0",
        "    v1 = -v0",
        "    v2 = v0 * v1; del v0, v1",
        "    v3 = v2 + v2; del v2",
        "    return (v3,)",
    ]


def test_a_turn_releases_what_it_made_and_the_end_what_the_loop_carried() -> None:
    def build(hand: Hand, x: Operand) -> Any:
        start, outer = double(hand, x), negated(hand, x)
        heads = hand.all(BeginCounted(start=0, stop=2, operands=(start,)))
        a = negated(hand, heads[1])
        b = hand(Elementwise(kind="mul", shape=(3,), dtype="f32", operands=(a, outer)))
        (ended,) = hand.all(EndCounted(operands=(b,)))
        return [negated(hand, ended)]

    _, main = text(build)
    assert main.splitlines()[1:] == [
        "    v0 = in_x0 + in_x0",
        "    v1 = -in_x0",
        "    w0_1 = v0; del v0",
        "    for w0_0_number in range(0, 2):",
        "        w0_0 = np.int64(w0_0_number)",
        "        v2 = -w0_1",
        "        v3 = v2 * v1; del v2",
        "        w0_1 = v3",
        "    v4 = w0_1; del v1, w0_1",
        "    v5 = -v4; del v4",
        "    return (v5,)",
    ]


def test_equal_calls_are_made_once_but_not_across_a_loop_that_may_not_turn() -> None:
    def build(hand: Hand, x: Operand) -> Any:
        heads = hand.all(BeginCounted(start=0, stop=0, operands=(x,)))
        inside = double(hand, x)
        assert double(hand, x) == inside
        ended = hand.all(EndCounted(operands=(hand(Elementwise(kind="mul", shape=(3,), dtype="f32", operands=(heads[1], inside))),)))
        outside = double(hand, x)
        assert outside != inside
        return [ended[0], outside]

    source = printed(build, X)
    module: dict[str, Any] = {}
    exec(compile(source, "printed", "exec"), module)
    same, twice = module["main"](np.ones(3, np.float32), *module["constants"]())
    assert (same.tolist(), twice.tolist()) == ([1, 1, 1], [2, 2, 2])


def test_constants_of_other_signs_of_zero_are_two() -> None:
    def build(hand: Hand, x: Operand) -> Any:
        zeros = [hand.constant(zero, "f32") for zero in (0.0, -0.0, 0.0)]
        assert zeros[0] == zeros[2] != zeros[1]
        return [x]

    printed(build, X)
