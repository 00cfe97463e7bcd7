"""The pass that finds writes into a cache which may be made in place, because nothing reads the old value afterwards.

In: steps, and which of them write.  Out: the positions of the writes that are safe, the states whose tensor they change, and the
operands of `finish` that have to be copied, so that what the caller holds shares no memory.

Memory belongs to us when it is that of a state the entry gives another value, or the result of a write that copies.  A loop may carry
such memory in one slot: it does when nothing else of the loop or after it reads the value the loop starts from, and every turn passes on
the same memory and only there.  All slots are supposed to be so at first; those that turn out otherwise are taken away and everything is
looked at again, until nothing changes.

Nothing is written through an argument of an op with its own gradient, nor inside a block that the way back computes again, nor where such
a block has read: it reads there a second time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from linnet_core.graph.calls import (
    BeginCounted,
    BeginRemat,
    BeginWhile,
    EndCounted,
    EndWhile,
    Finish,
    Input,
    Parameter,
    State,
    WhileCondition,
)
from linnet_core.python_source.region_calls import CloseGradient, CloseLaunch, CloseRemat, OpenGradient, OpenLaunch, Pullback
from linnet_core.python_source.steps import Step
from linnet_core.python_source.storage import Storage

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from linnet_core.graph.calls import Call, Operand

#: A place in a loop's list of carried values: the position of the call that begins the loop, and the index in the list.
Slot = tuple[int, int]
#: The "loop" of what stands in none.
_OUTSIDE = -1


class InPlace(Struct, frozen=True):
    """What may be written where it stands: the steps, those that write so marked; paths of the states changed; operands of
    `finish` to copy.
    """

    steps: list[Step]
    states: tuple[str, ...]
    copied: frozenset[int]


def in_place_writes(steps: Sequence[Step], is_write: Callable[[Call], bool]) -> InPlace:
    """The steps, with `in_place` set on the writes that may change their first operand (`is_write` picks calls that have this field)."""
    slots = {(at, i) for at, step in enumerate(steps) if isinstance(step.call, _BEGINS) for i in range(len(step.call.operands))}
    while True:
        walk = _Walk(steps, is_write, slots)
        broken = walk.broken
        if not broken:
            break
        slots -= broken
    states = [step for step in steps if isinstance(step.call, State)]
    changed = tuple(s.call.path for s in states if isinstance(s.call, State) and s.results[0] in walk.changed)
    marked = [Step(replace(s.call, in_place=True), s.results, s.slot) if at in walk.writes else s for at, s in enumerate(steps)]
    return InPlace(marked, changed, _copied(steps, walk))


def storage_of(steps: Sequence[Step]) -> Storage:
    """Where all values of the steps lie; a write that is marked `in_place` where its operand does."""
    return _Walk(steps, lambda call: False, set()).storage


_BEGINS = (BeginWhile, BeginCounted)


class _Loop(Struct, frozen=True):
    """A loop that is open: where it begins, the names it carries, and for each the memory it owns, or None."""

    begin: int
    heads: tuple[str, ...]
    starts: tuple[str, ...]
    owned: tuple[str | None, ...]


class _Walk:
    """One look at all steps, supposing that `slots` own their memory; `broken` are those that do not."""

    def __init__(self, steps: Sequence[Step], is_write: Callable[[Call], bool], slots: set[Slot]) -> None:
        self.storage = Storage()
        self.writes: set[int] = set()
        #: Roots that a write in place changes.
        self.changed: set[str] = set()
        self.broken: set[Slot] = set()
        self._slots = slots
        #: A state that is only read keeps its value after the call, so its memory is not ours.
        self._written = frozenset(path for step in steps if isinstance(step.call, Finish) for path in step.call.states)
        self._last: dict[str, int] = {name: at for at, step in enumerate(steps) for name in step.reads()}
        #: Memory of ours -> the innermost loop that may write it now.
        self._holder: dict[str, int] = {}
        self._open: list[_Loop] = []
        #: How many recomputed blocks are open, whether there are any, and the memory they read.
        self._again = 0
        self._recomputes = any(isinstance(step.call, BeginRemat | OpenLaunch) for step in steps)
        self._read_again: set[str] = set()
        for at, step in enumerate(steps):
            self._step(at, step, is_write)
            if self._again:
                self._read_again.update(root for name in step.reads() for root in self.storage.roots(name))

    @property
    def _inside(self) -> int:
        return self._open[-1].begin if self._open else _OUTSIDE

    def _step(self, at: int, step: Step, is_write: Callable[[Call], bool]) -> None:
        match step.call:
            case BeginWhile() | BeginCounted():
                self._begin(at, step)
            case WhileCondition():
                return  # the names of `begin_while` again
            case EndWhile() | EndCounted():
                self._end(step)
            case BeginRemat() | OpenLaunch():  # a body beside a launch may not run, and a write in it not happen
                self._again += 1
            case CloseRemat() | CloseLaunch():
                self._again -= 1
                self._pass_on(step.results, tuple(step.reads()))
            case OpenGradient():
                self._pass_on(step.results, tuple(step.reads()))
                self.storage.spread.update(step.results)
            case Pullback():
                (y, dy), (value,) = step.results, step.reads()
                self._pass_on((y,), (value,))
                self.storage.define(dy, (dy,))
                self.storage.spread.update((y, dy))
            case CloseGradient():
                self._pass_on(step.results, tuple(step.reads())[:1])
            case State(path=path) if path in self._written:
                self._own(step.results[0], _OUTSIDE)
            case call if is_write(call):
                self._write(at, step)
            case _:
                self.storage.follow(step)

    def _pass_on(self, results: Sequence[str], values: Sequence[str]) -> None:
        """The results lie where the values do."""
        for result, value in zip(results, values, strict=True):
            self.storage.define(result, self.storage.roots(value))
            if value in self.storage.spread:
                self.storage.spread.add(result)

    def _own(self, name: str, loop: int) -> None:
        self.storage.define(name, (name,))
        self._holder[name] = loop

    def _write(self, at: int, step: Step) -> None:
        cache, result = str(step.call.operand(0).value), step.results[0]
        root = self._sole_reader(at, step, cache)
        if root is None:
            self._own(result, self._inside)
            return
        self.writes.add(at)
        self.changed.add(root)
        self.storage.define(result, (root,))

    def _sole_reader(self, at: int, step: Step, name: str) -> str | None:
        """The memory of `name`, when it is ours and the step at `at` is the last to read it, once."""
        roots = self.storage.roots(name)
        if len(roots) != 1 or name in self.storage.spread:
            return None
        (root,) = roots
        if self._holder.get(root) != self._inside or root in self._read_again or self._again or (self._recomputes and self._open):
            return None
        sharing = set(self.storage.names(root))
        if sum(read in sharing for read in step.reads()) != 1 or any(self._last.get(other, -1) > at for other in sharing):
            return None
        return root

    def _begin(self, at: int, step: Step) -> None:
        heads = step.results[isinstance(step.call, BeginCounted) :]
        starts = tuple(step.reads())
        owned: list[str | None] = []
        for i, start in enumerate(starts):
            root = self._sole_reader(at, step, start) if (at, i) in self._slots else None
            if root is None and (at, i) in self._slots:
                self.broken.add((at, i))
            owned.append(root)
        self._open.append(_Loop(at, heads, starts, tuple(owned)))
        for name in step.results[: isinstance(step.call, BeginCounted)]:
            self.storage.define(name, (name,))
        for head, start, root in zip(heads, starts, owned, strict=True):
            if root is None:
                self.storage.define(head, self.storage.roots(start) | {head})
                self.storage.spread.add(head)
            else:
                self.storage.define(head, (root,))
                self._holder[root] = at

    def _end(self, step: Step) -> None:
        loop = self._open.pop()
        answers = tuple(step.reads())
        lies = [self.storage.roots(name) for name in answers]
        for i, root in enumerate(loop.owned):
            if root is not None and (lies[i] != {root} or any(root in other for j, other in enumerate(lies) if j != i)):
                self.broken.add((loop.begin, i))
        reached = self._passed_on(loop, lies)
        handed = zip(loop.heads, loop.starts, answers, strict=True)
        spread = {head for head, *values in handed if any(v in self.storage.spread and v not in loop.heads for v in values)}
        for result, head, root in zip(step.results, loop.heads, loop.owned, strict=True):
            if root is None:
                self.storage.define(result, reached[head] | {result})
                if head in spread or not spread.isdisjoint(reached[head]):
                    self.storage.spread.add(result)
            else:
                self.storage.define(result, (root,))
                self._holder[root] = self._inside

    def _passed_on(self, loop: _Loop, lies: Sequence[frozenset[str]]) -> dict[str, frozenset[str]]:
        """For each carried name that owns nothing, where it may lie after any number of turns, other slots' values included."""
        owned = zip(loop.heads, loop.starts, lies, loop.owned, strict=True)
        reached = {head: self.storage.roots(start) | lie for head, start, lie, root in owned if root is None}
        while True:
            grown = {head: lie.union(*(reached[other] for other in lie if other in reached)) for head, lie in reached.items()}
            if grown == reached:
                return reached
            reached = grown


