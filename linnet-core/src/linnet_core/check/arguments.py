"""Which argument is for which parameter.

In: the arguments of a call as written, the parameters' names, and which may be left out.  Out: one argument (or None) for each
parameter.  E2102.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.text.diagnostic import Label
from linnet_core.text.near import did_you_mean, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linnet_core.check.context import BodyContext
    from linnet_core.syntax import tree
    from linnet_core.text.span import Span


def match_arguments(
    node: tree.Call, names: Sequence[str], optional: Sequence[bool], what: str, ctx: BodyContext, *, positional: bool = True
) -> list[tree.Argument | None] | None:
    """The argument of each parameter of `what`; None when E2102 was reported.

    `positional` is False for structs, whose fields are all given by name.
    """
    bound: dict[str, tree.Argument] = {}
    good = True
    for position, argument in enumerate(node.arguments):
        name = _parameter(position, argument, node, names, what, ctx, positional)
        if name is None:
            good = False
        elif name in bound:
            good = _wrong(f"`{name}` of {what} is given twice", argument.span, ctx, label="again", first=bound[name].span)
        else:
            bound[name] = argument
    missing = [f"`{name}`" for name, may_miss in zip(names, optional, strict=True) if not may_miss and name not in bound]
    if good and missing:
        written = [argument.span.brief for argument in node.arguments]
        added = [f"{name.strip('`')} = ..." for name in missing]
        help = f"it takes {listed(names)}: `{node.callee.span.brief}({', '.join([*written, *added])})`"
        good = _wrong(f"{what} misses {' and '.join(missing)}", node.span, ctx, help=help)
    return [bound.get(name) for name in names] if good else None


def _parameter(
    position: int, argument: tree.Argument, node: tree.Call, names: Sequence[str], what: str, ctx: BodyContext, positional: bool
) -> str | None:
    """The parameter an argument is for; None after E2102."""
    if argument.name is not None:
        name = argument.name.text
        if name in names:
            return name
        help = did_you_mean(name, names) or (f"it takes {listed(names)}" if names else None)
        _wrong(f"{what} has no {'parameter' if positional else 'field'} `{name}`", argument.name.span, ctx, help=help)
    elif not positional:
        if all(before.name is not None for before in node.arguments[:position]):
            help = f"write `{names[position]} = {argument.span.brief}`" if position < len(names) else None
            _wrong(f"the fields of {what} are given by name", argument.span, ctx, label="by position", help=help)
    elif position and node.arguments[position - 1].name is not None:
        _wrong("a positional argument stands after a named one", argument.span, ctx, help=name_it(node, argument, names))
    elif position < len(names):
        return names[position]
    elif position == len(names):
        count = "no arguments" if not names else f"{len(names)} argument{'s' * (len(names) > 1)}"
        help = f"it takes {listed(names)}" if names else "leave the parentheses empty"
        _wrong(f"{what} takes {count}, got {len(node.arguments)}", argument.span, ctx, label="one too many", help=help)
    return None


def name_it(node: tree.Call, argument: tree.Argument, names: Sequence[str]) -> str:
    """The help for a positional argument after a named one: its name, when only one parameter is left for it."""
    before = node.arguments[: node.arguments.index(argument)]
    taken = {other.name.text for other in node.arguments if other.name is not None}
    free = [name for name in names[sum(other.name is None for other in before) :] if name not in taken]
    return f"name it too: `{free[0]} = {argument.span.brief}`" if free else "leave it out: every parameter has its argument"


def _wrong(
    message: str, span: Span, ctx: BodyContext, *, label: str | None = None, first: Span | None = None, help: str | None = None
) -> bool:
    related = (Label(first, "the first"),) if first is not None else ()
    help = "leave one of them out" if first is not None else help
    ctx.checker.diagnostics.report("E2102", message, span, label=label, related=related, help=help)
    return False
