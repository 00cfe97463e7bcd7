"""What is said when a value has another type than its place wants.

In: the value, the type that is due, and what the value is called.  Out: one diagnostic.  A tensor of the right dtype and
another shape is E2202, a tensor of another dtype E2103, everything else E2101, unless the place has a code of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.proof_notes import proof_notes
from linnet_core.check.same_type import first_difference
from linnet_core.check.show_types import show
from linnet_core.check.types import DimType, LiteralType, OptionalType, ScalarType, TensorType, UnitType
from linnet_core.shapes import Constraint, Dim, show_unit

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from linnet_core.check.context import BodyContext
    from linnet_core.check.program import Expr
    from linnet_core.check.types import Type

    #: Called only when there is something to report.
    Notes = Callable[[], Sequence[str]]


def report_mismatch(
    expr: Expr, expected: Type, ctx: BodyContext, *, what: str, code: str | None = None, notes: Notes | None = None
) -> None:
    """Report that `expr`, called `what`, is not of type `expected`; `notes` gives what to say of where the expected type is from."""
    found = expr.type
    known: tuple[str, ...] = ()
    help: str | None = None
    match found, expected:
        case TensorType(), TensorType():
            if found.dtype == expected.dtype:
                default = "E2202"
                known, help = shape_notes(found, expected, ctx)
            else:
                default = "E2103"
                help = f"convert it: `cast<{expected.dtype}>({expr.span.brief})`"
        case _:
            default = "E2101"
            help = _kind_help(found, expected, expr.span.brief)
    ctx.checker.diagnostics.report(
        code or default,
        f"{what} is {_spell(found)}, and {_spell(expected)} is due",
        expr.span,
        label=f"{_spell(expected)} is due",
        notes=(*(notes() if notes is not None else ()), *known),
        help=help,
    )


def _spell(type: Type) -> str:
    return show(type) if isinstance(type, DimType | LiteralType | UnitType) else f"`{show(type)}`"


def shape_notes(found: TensorType, expected: TensorType, ctx: BodyContext) -> tuple[tuple[str, ...], str | None]:
    """Which axis of `found` differs from the one that is due, and the `where` that would make it equal."""
    difference = first_difference(found.shape, expected.shape, ctx.facts)
    if difference is None:
        return (f"it has {_axes(found)}, and {_axes(expected)} are due",), None
    position, left, right = difference
    note = f"axis {position} is {show_unit(left)} where {show_unit(right)} is due"
    if not (isinstance(left, Dim) and isinstance(right, Dim)):
        return (note,), None
    known, help = proof_notes(Constraint("==", left, right), ctx)
    return (note, *known), help


def _axes(type: TensorType) -> str:
    return "1 axis" if len(type.shape) == 1 else f"{len(type.shape)} axes"


def _kind_help(found: Type, expected: Type, text: str) -> str | None:
    match found, expected:
        case OptionalType(), _ if found.inner == expected:
            return "take it out with `match`"
        case _, OptionalType() if not isinstance(found, OptionalType):
            return f"wrap it: `some({text})`"
        case ScalarType() | DimType() | LiteralType(), TensorType():
            return "a scalar lifts in arithmetic only; make a tensor with `fill`"
        case ScalarType(), ScalarType() if found.dtype != "bool" and expected.dtype != "bool":
            return f"convert it: `cast<{expected.dtype}>({text})`"
        case UnitType(), _:
            return f"call it as `let _ = {text}`"
        case _:
            return None
