"""The pass that lets a cache be written in place where nothing else reads the old value.

In: steps with `CacheWrite`s.  Out: the same steps with `in_place` set where it is safe, and which states are written in place.  Views are followed: a
reshape, transpose, broadcast or slice of a cache is the cache.
"""

from __future__ import annotations

import msgspec

from linnet_core.graph.calls import BeginCounted, BeginWhile, Broadcast, EndCounted, EndWhile, Reshape, Slice, State, Transpose, WhileCondition
from linnet_core.python_source.steps import Step, matching_end

from linnet_torch.calls import CacheWrite

_VIEWS = (Reshape, Transpose, Broadcast, Slice)


def write_in_place(steps: list[Step]) -> tuple[list[Step], tuple[str, ...]]:
    """(steps, paths of the states whose tensor the entry writes in place)."""
    analysis = _Aliases(steps)
    rewritten = list(steps)
    for position, step in enumerate(steps):
        if isinstance(step.call, CacheWrite) and analysis.is_last_read(position):
            rewritten[position] = Step(msgspec.structs.replace(step.call, in_place=True), step.results)
            analysis.join(step.results[0], str(step.call.operand(0).value), position)
    written = {analysis.storage_before(position) for position in analysis.in_place}
    paths = tuple(s.call.path for s in steps if isinstance(s.call, State) and s.results[0] in written)
    return rewritten, paths


class _Aliases:
    """Which names share storage, and where each storage is read."""

    def __init__(self, steps: list[Step]) -> None:
        self._steps = steps
        self._storage: dict[str, str] = {}
        self._owned: set[str] = set()
        self._reads: dict[str, list[int]] = {}
        self._loops: list[tuple[int, int]] = []
        #: Storages that a loop carries: their order in time is not the order of the steps.
        self._carried: set[str] = set()
        self.in_place: dict[int, str] = {}
        for position, step in enumerate(steps):
            for name in step.reads():
                self._reads.setdefault(name, []).append(position)
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
        elif isinstance(call, State | CacheWrite):
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
        if self._inside_loop(position) != self._inside_loop(self._made(cache)):
            return False
        if sum(self._root(name) == cache for name in self._steps[position].reads()) > 1:
            return False
        return all(at <= position for name in self._names_of(cache) for at in self._reads.get(name, ()))

    def join(self, result: str, cache: str, position: int) -> None:
        """From here on `result` is the storage of `cache`, which nobody reads under its old name any more."""
        self.in_place[position] = self._root(cache)

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

    def _made(self, name: str) -> int:
        return next(i for i, step in enumerate(self._steps) if name in step.results)



