"""Expressions: which function gives which syntax node its type.

In: a syntax node, the `BodyContext` of the place, and the type the place wants, when it wants one.  Out: a typed expression.
What is wrong is reported where it stands, and the expression then has the type ERROR, which silences what follows.

The result may be *contextual*: a number without a dtype (`LiteralType`), a compile-time integer (`DimType`), or an optional,
tuple, `if` or `match` of such.  `coerce.py` gives it a dtype, by what the place wants (`fit`) or by default (`settle`).
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from linnet_core.check.coerce import fit
from linnet_core.check.compile_time import failed
from linnet_core.syntax import tree

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from linnet_core.check.context import BodyContext
    from linnet_core.check.program import Expr
    from linnet_core.check.types import Type

    Check = Callable[[Any, BodyContext, "Type | None"], Expr]


def check_expression(node: tree.Expression, ctx: BodyContext, expected: Type | None = None) -> Expr:
    """The typed expression of `node`.

    `expected` only helps where a value has no type of its own (`none`, the branches of an `if`); whether the value has that
    type is `check_value`'s question.
    """
    return _checks()[type(node)](node, ctx, expected)


def check_value(node: tree.Expression, ctx: BodyContext, expected: Type, *, what: str = "this value", code: str | None = None) -> Expr:
    """The typed expression of `node`, which has to be a value of type `expected`.

    `what` names the value in messages; `code` replaces the code of a wrong type (E2109 for assignments).
    """
    return fit(check_expression(node, ctx, expected), expected, ctx, what=what, code=code)


@cache
def _checks() -> dict[type, Check]:
    """The table, made at the first use because every family below checks its parts through this module."""
    from linnet_core.check import calls, control, indexing, literals, matching, members, operators, reductions, sequences

    return {
        tree.IntLiteral: literals.check_int,
        tree.FloatLiteral: literals.check_float,
        tree.BoolLiteral: literals.check_bool,
        tree.StringLiteral: literals.check_string,
        tree.NoneLiteral: literals.check_none,
        tree.Some: sequences.check_some,
        tree.Tuple: sequences.check_tuple,
        tree.List: sequences.check_list,
        tree.Ref: members.check_ref,
        tree.Field: members.check_field,
        tree.Unary: operators.check_unary,
        tree.Binary: operators.check_binary,
        tree.Call: calls.check_call,
        tree.Index: indexing.check_index,
        tree.Reduction: reductions.check_reduction,
        tree.If: control.check_if,
        tree.Match: matching.check_match,
        tree.ForExpression: _check_misplaced_for,
    }


def _check_misplaced_for(node: tree.ForExpression, ctx: BodyContext, expected: Type | None) -> Expr:
    ctx.checker.diagnostics.report(
        "E2124",
        "a `for` has a value only as the whole value of a `let`, `var`, assignment or `return`",
        node.span,
        label="part of an expression",
        help="give it a name first: `let values = for ...`",
    )
    return failed(node.span)
