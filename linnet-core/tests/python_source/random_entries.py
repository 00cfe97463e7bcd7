"""Entries at random, made of the calls that the passes over steps care about, and what they compute.

In: a hand and a seed.  Out: the calls; and by `computed`, from the steps before any pass, the arrays they must give: one value
after another, none sharing memory.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import numpy as np

from linnet_core.graph.calls import (
    BeginCounted,
    BeginWhile,
    Broadcast,
    Compare,
    Constant,
    Elementwise,
    EndCounted,
    EndWhile,
    Finish,
    Input,
    NativeCall,
    Operand,
    Reduce,
    Reshape,
    Select,
    Slice,
    State,
    Transpose,
    WhileCondition,
)
from linnet_core.python_source.steps import Step, matching_end

if TYPE_CHECKING:
    from numpy_entries import Hand

#: Every cache is [rows, heads, positions, width]; what is written into it has one position.
CACHE, VALUE = (2, 1, 4, 2), (2, 1, 1, 2)


class RandomEntry:
    """Makes calls at random; `caches`, `values` and `scalars` are the operands in scope by shape."""

    def __init__(self, hand: Hand, seed: int) -> None:
        self.hand = hand
        self.random = random.Random(seed)
        self.caches: list[Operand] = []
        self.values: list[Operand] = []
        self.scalars: list[Operand] = []
        self._depth = 0

    def pick(self, operands: list[Operand]) -> Operand:
        """One of `operands`, the late ones more often."""
        return operands[-1 - min(int(self.random.expovariate(0.6)), len(operands) - 1)]

    def steps(self, count: int) -> None:
        """`count` calls or constructs."""
        actions = [self.write, self.write, self.write, self.view, self.add, self.total, self.choose, self.choose_value, self.loop]
        for _ in range(count):
            self.random.choice(actions)()

    def write(self) -> None:
        """Into a cache, sometimes of a slice of this or another cache, sometimes outside."""
        at = self.hand.constant(self.random.choice([0, 1, 3, 3, -1, 4]), "i32")
        cache = self.pick(self.caches)
        value = self.slice_of(self.pick(self.caches)) if self.random.random() < 0.3 else self.pick(self.values)
        call = NativeCall(implementation="torch.Tensor.index_copy", generics={}, shape=CACHE, dtype="f32", operands=(cache, value, at))
        self.caches.append(self.hand(call))

    def slice_of(self, cache: Operand) -> Operand:
        p = self.random.randrange(CACHE[2])
        return self.hand(Slice(starts=(0, 0, p, 0), limits=(2, 1, p + 1, 2), strides=(1, 1, 1, 1), shape=VALUE, operands=(cache,)))

    def view(self) -> None:
        """A slice, or a cache turned over and back."""
        cache = self.pick(self.caches)
        if self.random.random() < 0.5:
            self.values.append(self.slice_of(cache))
        else:
            turned = self.hand(Transpose(shape=(2, 1, 4, 2), permutation=(0, 1, 2, 3), operands=(cache,)))
            flat = self.hand(Reshape(shape=(2, 4, 1, 2), operands=(turned,)))
            self.caches.append(self.hand(Transpose(shape=CACHE, permutation=(0, 2, 1, 3), operands=(flat,))))

    def add(self) -> None:
        operands = self.random.choice([self.caches, self.values, self.scalars])
        a, b = self.pick(operands), self.pick(operands)
        operands.append(self.hand(Elementwise(kind="add", shape=a.shape, dtype="f32", operands=(a, b))))

    def total(self) -> None:
        """The greatest of a cache, and a cache full of it: an array that reads one element everywhere."""
        found = self.hand(Reduce(kind="max", dims=(0, 1, 2, 3), shape=(), operands=(self.pick(self.caches),)))
        self.scalars.append(found)
        self.caches.append(self.hand(Broadcast(shape=CACHE, dims=(), operands=(found,))))

    def condition(self) -> Operand:
        kind: Any = self.random.choice(["lt", "ge"])
        return self.hand(Compare(kind=kind, shape=(), operands=(self.pick(self.scalars), self.pick(self.scalars))))

    def choose(self) -> None:
        """One or two selects on one bool, over whatever was made before, often work of their own."""
        c = self.condition()
        before = self.caches[-1]
        self.steps(self.random.randrange(4))
        for _ in range(self.random.choice([1, 2, 2])):
            a, b = self.pick(self.caches), self.random.choice([self.pick(self.caches), before])
            self.caches.append(self.hand(Select(shape=CACHE, dtype="f32", operands=(Operand(c.value, CACHE, "bool"), a, b))))

    def choose_value(self) -> None:
        """A select that spreads one of its operands itself."""
        c, a, b = self.condition(), self.pick(self.values), self.pick(self.scalars)
        operands = (Operand(c.value, VALUE, "bool"), a, Operand(b.value, VALUE, "f32"))
        self.values.append(self.hand(Select(shape=VALUE, dtype="f32", operands=operands)))

    def loop(self) -> None:
        """A loop of 0 to 2 turns that carries two caches, a value and a scalar."""
        if self._depth == 2:
            return
        self._depth += 1
        turns, counted = self.random.randrange(3), self.random.random() < 0.5
        scope = self.caches, self.values, self.scalars
        starts = (self.pick(self.caches), self.pick(self.caches), self.pick(self.values), self.pick(self.scalars))
        heads = self._open(starts, turns, counted)
        self.caches, self.values, self.scalars = [*scope[0], *heads[:2]], [*scope[1], heads[2]], [*scope[2], heads[3]]
        self.steps(self.random.randrange(1, 6))
        answers = (self.pick(self.caches), self.pick(self.caches), self.pick(self.values), self.pick(self.scalars))
        if counted:
            ended = self.hand.all(EndCounted(operands=answers))
        else:
            one = self.hand.constant(1.0, "f32")
            number = self.hand(Elementwise(kind="add", shape=(), dtype="f32", operands=(heads[4], one)))
            ended = self.hand.all(EndWhile(operands=(*answers, number)))
        self.caches, self.values, self.scalars = [*scope[0], *ended[:2]], [*scope[1], ended[2]], [*scope[2], ended[3]]
        self._depth -= 1

    def _open(self, starts: tuple[Operand, ...], turns: int, counted: bool) -> tuple[Operand, ...]:
        if counted:
            return self.hand.all(BeginCounted(start=0, stop=turns, operands=starts))[1:]
        begin = BeginWhile(operands=(*starts, self.hand.constant(0.0, "f32")))
        heads = self.hand.all(begin)
        if self.random.random() < 0.5:  # the condition may read a cache as it was before the turn
            self.scalars = [*self.scalars, self.hand(Reduce(kind="max", dims=(0, 1, 2, 3), shape=(), operands=(heads[0],)))]
        limit = self.hand.constant(float(turns), "f32")
        check = self.hand(Compare(kind="lt", shape=(), operands=(heads[4], limit)))
        return self.hand.all(WhileCondition(carried=begin.result_types(), operands=(check,)))


def random_entry(hand: Hand, seed: int, leaves: tuple[Operand, ...]) -> list[Operand]:
    """Calls over leaves (two input caches, an input value, an input scalar, three state caches); the results, and the states set
    as `finals`.
    """
    entry = RandomEntry(hand, seed)
    entry.caches = [leaves[0], leaves[1], *leaves[4:]]
    entry.values, entry.scalars = [leaves[2]], [leaves[3]]
    entry.steps(entry.random.randrange(4, 16))
    hand.finals = [(f"s{i}", entry.pick(entry.caches)) for i in range(3) if entry.random.random() < 0.8]
    return [entry.pick(entry.caches), entry.pick(entry.caches), entry.pick(entry.values), entry.pick(entry.scalars)]


def computed(steps: list[Step], leaves: dict[str, np.ndarray]) -> list[np.ndarray]:
    """What `finish` answers, by the definitions of the calls; `leaves` by the names of inputs and the paths of states."""
    names: dict[str, np.ndarray] = {}
    return _run(steps, names, leaves)


def _run(steps: list[Step], names: dict[str, np.ndarray], leaves: dict[str, np.ndarray]) -> list[np.ndarray]:
    at = 0
    while at < len(steps):
        step, call = steps[at], steps[at].call
        read = [names[name] for name in step.reads()]
        match call:
            case BeginWhile() | BeginCounted():
                end = matching_end(steps, at)
                carried = _loop(call, steps[at : end + 1], read, names, leaves)
                names.update(zip(steps[end].results, carried, strict=True))
                at = end
            case Finish():
                return read
            case _:
                (result,) = step.results
                names[result] = np.array(_value(call, read, leaves))
        at += 1
    return []


def _loop(
    call: Any, steps: list[Step], carried: list[np.ndarray], names: dict[str, np.ndarray], leaves: dict[str, np.ndarray]
) -> list[np.ndarray]:
    heads = steps[0].results[isinstance(call, BeginCounted) :]
    inside = steps[1:-1]
    checks = [i for i, step in enumerate(inside) if isinstance(step.call, WhileCondition) and step.results == heads]
    turns = call.stop - call.start if isinstance(call, BeginCounted) else None
    while turns != 0:
        names.update(zip(heads, carried, strict=True))
        if turns is None:
            _run(inside[: checks[0]], names, leaves)
            if not names[next(inside[checks[0]].reads())]:
                break
        _run(inside[checks[0] + 1 :] if turns is None else inside, names, leaves)
        carried = [names[name] for name in steps[-1].reads()]
        turns = None if turns is None else turns - 1
    return carried


def _value(call: Any, read: list[np.ndarray], leaves: dict[str, np.ndarray]) -> Any:
    match call:
        case Input():
            return leaves[call.name]
        case State():
            return leaves[call.path]
        case Constant():
            return np.asarray(call.literal.value, {"f32": np.float32, "i32": np.int32}[call.dtype])
        case Elementwise():
            return read[0] + read[1]
        case Compare():
            return read[0] < read[1] if call.kind == "lt" else read[0] >= read[1]
        case Select():
            return np.broadcast_to(read[1] if read[0] else read[2], call.shape)
        case Reshape():
            return read[0].reshape(call.shape)
        case Transpose():
            return read[0].transpose(call.permutation)
        case Broadcast():
            return np.broadcast_to(read[0], call.shape)
        case Slice():
            return read[0][tuple(slice(*bounds) for bounds in zip(call.starts, call.limits, call.strides, strict=True))]
        case Reduce():
            return read[0].max()
        case NativeCall():
            cache, at = read[0].copy(), int(read[2])
            if 0 <= at < CACHE[2]:
                cache[:, :, at] = read[1][:, :, 0]
            return cache
        case _:
            raise AssertionError(f"{call.op} is not computed here")
