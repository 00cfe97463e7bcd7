"""Operators: which operands they take, what they give.

In: operator nodes.  Out: `Unary`, `Binary` and `Compare` with one dtype on both sides and broadcasting proved, or a folded
contextual value.  E2104 (a wrong kind of operand), E2103 (two dtypes), E2207 (no provable broadcast), E2116 (`&&`, `||`, `!` on
something that is no scalar bool).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from linnet_core.check.broadcasting import broadcast_operands, report_not_lifted, report_two_dtypes
from linnet_core.check.coerce import coerce, default_type
from linnet_core.check.compile_time import failed, is_contextual, is_failed
from linnet_core.check.contextual import fold_arithmetic, fold_bits, fold_compare, fold_negation
from linnet_core.check.expressions import check_expression
from linnet_core.check.operand_order import dtype_beside, dtype_hint, lateness_of
from linnet_core.check.program import Binary, Compare, Expr, Unary
from linnet_core.check.repairs import cast_to, take_apart, tight, to_bool
from linnet_core.check.show_types import quote
from linnet_core.check.types import BOOL_TYPE, DTypeVar, LiteralType, ScalarType, StructType, TensorType, is_in_class, tensor_or_scalar
from linnet_core.syntax import tree
from linnet_core.text.diagnostic import Label

if TYPE_CHECKING:
    from linnet_core.check.context import BodyContext
    from linnet_core.check.types import DType, Type
    from linnet_core.text.span import Span

Family = Literal["arithmetic", "bits", "equality", "order", "logic"]

#: Spelling to family and to the kind of the typed node.
OPERATORS: dict[str, tuple[Family, str]] = {
    "+": ("arithmetic", "add"),
    "-": ("arithmetic", "sub"),
    "*": ("arithmetic", "mul"),
    "/": ("arithmetic", "div"),
    "%": ("arithmetic", "rem"),
    "&": ("bits", "bitand"),
    "|": ("bits", "bitor"),
    "^": ("bits", "bitxor"),
    "==": ("equality", "eq"),
    "!=": ("equality", "ne"),
    "<": ("order", "lt"),
    "<=": ("order", "le"),
    ">": ("order", "gt"),
    ">=": ("order", "ge"),
    "&&": ("logic", "and"),
    "||": ("logic", "or"),
}

_TAKES: dict[Family, str] = {
    "arithmetic": "numbers",
    "bits": "integers or bools",
    "equality": "numbers or bools",
    "order": "numbers",
    "logic": "scalar bools",
}


def check_binary(node: tree.Binary, ctx: BodyContext, expected: Type | None) -> Expr:
    """An infix operation.  A chain `a + b + ...` leans left and is walked without recursion."""
    chain = [node]
    while isinstance(chain[-1].left, tree.Binary):
        chain.append(chain[-1].left)
    hint = dtype_hint(expected)
    first = chain[-1]
    ahead = None
    if lateness_of(first.left) > lateness_of(first.right):
        ahead = _check_operand(first.right, first.left, ctx, _operand_hint(first, hint))
    left = _check_operand(first.left, first.right, ctx, _hint(first.left, ahead, first, hint))
    for operation in reversed(chain):
        if is_failed(left) and _opens_arguments(operation):
            return left
        right = ahead or _check_operand(operation.right, operation.left, ctx, _hint(operation.right, left, operation, hint))
        left, ahead = _binary(operation, left, right, ctx), None
    return left


def _hint(operand: tree.Expression, other: Expr | None, node: tree.Binary, place: Type | None) -> Type | None:
    """The dtype for an operand that has none: that of the other, which is looked at before it, else what the place wants."""
    beside = dtype_beside(other) if other is not None and lateness_of(operand) else None
    return beside or _operand_hint(node, place)


def _opens_arguments(node: tree.Binary) -> bool:
    """Whether the `<` is likely one of generic arguments that lack their `>`: what follows is no operand then."""
    text, end = node.span.source.text, node.left.span.end
    return isinstance(node.left, tree.Ref | tree.Field) and text.startswith("<", end)


def _check_operand(node: tree.Expression, other: tree.Expression, ctx: BodyContext, hint: Type | None) -> Expr:
    """One operand, `other` being the one beside it; `none` is E2113, since no operator compares with it."""
    if not isinstance(node, tree.NoneLiteral):
        return check_expression(node, ctx, hint)
    message, help = "`none` is no operand", f"ask with `match {other.span.brief} {{ some(value) => ... none => ... }}`"
    ctx.checker.diagnostics.report("E2113", message, node.span, label="no operator takes it", help=help)
    return failed(node.span)


def _operand_hint(node: tree.Binary, hint: Type | None) -> Type | None:
    """The operands of arithmetic have the dtype of its result; those of a comparison do not."""
    return hint if OPERATORS[node.operator][0] in ("arithmetic", "bits") else None


def _binary(node: tree.Binary, left: Expr, right: Expr, ctx: BodyContext) -> Expr:
    if is_failed(left) or is_failed(right):
        return failed(node.span)
    family, kind = OPERATORS[node.operator]
    if family == "logic":
        return _logic(node, kind, left, right, ctx)
    if not _takes(family, (left, right), node.operator, node.span, ctx):
        return failed(node.span)
    if is_contextual(left.type) and is_contextual(right.type):
        match family:
            case "arithmetic":
                return fold_arithmetic(kind, left, right, node.span, ctx)
            case "bits":
                return fold_bits(kind, left, right, node.span, ctx)
            case _:
                return fold_compare(kind, left, right, node.span, ctx)
    return _elementwise(node, family, kind, left, right, ctx)


def _elementwise(node: tree.Binary, family: Family, kind: str, left: Expr, right: Expr, ctx: BodyContext) -> Expr:
    """An operation with at least one operand of a definite dtype; the other takes it when it has none."""
    typed = left if not is_contextual(left.type) else right
    dtype = _dtype(typed)
    literal = right if typed is left else left
    if is_contextual(literal.type):
        if not is_in_class(dtype, "numeric"):
            report_not_lifted(literal, typed, node.span, ctx)
            return failed(node.span)
        lifted = coerce(literal, ScalarType(dtype), ctx)
        if is_failed(lifted):
            return failed(node.span)
        left, right = (left, lifted) if typed is left else (lifted, right)
    if _dtype(left) != _dtype(right):
        report_two_dtypes(left, right, node.span, f"`{node.operator}`", ctx)
        return failed(node.span)
    shape = broadcast_operands((left, right), node.span, ctx)
    if shape is None:
        return failed(node.span)
    if family in ("equality", "order"):
        return Compare(tensor_or_scalar(shape, "bool"), node.span, kind, left, right)  # type: ignore[arg-type]  # a kind of the operator table
    return Binary(tensor_or_scalar(shape, dtype), node.span, kind, left, right)  # type: ignore[arg-type]  # a kind of the operator table


def _dtype(operand: Expr) -> DType:
    assert isinstance(operand.type, TensorType | ScalarType)
    return operand.type.dtype


def _logic(node: tree.Binary, kind: str, left: Expr, right: Expr, ctx: BodyContext) -> Expr:
    """`&&`, `||`: scalar bools only."""
    if not _are_scalar_bools((left, right), node.operator, ctx):
        return failed(node.span)
    return Binary(BOOL_TYPE, node.span, kind, left, right)  # type: ignore[arg-type]  # a kind of the operator table


def _are_scalar_bools(operands: tuple[Expr, ...], operator: str, ctx: BodyContext) -> bool:
    """Whether all operands are scalar bools; one E2116 at the first that is not, with the others beside it."""
    wrong = [operand for operand in operands if operand.type != BOOL_TYPE]
    if not wrong:
        return True
    masks = all(isinstance(operand.type, TensorType | ScalarType) and operand.type.dtype == "bool" for operand in operands)
    help = _of_masks(operands, operator) if masks else to_bool(wrong[0].type, wrong[0].span.brief)
    if help is not None and operator == "!" and help.startswith("compare"):
        help = f"compare it: `{tight(wrong[0].span.brief)} == 0` takes the place of `!{wrong[0].span.brief}`"
    ctx.checker.diagnostics.report(
        "E2116",
        f"`{operator}` takes scalar bools",
        wrong[0].span,
        label=f"this is {quote(wrong[0].type)}",
        related=[Label(operand.span, f"this is {quote(operand.type)}") for operand in wrong[1:]],
        help=help,
    )
    return False


def _of_masks(operands: tuple[Expr, ...], operator: str) -> str:
    texts = [tight(operand.span.brief) for operand in operands]
    if operator == "!":
        return f"negate a mask with `{texts[0]} ^ true`"
    return f"combine masks with `{texts[0]} {operator[0]} {texts[1]}`"


def _takes(family: Family, operands: tuple[Expr, ...], operator: str, span: Span, ctx: BodyContext) -> bool:
    """Whether an operator of the family takes operands of that kind; E2104 over the whole operation otherwise."""
    wrong = [operand for operand in operands if not _is_taken(family, operand.type)]
    if not wrong:
        return True
    ctx.checker.diagnostics.report(
        "E2104",
        f"`{operator}` takes {_TAKES[family]}, and `{wrong[0].span.brief}` is {quote(wrong[0].type)}",
        span,
        label=f"takes {_TAKES[family]}",
        related=[Label(operand.span, f"this is {quote(operand.type)}") for operand in wrong],
        help=_kind_help(family, operands, wrong, operator),
    )
    return False


def _is_taken(family: Family, type: Type) -> bool:
    match type:
        case ScalarType() | TensorType():
            if type.dtype == "bool":
                return family in ("bits", "equality")
            return family == "equality" or is_in_class(type.dtype, "integer" if family == "bits" else "numeric")
        case LiteralType(kind="float"):
            return family != "bits"
        case _:
            return is_contextual(type)


def _kind_help(family: Family, operands: tuple[Expr, ...], wrong: list[Expr], operator: str) -> str | None:
    """How the first operand that is not taken becomes one that is."""
    type, text = wrong[0].type, wrong[0].span.brief
    if not isinstance(type, ScalarType | TensorType):
        if isinstance(type, LiteralType):
            return "write an integer"
        return "compare their fields" if isinstance(type, StructType) else take_apart(type, text)
    if isinstance(type.dtype, DTypeVar) and type.dtype.bound != "float":
        return f"declare `{type.dtype}: {'Integer' if family == 'bits' else 'Numeric'}`"
    if type.dtype != "bool":
        return "on floats, multiply masks or pick with `select`"
    if len(operands) == 1:
        return f"negate a bool with `!{tight(text)}`" if isinstance(type, ScalarType) else f"negate a mask with `{tight(text)} ^ true`"
    if len(wrong) == 2:
        return f"convert them: `{f' {operator} '.join(cast_to('i32', operand.span.brief) for operand in operands)}`"
    other = next(operand for operand in operands if operand is not wrong[0])
    dtype = other.type.dtype if isinstance(other.type, ScalarType | TensorType) else default_type(other.type).dtype
    return f"convert it: `{cast_to(dtype, text)}`, or pick with `select`"


def check_unary(node: tree.Unary, ctx: BodyContext, expected: Type | None) -> Expr:
    """`-x`, `+x`, `!x`."""
    operand = check_expression(node.operand, ctx, None if node.operator == "!" else expected)
    if is_failed(operand):
        return failed(node.span)
    if node.operator == "!":
        good = _are_scalar_bools((operand,), "!", ctx)
        return Unary(BOOL_TYPE, node.span, "not", operand) if good else failed(node.span)
    if not _takes("arithmetic", (operand,), node.operator, node.span, ctx):
        return failed(node.span)
    if node.operator == "+":
        return operand
    if is_contextual(operand.type):
        return fold_negation(operand, node.span, ctx)
    return Unary(operand.type, node.span, "neg", operand)
