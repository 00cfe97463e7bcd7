"""The parts that the turns of a counted loop read or write.

In: a loop of a tape, and the constants of the tape.  Out: `Turns`: the reads of a part of a value from outside, and the carried stacks
that do nothing in the loop but get a row in each turn.  On the way back, each turn gives the gradient of such a read to a stack, and that
of such a write is read by row: no turn adds to the whole value or clears a row of it.  Where no row is met twice, the stack is the
gradient; where the positions are known at run time alone, they are stacked, too, and the gradients added up after the loop.

No row is met twice where its number is the loop's index, the index and a constant, or a constant less the index.
"""

from __future__ import annotations

from collections import Counter
from math import prod
from typing import TYPE_CHECKING

from msgspec import Struct

from linnet_core.graph.calls import BeginCounted, Constant, Elementwise, Gather, Literal, Reshape, UpdateRow
from linnet_core.graph.gradient.tape import Loop, Step, made_in, read_by, read_from_outside

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from linnet_core.graph.calls import Operand
    from linnet_core.graph.gradient.tape import Item


class Rows(Struct, frozen=True):
    """A row in each turn, from row `lowest` on upward, or `down` to it."""

    lowest: int
    down: bool


class Read(Struct, frozen=True, eq=False):
    """A gather of a value from outside: of a row of its own in each turn, or, `rows` being None, at any positions."""

    step: Step
    rows: Rows | None

    @property
    def source(self) -> Operand:
        """The value it is a row of."""
        return self.step.call.operand(0)

    @property
    def positions(self) -> Operand:
        """Where it reads."""
        return self.step.call.operand(1)

    @property
    def row(self) -> str:
        """The name of what it reads."""
        return self.step.results[0]


class Write(Struct, frozen=True, eq=False):
    """A carried value at position `slot` that gets a row in each turn."""

    slot: int
    step: Step
    rows: Rows

    @property
    def row(self) -> Operand:
        """What is written."""
        return self.step.call.operand(2)


class Turns(Struct, frozen=True, eq=False):
    """`outer` are the names of values from outside that are read otherwise than by `reads`."""

    reads: tuple[Read, ...]
    writes: tuple[Write, ...]
    outer: tuple[str, ...]

    @property
    def done(self) -> frozenset[str]:
        """The results of the steps whose gradient is written and read by row."""
        return frozenset([each.step.results[0] for each in (*self.reads, *self.writes)])


def turns_of(loop: Loop, constants: Mapping[str, int], wanted: frozenset[str]) -> Turns:
    """The rows of the turns, as far as the values have an adjoint (are `wanted`)."""
    numbers = _Numbers(loop, constants)
    inside = {*loop.begin.results, *made_in(loop.body)}
    steps = [item for item in loop.body if isinstance(item, Step) and item.first]
    reads = tuple([read for step in steps if (read := numbers.read(step, inside)) is not None and str(read.source.value) in wanted])
    by_row = {read.row for read in reads}
    others = {*read_by(item for item in loop.body if not (isinstance(item, Step) and item.results and item.results[0] in by_row))}
    others.update(loop.end.operand_names())
    outer = tuple([name for name in read_from_outside(loop, start=False) if name in wanted and name in others])
    return Turns(reads, tuple(_writes(loop, numbers, steps, wanted)), outer)


def _writes(loop: Loop, numbers: _Numbers, steps: Iterable[Step], wanted: frozenset[str]) -> Iterable[Write]:
    count = Counter([*read_by(loop.body), *loop.end.operand_names()])
    updates = {step.results[0]: step for step in steps if isinstance(step.call, UpdateRow)}
    starts = loop.begin.operand_names()
    for slot, (head, end) in enumerate(zip(loop.carried, loop.end.operand_names(), strict=True)):
        step = updates.get(end)
        if step is None or count[end] != 1 or count[head] != 1 or step.operand_names()[0] != head:
            continue
        rows = numbers.rows(step.call.operand(0), step.call.operand(1))
        # a value the loop starts from and does not write whole has a gradient where no turn wrote
        whole = step.call.operand(0).shape[0] == numbers.iterations
        if rows is not None and (whole or starts[slot] not in wanted):
            yield Write(slot, step, rows)


class _Numbers:
    """The numbers of rows in a loop's body."""

    def __init__(self, loop: Loop, constants: Mapping[str, int]) -> None:
        call = loop.begin.call
        assert isinstance(call, BeginCounted)
        self.iterations = call.stop - call.start
        self._start = call.start
        self._index = loop.begin.results[0]
        self._constants = constants
        self._made = {name: item for item in loop.body if isinstance(item, Step) and item.first for name in item.results}

    def read(self, step: Step, inside: set[str]) -> Read | None:
        """A gather of a value that is not made `inside`.

        At any positions only if what all turns read is no more than the whole value, whose memory the stacks take besides.
        """
        if not isinstance(step.call, Gather) or str(step.call.operand(0).value) in inside:
            return None
        source, positions = step.call.operand(0), step.call.operand(1)
        rows = self.rows(source, positions) if positions.shape == (1,) else None
        stacked = self.iterations * (prod(step.call.shape) + prod(positions.shape))
        return None if rows is None and stacked > prod(source.shape) else Read(step, rows)

    def rows(self, stack: Operand, position: Operand) -> Rows | None:
        """The rows of a stack at a position, if each turn has its own and all are there."""
        known = self._of_index(str(position.value))
        if known is None:
            return None
        sign, more = known
        lowest = more + sign * (self._start if sign > 0 else self._start + self.iterations - 1)
        return Rows(lowest, sign < 0) if 0 <= lowest <= stack.shape[0] - self.iterations else None

    def _of_index(self, name: str) -> tuple[int, int] | None:
        """The sign s and the number m, if a value is s times the index plus m."""
        sign, more = 1, 0
        while name != self._index:
            step = self._made.get(name)
            match step.call if step is not None else None:
                case Reshape() as call:
                    name = str(call.operand(0).value)
                case Elementwise(kind="add" | "sub") as call:
                    x, y = (str(call.operand(at).value) for at in (0, 1))
                    second = sign if call.kind == "add" else -sign
                    if x in self._constants:
                        name, more, sign = y, more + sign * self._constants[x], second
                    elif y in self._constants:
                        name, more = x, more + second * self._constants[y]
                    else:
                        return None
                case _:
                    return None
        return sign, more


def constants_of(items: Iterable[Item]) -> dict[str, int]:
    """The integer constants among items and inside them, by name."""
    found: dict[str, int] = {}
    for item in items:
        match item:
            case Step(call=Constant(literal=Literal(kind="integer", value=int(value)))):
                found[item.results[0]] = value
            case Loop():
                found |= constants_of(item.body)
            case _:
                pass
    return found
