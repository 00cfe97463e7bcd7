"""Which values a gradient flows through.

In: the items of a tape, in order.  Out: `active`, the floats that depend on a leaf of which the gradient is wanted; and of these the
ones the loss depends on, which have an adjoint.  A loop is looked at until nothing more is found.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.types import FLOATS
from linnet_core.errors import SourceError
from linnet_core.graph.calls import BeginCounted, BeginCustomGradient, BeginWhile, EndCustomGradient, WhileCondition
from linnet_core.graph.gradient.tape import Loop, Step, carried_by
from linnet_core.text.diagnostic import Diagnostic

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from linnet_core.graph.calls import ResultType
    from linnet_core.graph.gradient.tape import Item


class Activity:
    """`active` grows as items are marked; `counted` says whether the target has counted loops."""

    def __init__(self, types: dict[str, ResultType], *, counted: bool) -> None:
        self.active: set[str] = set()
        self._types = types
        self._counted = counted

    def start(self, name: str) -> None:
        """A leaf of which the gradient is wanted."""
        self.active.add(name)

    def mark(self, item: Item) -> None:
        """Look at an item whose operands are marked already.  `SourceError` for a `while` that a gradient would flow through."""
        match item:
            case Step():
                self._step(item)
            case Loop():
                self._loop(item)

    def _step(self, step: Step) -> None:
        if isinstance(step.call, BeginCustomGradient | WhileCondition):
            return
        if isinstance(step.call, BeginCounted | BeginWhile):
            self._pass_on(step.operand_names(), carried_by(step))
        elif not self.active.isdisjoint(flowing(step)):
            self.active.update(name for name in step.results if self._types[name].dtype in FLOATS)

    def _loop(self, loop: Loop) -> None:
        carried, ends = loop.carried, loop.end.operand_names()
        self._step(loop.begin)
        while True:
            for item in loop.body:
                self.mark(item)
            if not self._pass_on(ends, carried):
                break
        self._pass_on(carried, loop.end.results)
        if isinstance(loop.begin.call, BeginWhile) and not self.active.isdisjoint(loop.end.results):
            raise _unknown_length(self._counted)

    def _pass_on(self, sources: Sequence[str], targets: Sequence[str]) -> bool:
        """Mark each target whose source is active; whether there was a new one."""
        found = {to for source, to in zip(sources, targets, strict=True) if source in self.active} - self.active
        self.active |= found
        return bool(found)

    def reaching(self, items: Sequence[Item], loss: str) -> frozenset[str]:
        """The active values that `loss` depends on, itself included."""
        wanted = {loss} & self.active
        self._reach(items, wanted)
        return frozenset(wanted)

    def _reach(self, items: Sequence[Item], wanted: set[str]) -> None:
        for item in reversed(items):
            match item:
                case Step():
                    if not isinstance(item.call, BeginCustomGradient) and not wanted.isdisjoint(item.results):
                        self._want(flowing(item), wanted)
                case Loop():
                    self._reach_through(item, wanted)

    def _reach_through(self, loop: Loop, wanted: set[str]) -> None:
        ends = loop.end.operand_names()
        reached = [end for end, result in zip(ends, loop.end.results, strict=True) if result in wanted]
        if not reached:
            return
        while True:
            before = len(wanted)
            self._want(reached, wanted)
            self._reach(loop.body, wanted)
            reached = [end for end, head in zip(ends, loop.carried, strict=True) if head in wanted]
            if len(wanted) == before:
                break
        starts = zip(loop.begin.operand_names(), loop.carried, loop.end.results, strict=True)
        self._want([start for start, head, _ in starts if head in wanted], wanted)

    def _want(self, names: Iterable[str], wanted: set[str]) -> None:
        wanted.update(name for name in names if name in self.active)


def flowing(step: Step) -> list[str]:
    """The operands a gradient may flow to: of a custom gradient the arguments, not what the body made of them."""
    names = step.operand_names()
    return names[: step.call.arguments] if isinstance(step.call, EndCustomGradient) else names


def _unknown_length(counted: bool) -> SourceError:
    message = "gradient: a `while` has no gradient, since its iterations are not counted before it runs"
    help = "use `for` with bounds known at export" if counted else "this target has no counted loops: use `static for`"
    return SourceError([Diagnostic("E6001", message, None, help=help)])
