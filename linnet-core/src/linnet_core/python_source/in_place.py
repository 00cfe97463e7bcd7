"""The pass that finds writes into a cache which may be made in place, because nothing else reads the old value.

In: steps, and which of them write.  Out: the positions of the writes that are safe, and the states whose tensor they change.  Views are followed: a
reshape, transpose, broadcast or slice of a cache is the cache.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.graph.calls import BeginCounted, BeginWhile, Broadcast, EndCounted, EndWhile, Reshape, Slice, State, Transpose, WhileCondition
from linnet_core.python_source.steps import Step, matching_end

if TYPE_CHECKING:
    from collections.abc import Callable

    from linnet_core.graph.calls import Call

_VIEWS = (Reshape, Transpose, Broadcast, Slice)


def in_place_writes(steps: list[Step], is_write: Callable[[Call], bool]) -> tuple[frozenset[int], tuple[str, ...]]:
    """(positions of steps that may write their first operand in place, paths of the states whose tensor is changed so)."""
    analysis = _Aliases(steps, is_write)
    for position, step in enumerate(steps):
        if is_write(step.call) and analysis.is_last_read(position):
            analysis.join(position)
    written = {analysis.storage_before(position) for position in analysis.in_place}
    paths = tuple(s.call.path for s in steps if isinstance(s.call, State) and s.results[0] in written)
    return frozenset(analysis.in_place), paths


class _Aliases:
    """Which names share storage, and where each storage is read."""

    def __init__(self, steps: list[Step], is_write: Callable[[Call], bool]) -> None:
        self._steps = steps
        self._is_write = is_write
        self._storage: dict[str, str] = {}
        self._owned: set[str] = set()
        self._reads: dict[str, list[int]] = {}
        self._loops: list[tuple[int, int]] = []
        #: Storages that a loop carries: their order in time is not the order of the steps.
        self._carried: set[str] = set()
        #: Position of a write in place -> the name whose storage it takes over.
        self.in_place: dict[int, str] = {}
        self._made: dict[str, int] = {}
        for position, step in enumerate(steps):
            for name in step.reads():
                self._reads.setdefault(name, []).append(position)
            for name in step.results:
                self._made.setdefault(name, position)
            self._define(position, step)

    def _define(self, position: int, step: Step) -> None:
        call = step.call
        if isinstance(call, _VIEWS):
            self._storage[step.results[0]] = self._root(str(call.operand(0).value))
        elif isinstance(call, BeginWhile | BeginCounted):
            self._loops.append((position, matching_end(self._steps, position)))
            self._carried.update(step.results)
            for operand in call.operands:
                if operand is not None:
                    self._carried.add(self._root(str(operand.value)))
        elif isinstance(call, WhileCondition | EndWhile | EndCounted):
            self._carried.update(step.results)
        elif isinstance(call, State) or self._is_write(call):
            self._owned.add(step.results[0])

    def _root(self, name: str) -> str:
        while name in self._storage and self._storage[name] != name:
            name = self._storage[name]
        return name

    def is_last_read(self, position: int) -> bool:
        """Whether the cache written at `position` is ours, and no other step reads it or a view of it there or later."""
        call = self._steps[position].call
        cache = self._root(str(call.operand(0).value))
        if cache not in self._owned or cache in self._carried:
            return False
        if self._inside_loop(position) != self._inside_loop(self._made[cache]):
            return False
        if sum(self._root(name) == cache for name in self._steps[position].reads()) > 1:
            return False
        return all(at <= position for name in self._names_of(cache) for at in self._reads.get(name, ()))

    def join(self, position: int) -> None:
        """From here on the result of the write is the storage of the cache, which nobody reads under its old name any more."""
        self.in_place[position] = self._root(str(self._steps[position].call.operand(0).value))

    def storage_before(self, position: int) -> str:
        """The state (or fresh cache) the write at `position` changes, through writes in place before it."""
        root = self.in_place[position]
        made = {self._steps[p].results[0]: p for p in self.in_place}
        while root in made:
            root = self.in_place[made[root]]
        return root

    def _names_of(self, cache: str) -> list[str]:
        return [cache, *(name for name in self._storage if self._root(name) == cache)]

    def _inside_loop(self, position: int) -> tuple[int, int] | None:
        """The innermost loop around `position`."""
        around = [loop for loop in self._loops if loop[0] < position < loop[1]]
        return max(around) if around else None
