"""Expressions that pick one of several values: reading and replacing the values they pick from.

In: an `if`, `match`, `select` or the body of a bound pattern.  Out: its values, or the same expression over other values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from linnet_core.check.compile_time import failed, is_failed
from linnet_core.check.program import Bind, Expr, If, MatchEnum, MatchOptional, Select

if TYPE_CHECKING:
    from collections.abc import Callable


def branches(expr: Expr) -> tuple[Expr, ...]:
    """The values `expr` picks one of; none for an expression of another kind."""
    match expr:
        case If():
            return (expr.then, expr.otherwise)
        case Select():
            return (expr.on_true, expr.on_false)
        case MatchOptional():
            return (expr.some, expr.none)
        case MatchEnum():
            return expr.arms
        case Bind():
            return (expr.body,)
        case _:
            return ()


def change_branches(expr: Expr, change: Callable[[Expr], Expr]) -> Expr:
    """`expr` with `change` applied to each of its values, and the type of the first; failed when one of them is."""
    parts = tuple(change(branch) for branch in branches(expr))
    if not parts:
        return expr
    if any(is_failed(part) for part in parts):
        return failed(expr.span)
    type = parts[0].type
    match expr:
        case If():
            return replace(expr, type=type, then=parts[0], otherwise=parts[1])
        case Select():
            return replace(expr, type=type, on_true=parts[0], on_false=parts[1])
        case MatchOptional():
            return replace(expr, type=type, some=parts[0], none=parts[1])
        case MatchEnum():
            return replace(expr, type=type, arms=parts)
        case _:
            return replace(expr, type=type, body=parts[0])
