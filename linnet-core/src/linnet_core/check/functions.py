"""Functions: signatures, defaults and bodies.

In: `FunctionInfo`s with their syntax.  Out: the same with generics, facts, parameters and result, then with a checked body.
E1205 (two parameters of one name), E2120 (no final `return`, or one elsewhere), E2125 (a `grad` clause that cannot be).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.describe import RENAME
from linnet_core.check.effects import effects_of
from linnet_core.check.expressions import check_value
from linnet_core.check.generics import check_name, declare_generics
from linnet_core.check.gradients import check_grad
from linnet_core.check.kernel_uses import check_kernel_use
from linnet_core.check.program import Function, Local, Param
from linnet_core.check.resolve_types import resolve_type
from linnet_core.check.returns import check_returns
from linnet_core.check.scopes import body_context, function_context
from linnet_core.check.types import ERROR, UNIT, ErrorType
from linnet_core.check.where import resolve_where
from linnet_core.text.diagnostic import Label

if TYPE_CHECKING:
    from linnet_core.check.context import BodyContext, LocalUse
    from linnet_core.check.environment import Checker, FunctionInfo
    from linnet_core.check.program import Expr
    from linnet_core.text.span import Span


def check_signature(info: FunctionInfo, checker: Checker) -> None:
    """Resolve generics, `where`, parameter types and result of a function.  Its block's header comes before."""
    if info.block is not None:
        info.facts, info.broken = info.block.facts, info.block.broken
    ctx = function_context(info, checker)
    info.generics = declare_generics(info.syntax.generics, ctx)
    info.constraints = resolve_where(info.syntax.where, ctx)
    info.facts, info.broken = ctx.facts, info.broken or ctx.broken
    info.params = _params(info, ctx)
    info.defaults = [None] * len(info.params)
    info.result = UNIT if info.syntax.result is None else resolve_type(info.syntax.result, ctx)


def _params(info: FunctionInfo, ctx: BodyContext) -> tuple[Local, ...]:
    first: dict[str, Span] = {}
    made: list[Local] = []
    for id, param in enumerate(info.syntax.params):
        name = param.name
        type = resolve_type(param.type, ctx)
        check_name(name, ctx)
        if name.text in first and name.text != "_":
            message, related = f"two parameters are named `{name.text}`", (Label(first[name.text], "the first"),)
            ctx.checker.diagnostics.report("E1205", message, name.span, label="the second", related=related, help=RENAME)
            type = ERROR  # Which of the two is meant is not known.
        first.setdefault(name.text, name.span)
        made.append(Local(id, name.text, type))
    return tuple(made)


def check_defaults(info: FunctionInfo, checker: Checker) -> None:
    """Type the default values of a function's parameters, once."""
    if info.defaults_state != "new":
        return
    info.defaults_state = "busy"
    for position, param in enumerate(info.syntax.params):
        local = info.params[position]
        if param.default is not None and not isinstance(local.type, ErrorType):
            ctx = function_context(info, checker)
            ctx.push()
            info.defaults[position] = check_value(param.default, ctx, local.type, what=f"the default of `{local.name}`")
    info.defaults_state = "done"


def default_of(info: FunctionInfo, position: int, checker: Checker) -> Expr | None:
    """The typed default of a parameter over the function's own generics; None when it has none or it was reported."""
    check_defaults(info, checker)
    default = info.defaults[position]
    return None if default is None or isinstance(default.type, ErrorType) else default


def check_function(info: FunctionInfo, checker: Checker) -> list[LocalUse]:
    """Check a function's body; `info.function` and `info.effects` are set, the state footprint is still to come.

    Returns the locals with their uses, for the lints.  Where a clause of the `where` was reported nothing is checked: what
    it was meant to say would be missing everywhere.
    """
    from linnet_core.check.statements import check_body

    if info.broken:
        return []
    check_defaults(info, checker)
    check_returns(info, checker)
    ctx = body_context(info, checker)
    body = check_body(info.syntax.body, ctx, info.result)
    params = tuple(Param(local, default) for local, default in zip(info.params, info.defaults, strict=True))
    kernel = check_kernel_use(info, function_context(info, checker))
    grad, grad_locals = check_grad(info, ctx, checker)
    info.function = Function(
        name=info.qualified,
        module=info.module.name,
        kind=info.kind,
        block=info.block.qualified if info.block is not None else None,
        public=info.syntax.public,
        generics=info.generics,
        constraints=info.constraints,
        params=params,
        result=info.result,
        states=(),
        body=body,
        span=info.syntax.name.span,
        grad=grad,
        kernel=kernel,
    )
    info.effects = effects_of(info.function)
    return [*ctx.locals, *grad_locals]