def _copied(steps: Sequence[Step], walk: _Walk) -> frozenset[int]:
    """The operands of `finish` that lie where an argument, a constant or another operand lies, or read one element in several places.

    A state keeps its own memory.
    """
    made = {name for step in steps if not isinstance(step.call, (Input, Parameter, State)) for name in step.results}
    own = {step.results[0]: step.call.path for step in steps if isinstance(step.call, State)}
    taken: set[str] = set()
    copied: set[int] = set()
    for position, operand, path in _finished(steps):
        roots = walk.storage.roots(str(operand.value))
        free = all(root in made or (path is not None and own.get(root) == path) for root in roots)
        if not free or not taken.isdisjoint(roots) or str(operand.value) in walk.storage.spread:
            copied.add(position)
        else:
            taken |= roots
    return frozenset(copied)


def _finished(steps: Sequence[Step]) -> list[tuple[int, Operand, str | None]]:
    """Position, operand and state of what the entry answers; states first, so that they keep their memory."""
    call = next((step.call for step in reversed(steps) if isinstance(step.call, Finish)), None)
    if call is None:
        return []
    paths = [None] * call.returns + list(call.states)
    found = [(at, call.operand(at), path) for at, path in enumerate(paths)]
    return [*found[call.returns :], *found[: call.returns]]
