"""`some(x)`, tuples, lists, and which types are values at all.

In: their syntax.  Out: typed expressions whose parts stay contextual until the place decides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.compile_time import failed, is_failed
from linnet_core.check.expressions import check_expression
from linnet_core.check.program import Expr, MakeSome, MakeTuple
from linnet_core.check.show_types import show
from linnet_core.check.type_size import MOST_PARTS, count_parts
from linnet_core.check.types import ArrayType, BlockType, ErrorType, OptionalType, TupleType, UnitType

if TYPE_CHECKING:
    from linnet_core.check.context import BodyContext
    from linnet_core.check.types import Type
    from linnet_core.syntax import tree


def check_some(node: tree.Some, ctx: BodyContext, expected: Type | None) -> Expr:
    """`some(x)`."""
    hint = expected.inner if isinstance(expected, OptionalType) else _silence(expected)
    value = as_value(check_expression(node.value, ctx, hint), ctx)
    return failed(node.span) if is_failed(value) else MakeSome(OptionalType(value.type), node.span, value)


def check_tuple(node: tree.Tuple, ctx: BodyContext, expected: Type | None) -> Expr:
    """`(a, b)`."""
    hints: tuple[Type | None, ...] = (_silence(expected),) * len(node.elements)
    if isinstance(expected, TupleType) and len(expected.elements) == len(node.elements):
        hints = expected.elements
    elements = tuple(as_value(check_expression(element, ctx, hint), ctx) for element, hint in zip(node.elements, hints, strict=True))
    if any(is_failed(element) for element in elements):
        return failed(node.span)
    type = TupleType(tuple(element.type for element in elements))
    if count_parts(type) - len(elements) > MOST_PARTS:  # A long flat tuple is not what doubles.
        message, help = f"the elements of this tuple have more than {MOST_PARTS} parts", "put tensors of one shape together with `concat`"
        ctx.checker.diagnostics.report("E6003", message, node.span, help=help)
        return failed(node.span)
    return MakeTuple(type, node.span, elements)


def _silence(expected: Type | None) -> Type | None:
    """The hint for the parts of a value whose place was reported: they need no type either."""
    return expected if isinstance(expected, ErrorType) else None


def check_list(node: tree.List, ctx: BodyContext, expected: Type | None) -> Expr:
    """A list where a value is due: E2101."""
    ctx.checker.diagnostics.report(
        "E2101",
        "a list is no value",
        node.span,
        label="stands only as a shape or axes in a call of a prelude function",
        help="make a tensor with `fill`, `iota` or `concat`, or a tuple with `( )`",
    )
    return failed(node.span)


def as_value(expr: Expr, ctx: BodyContext) -> Expr:
    """The expression, unless it is a block, an array of blocks, an optional block or nothing: those are no values (E2101)."""
    match expr.type:
        case UnitType():
            message, help = "a call without a result is no value", f"call it as `let _ = {expr.span.brief}`"
        case BlockType():
            message, help = f"block `{show(expr.type)}` is no value", "call one of its methods, or read one of its members"
        case ArrayType():
            message, help = f"`{show(expr.type)}` is no value", "index it, or go through it with `static for`"
        case OptionalType(inner=BlockType() | ArrayType()):
            message = "an optional block is no value"
            help = f"take it apart: `match {expr.span.brief} {{ some(block) => ... none => ... }}`"
        case _:
            return expr
    ctx.checker.diagnostics.report("E2101", message, expr.span, label="a value is due", help=help)
    return failed(expr.span)
