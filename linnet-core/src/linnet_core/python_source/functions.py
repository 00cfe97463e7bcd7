"""Loops and branches as functions, for frameworks that trace a program instead of running it.

In: steps, and a dialect that spells a call of its framework's loop or conditional.  Out: the text of nested functions and of that call.
A loop's functions take what it carries as one tuple and read everything else from around them; nothing is deleted, since nothing lives
while a program is traced.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.graph.calls import BeginCounted, BeginWhile, WhileCondition
from linnet_core.python_source.layout import Lines, tuple_text
from linnet_core.python_source.printer import Printed, Printer
from linnet_core.python_source.regions import gathered
from linnet_core.python_source.steps import CLOSERS, LOOPS, OPENERS, matching_end

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from linnet_core.graph.calls import Operand
    from linnet_core.python_source.branch import Branch
    from linnet_core.python_source.dialect import FunctionalDialect
    from linnet_core.python_source.steps import Step
    from linnet_core.python_source.writer import Writer


class _Needs:
    """What a text made of several steps needs, beside the writer's own account of one step."""

    def __init__(self, writer: Writer) -> None:
        self.tensors, self.support, self.flags = list(writer.tensors), set(writer.support), set(writer.flags)

    def add(self, printed: Iterable[Printed]) -> None:
        for p in printed:
            self.tensors.extend(p.tensors)
            self.support.update(p.support)
            self.flags.update(p.flags)


class FunctionPrinter(Printer):
    """Steps to text, loops and branches as calls with functions."""

    dialect: FunctionalDialect

    def steps(self, steps: Sequence[Step]) -> list[Printed]:
        """The text of each step, a region being one; that of a loop stands at the step which opens it."""
        steps = gathered(steps)
        printed: list[Printed] = []
        position = 0
        while position < len(steps):
            if type(steps[position].call) not in LOOPS:
                printed.extend(super().steps(steps[position : position + 1]))
                position += 1
                continue
            end = matching_end(steps, position)
            printed.append(self._loop(steps[position : end + 1]))
            printed.extend([_NOTHING] * (end - position))
            position = end + 1
        return printed

    def released(self, steps: Sequence[Step]) -> dict[int, tuple[str, ...]]:
        """None."""
        return {}

    def _loop(self, steps: Sequence[Step]) -> Printed:
        """A bracket from the call that opens it to the one that closes it."""
        begin, end = steps[0], steps[-1]
        if not end.results:  # nothing is carried, so nothing can come of it
            return _NOTHING
        self.writer.fresh()
        initial = tuple_text([self.writer.tensor(o) for o in begin.call.operands])
        needs = _Needs(self.writer)
        name = (begin.results or end.results)[0].partition("_")[0]
        if isinstance(begin.call, BeginCounted):
            index, *carried = begin.results
            number = f"{index}_number"
            typed = f"{index} = {self.dialect.index(self.writer, number)}"
            lines = self._function(f"{name}_body", [number], carried, steps[1:-1], end.call.operands, needs, first=[typed])
            call = self.dialect.counted_loop(begin.call.start, begin.call.stop, f"{name}_body", initial)
        else:
            lines = self._while(name, steps, needs)
            call = self.dialect.while_loop(f"{name}_condition", f"{name}_body", initial)
        text = (*lines, f"{_target(end.results)} = {call}")
        return Printed(text, (), end.results, tuple(needs.tensors), frozenset(needs.support), frozenset(needs.flags))

    def _while(self, name: str, steps: Sequence[Step], needs: _Needs) -> list[str]:
        """The functions of a `while`; what its body reads of the condition's steps is computed there too."""
        begin, end = steps[0], steps[-1]
        middle = _condition_position(steps)
        before, body = steps[1:middle], steps[middle + 1 : -1]
        predicate = steps[middle].call.operands
        read = [*(name for step in body for name in step.reads()), *end.reads()]
        wanted = [str(o.value) for o in predicate if o is not None]
        lines = self._function(f"{name}_condition", [], begin.results, _needed_for(wanted, before), predicate, needs, bare=True)
        return lines + self._function(f"{name}_body", [], begin.results, [*_needed_for(read, before), *body], end.call.operands, needs)

    def _function(
        self,
        name: str,
        parameters: Sequence[str],
        carried: Sequence[str],
        steps: Sequence[Step],
        answers: Sequence[Operand | None],
        needs: _Needs,
        *,
        first: Sequence[str] = (),
        bare: bool = False,
    ) -> list[str]:
        """A function of `parameters` and the tuple `carried`, if there is one, with lines `first`; it answers a tuple unless `bare`."""
        printed = self.steps(steps)
        needs.add(printed)
        found = [str(o.value) for o in answers if o is not None]
        needs.tensors.extend(found)
        lines = Lines()
        with lines.block(f"def {name}({', '.join([*parameters, *(['carried'] if carried else [])])}):"):
            lines.add(*first)
            if carried:
                lines.add(f"{_target(carried)} = carried")
            for p in printed:
                lines.add(*p.lines)
            lines.add(f"return {found[0] if bare else tuple_text(found)}")
        return lines.lines

    def _branch(self, call: Branch, results: tuple[str, ...]) -> list[str]:
        """Both arms as functions of nothing."""
        w = self.writer
        condition = w.tensor(call.operands[0])
        needs = _Needs(w)
        names = (f"{results[0]}_then", f"{results[0]}_else")
        lines: list[str] = []
        for name, (steps, values) in zip(names, call.arms(), strict=True):
            lines += self._function(name, [], [], steps, values, needs)
        w.tensors, w.support, w.flags = needs.tensors, needs.support, needs.flags
        return [*lines, f"{_target(results)} = {self.dialect.conditional(condition, *names)}"]


_NOTHING = Printed((), (), (), (), frozenset(), frozenset())


def _target(names: Sequence[str]) -> str:
    """The left-hand side that takes a tuple apart."""
    return tuple_text(names) if len(names) == 1 else ", ".join(names)


def _condition_position(steps: Sequence[Step]) -> int:
    """Where the condition of the `while` that `steps` are stands."""
    assert isinstance(steps[0].call, BeginWhile)
    depth = 0
    for position, step in enumerate(steps):
        kind = type(step.call)
        depth += (kind in OPENERS) - (kind in CLOSERS)
        if depth == 1 and isinstance(step.call, WhileCondition):
            return position
    raise AssertionError("the exporter gives every `while` a condition")


def _needed_for(names: Iterable[str], steps: Sequence[Step]) -> list[Step]:
    """The steps whose results are among `names`, and those they need, loops as a whole."""
    units: list[Sequence[Step]] = []
    position = 0
    while position < len(steps):
        end = matching_end(steps, position) if type(steps[position].call) in OPENERS else position
        units.append(steps[position : end + 1])
        position = end + 1
    wanted = set(names)
    kept: list[Sequence[Step]] = []
    for unit in reversed(units):
        if not wanted.isdisjoint(unit[-1].results):
            kept.append(unit)
            wanted.update(name for step in unit for name in step.reads())
    return [step for unit in reversed(kept) for step in unit]
