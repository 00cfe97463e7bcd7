"""Which cache writes are made in place: each rule by an entry that keeps it and one that breaks it, run with the states it overwrites."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from numpy_entries import Hand, printed
from random_entries import CACHE, VALUE

from linnet_core.graph.calls import (
    BeginCounted,
    BeginWhile,
    Broadcast,
    Compare,
    Elementwise,
    EndCounted,
    EndWhile,
    NativeCall,
    Operand,
    Reduce,
    Reshape,
    Select,
    Slice,
    WhileCondition,
)

if TYPE_CHECKING:
    from collections.abc import Callable

ARRAYS = [np.arange(16, dtype=np.float32).reshape(CACHE), np.full(VALUE, -1, np.float32), np.float32(2).reshape(())]
STATES = [np.arange(16, dtype=np.float32).reshape(CACHE) + 100, np.zeros(CACHE, np.float32)]


def write(hand: Hand, cache: Operand, value: Operand, at: int = 1) -> Operand:
    operands = (cache, value, hand.constant(at, "i32"))
    return hand(NativeCall(implementation="torch.Tensor.index_copy", generics={}, shape=CACHE, dtype="f32", operands=operands))


def first(hand: Hand, cache: Operand) -> Operand:
    return hand(Slice(starts=(0, 0, 0, 0), limits=(2, 1, 1, 2), strides=(1, 1, 1, 1), shape=VALUE, operands=(cache,)))


def doubled(hand: Hand, x: Operand) -> Operand:
    return hand(Elementwise(kind="add", shape=x.shape, dtype="f32", operands=(x, x)))


def counted(hand: Hand, starts: tuple[Operand, ...], body: Callable[..., tuple[Operand, ...]]) -> tuple[Operand, ...]:
    heads = hand.all(BeginCounted(start=0, stop=2, operands=starts))[1:]
    return hand.all(EndCounted(operands=body(*heads)))


def state_written(hand: Hand, x: Operand, v: Operand, c: Operand, s: Operand, t: Operand) -> Any:
    hand.finals = [("s0", write(hand, s, v))]
    return [v]


def chain(hand: Hand, x: Operand, v: Operand, c: Operand, s: Operand, t: Operand) -> Any:
    once = write(hand, s, v)
    hand.finals = [("s0", write(hand, once, v, 2))]
    return [doubled(hand, v)]


def read_before(hand: Hand, x: Operand, v: Operand, c: Operand, s: Operand, t: Operand) -> Any:
    before = doubled(hand, s)
    hand.finals = [("s0", write(hand, s, v))]
    return [before]


def through_a_reshape(hand: Hand, x: Operand, v: Operand, c: Operand, s: Operand, t: Operand) -> Any:
    flat = hand(Reshape(shape=(16,), operands=(s,)))
    hand.finals = [("s0", write(hand, hand(Reshape(shape=CACHE, operands=(flat,))), v))]
    return [v]


def carried_by_a_loop(hand: Hand, x: Operand, v: Operand, c: Operand, s: Operand, t: Operand) -> Any:
    (last,) = counted(hand, (s,), lambda h: (write(hand, h, v),))
    hand.finals = [("s0", last)]
    return [v]


def carried_by_two_loops(hand: Hand, x: Operand, v: Operand, c: Operand, s: Operand, t: Operand) -> Any:
    (last,) = counted(hand, (s,), lambda h: counted(hand, (write(hand, h, v),), lambda g: (write(hand, g, v, 3),)))
    hand.finals = [("s0", write(hand, last, v, 0))]
    return [v]


def condition_reads_the_cache(hand: Hand, x: Operand, v: Operand, c: Operand, s: Operand, t: Operand) -> Any:
    begin = BeginWhile(operands=(s, c))
    head, number = hand.all(begin)
    largest = hand(Reduce(kind="max", dims=(0, 1, 2, 3), shape=(), operands=(head,)))
    hand.all(WhileCondition(carried=begin.result_types(), operands=(hand(Compare(kind="lt", shape=(), operands=(number, largest))),)))
    last, _ = hand.all(EndWhile(operands=(write(hand, head, v), doubled(hand, number))))
    hand.finals = [("s0", last)]
    return [v]


SAFE = [state_written, chain, read_before, through_a_reshape, carried_by_a_loop, carried_by_two_loops, condition_reads_the_cache]


@pytest.mark.parametrize("build", [pytest.param(build, id=build.__name__.replace("_", " ")) for build in SAFE])
def test_every_write_is_in_place(build: Any) -> None:
    main = printed(build, ARRAYS, STATES).partition("def main")[2]
    assert main.count("_write_span(") == main.count("in_place=True") > 0


def read_after(hand: Hand, x: Operand, v: Operand, c: Operand, s: Operand, t: Operand) -> Any:
    hand.finals = [("s0", write(hand, s, v))]
    return [doubled(hand, s)]


def view_read_after(hand: Hand, x: Operand, v: Operand, c: Operand, s: Operand, t: Operand) -> Any:
    view = first(hand, s)
    hand.finals = [("s0", write(hand, s, v))]
    return [doubled(hand, view)]


def value_is_a_view(hand: Hand, x: Operand, v: Operand, c: Operand, s: Operand, t: Operand) -> Any:
    hand.finals = [("s0", write(hand, s, first(hand, s)))]
    return [v]


def an_input(hand: Hand, x: Operand, v: Operand, c: Operand, s: Operand, t: Operand) -> Any:
    return [write(hand, x, v)]


def spread(hand: Hand, x: Operand, v: Operand, c: Operand, s: Operand, t: Operand) -> Any:
    return [write(hand, hand(Broadcast(shape=CACHE, dims=(), operands=(c,))), v)]


def answered_as_it_was(hand: Hand, x: Operand, v: Operand, c: Operand, s: Operand, t: Operand) -> Any:
    hand.finals = [("s0", write(hand, s, v))]
    return [s]


def one_of_two_arms(hand: Hand, x: Operand, v: Operand, c: Operand, s: Operand, t: Operand) -> Any:
    condition = hand(Compare(kind="lt", shape=(), operands=(c, c)))
    chosen = hand(Select(shape=CACHE, dtype="f32", operands=(Operand(condition.value, CACHE, "bool"), write(hand, s, v), s)))
    hand.finals = [("s0", chosen)]
    return [v]


def one_memory_in_two_slots(hand: Hand, x: Operand, v: Operand, c: Operand, s: Operand, t: Operand) -> Any:
    last, other = counted(hand, (s, s), lambda h, g: (write(hand, h, v), g))
    hand.finals = [("s0", last)]
    return [other]


def kept_for_the_next_turn(hand: Hand, x: Operand, v: Operand, c: Operand, s: Operand, t: Operand) -> Any:
    last, view = counted(hand, (s, v), lambda h, w: (write(hand, h, w), first(hand, h)))
    hand.finals = [("s0", last)]
    return [view]


def read_behind_the_loop(hand: Hand, x: Operand, v: Operand, c: Operand, s: Operand, t: Operand) -> Any:
    (last,) = counted(hand, (s,), lambda h: (write(hand, h, v),))
    hand.finals = [("s0", last)]
    return [doubled(hand, s)]


def the_state_itself_in_a_loop(hand: Hand, x: Operand, v: Operand, c: Operand, s: Operand, t: Operand) -> Any:
    (last,) = counted(hand, (v,), lambda w: (doubled(hand, first(hand, write(hand, s, w, 0))),))
    return [last]


def exchanged(hand: Hand, x: Operand, v: Operand, c: Operand, s: Operand, t: Operand) -> Any:
    one, other = counted(hand, (s, t), lambda h, g: (g, write(hand, h, v)))
    hand.finals = [("s0", one), ("s1", other)]
    return [v]


def state_that_is_only_read(hand: Hand, x: Operand, v: Operand, c: Operand, s: Operand, t: Operand) -> Any:
    return [write(hand, s, v)]


UNSAFE = [
    state_that_is_only_read,
    read_after,
    view_read_after,
    value_is_a_view,
    an_input,
    spread,
    answered_as_it_was,
    one_of_two_arms,
    one_memory_in_two_slots,
    kept_for_the_next_turn,
    read_behind_the_loop,
    the_state_itself_in_a_loop,
    exchanged,
]


@pytest.mark.parametrize("build", [pytest.param(build, id=build.__name__.replace("_", " ")) for build in UNSAFE])
def test_no_write_is_in_place(build: Any) -> None:
    source = printed(build, ARRAYS, STATES)
    assert "_write_span(" in source.partition("def main")[2]
    assert "in_place=True" not in source.partition("def main")[2]
    assert "IN_PLACE = []" in source


def test_the_state_is_named_that_is_overwritten() -> None:
    assert "IN_PLACE = ['s0']" in printed(carried_by_two_loops, ARRAYS, STATES)


def test_a_copy_made_by_one_write_is_written_by_the_next() -> None:
    source = printed(lambda hand, x, v, c, s, t: [write(hand, write(hand, x, v), v, 2)], ARRAYS, STATES)
    assert source.count("in_place=True)") == 1
    assert "IN_PLACE = []" in source
