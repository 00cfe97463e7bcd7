"""`if`, and conditions.

In: `If` nodes, and conditions of `if` and `while`.  Out: typed expressions; both branches of an `if` have one type (E2115), a
condition is a scalar bool (E2114).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.compile_time import failed, is_failed
from linnet_core.check.expressions import check_expression
from linnet_core.check.joining import check_branches, join
from linnet_core.check.program import Expr, If
from linnet_core.check.receivers import first_field
from linnet_core.check.repairs import tight, to_bool
from linnet_core.check.show_types import quote
from linnet_core.check.types import BOOL_TYPE, StructType, TensorType

if TYPE_CHECKING:
    from linnet_core.check.context import BodyContext
    from linnet_core.check.types import Type
    from linnet_core.syntax import tree


def check_if(node: tree.If, ctx: BodyContext, expected: Type | None) -> Expr:
    """`if c { a } else { b }`."""
    condition = check_condition(node.condition, ctx, "if")
    branches = check_branches(
        [
            (node.then, lambda hint: check_expression(node.then, ctx, hint)),
            (node.otherwise, lambda hint: check_expression(node.otherwise, ctx, hint)),
        ],
        ctx,
        expected,
    )
    joined = join(branches, ctx, "branches")
    if joined is None or is_failed(condition):
        return failed(node.span)
    type, (then, otherwise) = joined
    return If(type, node.span, condition, then, otherwise)


def check_condition(node: tree.Expression, ctx: BodyContext, what: str) -> Expr:
    """The condition of `if` or `while`; failed after E2114."""
    condition = check_expression(node, ctx)
    if is_failed(condition) or condition.type == BOOL_TYPE:
        return condition
    text = condition.span.brief
    help = to_bool(condition.type, text)
    if isinstance(condition.type, StructType):
        help = f"ask for one of its fields: `{tight(text)}.{first_field(condition.type, ctx)}`"
    if isinstance(condition.type, TensorType) and condition.type.dtype == "bool":
        help = f"{help}; per element, pick with `select`"
    ctx.checker.diagnostics.report(
        "E2114",
        f"the condition of `{what}` is {quote(condition.type)}, not a scalar bool",
        node.span,
        label="a scalar bool is due",
        help=help,
    )
    return failed(node.span)
