"""Which values may share memory: views, loops that pass values along, arms that answer one of two.

In: steps, one by one.  Out: for each name the roots it may lie in.  A root is the name of the value that first lay there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.graph.calls import Broadcast, Gather, Reshape, Slice, Transfer, Transpose
from linnet_core.graph.exchanges import exchanges
from linnet_core.python_source.branch import Branch
from linnet_core.python_source.steps import BRACKETS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from linnet_core.graph.calls import Call
    from linnet_core.python_source.steps import Step

#: A copy for another slot is none where both slots are one device.
_VIEWS = (Reshape, Transpose, Broadcast, Slice, Transfer)


def writes_in_place(call: Call) -> bool:
    """Whether the call writes its first operand and answers it; `in_place` is a field of the cache writes that a target makes itself."""
    return getattr(call, "in_place", False)


class Storage:
    """The roots of every name defined so far."""

    def __init__(self) -> None:
        self._roots: dict[str, frozenset[str]] = {}
        self._names: dict[str, list[str]] = {}
        #: Names of values that read one element in several places; nothing may be written through them.
        self.spread: set[str] = set()

    def roots(self, name: str) -> frozenset[str]:
        """Where `name` may lie; a name never defined here lies in itself."""
        return self._roots.get(name) or frozenset((name,))

    def names(self, root: str) -> list[str]:
        """The names defined so far that may lie in `root`, in the order they were defined."""
        return self._names.get(root, [root])

    def define(self, name: str, roots: Iterable[str]) -> None:
        """`name` may lie in `roots`."""
        found = self._roots[name] = frozenset(roots)
        for root in found:
            self._names.setdefault(root, []).append(name)

    def follow(self, step: Step) -> None:
        """Define the results of a step that is no bracket: a view, and what is written in place, lies where its operand does, anything
        else in itself."""
        call = step.call
        if isinstance(call, Branch):
            self._follow_arms(step, call)
            return
        if writes_in_place(call):
            self.define(step.results[0], self.roots(str(call.operand(0).value)))
            return
        whole_rows = isinstance(call, Gather) and call.operand(1).shape[-1:] == (0,)
        # a process that is alone exchanges nothing, and may answer what it was given
        if isinstance(call, _VIEWS) or whole_rows or exchanges(call):
            source = str(call.operand(0).value)
            self.define(step.results[0], self.roots(source))
            if isinstance(call, Broadcast) or whole_rows or source in self.spread:
                self.spread.add(step.results[0])
            return
        for name in step.results:
            self.define(name, (name,))

    def _follow_arms(self, step: Step, call: Branch) -> None:
        for steps, _ in call.arms():
            # whatever an arm reads may pass through a loop inside it
            read = frozenset().union(*(self.roots(name) for inner in steps for name in inner.reads()))
            for inner in steps:
                if type(inner.call) in BRACKETS:
                    for name in inner.results:
                        self.define(name, read | {name})
                        self.spread.add(name)
                else:
                    self.follow(inner)
        for position, name in enumerate(step.results):
            values = [str(answers[position].value) for _, answers in call.arms()]
            self.define(name, frozenset().union(*(self.roots(value) for value in values)))
            if not self.spread.isdisjoint(values):
                self.spread.add(name)
