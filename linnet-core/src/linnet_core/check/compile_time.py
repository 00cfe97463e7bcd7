"""Which expressions are compile-time integers or literals that still wait for a dtype.

In: typed expressions.  Out: the dim or constant behind them, or None.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.program import Expr, Literal
from linnet_core.check.types import ERROR, DimType, ErrorType, LiteralType
from linnet_core.shapes import Dim

if TYPE_CHECKING:
    from linnet_core.check.types import Type
    from linnet_core.text.span import Span


def failed(span: Span) -> Expr:
    """The expression that stands for one already reported; its type silences what follows."""
    return Expr(ERROR, span)


def is_failed(expr: Expr) -> bool:
    """Whether the expression was already reported."""
    return isinstance(expr.type, ErrorType)


def is_contextual(type: Type) -> bool:
    """Whether a value of `type` takes its dtype from where it stands."""
    return isinstance(type, DimType | LiteralType)


def dim_of(expr: Expr) -> Dim | None:
    """The compile-time integer an expression is, None when it is something else (a float literal, a run-time value)."""
    match expr:
        case Expr(type=DimType(dim=dim)):
            return dim
        case Literal(type=LiteralType(kind="integer"), value=value):
            return Dim.constant(int(value))
        case _:
            return None
