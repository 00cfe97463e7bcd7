"""A body that repeats as a function of the module.

In: a `Repeated`, and the printer of the steps inside.  Out: the statement that calls the function; its text is printed once for all
that hold the same body.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from linnet_core.graph.calls import State
from linnet_core.python_source.layout import Lines, tuple_text
from linnet_core.python_source.names import Names
from linnet_core.python_source.quote import quote
from linnet_core.python_source.region_text import printed_part

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linnet_core.python_source.outline import Body, Repeated
    from linnet_core.python_source.printer import Printer


class RepeatedFunction(Struct, frozen=True):
    """A function that is printed: its name, the positions of the operands it takes, names that are no tensors, and what its text needs."""

    name: str
    taken: tuple[int, ...]
    local: tuple[str, ...]
    support: frozenset[str]
    flags: frozenset[str]


def repeated(printer: Printer, call: Repeated, results: Sequence[str]) -> list[str]:
    """The call of a body that repeats."""
    writer = printer.writer
    key = id(call.body)
    function = printer.repeated.get(key)
    if function is None:
        function = printer.repeated[key] = _function(printer, call.body)
    writer.support.update(function.support)
    writer.flags.update(function.flags | printer.dialect.local_flags(function.local))
    arguments = [*(writer.tensor(call.operands[at]) for at in function.taken), *function.local]
    text = f"{function.name}({', '.join(arguments)})"
    if not results:  # all it answers is what it wrote
        return [text]
    return [f"{tuple_text(results) if len(results) == 1 else ', '.join(results)} = {text}"]


def _function(printer: Printer, body: Body) -> RepeatedFunction:
    writer = printer.writer
    outer = (writer.scalars, writer.tensors, writer.support, writer.flags)
    writer.scalars, writer.support, writer.flags = body.scalars, set(), set()
    given = _parameters(body)
    text = printed_part(printer, body.steps, body.values, {name: name for name in body.scalars} | given)
    taken = tuple([at for at, name in enumerate(body.parameters) if given[name] in text.tensors])
    decorators = printer.dialect.repeated_decorators(writer, body, taken)
    support, flags = frozenset(writer.support), frozenset(writer.flags)
    writer.scalars, writer.tensors, writer.support, writer.flags = outer
    parameters = [*(given[body.parameters[at]] for at in taken), *text.local]

    def lines(name: str) -> list[str]:
        found = Lines()
        found.add(*decorators)
        with found.block(f"def {name}({', '.join(parameters)}):"):
            found.add(
                quote(f"{body.path} and those like it."), *text.lines, f"return {tuple_text([str(answer) for answer in text.answers])}"
            )
        return found.lines

    return RepeatedFunction(printer.functions.name(body.stem, lines), taken, text.local, support, flags)


def _parameters(body: Body) -> dict[str, str]:
    """What the parameters are called: weights and states of the block by their paths in it, the others as in the body."""
    names = Names()
    found: dict[str, str] = {}
    for name in body.parameters:
        leaf = body.members.get(name)
        prefix = "s_" if isinstance(leaf, State) else "p_"
        found[name] = name if leaf is None else names.member(prefix, leaf.path[len(body.path) + 1 :])
    return found
