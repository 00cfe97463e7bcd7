"""The way back: from the adjoint of the loss to those of the leaves.

In: the items of a tape that were emitted, and a scope of adjoints that holds the first.  Out: the scope, with the adjoints of everything
made before the items.  A counted loop becomes a counted loop from its last iteration to its first: it carries the adjoints of what the
loop carries and of what its body reads from outside, and runs again what it needs of the body.  Where a turn reads or writes one row and
no other turn does, that row alone is read or written on the way back, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from linnet_core.graph.calls import BeginCounted, EndCounted, Operand
from linnet_core.graph.gradient.forward import iterations
from linnet_core.graph.gradient.needs import has_adjoint, kept_of
from linnet_core.graph.gradient.rules import RULES
from linnet_core.graph.gradient.rules.gather import scattered
from linnet_core.graph.gradient.tape import Loop, Step
from linnet_core.graph.gradient.turns import Rows, turns_of
from linnet_core.graph.rows import row_at, update_row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linnet_core.graph.calls.values import Shape
    from linnet_core.graph.gradient.adjoints import Adjoints
    from linnet_core.graph.gradient.forward import Forward
    from linnet_core.graph.gradient.tape import Item
    from linnet_core.graph.gradient.turns import Turns


def reverse(items: Sequence[Item], b: Adjoints, forward: Forward) -> None:
    """Walk back through items."""
    for item in reversed(items):
        match item:
            case Step() if item.first:
                _step(item, b)
            case Loop() if has_adjoint(item, b.wanted):
                _loop(item, b, forward)
            case _:
                pass


def _step(step: Step, b: Adjoints) -> None:
    rule = RULES.get(type(step.call))
    if rule is None or len(step.results) != 1 or step.results[0] not in b.wanted or step.results[0] in b.by_row:
        return
    gradient = b.take(step.results[0])
    if gradient is not None:
        rule.pull(b, step, step.call, gradient)


def _loop(loop: Loop, b: Adjoints, forward: Forward) -> None:
    if not iterations(loop):
        for start, result in zip(loop.begin.call.operands, loop.end.results, strict=True):
            gradient = b.take(result)
            if gradient is not None:
                b.add(start, gradient)
        return
    turns = turns_of(loop, b.constants, b.wanted)
    written = {write.slot: b.take(loop.end.results[write.slot]) for write in turns.writes}
    own = [at for at, head in enumerate(loop.carried) if at not in written and (head in b.wanted or loop.end.results[at] in b.wanted)]
    initial = [*[b.take_or_zeros(loop.end.results[at]) for at in own], *[b.take_or_zeros(name) for name in turns.outer]]
    back = _Back(loop, turns, tuple(own), written)
    finals = _turned_back(back, b, forward, [*initial, *_stacks(b, turns, iterations(loop))])
    for at, final in zip(own, finals, strict=False):
        b.add(loop.begin.call.operands[at], final)
    for name, final in zip(turns.outer, finals[len(own) :], strict=False):
        b.put(name, final)
    stacks = iter(finals[len(initial) :])
    for read in turns.reads:
        rows = next(stacks)
        whole = _between_zeros(b, read.source, read.rows, rows) if read.rows is not None else _added_up(b, read.source, next(stacks), rows)
        b.put(str(read.source.value), whole)


class _Back(Struct, frozen=True, eq=False):
    """How a loop is turned back: the positions of the carried values whose adjoints are carried, and the gradients of the stacks written
    by row, None where nothing reached one.
    """

    loop: Loop
    turns: Turns
    own: tuple[int, ...]
    written: dict[int, Operand | None]


def _turned_back(back: _Back, b: Adjoints, forward: Forward, initial: Sequence[Operand]) -> list[Operand]:
    """The reverse loop: `initial` are the adjoints after the loop, of its own carried values and of the values from outside, and a stack
    for the rows of each read.
    """
    loop, turns = back.loop, back.turns
    turn, *begun = b.emitter.names(BeginCounted(start=0, stop=iterations(loop), operands=tuple(initial)))
    seen = [Operand(name, like.shape, like.dtype) for name, like in zip(begun, initial, strict=True)]
    position = _Position(b, iterations(loop), Operand(turn, (), "i64"))
    inside = b.inside(_values_of_iteration(loop, b, forward, position), turns.done)
    for at, gradient in zip(back.own, seen, strict=False):
        inside.add(loop.end.call.operands[at], gradient)
    for name, gradient in zip(turns.outer, seen[len(back.own) :], strict=False):
        inside.put(name, gradient)
    for write in turns.writes:
        gradient = back.written[write.slot]
        if gradient is not None and inside.wants(write.row):
            inside.add(write.row, row_at(b.emitter, gradient, position.row(write.rows)))
    reverse(loop.body, inside, forward)
    following = [*[inside.take_or_zeros(loop.carried[at]) for at in back.own], *[inside.take_or_zeros(name) for name in turns.outer]]
    filled = _filled(inside, turns, position, seen[len(following) :])
    ended = b.emitter.names(EndCounted(operands=(*following, *filled)))
    return [Operand(name, like.shape, like.dtype) for name, like in zip(ended, initial, strict=True)]


def _stacks(b: Adjoints, turns: Turns, iterations: int) -> list[Operand]:
    """For each read a stack of what each turn gives it, and one of the positions unless each turn has its own row."""
    rows: list[tuple[Shape, str]] = []
    for read in turns.reads:
        rows.append((b.types[read.row].shape, b.types[read.row].dtype))
        if read.rows is None:
            rows.append((read.positions.shape, read.positions.dtype))
    return [b.terms.zeros((iterations, *shape), dtype) for shape, dtype in rows]


def _filled(inside: Adjoints, turns: Turns, position: _Position, stacks: Sequence[Operand]) -> list[Operand]:
    """The stacks with the rows of a turn."""
    rows: list[tuple[Operand, Operand]] = []
    for read in turns.reads:
        number = position.row(Rows(0, down=read.rows is not None and read.rows.down))
        rows.append((number, inside.take_or_zeros(read.row)))
        if read.rows is None:
            rows.append((number, inside.value(read.positions)))
    return [update_row(inside.emitter, stack, number, row) for stack, (number, row) in zip(stacks, rows, strict=True)]


def _between_zeros(b: Adjoints, source: Operand, read: Rows, rows: Operand) -> Operand:
    """The gradient of a value of which the turns read these rows."""
    before, after = read.lowest, source.shape[0] - read.lowest - rows.shape[0]
    first, last = (b.terms.zeros((size, *rows.shape[1:]), rows.dtype) if size else None for size in (before, after))
    whole = tuple([part for part in (first, rows, last) if part is not None])
    return b.emitter.concat(whole, 0) if len(whole) > 1 else rows


def _added_up(b: Adjoints, source: Operand, positions: Operand, rows: Operand) -> Operand:
    """The gradient of a value that the turns read at these positions."""
    return scattered(b, positions, rows, source.shape, "a read at positions known at run time")


class _Position:
    """Which iteration of a loop a turn of the way back stands for: the last one first."""

    def __init__(self, b: Adjoints, iterations: int, turn: Operand) -> None:
        self._b = b
        self._last = iterations - 1
        self._turn = turn

    def row(self, rows: Rows) -> Operand:
        """The number of the row that the iteration reads or writes."""
        terms, emitter = self._b.terms, self._b.emitter
        if rows.down:
            return terms.binary("add", self._turn, emitter.integer(rows.lowest)) if rows.lowest else self._turn
        return terms.binary("sub", emitter.integer(self._last + rows.lowest), self._turn)


def _values_of_iteration(loop: Loop, b: Adjoints, forward: Forward, position: _Position) -> dict[str, str]:
    """The names at hand in a turn of the way back: those from outside, and what the body made in that iteration, made again."""
    names, call = dict(b.names), loop.begin.call
    assert isinstance(call, BeginCounted)
    kept = kept_of(loop, b.wanted)
    if loop.begin.results[0] in kept.read:
        names[loop.begin.results[0]] = str(position.row(Rows(call.start, down=False)).value)
    stacks = forward.stacks.get(loop.end.results[0], {})
    if stacks:
        at = position.row(Rows(0, down=False))
        names.update((loop.carried[slot], str(row_at(b.emitter, stack, at).value)) for slot, stack in stacks.items())
    forward.run(kept.items, names, headers=False)
    return names
