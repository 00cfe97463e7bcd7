"""The printed module: header, support functions, metadata, `constants` and `main`.

In: the steps of an entry after all passes.  Out: text.  `main` takes the inputs, parameters, states and constants in that order and answers a tuple: the
entry's results, then the final states.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

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
from linnet_torch.emit import WRITERS
from linnet_torch.support import support_text

if TYPE_CHECKING:
    from linnet_torch.writer import Writer


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
    """The text of one step and what it needs; `change` is the indentation it leaves behind, relative to where it began."""

    lines: tuple[str, ...]
    results: tuple[str, ...]
    tensors: tuple[str, ...]
    support: frozenset[str]
    functional: bool
    on_device: bool
    change: int = 0


def module_text(entry: Entry, writer: Writer) -> str:
    """The whole module."""
    body = _print(entry.body, writer)
    once = _print(entry.constants, writer)
    names, once = _needed(once, body, set(entry.leaves))
    printed = [*once, *body]
    lines = Lines()
    finish = _finish(entry)
    _write_header(lines, entry, finish)
    lines.add("import torch")
    if any(p.functional for p in printed):
        lines.add("import torch.nn.functional as F")
    lines.add("")
    _write_metadata(lines, entry, finish, names)
    for text in support_text({name for p in printed for name in p.support}):
        lines.add("", "", *text.split("\n"))
    lines.add("", "")
    _write_constants(lines, once, names)
    lines.add("", "")
    _write_main(lines, entry, body, names)
    return lines.text()


def _finish(entry: Entry) -> Finish:
    return next(s.call for s in entry.body if isinstance(s.call, Finish))


def _print(steps: list[Step], writer: Writer) -> list[Printed]:
    """The text of each step; leaves have none."""
    loops: list[tuple[str, ...]] = []
    printed: list[Printed] = []
    for step in steps:
        writer.fresh()
        lines, change = _step_lines(step, writer, loops)
        printed.append(
            Printed(
                tuple(lines), step.results, tuple(writer.tensors), frozenset(writer.support), writer.functional, writer.on_device, change
            )
        )
    return printed


def _step_lines(step: Step, w: Writer, loops: list[tuple[str, ...]]) -> tuple[list[str], int]:
    """Lines of a step and how much deeper what follows stands."""
    call = step.call
    match call:
        case Input() | Parameter() | State():
            return [], 0
        case BeginWhile():
            loops.append(step.results)
            return [*_assign(step.results, [w.tensor(o) for o in call.operands]), "while True:"], 1
        case WhileCondition():
            return [f"if not {w.tensor(call.operands[0])}:", "    break"], 0
        case BeginCounted():
            loops.append(step.results)
            index, *carried = step.results
            head = f"for {index}_number in range({call.start}, {call.stop}):"
            number = f"    {index} = torch.tensor({index}_number, device={w.device})"
            return [*_assign(tuple(carried), [w.tensor(o) for o in call.operands]), head, number], 1
        case EndWhile() | EndCounted():
            carried = loops.pop()[isinstance(call, EndCounted) :]
            inside = _assign(carried, [w.tensor(o) for o in call.operands])
            return [*inside, *("\0" + line for line in _assign(step.results, list(carried)))], -1
        case Finish():
            return [f"return {tuple_text(w.tensor(o) for o in call.operands)}"], 0
        case _:
            return [f"{', '.join(step.results)} = {WRITERS[type(call)](w, call)}"], 0


def _assign(names: tuple[str, ...], values: list[str]) -> list[str]:
    """One statement, so that all values are read before any name changes; nothing for no names."""
    return [f"{', '.join(names)} = {', '.join(values)}"] if names else []


def _needed(once: list[Printed], body: list[Printed], leaves: set[str]) -> tuple[list[str], list[Printed]]:
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


def _write_header(lines: Lines, entry: Entry, finish: Finish) -> None:
    where = f"{finish.block}.{finish.entry}" if finish.block else finish.entry
    lines.add(f"# {quote(where)} of {quote(finish.module)}, printed by linnet for PyTorch.")
    lines.add("# main takes the inputs, the parameters in the order of PARAMETERS, the states in the order of STATES, then constants(device);")
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


def _write_constants(lines: Lines, once: list[Printed], names: list[str]) -> None:
    with lines.block("def constants(_device):"):
        for p in once:
            lines.add(*p.lines)
        lines.add(f"return {tuple_text(names)}")


def _write_main(lines: Lines, entry: Entry, body: list[Printed], constants: list[str]) -> None:
    arguments = [*entry.leaves, *constants]
    released = last_uses(entry.body)
    keep = set(arguments)
    with lines.block(f"def main({', '.join(arguments)}):"):
        if any(p.on_device for p in body):
            lines.add(f"_device = {entry.leaves[0]}.device" if entry.leaves else '_device = torch.device("cpu")')
        for position, p in enumerate(body):
            inside = [line for line in p.lines if line[0] != "\0"]
            after = [line[1:] for line in p.lines if line[0] == "\0"]
            gone = [name for name in released.get(position, ()) if name not in keep]
            if gone and (after or p.change == 0) and inside:
                (after or inside)[-1] += f"; del {', '.join(gone)}"
            lines.add(*inside)
            if p.change > 0:
                lines.indent()
            elif p.change < 0:
                lines.dedent()
            lines.add(*after)
