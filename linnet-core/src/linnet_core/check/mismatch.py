"""What is said when a value has another type than its place wants.

In: the value, the type that is due, and what the value is called.  Out: one diagnostic.  A tensor of the right dtype and
another shape is E2202, a tensor of another dtype E2103, everything else E2101, unless the place has a code of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.proof_notes import proof_notes
from linnet_core.check.repairs import cast_to, take_apart, tight, to_bool, to_element
from linnet_core.check.same_type import first_difference
from linnet_core.check.show_types import show
from linnet_core.check.types import (
    BOOL,
    DimType,
    EnumType,
    LiteralType,
    OptionalType,
    ScalarType,
    StructType,
    TensorType,
    TupleType,
    UnitType,
)
from linnet_core.shapes import Constraint, Dim, Mismatch, Pack, broadcast, count, equal_shapes, prove_equal, show_shape, show_unit

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from linnet_core.check.context import BodyContext
    from linnet_core.check.program import Expr
    from linnet_core.check.types import Type
    from linnet_core.shapes import Shape, Unit
    from linnet_core.text.diagnostic import Label

    #: Called only when there is something to report.
    Notes = Callable[[], Sequence[str]]


def report_mismatch(
    expr: Expr,
    expected: Type,
    ctx: BodyContext,
    *,
    what: str,
    code: str | None = None,
    notes: Notes | None = None,
    related: Sequence[Label] = (),
    closed: bool = True,
) -> None:
    """Report that `expr`, called `what`, is not of type `expected`.

    `notes` gives what to say of where the expected type is from.  With `closed` unset, `expected` holds generics of a callee that have no
    value yet, so no help can spell it.
    """
    found = expr.type
    known: tuple[str, ...] = ()
    help: str | None = None
    match found, expected:
        case TensorType(), TensorType():
            if found.dtype == expected.dtype:
                default = "E2202"
                known, help = shape_notes(found, expected, expr.span.brief, ctx)
            else:
                default = "E2103"
                help = f"convert it: `{cast_to(expected.dtype, expr.span.brief)}`"
        case _:
            default = "E2101"
            help = kind_help(found, expected, expr.span.brief)
    if not closed and isinstance(expected, TensorType):
        help = "a scalar lifts in arithmetic only; make a tensor with `fill`" if not isinstance(found, TensorType) else None
    ctx.checker.diagnostics.report(
        code or default,
        f"{what} is {_spell(found)}, and {_spell(expected)} is due",
        expr.span,
        label=f"{_spell(expected)} is due",
        related=related,
        notes=(*(notes() if notes is not None else ()), *known),
        help=help,
    )


def _spell(type: Type) -> str:
    return show(type) if isinstance(type, DimType | LiteralType | UnitType) else f"`{show(type)}`"


def shape_notes(found: TensorType, expected: TensorType, text: str, ctx: BodyContext) -> tuple[tuple[str, ...], str | None]:
    """Which axis of `found` differs from the one that is due, and what would make it equal: a call that gives the tensor that shape, or a
    `where`."""
    difference = first_difference(found.shape, expected.shape, ctx.facts)
    if difference is None:
        due = "is due" if len(expected.shape) == 1 else "are due"
        return (f"it has {_axes(found)}, and {_axes(expected)} {due}",), _reshaped(found.shape, expected.shape, text, ctx)
    position, left, right = difference
    note = f"axis {position} is {show_unit(left)} where {show_unit(right)} is due"
    if not (isinstance(left, Dim) and isinstance(right, Dim)):
        return (note, "a pack equals the same pack only"), "declare both over the same pack"
    changed = _reordered(found.shape, expected.shape, text) or _repeated(found.shape, expected.shape, text, ctx)
    known, help = proof_notes(Constraint("==", left, right), ctx, assume=changed is None)
    return (note, *known), changed or help


def _axes(type: TensorType) -> str:
    return "1 axis" if len(type.shape) == 1 else f"{len(type.shape)} axes"


def _reshaped(found: Shape, expected: Shape, text: str, ctx: BodyContext) -> str | None:
    """For a shape of another rank with as many elements, or one that the tensor can be repeated to."""
    if prove_equal(count(found), count(expected), ctx.facts):
        return f"give it that shape: `reshape({text}, {show_shape(expected)})`"
    return _repeated(found, expected, text, ctx) or _other_rank(found, expected, text)


def _other_rank(found: Shape, expected: Shape, text: str) -> str | None:
    """For one with more or fewer axes, where their sizes tell nothing."""
    if any(isinstance(unit, Pack) for unit in (*found, *expected)):
        return None
    more = len(found) - len(expected)
    if more > 0:
        part = f"{tight(text)}[{', '.join('0' * more)}]"
        return f"take it at one position of {'an axis' if more == 1 else f'{more} axes'}, as `{part}` does, or reduce over what is too much"
    return "neither `broadcast_to` nor `reshape` makes this of it: give it its axes where it is made"


def _repeated(found: Shape, expected: Shape, text: str, ctx: BodyContext) -> str | None:
    """For a shape with axes of 1, or without some axes: nothing broadcasts by itself here."""
    result = broadcast(found, expected, ctx.facts)
    if isinstance(result, Mismatch) or not equal_shapes(result, expected, ctx.facts):
        return None
    return f"repeat it: `broadcast_to({text}, {show_shape(expected)})`"


def _reordered(found: Shape, expected: Shape, text: str) -> str | None:
    """For the same axes in another order."""
    left: list[Unit | None] = list(found)
    if any(isinstance(unit, Pack) for unit in found):
        return None
    axes: list[int] = []
    for unit in expected:
        if unit not in left:
            return None
        axes.append(left.index(unit))
        left[axes[-1]] = None
    return f"reorder its axes: `permute({text}, {axes})`"


def kind_help(found: Type, expected: Type, text: str) -> str | None:
    """How a value of one kind becomes one of the other."""
    match found, expected:
        case OptionalType(), _ if found.inner == expected:
            return f"take it out: `match {text} {{ some(value) => value none => ... }}`"
        case _, OptionalType() if not isinstance(found, OptionalType):
            return _wrapped(found, expected.inner, text)
        case ScalarType() | DimType() | LiteralType(), TensorType() if expected.dtype != BOOL or _is_bool(found):
            return f"a scalar lifts in arithmetic only; make a tensor: `{_filled(found, expected, text)}`"
        case TensorType(), ScalarType() if found.dtype == expected.dtype:
            return to_element(found, text)
        case ScalarType(), ScalarType() if expected.dtype != BOOL:
            return f"convert it: `{cast_to(expected.dtype, text)}`"
        case ScalarType() | DimType() | LiteralType(), ScalarType() if expected.dtype == BOOL:
            return to_bool(found, text)
        case UnitType(), _:
            return f"call it as `let _ = {text}`"
        case OptionalType(), _:
            return take_apart(found, text)
        case _, TupleType():
            return f"give a tuple of {len(expected.elements)} values"
        case TupleType(), _ if expected in found.elements:
            return f"give one value, not a tuple of {len(found.elements)}"
        case _, StructType():
            return f"make one by its name: `{expected.name}(...)`"
        case _, EnumType():
            return f"name one of its variants: `{expected.name}. ...`"
        case _:
            return None


def _is_bool(type: Type) -> bool:
    return isinstance(type, ScalarType) and type.dtype == BOOL


def _wrapped(found: Type, inner: Type, text: str) -> str | None:
    """`some(x)`, with `x` converted first where its dtype differs, filled where a tensor is due.

    For a value of another kind it is what turns that into the value inside.
    """
    match found, inner:
        case (ScalarType(), ScalarType()) | (TensorType(), TensorType()) if found.dtype != inner.dtype:
            return f"wrap it: `some({cast_to(inner.dtype, text)})`"
        case ScalarType() | DimType() | LiteralType(), TensorType() if inner.dtype != BOOL or _is_bool(found):
            return f"wrap it: `some({_filled(found, inner, text)})`"
        case (ScalarType(), ScalarType()) | (TensorType(), TensorType()):
            return f"wrap it: `some({text})`"
        case DimType() | LiteralType(), ScalarType() if inner.dtype != BOOL:
            return f"wrap it: `some({text})`"
        case _ if found == inner:
            return f"wrap it: `some({text})`"
        case _:
            return kind_help(found, inner, text)


def _filled(found: Type, expected: TensorType, text: str) -> str:
    """A tensor of the expected type that holds a scalar everywhere."""
    shape = show_shape(expected.shape)
    if not isinstance(found, ScalarType):
        return f"fill<{expected.dtype}>({shape}, {text})"
    return f"fill({shape}, {text if found.dtype == expected.dtype else cast_to(expected.dtype, text)})"
