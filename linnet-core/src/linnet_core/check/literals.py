"""Literals, and the dtypes that hold their values.

In: literal nodes; a contextual `Literal` and the dtype its place gives it.  Out: typed `Literal`s whose value the dtype holds
(E2105).  An integer literal takes any numeric dtype, a float literal only a float dtype; neither becomes `bool`.  A float
keeps its decimal text, so that a narrow dtype rounds it once.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from linnet_core.check.compile_time import failed
from linnet_core.check.integers import integer_range
from linnet_core.check.program import Expr, Literal, MakeNone
from linnet_core.check.show_types import quote, show
from linnet_core.check.types import (
    BOOL_TYPE,
    FLOATS,
    INTEGERS,
    SIGNED,
    UNSIGNED,
    DTypeVar,
    ErrorType,
    LiteralType,
    OptionalType,
    ScalarType,
    TensorType,
    is_in_class,
)

if TYPE_CHECKING:
    from linnet_core.check.context import BodyContext
    from linnet_core.check.types import DType, DTypeName, Type
    from linnet_core.syntax import tree
    from linnet_core.text.span import Span

INTEGER_LITERAL = LiteralType("integer")
FLOAT_LITERAL = LiteralType("float")

#: First magnitude that rounds to infinity: the largest finite value and half a unit in its last place.
_FLOAT_LIMITS: dict[DTypeName, int] = {
    "f16": 65520,
    "bf16": 2**128 - 2**119,
    "f32": 2**128 - 2**103,
    "f64": 2**1024 - 2**970,
}


def check_int(node: tree.IntLiteral, ctx: BodyContext, expected: Type | None) -> Expr:
    """`12`, without a dtype yet."""
    return Literal(INTEGER_LITERAL, node.span, node.value)


def check_float(node: tree.FloatLiteral, ctx: BodyContext, expected: Type | None) -> Expr:
    """`1.5`, without a dtype yet; E2105 when not even f64 holds it."""
    return float_literal(node.value, node.text, node.span, ctx)


def float_literal(value: float, text: str, span: Span, ctx: BodyContext) -> Expr:
    """A contextual float; E2105 when it is not finite."""
    if not math.isfinite(value):
        help = "write a number, or compute an infinity or NaN at run time"
        ctx.checker.diagnostics.report("E2105", f"`{span.brief}` is no finite number", span, label="no float dtype holds it", help=help)
        return failed(span)
    return Literal(FLOAT_LITERAL, span, value, text)


def check_bool(node: tree.BoolLiteral, ctx: BodyContext, expected: Type | None) -> Expr:
    """`true` or `false`."""
    return Literal(BOOL_TYPE, node.span, node.value)


def check_string(node: tree.StringLiteral, ctx: BodyContext, expected: Type | None) -> Expr:
    """A string where a value is due: E2101, since strings have no use."""
    label, help = "only an unannotated `const` may be a string", "leave it out, or keep it as `const NAME = ...`"
    ctx.checker.diagnostics.report("E2101", "a string is no value", node.span, label=label, help=help)
    return failed(node.span)


def check_none(node: tree.NoneLiteral, ctx: BodyContext, expected: Type | None) -> Expr:
    """`none` of the optional type its place gives it (E2113 without one)."""
    match expected:
        case OptionalType():
            return MakeNone(expected, node.span)
        case ErrorType():
            return failed(node.span)
        case _:
            ctx.checker.diagnostics.report(
                "E2113",
                "`none` needs an optional type from its context",
                node.span,
                label="an absent what?" if expected is None else f"{quote(expected)} is due",
                help=_none_help(expected),
            )
            return failed(node.span)


def _none_help(expected: Type | None) -> str | None:
    if expected is None:
        return "give the type where it is bound: `let x: f32? = none`"
    return f"give a value of that type, or declare the place `{show(expected)}?`" if isinstance(expected, ScalarType | TensorType) else None


def takes(dtype: DType, kind: str) -> bool:
    """Whether a literal of `kind` (`integer` or `float`) can become `dtype`, its value aside."""
    return is_in_class(dtype, "numeric" if kind == "integer" else "float")


def literal_as(literal: Literal, dtype: DType, ctx: BodyContext) -> Expr:
    """A contextual literal as a scalar of `dtype`, a dtype that `takes` its kind; E2105 when the value does not fit."""
    problem = _misfit(literal.value, dtype)
    if problem is not None:
        shown = literal.text or str(literal.value)
        ctx.checker.diagnostics.report(
            "E2105",
            f"{shown} does not fit `{dtype}`",
            literal.span,
            label=f"becomes `{dtype}` here",
            notes=[problem],
            help=_holder(literal.value, dtype),
        )
        return failed(literal.span)
    if is_in_class(dtype, "float"):
        return Literal(ScalarType(dtype), literal.span, float(literal.value), literal.text or str(literal.value))
    return Literal(ScalarType(dtype), literal.span, literal.value, literal.text)


def _misfit(value: float, dtype: DType) -> str | None:
    """Why `dtype` does not hold `value`; None when it does (rounded, for floats) or when the dtype is not known yet."""
    if isinstance(dtype, DTypeVar):
        low, high = -(2**63), 2**64 - 1
        return None if dtype.bound == "float" or low <= value <= high else "no integer dtype holds it"
    if dtype in INTEGERS:
        low, high = integer_range(dtype)
        return None if low <= value <= high else f"`{dtype}` holds {low} to {high}"
    limit = _FLOAT_LIMITS[dtype]
    return None if -limit < value < limit else f"the largest `{dtype}` is about {_largest(dtype)}"


def _holder(value: float, dtype: DType) -> str | None:
    """The help that names the narrowest dtype of the same family that holds a value, a signed one for what is negative."""
    if isinstance(dtype, DTypeVar):
        return None
    families: tuple[tuple[DTypeName, ...], ...] = (SIGNED, UNSIGNED, ("f16", "f32", "f64"), FLOATS)
    family = next(family for family in families if dtype in family)
    holder = next((wider for wider in (*family, *SIGNED) if wider != dtype and _misfit(value, wider) is None), None)
    return None if holder is None else f"the narrowest dtype that holds it is `{holder}`"


def _largest(dtype: DTypeName) -> str:
    return {"f16": "65504", "bf16": "3.39e38", "f32": "3.4e38", "f64": "1.8e308"}[dtype]
