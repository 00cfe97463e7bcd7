"""The printed module: header, imports, metadata, support functions, `constants` and `main`.

In: the steps of an entry after all passes, and a `Dialect`: how one framework is written.  Out: text.  `main` takes the inputs, parameters, states and constants in that order and answers a tuple: the
entry's results, then the final states.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct

from linnet_core.graph.calls import (
    BeginCounted,
    BeginWhile,
    Constant,
    EndCounted,
    EndWhile,
    Finish,
    Input,
    Parameter,
    State,
    WhileCondition,
)
from linnet_core.python_source.constants import used_constants
from linnet_core.python_source.layout import Lines, list_assignment, tuple_text
from linnet_core.python_source.quote import quote
from linnet_core.python_source.release import last_uses
from linnet_core.python_source.steps import Step

if TYPE_CHECKING:
    from linnet_core.graph.calls import Call
    from linnet_core.python_source.writer import Writer


class Dialect(Protocol):
    """How one framework is written."""

    #: The framework's name, for the header.
    title: str
    #: Parameters of `constants`, and lines before `def main`.
    constants_parameters: str
    decorators: tuple[str, ...]

    def expression(self, writer: Any, call: Call) -> str:
        """The right-hand side of a call that is no bracket, leaf or `finish`."""
        ...

    def statements(self, writer: Any, step: Step) -> list[str] | None:
        """The lines of a call that is no single assignment, or None."""
        ...

    def index(self, writer: Any, number: str) -> str:
        """A rank-0 i64 tensor of the Python integer called `number`."""
        ...

    def imports(self, flags: frozenset[str]) -> list[str]:
        """The import lines for the flags the text has set."""
        ...

    def prelude(self, entry: Entry, flags: frozenset[str]) -> list[str]:
        """First lines of `main`."""
        ...

    def support(self, used: frozenset[str]) -> list[str]:
        """The sources of the support functions used, and of those they need."""
        ...


class Entry(Struct, frozen=True):
    """What is printed: names of the leaves, the steps computed once, the steps of every call, the states written in place."""

    inputs: list[str]
    parameters: list[str]
    states: list[str]
    constants: list[Step]
    body: list[Step]
    in_place: tuple[str, ...]

    @property
    def leaves(self) -> list[str]:
        """The arguments of `main` before the constants."""
        return [*self.inputs, *self.parameters, *self.states]


class Printed(Struct, frozen=True):
    """The text of one step and what it needs; `change` is the indentation it leaves behind, and `after` stands at that depth."""

    lines: tuple[str, ...]
    after: tuple[str, ...]
    results: tuple[str, ...]
    tensors: tuple[str, ...]
    support: frozenset[str]
    flags: frozenset[str]
    change: int = 0


def module_text(entry: Entry, writer: Writer, dialect: Dialect) -> str:
    """The whole module."""
    body = print_steps(entry.body, writer, dialect)
    once = print_steps(entry.constants, writer, dialect)
    names, once = _needed(once, body)
    printed = [*once, *body]
    finish = _finish(entry)
    lines = Lines()
    _write_header(lines, finish, dialect)
    lines.add(*dialect.imports(frozenset().union(*(p.flags for p in printed))), "")
    _write_metadata(lines, entry, finish, names)
    for text in dialect.support(frozenset().union(*(p.support for p in printed))):
        lines.add("", "", *text.split("\n"))
    lines.add("", "")
    _write_constants(lines, once, names, dialect)
    lines.add("", "")
    _write_main(lines, entry, body, names, dialect)
    return lines.text()


def _finish(entry: Entry) -> Finish:
    return next(s.call for s in entry.body if isinstance(s.call, Finish))


def print_steps(steps: list[Step], writer: Writer, dialect: Dialect) -> list[Printed]:
    """The text of each step; leaves have none."""
    loops: list[tuple[str, ...]] = []
    printed: list[Printed] = []
    for step in steps:
        writer.fresh()
        lines, after, change = _step_lines(step, writer, dialect, loops)
        printed.append(
            Printed(
                tuple(lines),
                tuple(after),
                step.results,
                tuple(writer.tensors),
                frozenset(writer.support),
                frozenset(writer.flags),
                change,
            )
        )
    return printed


def _step_lines(step: Step, w: Writer, dialect: Dialect, loops: list[tuple[str, ...]]) -> tuple[list[str], list[str], int]:
    """Lines of a step, lines after the bracket it closes, and how much deeper what follows stands."""
    call = step.call
    match call:
        case Input() | Parameter() | State():
            return [], [], 0
        case BeginWhile():
            loops.append(step.results)
            return [*_assign(step.results, [w.tensor(o) for o in call.operands]), "while True:"], [], 1
        case WhileCondition():
            return [f"if not {w.tensor(call.operands[0])}:", "    break"], [], 0
        case BeginCounted():
            loops.append(step.results)
            index, *carried = step.results
            head = f"for {index}_number in range({call.start}, {call.stop}):"
            number = f"    {index} = {dialect.index(w, index + '_number')}"
            return [*_assign(tuple(carried), [w.tensor(o) for o in call.operands]), head, number], [], 1
        case EndWhile() | EndCounted():
            carried = loops.pop()[isinstance(call, EndCounted) :]
            # a loop that carries nothing and does nothing still needs a statement
            inside = _assign(carried, [w.tensor(o) for o in call.operands]) or ["pass"]
            return inside, _assign(step.results, list(carried)), -1
        case Finish():
            return [f"return {tuple_text(w.tensor(o) for o in call.operands)}"], [], 0
    lines = dialect.statements(w, step)
    return (lines if lines is not None else [f"{', '.join(step.results)} = {dialect.expression(w, call)}"]), [], 0


def _assign(names: tuple[str, ...], values: list[str]) -> list[str]:
    """One statement, so that all values are read before any name changes; nothing for no names."""
    return [f"{', '.join(names)} = {', '.join(values)}"] if names else []


def _needed(once: list[Printed], body: list[Printed]) -> tuple[list[str], list[Printed]]:
    """(constants the body reads as tensors, the steps they need), both in order."""
    made = {name for p in once for name in p.results}
    read = {name for p in body for name in p.tensors if name in made}
    wanted = set(read)
    kept: list[Printed] = []
    for p in reversed(once):
        if any(name in wanted for name in p.results):
            kept.append(p)
            wanted.update(p.tensors)
    kept.reverse()
    return [name for p in kept for name in p.results if name in read], kept


def _write_header(lines: Lines, finish: Finish, dialect: Dialect) -> None:
    where = f"{finish.block}.{finish.entry}" if finish.block else finish.entry
    lines.add(f"# {quote(where)} of {quote(finish.module)}, printed by linnet for {dialect.title}.")
    lines.add("# main takes the inputs, the parameters in the order of PARAMETERS, the states in the order of STATES, then those of constants();")
    lines.add("# it answers RESULTS results, then the states in the order of NEXT_STATES.  IN_PLACE names states whose tensor it overwrites.")


def _write_metadata(lines: Lines, entry: Entry, finish: Finish, constants: list[str]) -> None:
    calls = [step.call for step in entry.body]
    lines.add(*list_assignment("INPUTS", (quote(c.name) for c in calls if isinstance(c, Input))))
    lines.add(*list_assignment("PARAMETERS", (quote(c.path) for c in calls if isinstance(c, Parameter))))
    lines.add(*list_assignment("STATES", (quote(c.path) for c in calls if isinstance(c, State))))
    lines.add(*list_assignment("NEXT_STATES", map(quote, finish.states)))
    lines.add(f"RESULTS = {finish.returns}")
    lines.add(*list_assignment("CONSTANTS", map(quote, constants)))
    lines.add(*list_assignment("IN_PLACE", map(quote, entry.in_place)))


def _write_constants(lines: Lines, once: list[Printed], names: list[str], dialect: Dialect) -> None:
    lines.add(*dialect.decorators)
    with lines.block(f"def constants({dialect.constants_parameters}):"):
        for p in once:
            lines.add(*p.lines)
        lines.add(f"return {tuple_text(names)}")


def _write_main(lines: Lines, entry: Entry, body: list[Printed], constants: list[str], dialect: Dialect) -> None:
    arguments = [*entry.leaves, *constants]
    released = last_uses(entry.body)
    keep = set(arguments)
    lines.add(*dialect.decorators)
    with lines.block(f"def main({', '.join(arguments)}):"):
        lines.add(*dialect.prelude(entry, frozenset().union(*(p.flags for p in body))))
        for position, p in enumerate(body):
            gone = [name for name in released.get(position, ()) if name not in keep]
            inside, after = list(p.lines), list(p.after)
            if gone and p.change <= 0 and inside:
                _release(after or inside, gone)
            lines.add(*inside)
            if p.change > 0:
                lines.indent()
            elif p.change < 0:
                lines.dedent()
            lines.add(*after)


def _release(lines: list[str], names: list[str]) -> None:
    """`del` behind the last line, or on a line of its own behind an indented one."""
    text = f"del {', '.join(names)}"
    if lines[-1].startswith(" "):
        lines.append(text)
    else:
        lines[-1] += f"; {text}"
