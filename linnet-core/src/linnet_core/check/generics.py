"""Generic parameters as they are declared.

In: `<N: Dim, *S: Shape, T: Float = bf16>` and the context.  Out: `Generic`s with ids in order of declaration.  E1205 (a name
twice), E1207 (a prelude name), E1201 (an unknown kind), E1101 (a star where none is due).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.describe import RENAME
from linnet_core.check.environment import BlockInfo
from linnet_core.check.program import Generic
from linnet_core.check.reserved import KINDS, PRELUDE
from linnet_core.check.resolve_args import resolve_arg
from linnet_core.check.scopes import block_context, item_context
from linnet_core.check.where import resolve_where
from linnet_core.text.diagnostic import Label
from linnet_core.text.near import did_you_mean, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linnet_core.check.context import BodyContext
    from linnet_core.check.environment import AliasInfo, Checker, EnumInfo, StructInfo
    from linnet_core.syntax import tree
    from linnet_core.text.span import Span


def ensure_generics(info: AliasInfo | StructInfo | EnumInfo | BlockInfo, checker: Checker) -> None:
    """Resolve the generics (and a block's `where`) of a declaration, once."""
    if info.qualified in checker.declared:
        return
    checker.declared.add(info.qualified)
    if isinstance(info, BlockInfo):
        ctx = block_context(info, checker)
        info.generics = declare_generics(info.syntax.generics, ctx)
        info.constraints = resolve_where(info.syntax.where, ctx)
        info.facts = ctx.facts
        info.broken = ctx.broken
    else:
        info.generics = declare_generics(info.syntax.generics, item_context(info, checker))


def declare_generics(params: Sequence[tree.GenericParam], ctx: BodyContext) -> tuple[Generic, ...]:
    """The generics, each in scope for the defaults and declarations after it.

    One whose name was reported counts all the same, so that arguments still meet the right ones.
    """
    seen: dict[str, Span] = {}
    made: list[Generic] = []
    for param in params:
        check_name(param.name, ctx)
        new = _is_new(param, seen, ctx)
        seen.setdefault(param.name.text, param.name.span)
        generic = _declare(param, ctx)
        if generic is not None:
            made.append(generic)
            if new:
                ctx.generics[generic.name] = generic
    return tuple(made)


def check_name(name: tree.Name, ctx: BodyContext) -> bool:
    """Whether a name may be declared at all; E1207 for one of the prelude."""
    if name.text not in PRELUDE:
        return True
    ctx.checker.diagnostics.report(
        "E1207",
        f"`{name.text}` is a name of the prelude",
        name.span,
        label="cannot be declared again",
        help=f"choose another name: `{name.text}_` is one",
    )
    return False


def _is_new(param: tree.GenericParam, seen: dict[str, Span], ctx: BodyContext) -> bool:
    """Whether no generic of the declaration or of the block around a method has the name (E1205)."""
    name = param.name.text
    first = seen.get(name)
    if first is None and ctx.function is not None and ctx.block is not None:
        around = [other.name.span for other in ctx.block.syntax.generics if other.name.text == name]
        first = around[0] if around else None
    if first is None:
        return True
    ctx.checker.diagnostics.report(
        "E1205",
        f"two generics are named `{name}`",
        param.name.span,
        label="the second",
        related=(Label(first, "the first"),),
        help=RENAME,
    )
    return False


def _declare(param: tree.GenericParam, ctx: BodyContext) -> Generic | None:
    report = ctx.checker.diagnostics.report
    known = KINDS.get(param.kind.text)
    if known is None:
        help = did_you_mean(param.kind.text, KINDS)
        report("E1201", f"unknown kind of generic `{param.kind.text}`", param.kind.span, help=help or f"the kinds are {listed(KINDS)}")
        return None
    kind, bound = known
    if param.pack != (kind == "shape"):
        message = f"a generic of kind {param.kind.text} is written `{param.name.text}`, without a star"
        if kind == "shape":
            message = f"a pack is written `*{param.name.text}: Shape`"
        report("E1101", message, param.name.span, help=f"write `{'*' if kind == 'shape' else ''}{param.name.text}: {param.kind.text}`")
    generic = Generic(param.name.text, kind, ctx.checker.fresh_id(), bound)
    if param.default is None:
        return generic
    default = resolve_arg(param.default, generic, ctx)
    if default is None:
        ctx.checker.broken_defaults.add(generic.id)
    return Generic(generic.name, kind, generic.id, bound, default)
