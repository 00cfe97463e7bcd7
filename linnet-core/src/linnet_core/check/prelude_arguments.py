"""Arguments of prelude functions: by position, then by name, and generic arguments.

In: the syntax of a call and the names of the parameters.  Out: one expression node a parameter.  E2102, E2111, E2112.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.arguments import name_it
from linnet_core.check.program import Generic
from linnet_core.check.resolve_types import resolve_explicit_args
from linnet_core.check.types import DTypeArg
from linnet_core.syntax import tree
from linnet_core.text.diagnostic import Label
from linnet_core.text.near import did_you_mean

if TYPE_CHECKING:
    from linnet_core.check.context import BodyContext
    from linnet_core.check.types import DType, DTypeClass
    from linnet_core.text.span import Span


def bind_arguments(name: str, node: tree.Call, params: tuple[str, ...], ctx: BodyContext) -> tuple[tree.Expression, ...] | None:
    """The argument of each parameter, all of them required; None after E2102."""
    bound: dict[str, tree.Expression] = {}
    for position, argument in enumerate(node.arguments):
        if argument.name is not None:
            param = argument.name.text
            if param not in params:
                help = unknown_parameter(param, params)
                return _wrong(f"`{name}` has no parameter `{param}`", argument.name.span, params, name, ctx, help=help)
        elif position < len(params):
            param = params[position]
        else:
            count = f"{len(params)} argument{'s' * (len(params) != 1)}"
            return _wrong(f"`{name}` takes {count}, got {len(node.arguments)}", argument.span, params, name, ctx)
        if argument.name is None and position and node.arguments[position - 1].name is not None:
            help = name_it(node, argument, params)
            return _wrong("a positional argument stands after a named one", argument.span, params, name, ctx, help=help)
        if param in bound:
            first = (Label(bound[param].span, "the first"),)
            return _wrong(f"`{param}` is given twice", argument.span, params, name, ctx, related=first)
        bound[param] = argument.value
    missing = [param for param in params if param not in bound]
    if missing:
        return _wrong(f"`{name}` misses {' and '.join(f'`{param}`' for param in missing)}", node.span, params, name, ctx)
    return tuple(bound[param] for param in params)


def unknown_parameter(given: str, params: tuple[str, ...]) -> str | None:
    """The parameter that is meant by a name which other libraries or a slip of the hand give it."""
    if given == "dim" and "axis" in params:
        return "did you mean `axis`?"
    return did_you_mean(given, params)


def _wrong(
    message: str,
    span: Span,
    params: tuple[str, ...],
    name: str,
    ctx: BodyContext,
    *,
    related: tuple[Label, ...] = (),
    help: str | None = None,
) -> None:
    shown = [{"shape": "[...]", "axes": "[...]", "axis": "axis = 0"}.get(param, param) for param in params]
    call = f"call it as `{name}({', '.join(shown)})`"
    if name in ("max", "min"):
        call = f"{call}; along an axis it is a reduction: `{name}[i] x[i]`"
    ctx.checker.diagnostics.report("E2102", message, span, related=related, help=help or call)


def takes_no_generics(name: str, node: tree.Call, ctx: BodyContext) -> bool:
    """Whether no `<...>` is written; E2111 otherwise."""
    return not node.generics or resolve_explicit_args(node.generics, (), ctx, f"`{name}`") is not None


def dtype_argument(name: str, node: tree.Call, wanted: DTypeClass, ctx: BodyContext) -> DType | bool:
    """The dtype in `name<T>(...)`; True when none is written, False when it is wrong (E2111, E2112, E1208)."""
    if not node.generics:
        return True
    generic = Generic("T", "dtype", -1, wanted)
    args = resolve_explicit_args(node.generics, (generic,), ctx, f"`{name}`")
    if not args or not isinstance(args[0], DTypeArg):
        return False
    return args[0].dtype


def list_argument(name: str, node: tree.Expression, what: str, ctx: BodyContext) -> tree.List | None:
    """A `[...]` argument; None after E2102."""
    if isinstance(node, tree.List):
        return node
    inside = node.span.brief[1:-1] if isinstance(node, tree.Tuple) and node.span.brief.startswith("(") else node.span.brief
    ctx.checker.diagnostics.report("E2102", f"`{name}` takes {what} in brackets", node.span, help=f"write `[{inside}]`")
    return None
