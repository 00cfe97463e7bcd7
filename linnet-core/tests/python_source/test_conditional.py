"""One arm of an `if` is computed and no more: what raises in the arm not taken shows which arm work went to, and both conditions
give what evaluating both gives.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from numpy_entries import Hand, answers, array, printed

from linnet_core.errors import RuntimeFailure
from linnet_core.graph.calls import BeginWhile, Compare, Convert, Elementwise, EndWhile, Gather, Operand, Reshape, Select, WhileCondition
from linnet_core.python_source.conditional import MAX_DEPTH

if TYPE_CHECKING:
    from collections.abc import Sequence

TABLE = np.array([10, 20, 30], np.float32)


def read(hand: Hand, t: Operand, i: Operand) -> Operand:
    """`t[i]`, which raises for an index outside."""
    at = hand(Reshape(shape=(1,), operands=(i,)))
    return hand(Gather(shape=(), operands=(t, at)))


def plus(hand: Hand, a: Operand, b: Operand) -> Operand:
    return hand(Elementwise(kind="add", shape=a.shape, dtype=a.dtype, operands=(a, b)))


def choose(hand: Hand, c: Operand, a: Operand, b: Operand) -> Operand:
    return hand(Select(shape=a.shape, dtype=a.dtype, operands=(Operand(c.value, a.shape, "bool"), a, Operand(b.value, a.shape, b.dtype))))


def run(build: Any, condition: bool, index: int, extra: Sequence[Any] = ()) -> list[float]:
    """The results for a condition and an index into the table."""
    return [float(r) for r in answers(build, np.asarray(condition), TABLE, array(index, "i64"), *extra)]


def two_results(hand: Hand, c: Operand, t: Operand, i: Operand) -> Any:
    x = read(hand, t, i)
    zero = hand.constant(0.0, "f32")
    return [choose(hand, c, plus(hand, x, x), zero), choose(hand, c, x, zero)]


def nested(hand: Hand, c: Operand, t: Operand, i: Operand) -> Any:
    x = read(hand, t, i)
    zero = hand.constant(0.0, "f32")
    large = hand(Compare(kind="gt", shape=(), operands=(x, hand.constant(15.0, "f32"))))
    inner = choose(hand, large, plus(hand, x, x), x)
    return [choose(hand, c, inner, zero)]


def whole_loop(hand: Hand, c: Operand, t: Operand, i: Operand) -> Any:
    zero = hand.constant(0.0, "f32")
    begin = BeginWhile(operands=(zero, i))
    total, at = hand.all(begin)
    going = hand(Compare(kind="ge", shape=(), operands=(at, hand.constant(0, "i64"))))
    hand.all(WhileCondition(carried=begin.result_types(), operands=(going,)))
    following = plus(hand, at, hand.constant(-1, "i64"))
    ended, _ = hand.all(EndWhile(operands=(plus(hand, total, read(hand, t, at)), following)))
    return [choose(hand, c, ended, zero)]


def value_spread_by_the_select(hand: Hand, c: Operand, t: Operand, i: Operand) -> Any:
    x = read(hand, t, i)
    wide = hand(Reshape(shape=(1,), operands=(hand.constant(0.0, "f32"),)))
    chosen = hand(Select(shape=(1,), dtype="f32", operands=(Operand(c.value, (1,), "bool"), Operand(x.value, (1,), "f32"), wide)))
    return [hand(Reshape(shape=(), operands=(chosen,)))]


LAZY = [
    pytest.param(two_results, [20 + 20, 20], [0, 0], id="two results that share work"),
    pytest.param(nested, [40], [0], id="nested"),
    pytest.param(whole_loop, [30], [0], id="a whole loop"),
    pytest.param(value_spread_by_the_select, [20], [0], id="a value the select spreads"),
]


@pytest.mark.parametrize(("build", "taken", "not_taken"), LAZY)
def test_the_arm_that_is_not_taken_is_not_computed(build: Any, taken: list[float], not_taken: list[float]) -> None:
    assert run(build, True, 1) == taken
    assert run(build, False, 1) == not_taken
    assert run(build, False, 99) == not_taken
    with pytest.raises(RuntimeFailure, match="outside an axis of 3"):
        run(build, True, 99)


def shared_by_both_arms(hand: Hand, c: Operand, t: Operand, i: Operand) -> Any:
    x = read(hand, t, i)
    return [choose(hand, c, plus(hand, x, x), x)]


def read_by_the_result(hand: Hand, c: Operand, t: Operand, i: Operand) -> Any:
    x = read(hand, t, i)
    return [choose(hand, c, plus(hand, x, x), hand.constant(0.0, "f32")), x]


def read_by_the_condition(hand: Hand, c: Operand, t: Operand, i: Operand) -> Any:
    x = read(hand, t, i)
    large = hand(Compare(kind="gt", shape=(), operands=(x, hand.constant(15.0, "f32"))))
    return [choose(hand, large, plus(hand, x, x), hand.constant(0.0, "f32"))]


def chosen_by_two_conditions(hand: Hand, c: Operand, t: Operand, i: Operand) -> Any:
    x, zero = read(hand, t, i), hand.constant(0.0, "f32")
    other = hand(Elementwise(kind="not", shape=(), dtype="bool", operands=(c,)))
    return [choose(hand, c, x, zero), choose(hand, other, x, zero)]


def the_condition_itself(hand: Hand, c: Operand, t: Operand, i: Operand) -> Any:
    x = read(hand, t, i)
    large = hand(Compare(kind="gt", shape=(), operands=(x, hand.constant(15.0, "f32"))))
    chosen = hand(Select(shape=(), dtype="bool", operands=(large, large, c)))
    return [hand(Convert(shape=(), dtype="f32", operands=(chosen,)))]


EAGER = [
    pytest.param(shared_by_both_arms, [40], [20], id="shared by both arms"),
    pytest.param(read_by_the_result, [40, 20], [0, 20], id="read by a result too"),
    pytest.param(read_by_the_condition, [40], [40], id="read by the condition"),
    pytest.param(chosen_by_two_conditions, [20, 0], [0, 20], id="chosen by two conditions"),
    pytest.param(the_condition_itself, [1], [1], id="the condition is the value"),
]


@pytest.mark.parametrize(("build", "on_true", "on_false"), EAGER)
def test_what_both_ways_need_is_computed_once_before(build: Any, on_true: list[float], on_false: list[float]) -> None:
    assert run(build, True, 1) == on_true
    assert run(build, False, 1) == on_false
    for condition in (True, False):
        with pytest.raises(RuntimeFailure):
            run(build, condition, 99)


def test_a_second_choice_that_reads_the_first_comes_after_it() -> None:
    def build(hand: Hand, c: Operand, t: Operand, i: Operand) -> Any:
        zero = hand.constant(0.0, "f32")
        once = choose(hand, c, read(hand, t, i), zero)
        more = plus(hand, once, once)
        return [choose(hand, c, plus(hand, more, read(hand, t, i)), plus(hand, more, more))]

    assert run(build, True, 1) == [60]
    assert run(build, False, 1) == [0]


def test_a_position_known_in_an_arm_is_not_read_before() -> None:
    def build(hand: Hand, c: Operand) -> Any:
        table = hand(Reshape(shape=(1,), operands=(hand.constant(1.0, "f32"),)))
        return [choose(hand, c, read(hand, table, hand.constant(5, "i64")), hand.constant(0.0, "f32"))]

    assert [float(r) for r in answers(build, np.asarray(False))] == [0.0]
    with pytest.raises(RuntimeFailure):
        answers(build, np.asarray(True))


def test_choices_nested_deeper_than_python_reads_stay_selects() -> None:
    def build(hand: Hand, c: Operand, x: Operand) -> Any:
        value = x
        for level in range(MAX_DEPTH + 40):
            limit = hand.constant(float(level), "f32")
            below = hand(Compare(kind="lt", shape=(), operands=(x, limit)))
            value = choose(hand, below, plus(hand, value, limit), hand.constant(float(-level), "f32"))
        return [value]

    leaves = (np.asarray(True), np.asarray(0.5, np.float32))
    source = printed(build, leaves)
    compile(source, "printed", "exec")
    assert "np.where" in source
    (result,) = answers(build, *leaves)
    wanted = 0.5
    for level in range(MAX_DEPTH + 40):
        wanted = wanted + level if level > 0.5 else -level
    assert float(result) == wanted
