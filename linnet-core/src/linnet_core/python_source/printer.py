"""Steps to text, as statements of Python.

In: steps after all passes, gathered into regions or not.  Out: the lines of each, the names it reads, what it needs beside them; the same
in their order, with `del` where a name is read last.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from linnet_core.graph.calls import BeginCounted, BeginWhile, EndCounted, EndWhile, Finish, Input, Parameter, State, WhileCondition
from linnet_core.python_source.branch import Branch
from linnet_core.python_source.layout import Lines, tuple_text
from linnet_core.python_source.outline import Repeated
from linnet_core.python_source.region_text import RegionFunctions, launched, own_gradient, recomputed
from linnet_core.python_source.regions import Launched, OwnGradient, Recomputed, gathered
from linnet_core.python_source.release import last_uses
from linnet_core.python_source.repeated_text import RepeatedFunction, repeated
from linnet_core.python_source.row_calls import AppendRow, OpenRows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from linnet_core.python_source.steps import Step
    from linnet_core.python_source.writer import Writer

_INDENT = "    "


class Printed(Struct, frozen=True):
    """The text of one step and what it needs; `change` is the indentation it leaves behind, and `after` stands at that depth."""

    lines: tuple[str, ...]
    after: tuple[str, ...]
    results: tuple[str, ...]
    tensors: tuple[str, ...]
    support: frozenset[str]
    flags: frozenset[str]
    change: int = 0


class Printer:
    """Steps to text, loops and branches as statements of Python, regions as calls of functions; leaves have none."""

    def __init__(self, writer: Writer, dialect: Any, copied: frozenset[int]) -> None:
        self.writer = writer
        #: A `Dialect`; a `DifferentiableDialect` where regions are kept.
        self.dialect = dialect
        self.functions = RegionFunctions()
        #: The functions of bodies that repeat, by the identity of the body.
        self.repeated: dict[int, RepeatedFunction] = {}
        self._copied = copied
        #: The names carried by the loops that are open.
        self._loops: list[tuple[str, ...]] = []

    def steps(self, steps: Sequence[Step]) -> list[Printed]:
        """The text of each step, a region being one."""
        w = self.writer
        printed: list[Printed] = []
        for step in gathered(steps):
            w.fresh()
            w.slot = step.slot
            lines, after, change = self._step(step)
            needs = (tuple(w.tensors), frozenset(w.support), frozenset(w.flags))
            printed.append(Printed(tuple(lines), tuple(after), step.results, *needs, change))
        return printed

    def released(self, steps: Sequence[Step]) -> dict[int, tuple[str, ...]]:
        """The names to delete after the step at each position, a region being one step."""
        return last_uses(gathered(steps))

    def body(self, steps: Sequence[Step], keep: set[str]) -> tuple[list[str], list[Printed]]:
        """The lines of a function that answers the names of `keep`, and the steps as they were printed."""
        printed = self.steps(steps)
        lines = Lines()
        write_steps(lines, printed, self.released(steps), keep=keep)
        return lines.lines, printed

    def _step(self, step: Step) -> tuple[list[str], list[str], int]:
        """Lines of a step, lines after the bracket it closes, and how much deeper what follows stands."""
        call, w = step.call, self.writer
        match call:
            case Input() | Parameter() | State():
                return [], [], 0
            case BeginWhile() | BeginCounted():
                return self._begin(call, step.results), [], 1
            case WhileCondition():
                return [f"if not {w.tensor(call.operands[0])}:", "    break"], [], 0
            case EndWhile() | EndCounted():
                carried = self._loops.pop()
                # a loop that carries nothing and does nothing still needs a statement
                inside = _assign(carried, [w.tensor(o) for o in call.operands]) or ["pass"]
                return inside, _assign(step.results, list(carried)), -1
            case OpenRows():
                return [f"{step.results[0]} = []"], [], 0
            case AppendRow():
                rows, row = (w.tensor(o) for o in call.operands)
                return [f"{rows}.append({row})"], [], 0
            case Branch():
                return self._branch(call, step.results), [], 0
            case OwnGradient():
                return own_gradient(self, call, step.results[0]), [], 0
            case Recomputed():
                return recomputed(self, call, step.results), [], 0
            case Launched():
                return launched(self, call, step.results), [], 0
            case Repeated():
                return repeated(self, call, step.results), [], 0
            case Finish():
                answers = [w.tensor(o) + (self.dialect.copied if at in self._copied else "") for at, o in enumerate(call.operands)]
                return [f"return {tuple_text(answers)}"], [], 0
        return [f"{', '.join(step.results)} = {self.dialect.expression(w, call)}"], [], 0

    def _begin(self, call: BeginWhile | BeginCounted, results: tuple[str, ...]) -> list[str]:
        counted = isinstance(call, BeginCounted)
        carried = results[counted:]
        self._loops.append(carried)
        start = _assign(carried, [self.writer.tensor(o) for o in call.operands])
        if not isinstance(call, BeginCounted):
            return [*start, "while True:"]
        number = f"{results[0]}_number"
        index = f"{_INDENT}{results[0]} = {self.dialect.index(self.writer, number)}"
        return [*start, f"for {number} in range({call.start}, {call.stop}):", index]

    def _branch(self, call: Branch, results: tuple[str, ...]) -> list[str]:
        """Both arms, each of which ends by naming the results; what they need is added to what the branch needs."""
        w = self.writer
        tensors, support, flags = w.tensors, w.support, w.flags
        heads = (f"if {w.tensor(call.operands[0])}:", "else:")
        text: list[str] = []
        for head, (steps, values) in zip(heads, call.arms(), strict=True):
            printed = self.steps(steps)
            for p in printed:
                tensors.extend(p.tensors)
                support.update(p.support)
                flags.update(p.flags)
            answers = [str(value.value) for value in values]
            tensors.extend(answers)
            lines = Lines()
            with lines.block(head):
                write_steps(lines, printed, self.released(steps), keep=set(answers))
                lines.add(*_assign(results, answers))
            text.extend(lines.lines)
        w.tensors, w.support, w.flags = tensors, support, flags
        return text


def _assign(names: tuple[str, ...], values: list[str]) -> list[str]:
    """One statement, so that all values are read before any name changes; nothing for no names."""
    return [f"{', '.join(names)} = {', '.join(values)}"] if names else []


def write_steps(lines: Lines, printed: list[Printed], released: Mapping[int, tuple[str, ...]], keep: set[str]) -> None:
    """The text of steps, each followed by the names `released` there, but for those of `keep`."""
    for position, p in enumerate(printed):
        inside, after = list(p.lines), list(p.after)
        gone = [name for name in released.get(position, ()) if name not in keep]
        if gone:
            _release(inside, after, gone, p.change)
        lines.add(*inside)
        if p.change > 0:
            lines.indent()
        elif p.change < 0:
            lines.dedent()
        lines.add(*after)


def _release(inside: list[str], after: list[str], names: list[str], change: int) -> None:
    """`del` behind the last line, or on a line of its own behind an indented one; around a loop it stands outside."""
    text = f"del {', '.join(names)}"
    lines = after if change < 0 else inside
    last = 0 if change > 0 else len(lines) - 1
    if change < 0 and not after:
        lines.append(text)
    elif change > 0 or not lines[last].startswith(" "):
        lines[last] += f"; {text}"
    else:
        lines.append(text)
