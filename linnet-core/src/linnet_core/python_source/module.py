"""The printed module: header, imports, metadata, support functions, `constants` and `main` (or `step`, `update` and `main`).

In: the steps of an entry after all passes, and a `Dialect`: how one framework is written.  Out: text.  `main` takes the inputs,
parameters, states, constants and what `prepare` made, in that order, and answers a tuple: the entry's results, then the final states.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct

from linnet_core.graph.calls import (
    BeginCounted,
    BeginWhile,
    EndCounted,
    EndWhile,
    Finish,
    Input,
    Parameter,
    State,
    WhileCondition,
)
from linnet_core.python_source.branch import Branch
from linnet_core.python_source.layout import Lines, list_assignment, tuple_text
from linnet_core.python_source.outline import Repeated
from linnet_core.python_source.placed import GATHERED_NOTE, PLACED_NOTE, placed_metadata
from linnet_core.python_source.quote import quote
from linnet_core.python_source.region_text import RegionFunctions, launched, own_gradient, recomputed
from linnet_core.python_source.regions import Launched, OwnGradient, Recomputed, gathered
from linnet_core.python_source.release import last_uses
from linnet_core.python_source.repeated_text import RepeatedFunction, repeated
from linnet_core.python_source.steps import Step
from linnet_core.python_source.update import Update, alike, loop_step, write_update, write_whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from linnet_core.graph.calls import Call
    from linnet_core.python_source.prepared import Prepared
    from linnet_core.python_source.region_text import GradientText, Part
    from linnet_core.python_source.writer import Writer


class Dialect(Protocol):
    """How one framework is written."""

    #: The framework's name, for the header.
    title: str
    #: Parameters of `constants`, and lines before `def main`.
    constants_parameters: str
    decorators: tuple[str, ...]
    #: What follows a name to spell a copy in memory of its own.
    copied: str
    #: Lines before the function of a body that repeats.
    repeated_decorators: tuple[str, ...]

    def expression(self, writer: Any, call: Call) -> str:
        """The right-hand side of a call that is no bracket, leaf or `finish`."""
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


class DifferentiableDialect(Dialect, Protocol):
    """How a framework that differentiates the printed source spells regions; a target that keeps none needs none of it."""

    def own_gradient(self, name: str, text: GradientText) -> list[str]:
        """The module's lines that define `name`: a function of the parameters, with its own gradient."""
        ...

    def recomputed(self, writer: Any, name: str, arguments: Sequence[str]) -> str:
        """The tuple that the function `name` answers to the arguments, whose inside the way back computes again."""
        ...

    def launched(self, name: str, parameters: Sequence[str], arguments: Sequence[str], body: Part, call: Launched) -> list[str]:
        """The module's lines that define `name`: it launches the kernel on the arguments, or runs the body."""
        ...

    def local_names(self, flags: Iterable[str]) -> tuple[str, ...]:
        """The local names of `main` that stand behind some flags, such as that of the device."""
        ...

    def local_flags(self, names: Iterable[str]) -> set[str]:
        """The flags such names stand for."""
        ...


class Entry(Struct, frozen=True):
    """What is printed: names of the leaves, the steps computed once, the steps of every call, and what `in_place.py` found.

    `in_place` are the paths of states written in place, `copied` the operands of `finish` that are answered as copies.  `prepared` is what
    `prepare` does, where the module has one.  `slots` counts the devices `main` takes last (0: it takes none).
    """

    inputs: list[str]
    parameters: list[str]
    states: list[str]
    constants: list[Step]
    body: list[Step]
    in_place: tuple[str, ...]
    copied: frozenset[int] = frozenset()
    prepared: Prepared | None = None
    slots: int = 0
    #: The parameters that `main` gathers from parts.
    gathered: frozenset[str] = frozenset()
    #: Where some states are answered as rows: what writes them; the body's own `finish` is then that of `step`.
    update: Update | None = None

    @property
    def leaves(self) -> list[str]:
        """The arguments of `main` before the constants."""
        return [*self.inputs, *self.parameters, *self.states]

    @property
    def read(self) -> list[str]:
        """Those of them that are tensors in every call: not the parameters that `prepare` alone reads."""
        gone = {self.parameters[at] for at in self.prepared.dropped} if self.prepared is not None else set()
        return [name for name in self.leaves if name not in gone]


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


