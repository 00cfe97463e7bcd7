"""Regions as functions of the module.

In: an `OwnGradient` or a `Recomputed`, and the printer of the steps inside.  Out: the statement that calls the function; the function's
text is kept by `RegionFunctions`, equal ones once.  So that they are equal, names inside are counted anew: arguments are `a0`, `a1`, ...,
what is read from around `b0`, `b1`, ..., and the rest of each kind from 0 on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from linnet_core.python_source.layout import Lines, tuple_text
from linnet_core.python_source.program_text import called_in
from linnet_core.python_source.renaming import made, renamed, renamed_operand

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from linnet_core.graph.calls import Operand
    from linnet_core.python_source.printer import Printer
    from linnet_core.python_source.regions import Launched, OwnGradient, Recomputed
    from linnet_core.python_source.steps import Step


class Part(Struct, frozen=True):
    """The statements of a part of a region, what it answers (None for nothing), and which tensors and names of the function it reads."""

    lines: tuple[str, ...]
    answers: tuple[str | None, ...]
    tensors: frozenset[str]
    local: tuple[str, ...]


class GradientText(Struct, frozen=True):
    """What a framework needs to spell an op with its own gradient.

    `arguments` are the function's parameters: first those that may have a gradient, then tensors from around; `local` are parameters
    that are no tensors.  `saved` are the names `backward` reads: of `arguments`, and `y`; `dy` is the gradient of `y`.
    """

    arguments: tuple[str, ...]
    local: tuple[str, ...]
    forward: Part
    backward: Part
    saved: tuple[str, ...]

    @property
    def parameters(self) -> tuple[str, ...]:
        """All parameters, in order."""
        return (*self.arguments, *self.local)

    @property
    def differentiated(self) -> tuple[str, ...]:
        """The parameters that have a gradient."""
        return tuple([name for name, gradient in zip(self.arguments, self.backward.answers, strict=False) if gradient is not None])

    @property
    def gradients(self) -> str:
        """A tuple of what backward answers for every parameter."""
        found = [gradient or "None" for gradient in self.backward.answers]
        return tuple_text([*found, *["None"] * (len(self.parameters) - len(found))])


class RegionFunctions:
    """The functions printed so far, by their text."""

    def __init__(self) -> None:
        self._names: dict[tuple[str, ...], str] = {}
        #: Their texts, in the order they were first needed.
        self.texts: list[list[str]] = []

    def name(self, stem: str, text: Callable[[str], list[str]]) -> str:
        """The name of the function whose text under a name is `text(name)`."""
        key = (stem, *text(stem))
        known = self._names.get(key)
        if known is None:
            known = self._names[key] = f"{stem}{sum(name[0] == stem for name in self._names)}"
            self.texts.append(text(known))
        return known


def own_gradient(printer: Printer, call: OwnGradient, result: str) -> list[str]:
    """The call of an op with its own gradient."""
    writer = printer.writer
    around = [str(o.value) for o in call.around]
    given = {name: f"a{at}" for at, name in enumerate(call.arguments)} | {name: f"b{at}" for at, name in enumerate(around)}
    names = counted(given | {call.y: "y", call.dy: "dy"}, (*call.forward, *call.backward))
    forward = printed_part(printer, call.forward, (call.value,), names)
    backward = printed_part(printer, call.backward, call.gradients, names)
    read = forward.tensors | backward.tensors
    used = [name for name in around if given[name] in read]
    arguments = tuple([given[name] for name in (*call.arguments, *used)])
    text = GradientText(
        arguments=arguments,
        local=tuple(dict.fromkeys((*forward.local, *backward.local))),
        forward=forward,
        backward=backward,
        saved=tuple([name for name in (*arguments, "y") if name in backward.tensors]),
    )
    name = printer.functions.name("_gradient", lambda name: printer.dialect.own_gradient(name, text))
    outer = [writer.tensor(o) for o in call.operands[: len(call.arguments)]]
    writer.tensors.extend(used)
    writer.flags.update(printer.dialect.local_flags(text.local))
    return [f"{result} = {name}({', '.join([*outer, *used, *text.local])})"]


def recomputed(printer: Printer, call: Recomputed, results: Sequence[str]) -> list[str]:
    """The call of a block whose values the way back computes again."""
    writer = printer.writer
    around = [str(o.value) for o in call.operands if o is not None]
    given = {name: f"b{at}" for at, name in enumerate(around)}
    part = printed_part(printer, call.steps, call.values, counted(given, call.steps))
    used = [name for name in around if given[name] in part.tensors]
    parameters = [*(given[name] for name in used), *part.local]

    def text(name: str) -> list[str]:
        lines = Lines()
        with lines.block(f"def {name}({', '.join(parameters)}):"):
            lines.add(*part.lines, f"return {tuple_text([str(answer) for answer in part.answers])}")
        return lines.lines

    name = printer.functions.name("_block", text)
    writer.tensors.extend(used)
    writer.flags.update(printer.dialect.local_flags(part.local))
    target = tuple_text(results) if len(results) == 1 else ", ".join(results)
    return [f"{target} = {printer.dialect.recomputed(writer, name, [*used, *part.local])}"]


def launched(printer: Printer, call: Launched, results: Sequence[str]) -> list[str]:
    """The call of an op that has a kernel."""
    writer = printer.writer
    operands = [o for o in call.operands if o is not None]
    names = list(dict.fromkeys(str(o.value) for o in operands[: call.arguments]))
    given = {name: f"a{at}" for at, name in enumerate(names)}
    around = [str(o.value) for o in operands[call.arguments :]]
    part = printed_part(printer, call.steps, call.values, counted(given | {name: f"b{at}" for at, name in enumerate(around)}, call.steps))
    inside = given | {name: f"b{at}" for at, name in enumerate(around)}
    used = [name for name in around if inside[name] in part.tensors]
    parameters = [inside[name] for name in (*names, *used)] + list(part.local)
    arguments = [given[str(o.value)] for o in operands[: call.arguments]]
    name = printer.functions.name("_launch", lambda name: printer.dialect.launched(name, parameters, arguments, part, call))
    writer.tensors.extend((*names, *used))
    writer.flags.update(("kernels", *printer.dialect.local_flags(part.local)))
    writer.support.update(("_launches", *called_in(call.launch.program)))
    target = tuple_text(results) if len(results) == 1 else ", ".join(results)
    return [f"{target} = {name}({', '.join([*names, *used, *part.local])})"]


def printed_part(printer: Printer, steps: Sequence[Step], answers: Iterable[Operand | None], names: dict[str, str]) -> Part:
    """The text of steps under other names, printed as a function of its own; what it needs of the module is noted."""
    writer: Any = printer.writer
    outer = (writer.scalars, writer.tensors, writer.support, writer.flags)
    writer.scalars = {new: outer[0][old] for old, new in names.items() if old in outer[0]}
    given = [None if o is None else str(renamed_operand(o, names).value) for o in answers]
    lines, printed = printer.body(renamed(steps, names), keep={name for name in given if name is not None})
    writer.scalars, writer.tensors, writer.support, writer.flags = outer
    flags = {flag for p in printed for flag in p.flags}
    local = printer.dialect.local_names(flags)
    writer.support.update(*(p.support for p in printed))
    writer.flags.update(flags - printer.dialect.local_flags(local))
    tensors = frozenset(name for p in printed for name in p.tensors).union(name for name in given if name is not None)
    return Part(tuple(lines), tuple(given), tensors, local)


def counted(given: dict[str, str], steps: Sequence[Step]) -> dict[str, str]:
    """A name for each name: those given, and for what the steps make its own with another number, the same for `w3_0` and `w3_1`."""
    names = dict(given)
    heads: dict[str, str] = {}
    count: dict[str, int] = {}
    for name in made(steps):
        if name in names:
            continue
        head, mark, rest = name.partition("_")
        if head not in heads:
            kind = head.rstrip("0123456789")
            heads[head] = f"{kind}{count.get(kind, 0)}"
            count[kind] = count.get(kind, 0) + 1
        names[name] = heads[head] + mark + rest
    return names
