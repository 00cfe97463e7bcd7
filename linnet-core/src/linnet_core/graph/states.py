"""States while an entry is evaluated.

In: reads and writes by member path.  Out: the current value of each state, and which were written, in the order of first write.  A state
is an input of the graph only when it is read before it is written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.graph.calls import State

if TYPE_CHECKING:
    from linnet_core.graph.calls import Operand
    from linnet_core.graph.calls.values import ResultType
    from linnet_core.graph.emitter import Emitter


class States:
    """The states of the model by path."""

    def __init__(self, emitter: Emitter) -> None:
        self._emitter = emitter
        #: Shape and dtype by path.
        self.types: dict[str, ResultType] = {}
        #: Present values of the states read or written so far.
        self.current: dict[str, Operand] = {}
        #: Values before the call, of the states that were read.
        self._read: dict[str, Operand] = {}
        #: Paths in the order of first write.
        self.written: dict[str, None] = {}

    def declare(self, path: str, type: ResultType) -> None:
        """A state of the model."""
        self.types[path] = type

    def read(self, path: str) -> Operand:
        """The present value; the value before the call at the first read that no write precedes."""
        found = self.current.get(path)
        if found is None:
            type = self.types[path]
            call = State(path=path, shape=type.shape, dtype=type.dtype)
            found = self.current[path] = self._read[path] = self._emitter.one(call, type.shape, type.dtype)
        return found

    def write(self, path: str, value: Operand) -> None:
        """A new value; it is brought to where the state lives."""
        placement = self._emitter.placement
        self.current[path] = value if placement is None else placement.at_state(path, value)
        self.written.setdefault(path)

    def at(self, path: str) -> tuple[Operand | None, Operand | None, bool]:
        """The present value, the value before the call, as far as they were asked for, and whether the state was written."""
        return self.current.get(path), self._read.get(path), path in self.written

    def settle(self, path: str, current: Operand | None, read: Operand | None) -> None:
        """Set what `at` says of the values."""
        if current is not None:
            self.current[path] = current
        if read is not None:
            self._read[path] = read

    def snapshot(self) -> dict[str, Operand]:
        """The present values."""
        return dict(self.current)

    def changed(self, before: dict[str, Operand]) -> dict[str, Operand]:
        """The states whose value is another one than in the snapshot `before`, in the order of first write."""
        found: dict[str, Operand] = {}
        for path in self.written:
            present = self.current.get(path)
            if present is not None and present is not before.get(path, self._read.get(path)):
                found[path] = present
        return found

    def restore(self, before: dict[str, Operand]) -> None:
        """Go back to the snapshot `before`; a state that was read since keeps the value it had before the call."""
        self.current = {**{path: value for path, value in self._read.items() if path not in before}, **before}