def module_text(entry: Entry, writer: Writer, dialect: Dialect, printers: type[Printer] | None = None) -> str:
    """The whole module; `printers` prints loops and branches, as statements if nothing is said."""
    printer = (printers or Printer)(writer, dialect, entry.copied)
    body = printer.steps(entry.body)
    once = printer.steps(entry.constants)
    weights = _preparation(entry.prepared, once, printer)
    names, once = _needed(once, body)
    update = entry.update
    writes = [] if update is None else printer.steps([loop_step(update.writes)] if alike(update.writes) else update.steps)
    printed = [*once, *weights, *body, *writes]
    finish = _finish(entry) if update is None else update.finish
    lines = Lines()
    _write_header(lines, finish, dialect, entry.prepared)
    lines.add(*(PLACED_NOTE if entry.slots else ()), *(GATHERED_NOTE if entry.gathered else ()))
    if update is not None:
        lines.add(*_UPDATE_NOTE)
    lines.add(*dialect.imports(frozenset().union(*(p.flags for p in printed))), "")
    support = dialect.support(frozenset().union(*(p.support for p in printed)))
    for text in support:
        lines.add("", *text.split("\n"), "")
    if support:
        lines.add("")
    _write_metadata(lines, entry, finish, names)
    lines.add("", "")
    _write_constants(lines, once, names, dialect)
    for text in printer.functions.texts:
        lines.add("", "", *text)
    lines.add("", "")
    if entry.prepared is not None:
        _write_prepare(lines, entry.prepared, weights, dialect)
        lines.add("", "")
    _write_main(lines, entry, body, names, printer)
    if update is not None:
        lines.add("", "")
        write_update(lines, update, [line for p in writes for line in p.lines], dialect.decorators)
        lines.add("", "")
        write_whole(lines, update, entry.leaves, dialect.decorators)
    return lines.text()


_UPDATE_NOTE = (
    "# step takes what main takes and answers the RESULTS results, the next states that are not in ROWS, then rows; update(states, rows)",
    "# writes the rows into the states of ROWS, which may be donated to it, and answers their next values.  main is the two in turn.",
)


def _finish(entry: Entry) -> Finish:
    return next(s.call for s in entry.body if isinstance(s.call, Finish))


class Printer:
    """Steps to text, loops and branches as statements of Python, regions as calls of functions; leaves have none."""

    def __init__(self, writer: Writer, dialect: Any, copied: frozenset[int]) -> None:
        self.writer = writer
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
        _write_steps(lines, printed, self.released(steps), keep=keep)
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
                _write_steps(lines, printed, self.released(steps), keep=set(answers))
                lines.add(*_assign(results, answers))
            text.extend(lines.lines)
        w.tensors, w.support, w.flags = tensors, support, flags
        return text


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


def _preparation(prepared: Prepared | None, once: list[Printed], printer: Printer) -> list[Printed]:
    """What `prepare` computes: the constants its steps read, made again, then the steps."""
    if prepared is None:
        return []
    weights = printer.steps(prepared.steps)
    return [*_needed(once, weights)[1], *weights]


