"""The printed module: header, imports, metadata, support functions, `constants` and `main` (or `step`, `update` and `main`).

In: the steps of an entry after all passes, and a `Dialect`: how one framework is written.  Out: text.  `main` takes the inputs,
parameters, states, constants and what `prepare` made, in that order, and answers a tuple: the entry's results, then the final states.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from linnet_core.graph.calls import Finish, Input, Parameter, State
from linnet_core.python_source.layout import Lines, list_assignment, tuple_text
from linnet_core.python_source.placed import GATHERED_NOTE, PLACED_NOTE, placed_metadata
from linnet_core.python_source.printer import Printer, write_steps
from linnet_core.python_source.quote import quote
from linnet_core.python_source.steps import Step
from linnet_core.python_source.update import Update, alike, loop_step, write_update, write_whole

if TYPE_CHECKING:
    from linnet_core.python_source.dialect import Dialect
    from linnet_core.python_source.prepared import Prepared
    from linnet_core.python_source.printer import Printed
    from linnet_core.python_source.writer import Writer


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
    lines.add(*dialect.metadata)
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
        write_steps(lines, body, printer.released(entry.body), keep=set(arguments))
