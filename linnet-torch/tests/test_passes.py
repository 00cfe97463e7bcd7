"""Passes over steps: what changes nothing goes, constants are computed once, dead values are released, equal ones shared."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hand_made import on_torch
from programs import printed

from linnet_core.conformance.compare import difference
from linnet_core.conformance.hand import Hand, finished
from linnet_core.graph.calls import (
    BeginCounted,
    BeginWhile,
    Broadcast,
    Call,
    Compare,
    Concat,
    Convert,
    Elementwise,
    EndCounted,
    EndWhile,
    Gather,
    Iota,
    Operand,
    Reduce,
    Reshape,
    Slice,
    Transpose,
    WhileCondition,
)
from linnet_torch.target import TorchTarget

X = np.arange(6, dtype=np.float32).reshape(2, 3)


def _main(build: Any, arrays: list[np.ndarray]) -> str:
    source = finished(TorchTarget("equivalent"), build, arrays).source()
    return source[source.index("def main(") :]


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(Slice(starts=(0, 0), limits=(2, 3), strides=(1, 1), shape=(2, 3)), id="slice"),
        pytest.param(Reshape(shape=(2, 3)), id="reshape"),
        pytest.param(Transpose(shape=(2, 3), permutation=(0, 1)), id="transpose"),
        pytest.param(Broadcast(shape=(2, 3), dims=(0, 1)), id="broadcast"),
        pytest.param(Concat(axis=1), id="concat"),
        pytest.param(Reduce(kind="sum", dims=(), shape=(2, 3)), id="reduce"),
    ],
)
def test_what_changes_nothing_is_not_written(call: Call) -> None:
    def build(hand: Hand, x: list[Operand]) -> Operand:
        fields = {name: getattr(call, name) for name in call.__struct_fields__ if name != "operands"}
        same = hand(type(call)(**fields, operands=(x[0],)))
        return hand(Elementwise(kind="neg", shape=(2, 3), dtype="f32", operands=(same,)))

    lines = _main(build, [X]).splitlines()
    assert len(lines) == 3, lines
    assert "-in_x0" in lines[1]
    assert difference(on_torch(build, [X])[0], -X) is None


def test_an_identity_of_a_result_is_answered_as_a_value_of_its_own() -> None:
    def build(hand: Hand, x: list[Operand]) -> tuple[Operand, ...]:
        return hand(Reshape(shape=(2, 3), operands=(x[0],))), x[0]

    first, second = on_torch(build, [X])
    assert not np.shares_memory(first, second)
    assert not np.shares_memory(first, X)


def test_positions_of_rows_are_read_without_the_axis_they_come_with() -> None:
    def build(hand: Hand, x: list[Operand]) -> Operand:
        columns = hand(Reshape(shape=(2, 1), operands=(x[1],)))
        return hand(Gather(shape=(2, 3), operands=(x[0], columns)))

    arrays = [X, np.array([1, 0])]
    assert "in_x0[in_x1]" in _main(build, arrays)
    assert difference(on_torch(build, arrays)[0], X[[1, 0]]) is None


def test_equal_expressions_are_written_once() -> None:
    one = printed("pub entry run(x: Tensor[3; f32]) -> Tensor[3; f32] {\n    return exp(x) * exp(x) + exp(x)\n}\n")
    assert one.main.count("torch.exp") == 1


def test_zeros_of_different_signs_are_different_constants() -> None:
    one = printed("pub entry run(x: Tensor[2; f32]) -> (Tensor[2; f32], Tensor[2; f32]) {\n    return (x * 0.0, x * (-0.0))\n}\n")
    (first, second), _ = one.run({"x": np.array([1, -1], np.float32)})
    assert np.signbit(first).tolist() == [False, True]
    assert np.signbit(second).tolist() == [True, False]


def test_what_depends_on_constants_alone_is_computed_once() -> None:
    text = "pub entry run(x: Tensor[4; f32]) -> Tensor[4; f32] {\n    return x + exp(cast<f32>(iota(4)))\n}\n"
    one = printed(text)
    assert "torch.exp" not in one.main
    assert one.source.count("torch.exp") == 1
    (given,), _ = one.run({"x": np.zeros(4, np.float32)})
    assert difference(given, np.exp(np.arange(4, dtype=np.float32)), 1e-6) is None


def test_an_entry_of_constants_alone() -> None:
    one = printed("pub entry run() -> (Tensor[3; i64], f32) {\n    return (iota(3) * 3000000000, 0.1)\n}\n")
    (numbers, tenth), _ = one.run({})
    assert numbers.tolist() == [0, 3000000000, 6000000000]
    assert tenth == np.float32(0.1)


def test_unread_steps_are_not_written() -> None:
    one = printed("pub entry run(x: Tensor[4; f32]) -> Tensor[4; f32] {\n    let y = exp(x)\n    return x + 1.0\n}\n")
    assert "torch.exp" not in one.source


def test_values_are_released_after_their_last_use() -> None:
    one = printed("pub entry run(x: Tensor[4; f32]) -> Tensor[4; f32] {\n    return exp(sin(cos(x)))\n}\n")
    assert one.main.count("; del ") == 2


def _counting(hand: Hand, x: list[Operand], body: Any) -> tuple[Operand, ...]:
    """`while i < n`, with what `body` makes of (i, value)."""
    start = hand.constant(0, "i32")
    i, value = hand.all(BeginWhile(operands=(start, x[0])))
    below = hand(Compare(kind="lt", shape=(), operands=(i, x[1])))
    carried = hand.target.types
    i, value = hand.all(WhileCondition(operands=(below,), carried=tuple(carried[str(o.value)] for o in (i, value))))
    following = hand(Elementwise(kind="add", shape=(), dtype="i32", operands=(i, hand.constant(1, "i32"))))
    return hand.all(EndWhile(operands=(following, body(hand, i, value))))


@pytest.mark.parametrize("turns", [0, 1, 5])
def test_a_loop_computes_what_does_not_change_before_it(turns: int) -> None:
    def grow(hand: Hand, i: Operand, value: Operand) -> Operand:
        steps = hand(Convert(shape=(3,), dtype="f32", operands=(hand(Iota(length=3)),)))
        return hand(Elementwise(kind="add", shape=(2, 3), dtype="f32", operands=(value, steps)))

    def build(hand: Hand, x: list[Operand]) -> tuple[Operand, ...]:
        return _counting(hand, x, grow)

    arrays = [X, np.asarray(turns, np.int32)]
    assert "arange" not in _main(build, arrays)
    count, value = on_torch(build, arrays)
    assert count == turns
    assert difference(value, X + turns * np.arange(3, dtype=np.float32)) is None


def test_a_loop_may_exchange_what_it_carries() -> None:
    text = (
        "pub entry run(a: Tensor[2; f32], b: Tensor[2; f32], n: i32) -> (Tensor[2; f32], Tensor[2; f32]) {\n"
        "    var x = a\n    var y = b\n    var i: i32 = 0\n"
        "    while i < n {\n        let t = x\n        x = y\n        y = t\n        i = i + 1\n    }\n    return (x, y)\n}\n"
    )
    for n in range(4):
        arrays = {"a": np.array([1, 2], np.float32), "b": np.array([3, 4], np.float32), "n": np.asarray(n, np.int32)}
        (x, y), _ = printed(text).run(arrays)
        assert (x.tolist(), y.tolist()) == (([1, 2], [3, 4]) if n % 2 == 0 else ([3, 4], [1, 2]))


def test_loops_in_loops() -> None:
    text = (
        "pub entry run(n: i32) -> i32 {\n    var total: i32 = 0\n    var i: i32 = 0\n"
        "    while i < n {\n        var j: i32 = 0\n"
        "        while j < i {\n            total = total + i * j\n            j = j + 1\n        }\n"
        "        i = i + 1\n    }\n    return total\n}\n"
    )
    for n in (0, 1, 5):
        (total,), _ = printed(text).run({"n": np.asarray(n, np.int32)})
        assert total == sum(i * j for i in range(n) for j in range(i))


@pytest.mark.parametrize(("start", "stop"), [(0, 0), (0, 3), (5, 8)])
def test_a_counted_loop_gives_its_index(start: int, stop: int) -> None:
    def build(hand: Hand, x: list[Operand]) -> Operand:
        index, value = hand.all(BeginCounted(start=start, stop=stop, operands=(x[0],)))
        wide = hand(Convert(shape=(), dtype="f32", operands=(index,)))
        following = hand(Elementwise(kind="add", shape=(2, 3), dtype="f32", operands=(value, wide)))
        return hand(EndCounted(operands=(following,)))

    assert difference(on_torch(build, [X])[0], X + np.float32(sum(range(start, stop)))) is None