def _write_header(lines: Lines, finish: Finish, dialect: Dialect, prepared: Prepared | None) -> None:
    where = f"{finish.block}.{finish.entry}" if finish.block else finish.entry
    lines.add(f"# {quote(where)} of {quote(finish.module)}, printed by linnet for {dialect.title}.")
    lines.add(
        "# main takes the inputs, the parameters in the order of PARAMETERS, the states in the order of STATES, then those of constants();"
    )
    lines.add(
        "# it answers RESULTS results, then the states in the order of NEXT_STATES.  IN_PLACE names states whose tensor it overwrites."
    )
    if finish.gradients:
        lines.add("# The first result is the entry's own, the others are its gradients by what GRADIENTS names.")
    if prepared is not None:
        lines.add(
            "# Behind the constants stand those of prepare(), in the order of PREPARED: equal keys, equal values, in any entry.",
            "# PREPARE_INPUTS are the arguments of main that prepare takes; main reads none of PREPARED_ONLY, which may then be None.",
        )


def _write_metadata(lines: Lines, entry: Entry, finish: Finish, constants: list[str]) -> None:
    calls = [step.call for step in entry.body]
    lines.add(*list_assignment("INPUTS", (quote(c.name) for c in calls if isinstance(c, Input))))
    lines.add(*list_assignment("PARAMETERS", (quote(c.path) for c in calls if isinstance(c, Parameter))))
    lines.add(*list_assignment("STATES", (quote(c.path) for c in calls if isinstance(c, State))))
    lines.add(*list_assignment("NEXT_STATES", map(quote, finish.states)))
    if entry.gathered:
        names_of = zip(entry.parameters, (c.path for c in calls if isinstance(c, Parameter)), strict=True)
        lines.add(*list_assignment("GATHERED", (quote(path) for name, path in names_of if name in entry.gathered)))
    if entry.update is not None:
        lines.add(*list_assignment("ROWS", map(quote, entry.update.paths)))
    lines.add(f"RESULTS = {finish.returns}")
    if finish.gradients:
        lines.add(*list_assignment("GRADIENTS", map(quote, finish.gradients)))
    lines.add(*list_assignment("CONSTANTS", map(quote, constants)))
    if entry.prepared is not None:
        paths = [c.path for c in calls if isinstance(c, Parameter)]
        lines.add(*list_assignment("PREPARED", map(quote, entry.prepared.keys)))
        lines.add(*list_assignment("PREPARE_INPUTS", map(quote, entry.prepared.inputs)))
        lines.add(*list_assignment("PREPARED_ONLY", (quote(paths[at]) for at in entry.prepared.dropped)))
    lines.add(*list_assignment("IN_PLACE", map(quote, entry.in_place)))
    if entry.slots:
        lines.add(*placed_metadata(entry.slots, entry.body))


def _write_constants(lines: Lines, once: list[Printed], names: list[str], dialect: Dialect) -> None:
    lines.add(*dialect.decorators)
    with lines.block(f"def constants({dialect.constants_parameters}):"):
        for p in once:
            lines.add(*p.lines)
        lines.add(f"return {tuple_text(names)}")


def _write_prepare(lines: Lines, prepared: Prepared, weights: list[Printed], dialect: Dialect) -> None:
    arguments = [*prepared.inputs, *([dialect.constants_parameters] if dialect.constants_parameters else [])]
    lines.add(*dialect.decorators)
    with lines.block(f"def prepare({', '.join(arguments)}):"):
        for p in weights:
            lines.add(*p.lines)
        lines.add(f"return {tuple_text(prepared.names)}")


def _write_main(lines: Lines, entry: Entry, body: list[Printed], constants: list[str], printer: Printer) -> None:
    prepared = entry.prepared.names if entry.prepared is not None else []
    arguments = [*entry.leaves, *constants, *prepared, *(["devices"] if entry.slots else [])]
    lines.add(*printer.dialect.decorators)
    with lines.block(f"def {'main' if entry.update is None else 'step'}({', '.join(arguments)}):"):
        lines.add(*printer.dialect.prelude(entry, frozenset().union(*(p.flags for p in body))))
        _write_steps(lines, body, printer.released(entry.body), keep=set(arguments))


def _write_steps(lines: Lines, printed: list[Printed], released: Mapping[int, tuple[str, ...]], keep: set[str]) -> None:
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
