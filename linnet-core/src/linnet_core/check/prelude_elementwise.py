"""`cast`, `exp` and its family, `abs`, `min`, `max`, `shl`, `shr`, `select`.

In: the syntax of a call.  Out: `Cast`, `Unary`, `Binary` or `Select`; a `DimValue` for `min` and `max` of compile-time integers, a
`Literal` where constants fold.  E2101, E2103, E2111, E2112, E2114, E2207.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.broadcasting import are_elementwise, broadcast_operands, one_dtype
from linnet_core.check.coerce import fit, settle
from linnet_core.check.compile_time import dim_of, failed, is_contextual, is_failed
from linnet_core.check.expressions import check_expression
from linnet_core.check.literals import FLOAT_LITERAL, INTEGER_LITERAL
from linnet_core.check.operand_order import check_operands
from linnet_core.check.prelude_arguments import bind_arguments, dtype_argument, takes_no_generics
from linnet_core.check.program import Binary, Cast, DimValue, Expr, Literal, Select, Unary
from linnet_core.check.repairs import cast_to, tight, to_bool
from linnet_core.check.resolve_dims import shifted
from linnet_core.check.show_types import quote
from linnet_core.check.types import BOOL, DTYPES, DimType, LiteralType, ScalarType, TensorType, is_in_class, shape_of, tensor_or_scalar
from linnet_core.shapes import maximum, minimum
from linnet_core.syntax import tree

if TYPE_CHECKING:
    from linnet_core.check.context import BodyContext
    from linnet_core.check.types import DTypeClass, Type
    from linnet_core.shapes import Dim

_CLASS_WORDS: dict[DTypeClass, str] = {"float": "floats", "numeric": "numbers", "integer": "integers", "any": "any dtype"}


def check_cast(name: str, node: tree.Call, ctx: BodyContext, expected: Type | None) -> Expr:
    """`cast<T>(x)`: the shape of `x`, dtype `T`; a number without dtype has its default first."""
    dtype = dtype_argument(name, node, "any", ctx)
    if dtype is True:
        return _cast_to_nothing(name, node, ctx)
    operands = _operands(name, node, ("x",), ctx)
    if operands is None or isinstance(dtype, bool):
        return failed(node.span)
    operand = settle(operands[0], ctx)
    shape = shape_of(operand.type)
    return failed(node.span) if shape is None else Cast(tensor_or_scalar(shape, dtype), node.span, operand)


def _cast_to_nothing(name: str, node: tree.Call, ctx: BodyContext) -> Expr:
    """E2111.  A dtype that stands among the arguments, as other libraries have it, is the one that is meant."""
    named = [each for each in node.arguments if isinstance(each.value, tree.Ref) and each.value.name in DTYPES]
    others = [each for each in node.arguments if each not in named]
    if named and len(others) == 1:
        check_expression(others[0].value, ctx)
    else:
        _operands(name, node, ("x",), ctx)
    dtype = named[0].value.span.brief if named else "f32"
    help = f"write `cast<{dtype}>({', '.join(each.span.brief for each in others)})`"
    ctx.checker.diagnostics.report("E2111", "`cast` needs the dtype to convert to", node.callee.span, label="to what?", help=help)
    return failed(node.span)


def check_float_function(name: str, node: tree.Call, ctx: BodyContext, expected: Type | None) -> Expr:
    """`exp(x)` and its family, on floats."""
    operand = _one_operand(name, node, ctx, expected, "float")
    return failed(node.span) if operand is None else Unary(operand.type, node.span, name, operand)  # type: ignore[arg-type]  # a name of the prelude


def check_abs(name: str, node: tree.Call, ctx: BodyContext, expected: Type | None) -> Expr:
    """`abs(x)`, on numbers; of constants a constant, of a compile-time integer one."""
    operands = _operands(name, node, ("x",), ctx) if takes_no_generics(name, node, ctx) else None
    if operands is None:
        return failed(node.span)
    match operands[0]:
        case Literal(type=LiteralType() as type, value=value, text=text):
            return Literal(type, node.span, abs(value), text.lstrip("-") if text else text)
        case Expr(type=DimType(dim=dim)):
            return _dim_value(maximum(dim, -dim), node)
        case _:
            operand = _classed(operands[0], name, ctx, expected, "numeric")
            return failed(node.span) if operand is None else Unary(operand.type, node.span, "abs", operand)


def check_extremum(name: str, node: tree.Call, ctx: BodyContext, expected: Type | None) -> Expr:
    """`min(a, b)`, `max(a, b)`: numbers of one dtype, broadcast; of two compile-time integers a compile-time integer."""
    operands = _operands(name, node, ("a", "b"), ctx, expected) if takes_no_generics(name, node, ctx) else None
    if operands is None:
        return failed(node.span)
    left, right = (dim_of(operand) for operand in operands)
    if left is not None and right is not None:
        return _fold_dims(name, node, left, right, operands)
    if all(isinstance(operand, Literal) and is_contextual(operand.type) for operand in operands):
        return _fold_literals(name, node, operands)
    if all(is_contextual(operand.type) for operand in operands) and FLOAT_LITERAL in (operand.type for operand in operands):
        return Binary(FLOAT_LITERAL, node.span, name, *operands)  # type: ignore[arg-type]  # a name of the prelude
    return _binary(name, node, operands, ctx, expected, "numeric")


def check_shift(name: str, node: tree.Call, ctx: BodyContext, expected: Type | None) -> Expr:
    """`shl(x, b)`, `shr(x, b)`: integers of one dtype, broadcast; of two constants a constant."""
    operands = _operands(name, node, ("x", "b"), ctx, expected) if takes_no_generics(name, node, ctx) else None
    if operands is None:
        return failed(node.span)
    left, right = (dim_of(operand) for operand in operands)
    if left is not None and right is not None and left.value is not None and right.value is not None:
        return Literal(INTEGER_LITERAL, node.span, shifted(name, left.value, right.value))
    return _binary(name, node, operands, ctx, expected, "integer")


def check_select(name: str, node: tree.Call, ctx: BodyContext, expected: Type | None) -> Expr:
    """`select(c, a, b)`: a bool condition, two values of one dtype, all three broadcast."""
    bound = bind_arguments(name, node, ("c", "a", "b"), ctx) if takes_no_generics(name, node, ctx) else None
    if bound is None:
        return failed(node.span)
    condition, *values = check_expression(bound[0], ctx), *check_operands(bound[1:], ctx, expected)
    if not are_elementwise((condition, *values), f"`{name}`", ctx):
        return failed(node.span)
    if not (isinstance(condition.type, TensorType | ScalarType) and condition.type.dtype == BOOL):
        message = f"the condition of `select` is bool, this is {quote(condition.type)}"
        numbers = isinstance(condition.type, TensorType) and is_in_class(condition.type.dtype, "numeric")
        text = condition.span.brief
        help = f"compare it: `{tight(text)} != 0`" if numbers else to_bool(condition.type, text)
        ctx.checker.diagnostics.report("E2114", message, condition.span, label="bool is due", help=help)
        return failed(node.span)
    typed = one_dtype(values, node.span, "`select`", ctx, expected)
    shape = None if typed is None else broadcast_operands((condition, *typed), node.span, ctx)
    if typed is None or shape is None:
        return failed(node.span)
    on_true, on_false = typed
    return Select(tensor_or_scalar(shape, on_true.type.dtype), node.span, condition, on_true, on_false)  # type: ignore[union-attr]  # an operand with a dtype


def _operands(
    name: str, node: tree.Call, params: tuple[str, ...], ctx: BodyContext, expected: Type | None = None
) -> tuple[Expr, ...] | None:
    """The typed arguments, tensors, scalars and numbers without dtype only; None when one was reported."""
    bound = bind_arguments(name, node, params, ctx)
    if bound is None:
        return None
    operands = tuple(check_operands(bound, ctx, expected))
    return operands if are_elementwise(operands, f"`{name}`", ctx) else None


def _one_operand(name: str, node: tree.Call, ctx: BodyContext, expected: Type | None, wanted: DTypeClass) -> Expr | None:
    operands = _operands(name, node, ("x",), ctx) if takes_no_generics(name, node, ctx) else None
    return None if operands is None else _classed(operands[0], name, ctx, expected, wanted)


def _classed(operand: Expr, name: str, ctx: BodyContext, expected: Type | None, wanted: DTypeClass) -> Expr | None:
    """The operand at its dtype, which has to be in the class `wanted` (E2112)."""
    if is_contextual(operand.type):
        if isinstance(expected, ScalarType) and is_in_class(expected.dtype, wanted):
            operand = fit(operand, expected, ctx)
        else:
            operand = settle(operand, ctx)
    if is_failed(operand) or not is_of_class(operand, name, wanted, ctx):
        return None
    return operand


def is_of_class(operand: Expr, name: str, wanted: DTypeClass, ctx: BodyContext) -> bool:
    """Whether the dtype of an operand is in the class a prelude function takes; E2112 otherwise."""
    assert isinstance(operand.type, TensorType | ScalarType)
    dtype = operand.type.dtype
    if is_in_class(dtype, wanted):
        return True
    ctx.checker.diagnostics.report(
        "E2112",
        f"`{name}` takes {_CLASS_WORDS[wanted]}, this is {dtype}",
        operand.span,
        label=f"this is {quote(operand.type)}",
        help=f"convert it: `{cast_to('f32' if wanted == 'float' else 'i32', operand.span.brief)}`",
    )
    return False


def _binary(name: str, node: tree.Call, operands: tuple[Expr, ...], ctx: BodyContext, expected: Type | None, wanted: DTypeClass) -> Expr:
    definite = [operand for operand in operands if not is_contextual(operand.type)]
    if len(definite) == 1 and not is_of_class(definite[0], name, wanted, ctx):
        return failed(node.span)
    typed = one_dtype(operands, node.span, f"`{name}`", ctx, expected)
    if typed is None or _are_bools(typed, name, node, ctx) or not is_of_class(typed[0], name, wanted, ctx):
        return failed(node.span)
    shape = broadcast_operands(typed, node.span, ctx)
    if shape is None:
        return failed(node.span)
    left, right = typed
    return Binary(tensor_or_scalar(shape, left.type.dtype), node.span, name, left, right)  # type: ignore[arg-type,union-attr]  # a name of the prelude; operands with a dtype


def _are_bools(operands: tuple[Expr, ...], name: str, node: tree.Call, ctx: BodyContext) -> bool:
    """E2112 for `min` and `max` of bools, which are `&` and `|`."""
    if name not in ("min", "max") or getattr(operands[0].type, "dtype", None) != BOOL:
        return False
    left, right = (tight(operand.span.brief) for operand in operands)
    ctx.checker.diagnostics.report(
        "E2112",
        f"`{name}` takes numbers, this is bool",
        operands[0].span,
        label=f"this is {quote(operands[0].type)}",
        help=f"of bools it is `{left} {'&' if name == 'min' else '|'} {right}`",
    )
    return True


def _fold_dims(name: str, node: tree.Call, left: Dim, right: Dim, operands: tuple[Expr, ...]) -> Expr:
    folded = minimum(left, right) if name == "min" else maximum(left, right)
    if folded.value is not None and not any(isinstance(operand.type, DimType) for operand in operands):
        return Literal(INTEGER_LITERAL, node.span, folded.value)
    return _dim_value(folded, node)


def _fold_literals(name: str, node: tree.Call, operands: tuple[Expr, ...]) -> Expr:
    """The smaller or larger of two numbers, one of them a float, so the result is one."""
    chosen = (min if name == "min" else max)(operands, key=lambda operand: operand.value)  # type: ignore[attr-defined]  # both are literals
    text = chosen.text if chosen.text is not None else repr(float(chosen.value))  # type: ignore[attr-defined]  # both are literals
    return Literal(FLOAT_LITERAL, node.span, float(chosen.value), text)  # type: ignore[attr-defined]  # both are literals


def _dim_value(dim: Dim, node: tree.Call) -> DimValue:
    return DimValue(DimType(dim), node.span, dim)
