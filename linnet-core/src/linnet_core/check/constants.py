"""Constants: untyped numbers that stay compile-time integers or literals, and values of a definite type.

In: `ConstInfo`s.  Out: the same with `dim`, `literal` or `const` worked out, each at its first use.  E2122 for a constant
that is defined by itself, E2123 for a value that is not known at compile time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.coerce import settle
from linnet_core.check.environment import AliasInfo, FunctionInfo
from linnet_core.check.expressions import check_expression, check_value
from linnet_core.check.knots import through
from linnet_core.check.mentioned_names import syntax_nodes
from linnet_core.check.names import lookup, lookup_field_path
from linnet_core.check.program import Const, DimValue, Expr, Literal
from linnet_core.check.resolve_dims import HIGHEST, LOWEST, resolve_dim
from linnet_core.check.resolve_types import resolve_type
from linnet_core.check.scopes import item_context
from linnet_core.check.types import F64, I64, DimType, ErrorType, LiteralType
from linnet_core.shapes import Dim
from linnet_core.syntax import tree
from linnet_core.text.diagnostic import Label

if TYPE_CHECKING:
    from linnet_core.check.context import BodyContext
    from linnet_core.check.environment import Checker, ConstInfo
    from linnet_core.check.types import Type


def ensure_const(info: ConstInfo, checker: Checker) -> bool:
    """Work out a constant, once; False when it has no value (reported)."""
    if info.state == "busy":
        report_defined_by_itself(checker.busy[checker.busy.index(info) :], checker)
        return False
    if info.state == "new":
        info.state = "busy"
        checker.busy.append(info)
        _evaluate(info, item_context(info, checker))
        checker.busy.pop()
        info.state = "done"
    return info.const is not None or info.string


def report_defined_by_itself(circle: list[ConstInfo | AliasInfo], checker: Checker) -> None:
    """E2122 at the earliest of constants and aliases each of which needs the next."""
    first = min(circle, key=lambda info: info.syntax.name.span.start)
    start = circle.index(first)
    others = [info.syntax.name.text for info in circle[start + 1 :] + circle[:start]]
    what = "type" if isinstance(first, AliasInfo) else "constant"
    message = f"{what} `{first.syntax.name.text}` is defined by itself{through(others)}"
    related = [Label(info.syntax.name.span, "through this") for info in circle[start + 1 :] + circle[:start]]
    help = f"give {'one of them' if others else 'it'} a {'type' if what == 'type' else 'value'} that does not come back to it"
    checker.diagnostics.report("E2122", message, first.syntax.name.span, related=related, help=help)


def _evaluate(info: ConstInfo, ctx: BodyContext) -> None:
    node = info.syntax
    if _calls_function(node.value, ctx):
        return
    if node.type is not None:
        type = resolve_type(node.type, ctx)
        if not isinstance(type, ErrorType):
            ctx.push()
            value = check_value(node.value, ctx, type, what=f"`{node.name.text}`")
            _set_typed(info, value, type)
        return
    if isinstance(node.value, tree.StringLiteral):
        info.string = True
        return
    dim = resolve_dim(node.value, ctx, report=False)
    if dim is not None:
        _set_dim(info, dim, ctx)
    else:
        _evaluate_untyped(info, ctx)


def _evaluate_untyped(info: ConstInfo, ctx: BodyContext) -> None:
    ctx.push()
    value = check_expression(info.syntax.value, ctx)
    match value:
        case Expr(type=ErrorType()):
            return
        case Expr(type=DimType(dim=dim)):
            _set_dim(info, dim, ctx)
        case Literal(type=LiteralType(kind="integer")):
            _set_dim(info, Dim.constant(int(value.value)), ctx)
        case Literal(type=LiteralType(kind="float")):
            info.literal = (float(value.value), value.text or repr(float(value.value)))
            info.type = value.type
            info.const = _made(info, Literal(F64, value.span, info.literal[0], info.literal[1]), F64, contextual=True)
        case _:
            settled = settle(value, ctx)
            _set_typed(info, settled, settled.type)


def _set_dim(info: ConstInfo, dim: Dim, ctx: BodyContext) -> None:
    if dim.value is not None and not LOWEST <= dim.value <= HIGHEST:
        message = f"the constant is {dim.value}, which does not fit i64"
        help = f"a constant without a type is {LOWEST} to {HIGHEST}: write a smaller number, or a float"
        ctx.checker.diagnostics.report("E2105", message, info.syntax.value.span, label="a compile-time integer is an i64", help=help)
        return
    info.dim = dim
    info.type = DimType(dim)
    info.const = _made(info, DimValue(I64, info.syntax.value.span, dim), I64, contextual=True)


def _set_typed(info: ConstInfo, value: Expr, type: Type) -> None:
    if not isinstance(value.type, ErrorType):
        info.type = type
        info.const = _made(info, value, type, contextual=False)


def _calls_function(value: tree.Expression, ctx: BodyContext) -> bool:
    """Whether the value calls a function, which no constant does (E2123)."""
    for node in syntax_nodes((value,)):
        if not isinstance(node, tree.Call):
            continue
        match node.callee:
            case tree.Ref():
                callee = lookup(node.callee.name, ctx, node.callee.span, report=False)
            case tree.Field():
                callee = lookup_field_path(node.callee, ctx, report=False)
            case _:
                callee = None
        if isinstance(callee, FunctionInfo):
            message = "the value of a constant is known at compile time, so it calls no function"
            help = "write its value, or make a `fn` of the constant"
            ctx.checker.diagnostics.report("E2123", message, node.span, label="called here", help=help)
            return True
    return False


def _made(info: ConstInfo, value: Expr, type: Type, *, contextual: bool) -> Const:
    return Const(info.qualified.rpartition("::")[2], info.module.name, info.syntax.public, type, contextual, value)
