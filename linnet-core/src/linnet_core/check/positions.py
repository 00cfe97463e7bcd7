"""One plain position in an axis: a compile-time integer, checked against the extent, or a run-time integer.

In: the expression of a component and the axis it stands at.  Out: the `Dim`, or the typed run-time scalar.  E2209 for what is
provably outside, E2101 for what is no integer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.compile_time import dim_of, is_failed
from linnet_core.check.expressions import check_expression
from linnet_core.check.repairs import cast_to, take_apart, tight
from linnet_core.check.show_types import quote
from linnet_core.check.types import LiteralType, ScalarType, TensorType, is_in_class
from linnet_core.shapes import Constraint, Dim, refute
from linnet_core.syntax import tree

if TYPE_CHECKING:
    from linnet_core.check.context import BodyContext
    from linnet_core.check.program import Expr
    from linnet_core.text.span import Span


def check_position(node: tree.Expression, extent: Dim, ctx: BodyContext) -> Dim | Expr | None:
    """A compile-time position as a `Dim`, a run-time one as a scalar expression, None when it is wrong (reported)."""
    if isinstance(node, tree.NoneLiteral) or (isinstance(node, tree.Ref) and node.name == "None"):
        help = "no index adds an axis: `reshape` adds one of 1, and index notation needs none: `let y[i, j] = a[i] * b[j]`"
        ctx.checker.diagnostics.report("E2101", "a position in an axis is an integer", node.span, label="an integer is due", help=help)
        return None
    expr = check_expression(node, ctx)
    if is_failed(expr):
        return None
    position = dim_of(expr)
    if position is not None:
        return position if check_inside(position, extent, node.span, ctx) else None
    if isinstance(expr.type, ScalarType) and is_in_class(expr.type.dtype, "integer"):
        return expr
    if ctx.in_index_notation and isinstance(expr.type, TensorType):
        help = "index it: a position is one integer"
        ctx.checker.diagnostics.report(
            "E3104", "a whole tensor stands as a position", node.span, label=f"this is {quote(expr.type)}", help=help
        )
        return None
    message = f"a position in an axis is an integer, this is {quote(expr.type)}"
    ctx.checker.diagnostics.report("E2101", message, node.span, label="an integer is due", help=_integer_help(expr, node.span.brief))
    return None


def _integer_help(expr: Expr, text: str) -> str | None:
    match expr.type:
        case ScalarType():
            return f"convert it: `{cast_to('i64', text)}`"
        case LiteralType():
            return f"write an integer: `{text.partition('.')[0]}`" if text.partition(".")[0].isdigit() else "write an integer"
        case TensorType(dtype=dtype):
            element = f"{tight(text)}[i]"
            position = element if is_in_class(dtype, "integer") else cast_to("i64", element)
            return f"a tensor of positions is read in index notation: `let y[i] = x[{position}]`"
        case _:
            return take_apart(expr.type, text)


def check_inside(position: Dim, extent: Dim, span: Span, ctx: BodyContext, *, what: str = "an axis of extent") -> bool:
    """Whether a compile-time position is not provably outside its axis (E2209)."""
    if refute(Constraint(">=", position, Dim.constant(0)), ctx.facts):
        report_negative(position, extent, "index", span, ctx)
        return False
    if refute(Constraint("<", position, extent), ctx.facts):
        message = f"index {position} is outside {what} {extent}"
        last = extent - 1
        help = f"write `{last}` for the last position" if last.value is None or last.value >= 0 else "there is no position to read"
        ctx.checker.diagnostics.report("E2209", message, span, label=f"the last position is {last}", help=help)
        return False
    return True


def report_negative(position: Dim, extent: Dim, what: str, span: Span, ctx: BodyContext) -> None:
    """E2209 for a negative index or bound, with what counts from the back."""
    meant = extent + position
    inside = meant.value is None or meant.value >= 0
    help = f"positions count from the front: write `{meant}`" if inside else f"positions count from the front, from 0 to {extent - 1}"
    ctx.checker.diagnostics.report("E2209", f"{what} {position} is negative", span, label="below 0", help=help)
