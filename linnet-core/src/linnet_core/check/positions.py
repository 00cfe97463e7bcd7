"""One plain position in an axis: a compile-time integer, checked against the extent, or a run-time integer.

In: the expression of a component and the axis it stands at.  Out: the `Dim`, or the typed run-time scalar.  E2209 for what is
provably outside, E2101 for what is no integer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.compile_time import dim_of, is_failed
from linnet_core.check.expressions import check_expression
from linnet_core.check.show_types import quote
from linnet_core.check.types import ScalarType, TensorType, is_in_class
from linnet_core.shapes import Constraint, Dim, refute

if TYPE_CHECKING:
    from linnet_core.check.context import BodyContext
    from linnet_core.check.program import Expr
    from linnet_core.syntax import tree
    from linnet_core.text.span import Span


def check_position(node: tree.Expression, extent: Dim, ctx: BodyContext) -> Dim | Expr | None:
    """A compile-time position as a `Dim`, a run-time one as a scalar expression, None when it is wrong (reported)."""
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
    ctx.checker.diagnostics.report("E2101", f"a position in an axis is an integer, this is {quote(expr.type)}", node.span)
    return None


def check_inside(position: Dim, extent: Dim, span: Span, ctx: BodyContext) -> bool:
    """Whether a compile-time position is not provably outside its axis (E2209)."""
    if refute(Constraint(">=", position, Dim.constant(0)), ctx.facts):
        report_negative(position, "index", span, ctx)
        return False
    if refute(Constraint("<", position, extent), ctx.facts):
        ctx.checker.diagnostics.report(
            "E2209", f"index {position} is outside an axis of extent {extent}", span, label=f"the last position is {extent - 1}"
        )
        return False
    return True


def report_negative(position: Dim, what: str, span: Span, ctx: BodyContext) -> None:
    """E2209 for a negative index or bound."""
    ctx.checker.diagnostics.report(
        "E2209", f"{what} {position} is negative", span, help="positions count from the front; write the extent minus a number for the back"
    )
