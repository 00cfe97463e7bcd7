"""Values of which one is picked: branches of an `if`, arms of a `match`.

In: how each of them is typed.  Out: the values at one type; a literal takes the dtype of its neighbours, `none` their optional
type.  E2115 where the types differ.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.coerce import fit, holds_context, of_one_form, settle
from linnet_core.check.compile_time import is_contextual, is_failed
from linnet_core.check.literals import takes
from linnet_core.check.mismatch import kind_help, shape_notes
from linnet_core.check.repairs import cast_to
from linnet_core.check.same_type import same_type
from linnet_core.check.sequences import as_value
from linnet_core.check.show_types import quote, show
from linnet_core.check.types import ERROR, LiteralType, ScalarType, TensorType
from linnet_core.syntax import tree
from linnet_core.text.diagnostic import Label

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from linnet_core.check.context import BodyContext
    from linnet_core.check.program import Expr
    from linnet_core.check.types import Type

#: One branch: its syntax, and the function that types it given the type its place wants.
Branch = tuple[tree.Expression, "Callable[[Type | None], Expr]"]


def check_branches(branches: Sequence[Branch], ctx: BodyContext, expected: Type | None) -> list[Expr]:
    """The typed values in the order given.  `none`s are typed last, when the others have said what they are."""
    order = sorted(range(len(branches)), key=lambda at: isinstance(branches[at][0], tree.NoneLiteral))
    values: dict[int, Expr] = {}
    hint = expected
    for at in order:
        value = as_value(branches[at][1](hint), ctx)
        values[at] = value
        if is_failed(value) and (hint is None or isinstance(branches[at][0], tree.NoneLiteral)):
            hint = ERROR  # What was reported is why the `none`s after it have no type.
        elif hint is None and not is_failed(value) and not is_contextual(value.type):
            hint = value.type
    return [values[at] for at in range(len(branches))]


def join(values: Sequence[Expr], ctx: BodyContext, what: str) -> tuple[Type, list[Expr]] | None:
    """One type for all values, and the values at it; None when one failed or E2115 was reported.

    `what` names the values in messages (`branches`, `arms`).
    """
    if any(is_failed(value) for value in values):
        return None
    if all(is_contextual(value.type) for value in values):
        is_float = any(isinstance(value.type, LiteralType) and value.type.kind == "float" for value in values)
        return LiteralType("float" if is_float else "integer"), list(values)
    if all(value.type == values[0].type for value in values):
        return values[0].type, list(values)
    typed = [value for value in values if not is_contextual(value.type)]
    lead = next((value for value in typed if not holds_context(value.type)), typed[0])
    settled = settle(lead, ctx)
    if is_failed(settled):
        return None
    fitted = [_at_type(value, settled, ctx, what) for value in values]
    good = [value for value in fitted if value is not None and not is_failed(value)]
    return (settled.type, good) if len(good) == len(values) else None


def _at_type(value: Expr, lead: Expr, ctx: BodyContext, what: str) -> Expr | None:
    """One value at the type of `lead`; None after E2115."""
    if value.span == lead.span:
        return lead
    if is_contextual(value.type):
        kind = value.type.kind if isinstance(value.type, LiteralType) else "integer"
        if isinstance(lead.type, ScalarType) and takes(lead.type.dtype, kind):
            return fit(value, lead.type, ctx, code="E2115")
    else:
        waits = holds_context(value.type) and of_one_form(value.type, lead.type)
        settled = fit(value, lead.type, ctx, code="E2115") if waits else value
        if is_failed(settled) or same_type(settled.type, lead.type, ctx.facts):
            return settled
    first, second = sorted((lead, value), key=lambda expr: expr.span.start)
    notes, help = (), None
    if isinstance(first.type, TensorType) and isinstance(second.type, TensorType) and first.type.dtype == second.type.dtype:
        notes, help = shape_notes(second.type, first.type, second.span.brief, ctx)
    else:
        help = _help(first, second)
    ctx.checker.diagnostics.report(
        "E2115",
        f"the {what} have different types, {quote(first.type)} and {quote(second.type)}",
        second.span,
        label=show(second.type),
        related=[Label(first.span, show(first.type))],
        notes=notes,
        help=help,
    )
    return None


def _help(first: Expr, second: Expr) -> str | None:
    """How one of two values of different kinds becomes the other."""
    match first.type, second.type:
        case (TensorType() | ScalarType(), TensorType() | ScalarType()) if type(first.type) is type(second.type):
            return f"convert it: `{cast_to(first.type.dtype, second.span.brief)}`"
        case ScalarType(), LiteralType():
            return f"write an integer, or convert: `{cast_to(first.type.dtype, second.span.brief)}`"
        case _:
            return kind_help(second.type, first.type, second.span.brief) or kind_help(first.type, second.type, first.span.brief)
