"""Contextual values made definite: a dtype from where they stand, or by default.

In: typed expressions that may hold literals or compile-time integers, and the type a place wants.  Out: expressions of a
definite type; `fit` also decides whether a value has the type that is due (E2101, E2103, E2105, E2202).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from linnet_core.check.branches import branches, change_branches
from linnet_core.check.compile_time import dim_of, failed, is_contextual, is_failed
from linnet_core.check.literals import INTEGER_LITERAL, literal_as, takes
from linnet_core.check.mismatch import report_mismatch
from linnet_core.check.program import Binary, DimValue, Expr, Literal, MakeNone, MakeSome, MakeTuple, Unary
from linnet_core.check.repairs import cast_to
from linnet_core.check.same_type import same_type
from linnet_core.check.types import F64, I64, DimType, ErrorType, LiteralType, OptionalType, ScalarType, TupleType

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linnet_core.check.context import BodyContext
    from linnet_core.check.mismatch import Notes
    from linnet_core.check.types import DType, Type
    from linnet_core.text.diagnostic import Label


def fit(
    expr: Expr,
    expected: Type,
    ctx: BodyContext,
    *,
    what: str = "this value",
    code: str | None = None,
    notes: Notes | None = None,
    related: Sequence[Label] = (),
) -> Expr:
    """`expr` as a value of type `expected`: contextual parts take their dtype from it; anything else that differs is reported.

    `what` names the value in messages; `code` replaces the code for a wrong type; `notes` and `related` say where the
    expected type is from.
    """
    if is_failed(expr) or isinstance(expected, ErrorType) or expr.type == expected:
        return expr
    match expr, expected:
        case MakeTuple(), TupleType() if len(expr.elements) == len(expected.elements):
            pairs = zip(expr.elements, expected.elements, strict=True)
            elements = (fit(element, wanted, ctx, what=what, code=code, notes=notes, related=related) for element, wanted in pairs)
            return _tuple_of(expr, tuple(elements))
        case MakeSome(), OptionalType():
            value = fit(expr.value, expected.inner, ctx, what=what, code=code, notes=notes, related=related)
            return failed(expr.span) if is_failed(value) else MakeSome(OptionalType(value.type), expr.span, value)
        case MakeNone(), OptionalType() if holds_context(expr.type):  # it is so for the values beside it
            return MakeNone(expected, expr.span)
    if is_contextual(expr.type) and isinstance(expected, ScalarType):
        return coerce(expr, expected, ctx, what=what, code=code, notes=notes, related=related)
    if branches(expr) and holds_context(expr.type) and not is_contextual(expr.type):
        return change_branches(expr, lambda branch: fit(branch, expected, ctx, what=what, code=code, notes=notes, related=related))
    if isinstance(expr, MakeTuple | MakeSome | MakeNone):
        expr = settle(expr, ctx)  # not what is due, or of another number of parts
    if is_failed(expr) or same_type(expr.type, expected, ctx.facts):
        return expr
    report_mismatch(expr, expected, ctx, what=what, code=code, notes=notes, related=related)
    return failed(expr.span)


def coerce(
    expr: Expr,
    type: ScalarType,
    ctx: BodyContext,
    *,
    what: str = "this value",
    code: str | None = None,
    notes: Notes | None = None,
    related: Sequence[Label] = (),
) -> Expr:
    """A contextual expression as a scalar of `type`.

    E2105 when the value does not fit; `code` when its kind does not: E2105 by default for a float literal where an integer is due,
    E2101 where the dtype is `bool` or may be.
    """
    dtype = type.dtype
    kind = expr.type.kind if isinstance(expr.type, LiteralType) else "integer"
    if takes(dtype, kind):
        return _adopt(expr, dtype, ctx)
    if takes(dtype, "integer"):
        help = f"write an integer, or convert: `{cast_to(dtype, expr.span.brief)}`"
        message = f"a float literal does not fit `{dtype}`"
        ctx.checker.diagnostics.report(code or "E2105", message, expr.span, label=f"`{dtype}` is due", related=related, help=help)
    else:
        report_mismatch(expr, type, ctx, what=what, code=code, notes=notes, related=related)
    return failed(expr.span)


def settle(expr: Expr, ctx: BodyContext, hint: Type | None = None) -> Expr:
    """The expression with a dtype for everything that is still contextual: what `hint` says where it can, else i64, and f64 for
    floats."""
    if not holds_context(expr.type):
        return expr
    match expr:
        case MakeTuple():
            hints = _hints(hint, len(expr.elements))
            return _tuple_of(expr, tuple(settle(element, ctx, wanted) for element, wanted in zip(expr.elements, hints, strict=True)))
        case MakeSome():
            value = settle(expr.value, ctx, hint.inner if isinstance(hint, OptionalType) else None)
            return failed(expr.span) if is_failed(value) else MakeSome(OptionalType(value.type), expr.span, value)
        case MakeNone():
            return MakeNone(_settled(expr.type, hint), expr.span)
    if is_contextual(expr.type):
        return _adopt(expr, _settled_number(expr.type, hint).dtype, ctx)
    return change_branches(expr, lambda branch: settle(branch, ctx, hint))


def default_type(type: Type) -> ScalarType:
    """What a contextual expression of this type is without a context."""
    return F64 if isinstance(type, LiteralType) and type.kind == "float" else I64


def _settled_number(type: Type, hint: Type | None) -> ScalarType:
    """The type that `settle` gives a number of the contextual `type`."""
    kind = type.kind if isinstance(type, LiteralType) else "integer"
    return hint if isinstance(hint, ScalarType) and takes(hint.dtype, kind) else default_type(type)


def _settled(type: Type, hint: Type | None) -> Type:
    """The type that `settle` gives a value of `type`."""
    match type:
        case DimType() | LiteralType():
            return _settled_number(type, hint)
        case OptionalType():
            return OptionalType(_settled(type.inner, hint.inner if isinstance(hint, OptionalType) else None))
        case TupleType():
            hints = _hints(hint, len(type.elements))
            return TupleType(tuple(_settled(part, wanted) for part, wanted in zip(type.elements, hints, strict=True)))
        case _:
            return type


def _hints(hint: Type | None, count: int) -> tuple[Type | None, ...]:
    """What a hint says of each of `count` elements."""
    return hint.elements if isinstance(hint, TupleType) and len(hint.elements) == count else (None,) * count


def holds_context(type: Type) -> bool:
    """Whether `type` is contextual, or has a part that is."""
    match type:
        case DimType() | LiteralType():
            return True
        case OptionalType():
            return holds_context(type.inner)
        case TupleType():
            return any(holds_context(element) for element in type.elements)
        case _:
            return False


def of_one_form(found: Type, expected: Type) -> bool:
    """Whether the tuples and optionals of two types have the same parts; what the parts are is not asked."""
    match found, expected:
        case TupleType(), TupleType():
            same = len(found.elements) == len(expected.elements)
            return same and all(of_one_form(part, other) for part, other in zip(found.elements, expected.elements, strict=True))
        case OptionalType(), OptionalType():
            return of_one_form(found.inner, expected.inner)
        case _:
            return not isinstance(found, TupleType | OptionalType) and not isinstance(expected, TupleType | OptionalType)


def _tuple_of(expr: MakeTuple, elements: tuple[Expr, ...]) -> Expr:
    if any(is_failed(element) for element in elements):
        return failed(expr.span)
    return MakeTuple(TupleType(tuple(element.type for element in elements)), expr.span, elements)


def _adopt(expr: Expr, dtype: DType, ctx: BodyContext) -> Expr:
    """A contextual expression as a scalar of a dtype its kind can take, down to the leaves."""
    dim = dim_of(expr)
    if dim is not None:
        if dim.value is None:
            return DimValue(ScalarType(dtype), expr.span, dim)
        return literal_as(Literal(INTEGER_LITERAL, expr.span, dim.value), dtype, ctx)
    match expr:
        case Literal():
            return literal_as(expr, dtype, ctx)
        case Unary():
            operand = _adopt(expr.operand, dtype, ctx)
            return failed(expr.span) if is_failed(operand) else replace(expr, type=ScalarType(dtype), operand=operand)
        case Binary():
            return _adopt_chain(expr, dtype, ctx)
        case _:
            return change_branches(expr, lambda branch: _adopt(branch, dtype, ctx) if is_contextual(branch.type) else branch)


def _adopt_chain(expr: Binary, dtype: DType, ctx: BodyContext) -> Expr:
    """A chain of operations that leans left, without recursion along it."""
    chain = [expr]
    while isinstance(chain[-1].left, Binary):
        chain.append(chain[-1].left)
    left = _adopt(chain[-1].left, dtype, ctx)
    for operation in reversed(chain):
        right = _adopt(operation.right, dtype, ctx)
        if is_failed(left) or is_failed(right):
            return failed(expr.span)
        left = replace(operation, type=ScalarType(dtype), left=left, right=right)
    return left
