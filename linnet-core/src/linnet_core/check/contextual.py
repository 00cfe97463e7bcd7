"""Arithmetic on numbers that have no dtype yet.

In: an operation and contextual operands (literals, compile-time integers, float expressions of them).  Out: a contextual
result, folded wherever its value is known.  On compile-time integers `/` is floor division by a divisor proved positive
(E2205) and `%` its remainder, also where something is negative.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from linnet_core.check.coerce import coerce, settle
from linnet_core.check.compile_time import dim_of, failed, is_failed
from linnet_core.check.literals import FLOAT_LITERAL, INTEGER_LITERAL, float_literal
from linnet_core.check.program import Binary, Compare, DimValue, Expr, Literal, Unary
from linnet_core.check.resolve_dims import Divisor, prove_divisor
from linnet_core.check.types import BOOL_TYPE, F64, I64, DimType, LiteralType
from linnet_core.errors import LinnetError
from linnet_core.shapes import Dim, floordiv, mod

if TYPE_CHECKING:
    from linnet_core.check.context import BodyContext
    from linnet_core.text.span import Span


def fold_arithmetic(kind: str, left: Expr, right: Expr, span: Span, ctx: BodyContext) -> Expr:
    """`left kind right` for `add sub mul div rem` of two contextual operands."""
    a, b = dim_of(left), dim_of(right)
    if a is not None and b is not None:
        return _fold_dims(kind, a, b, right, compile_time=_is_dim(left) or _is_dim(right), span=span, ctx=ctx)
    if not (_is_float(left) or _is_float(right)):
        # An integer picked at run time (`if c { 1 } else { 2 }`): run-time arithmetic, so it cannot wait for a float.
        return _settled_binary(kind, left, right, span, ctx)
    x, y = _number(left), _number(right)
    if x is not None and y is not None:
        return _fold_floats(kind, x, y, span, ctx)
    return Binary(FLOAT_LITERAL, span, kind, left, right)  # type: ignore[arg-type]  # a kind of the operator table


def fold_bits(kind: str, left: Expr, right: Expr, span: Span, ctx: BodyContext) -> Expr:
    """`left kind right` for `bitand bitor bitxor` of two contextual integers; only constants fold."""
    a, b = dim_of(left), dim_of(right)
    if a is None or b is None or a.value is None or b.value is None:
        return _settled_binary(kind, left, right, span, ctx)
    match kind:
        case "bitand":
            value = a.value & b.value
        case "bitor":
            value = a.value | b.value
        case _:
            value = a.value ^ b.value
    return _integer(Dim.constant(value), _is_dim(left) or _is_dim(right), span)


def fold_compare(kind: str, left: Expr, right: Expr, span: Span, ctx: BodyContext) -> Expr:
    """A comparison of two contextual operands, as i64 or, where one is a float, as f64."""
    type = F64 if _is_float(left) or _is_float(right) else I64
    left, right = coerce(left, type, ctx), coerce(right, type, ctx)
    if is_failed(left) or is_failed(right):
        return failed(span)
    return Compare(BOOL_TYPE, span, kind, left, right)  # type: ignore[arg-type]  # a kind of the operator table


def fold_negation(operand: Expr, span: Span, ctx: BodyContext) -> Expr:
    """`-x` of a contextual operand."""
    dim = dim_of(operand)
    if dim is not None:
        return _integer(-dim, _is_dim(operand), span)
    if isinstance(operand, Literal):
        value = -operand.value
        return float_literal(value, repr(value), span, ctx)
    if not _is_float(operand):
        operand = settle(operand, ctx)
        return failed(span) if is_failed(operand) else Unary(operand.type, span, "neg", operand)
    return Unary(FLOAT_LITERAL, span, "neg", operand)


def _fold_dims(kind: str, a: Dim, b: Dim, divisor: Expr, *, compile_time: bool, span: Span, ctx: BodyContext) -> Expr:
    if kind in ("div", "rem") and not prove_divisor(Divisor(b, "/" if kind == "div" else "%", divisor.span), ctx):
        return failed(span)
    try:
        match kind:
            case "add":
                dim = a + b
            case "sub":
                dim = a - b
            case "mul":
                dim = a * b
            case "div":
                dim = floordiv(a, b)
            case _:
                dim = mod(a, b)
    except LinnetError as error:
        ctx.checker.diagnostics.report("E6003", str(error), span, help="let it speak of fewer sizes at once")
        return failed(span)
    return _integer(dim, compile_time, span)


def _fold_floats(kind: str, x: float, y: float, span: Span, ctx: BodyContext) -> Expr:
    match kind:
        case "add":
            value = x + y
        case "sub":
            value = x - y
        case "mul":
            value = x * y
        case "div":
            value = x / y if y else math.nan
        case _:
            value = math.fmod(x, y) if y else math.nan
    return float_literal(value, repr(value), span, ctx)


def _settled_binary(kind: str, left: Expr, right: Expr, span: Span, ctx: BodyContext) -> Expr:
    left, right = settle(left, ctx), settle(right, ctx)
    if is_failed(left) or is_failed(right):
        return failed(span)
    return Binary(I64, span, kind, left, right)  # type: ignore[arg-type]  # a kind of the operator table


def _integer(dim: Dim, compile_time: bool, span: Span) -> Expr:
    """A compile-time integer, or a plain literal when it was made of nothing but literals."""
    if compile_time or dim.value is None:
        return DimValue(DimType(dim), span, dim)
    return Literal(INTEGER_LITERAL, span, dim.value)


def _number(expr: Expr) -> float | None:
    """The value of a contextual operand as a float, where it is known and finite."""
    dim = dim_of(expr)
    if dim is not None:
        return float(dim.value) if dim.value is not None and abs(dim.value) < 2**1023 else None
    return float(expr.value) if isinstance(expr, Literal) else None


def _is_float(expr: Expr) -> bool:
    return isinstance(expr.type, LiteralType) and expr.type.kind == "float"


def _is_dim(expr: Expr) -> bool:
    return isinstance(expr.type, DimType)
