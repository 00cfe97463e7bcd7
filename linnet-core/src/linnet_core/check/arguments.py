"""Which argument is for which parameter.

In: the arguments of a call as written, the parameters' names, and which may be left out.  Out: one argument (or None) for each
parameter.  E2102.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

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
            good = _wrong(f"`{name}` of {what} is given twice", argument.span, ctx)
        else:
            bound[name] = argument
    missing = [f"`{name}`" for name, may_miss in zip(names, optional, strict=True) if not may_miss and name not in bound]
    if good and missing:
        good = _wrong(f"{what} misses {' and '.join(missing)}", node.span, ctx, help=f"it takes {listed(names)}")
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
            help = f"write `{names[0] if names else 'name'} = ...`"
            _wrong(f"the fields of {what} are given by name", argument.span, ctx, help=help)
    elif position and node.arguments[position - 1].name is not None:
        _wrong("a positional argument stands after a named one", argument.span, ctx)
    elif position < len(names):
        return names[position]
    elif position == len(names):
        count = "no arguments" if not names else f"{len(names)} argument{'s' * (len(names) > 1)}"
        _wrong(f"{what} takes {count}, got {len(node.arguments)}", argument.span, ctx)
    return None


def _wrong(message: str, span: Span, ctx: BodyContext, *, help: str | None = None) -> bool:
    ctx.checker.diagnostics.report("E2102", message, span, help=help)
    return False
