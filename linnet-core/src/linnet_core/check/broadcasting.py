"""Operands of one elementwise operation: one dtype, one broadcast shape.

In: typed operands, of which literals and compile-time integers still wait for a dtype.  Out: the operands at one dtype, and the
shape they broadcast to.  E2101 for what is no number, E2103 for two dtypes, E2207 for shapes that do not provably broadcast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.coerce import fit
from linnet_core.check.compile_time import is_contextual, is_failed
from linnet_core.check.program import Fill, Iota, Literal
from linnet_core.check.proof_notes import proof_notes, show_units
from linnet_core.check.repairs import take_apart
from linnet_core.check.show_types import quote, show
from linnet_core.check.types import BOOL, LiteralType, ScalarType, StructType, TensorType, is_in_class, shape_of
from linnet_core.shapes import Constraint, Dim, Mismatch, Pack, broadcast, show_shape
from linnet_core.text.diagnostic import Label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linnet_core.check.context import BodyContext
    from linnet_core.check.program import Expr
    from linnet_core.check.types import DType, Type
    from linnet_core.shapes import Shape
    from linnet_core.text.span import Span


def are_elementwise(operands: Sequence[Expr], what: str, ctx: BodyContext) -> bool:
    """Whether every operand of `what` is a tensor, a scalar or a number without dtype (E2101); false for a failed one."""
    good = True
    for operand in operands:
        if is_failed(operand):
            good = False
        elif not (isinstance(operand.type, TensorType | ScalarType) or is_contextual(operand.type)):
            message = f"{what} takes tensors and scalars, this is {quote(operand.type)}"
            help = take_apart(operand.type, operand.span.brief) or _of_struct(operand.type)
            ctx.checker.diagnostics.report("E2101", message, operand.span, label="no tensor and no scalar", help=help)
            good = False
    return good


def _of_struct(type: Type) -> str | None:
    return "give one of its fields" if isinstance(type, StructType) else None


def one_dtype(operands: Sequence[Expr], span: Span, what: str, ctx: BodyContext, expected: Type | None) -> tuple[Expr, ...] | None:
    """The operands at one dtype: that of the first typed one, else what the place wants, else i64 or f64.  None after E2103."""
    typed = [operand for operand in operands if isinstance(operand.type, TensorType | ScalarType)]
    dtype = _dtype(typed[0]) if typed else _default_dtype(operands, expected)
    for other in typed[1:]:
        if _dtype(other) != dtype:
            report_two_dtypes(typed[0], other, span, what, ctx)
            return None
    if typed and not is_in_class(dtype, "numeric"):
        literal = next((operand for operand in operands if is_contextual(operand.type)), None)
        if literal is not None:
            report_not_lifted(literal, typed[0], span, ctx)
            return None
    lifted = tuple(fit(operand, ScalarType(dtype), ctx) if is_contextual(operand.type) else operand for operand in operands)
    return None if any(is_failed(operand) for operand in lifted) else lifted


def _dtype(operand: Expr) -> DType:
    assert isinstance(operand.type, TensorType | ScalarType)
    return operand.type.dtype


def _default_dtype(operands: Sequence[Expr], expected: Type | None) -> DType:
    if isinstance(expected, TensorType | ScalarType):
        return expected.dtype
    is_float = any(isinstance(operand.type, LiteralType) and operand.type.kind == "float" for operand in operands)
    return "f64" if is_float else "i64"


def report_not_lifted(literal: Expr, typed: Expr, span: Span, ctx: BodyContext) -> None:
    """E2103 over the whole operation, for a number beside something that is, or may be, bool."""
    dtype = _dtype(typed)
    help = "write `true` or `false`" if dtype == BOOL else f"declare `{dtype}: Numeric`"
    labels = [Label(typed.span, str(dtype)), Label(literal.span, show(literal.type))]
    ctx.checker.diagnostics.report(
        "E2103",
        f"{quote(literal.type)} does not become {dtype}",
        span,
        label="one dtype is needed",
        related=sorted(labels, key=lambda label: label.span.start),
        help=help,
    )


def report_two_dtypes(first: Expr, second: Expr, span: Span, what: str, ctx: BodyContext) -> None:
    """E2103 over the whole operation, with the dtype under each operand."""
    ctx.checker.diagnostics.report(
        "E2103",
        f"the operands of {what} have two dtypes, {_dtype(first)} and {_dtype(second)}",
        span,
        label="one dtype is needed",
        related=[Label(first.span, str(_dtype(first))), Label(second.span, str(_dtype(second)))],
        help=_at_dtype(first, _dtype(second)) or _at_dtype(second, _dtype(first)) or _converted(first, second),
    )


def _converted(first: Expr, second: Expr) -> str:
    return f"convert one of them: `cast<{_dtype(first)}>({second.span.brief})`"


def _at_dtype(operand: Expr, dtype: DType) -> str | None:
    """How to write a `fill` or `iota` that took its dtype by default, at another one; None for any other operand."""
    match operand:
        case Fill(value=Literal(value=float())) if not is_in_class(dtype, "float"):
            return None
        case Fill(value=Literal()) if is_in_class(dtype, "numeric"):
            name = "fill"
        case Iota() if is_in_class(dtype, "numeric"):
            name = "iota"
        case _:
            return None
    if not operand.span.text.startswith(f"{name}("):
        return None
    arguments = operand.span.brief.removeprefix(name)
    return f"say its dtype: `{name}<{dtype}>{arguments if arguments != '...' else '(...)'}`"


def broadcast_operands(operands: Sequence[Expr], span: Span, ctx: BodyContext) -> Shape | None:
    """The shape all operands broadcast to, right-aligned; None after E2207."""
    shape = shape_of(operands[0].type)
    assert shape is not None
    widest = operands[0]
    for operand in operands[1:]:
        other = shape_of(operand.type)
        assert other is not None
        result = broadcast(shape, other, ctx.facts)
        if isinstance(result, Mismatch):
            _report_mismatch(widest, operand, result, span, ctx)
            return None
        if len(other) > len(shape):
            widest = operand
        shape = result
    return shape


def _lined_up(first: Expr, second: Expr) -> list[str]:
    """Where the axes of one operand are the first ones of the other: how they would line up."""
    wide, narrow = sorted((first, second), key=lambda operand: -len(shape_of(operand.type) or ()))
    shape, front = shape_of(wide.type) or (), shape_of(narrow.type) or ()
    missing = len(shape) - len(front)
    if not missing or shape[: len(front)] != front:
        return []
    padded = (*front, *[Dim.constant(1)] * missing)
    return [f"shapes align from the right; `reshape({narrow.span.brief}, {show_shape(padded)})` lines up with the first axes"]


def _report_mismatch(first: Expr, second: Expr, mismatch: Mismatch, span: Span, ctx: BodyContext) -> None:
    left, right = mismatch.left, mismatch.right
    shapes = [show_shape(shape_of(operand.type) or ()) for operand in (first, second)]
    notes = [f"`{operand.span.brief}` has shape {shape}" for operand, shape in zip((first, second), shapes, strict=True)]
    help = None
    if isinstance(left, Pack) or isinstance(right, Pack):
        notes.append(f"{show_units((left,))} against {show_units((right,))}: a pack aligns with the same pack only")
        help = "declare both over the same pack"
    else:
        goal = Constraint("==", left, right)
        why, help = proof_notes(goal, ctx, needed=f"needed: {goal}, or one of them the constant 1")
        notes.extend(why)
        notes.extend(_lined_up(first, second))
    ctx.checker.diagnostics.report(
        "E2207",
        f"axes {show_units((left,))} and {show_units((right,))} do not broadcast",
        span,
        label=f"axis {mismatch.axis_from_right} from the right",
        related=[Label(operand.span, shape) for operand, shape in zip((first, second), shapes, strict=True)],
        notes=notes,
        help=help,
    )
