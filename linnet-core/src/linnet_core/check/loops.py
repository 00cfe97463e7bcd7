"""Loops: `static for`, `while`, `for`, and a `for` whose yielded values are stacked.

In: loop statements and `for` expressions.  Out: typed loops; a `Scan` for a `for` that is a value.  E2121, E2123 (bounds that are
not compile-time integers), E2208 (a `for` whose stop is not proved at or after its start), E2114, E2117, E2124.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.coerce import settle
from linnet_core.check.compile_time import dim_of, failed, is_failed
from linnet_core.check.control import check_condition
from linnet_core.check.expressions import check_expression
from linnet_core.check.generics import check_name
from linnet_core.check.patterns import check_names, declare_broken, names_of
from linnet_core.check.program import Expr, For, Scan, StaticForArray, StaticForRange, Stmt, While
from linnet_core.check.proof_notes import proof_notes
from linnet_core.check.repairs import take_apart
from linnet_core.check.sequences import as_value
from linnet_core.check.show_types import quote
from linnet_core.check.types import (
    I64,
    ArrayType,
    DimType,
    LiteralType,
    OptionalType,
    ScalarType,
    StructType,
    TensorType,
    TupleType,
    Type,
    tensor_or_scalar,
)
from linnet_core.shapes import Constraint, Dim, prove, refute
from linnet_core.syntax import tree
from linnet_core.text.diagnostic import Label
from linnet_core.text.span import join

if TYPE_CHECKING:
    from linnet_core.check.context import BodyContext
    from linnet_core.check.program import Local
    from linnet_core.text.span import Span


def check_static_for(node: tree.StaticFor, ctx: BodyContext, result: Type) -> list[Stmt]:
    """`static for x in array { }` or `static for i in a..b { }`."""
    if node.stop is not None:
        return _check_static_range(node, node.stop, ctx, result)
    array = check_expression(node.subject, ctx)
    good = isinstance(array.type, ArrayType)
    if not good and not is_failed(array):
        message, help = f"`static for` cannot go through {quote(array.type)}", _range_help(array)
        label = "neither a range nor an array of blocks"
        ctx.checker.diagnostics.report("E2121", message, node.subject.span, label=label, help=help)
    element, body = _check_loop(node.pattern, array.type.element if good else None, node.body, ctx, result)  # type: ignore[union-attr]  # `good` says it is an array
    return [StaticForArray(node.span, element, array, body)] if good and element is not None else []


def _range_help(value: Expr) -> str:
    """The range that is meant where something else stands."""
    match value.type:
        case OptionalType():
            return take_apart(value.type, value.span.brief) or ""
        case TensorType(shape=(Dim() as first, *_)):
            return f"go through its positions: `0..{first}`"
        case DimType() | LiteralType(kind="integer"):
            return f"write a range: `0..{value.span.brief}`"
        case _:
            return "write a range, `0..N`, or an array of blocks"


def _check_static_range(node: tree.StaticFor, stop: tree.Expression, ctx: BodyContext, result: Type) -> list[Stmt]:
    start, end = _bound(node.subject, ctx, "E2121", "static for"), _bound(stop, ctx, "E2121", "static for")
    index, body = _check_loop(node.pattern, I64, node.body, ctx, result)
    if start is None or end is None or index is None:
        return []
    return [StaticForRange(node.span, index, start, end, body)]


def _bound(node: tree.Expression, ctx: BodyContext, code: str, what: str) -> Dim | None:
    """A bound of a range: a compile-time integer, or None after `code`."""
    value = check_expression(node, ctx)
    dim = None if is_failed(value) else dim_of(value)
    if dim is None and not is_failed(value):
        ctx.checker.diagnostics.report(
            code,
            f"the range of a `{what}` is known at compile time, and this is {quote(value.type)}",
            node.span,
            label="not a compile-time integer",
            help="use a `while` loop and count in a `var`" if isinstance(value.type, ScalarType) else "write a compile-time integer",
        )
    return dim


def _check_loop(
    pattern: tree.Pattern, type: Type | None, body: tuple[tree.Statement, ...], ctx: BodyContext, result: Type
) -> tuple[Local | None, tuple[Stmt, ...]]:
    """The loop variable (None when it cannot be bound) and the typed body."""
    from linnet_core.check.statements import check_body

    ctx.push()
    variable = None
    check_names(pattern, ctx)
    if type is None or not isinstance(pattern, tree.NamePattern):
        if type is not None:
            name = next((part.name for part in names_of(pattern)), "_")
            message, help = f"this pattern does not match {quote(type)}", f"one name stands here: `{name}`"
            ctx.checker.diagnostics.report("E2117", message, pattern.span, label="cannot match", help=help)
        declare_broken(pattern, ctx)
    else:
        variable = ctx.declare(pattern.name, type, pattern.span, origin="the variable of a loop")
    ctx.loop_depth += 1
    typed = check_body(body, ctx, result)
    ctx.loop_depth -= 1
    ctx.pop()
    return variable, typed


def check_while(node: tree.While, ctx: BodyContext, result: Type) -> list[Stmt]:
    """`while c { }`."""
    from linnet_core.check.statements import check_body

    condition = check_condition(node.condition, ctx, "while")
    ctx.loop_depth += 1
    body = check_body(node.body, ctx, result)
    ctx.loop_depth -= 1
    return [] if is_failed(condition) else [While(node.span, condition, body)]


def check_for(node: tree.For, ctx: BodyContext, result: Type) -> list[Stmt]:
    """`for i in a..b { }` as a statement."""
    bounds = _range(node, ctx)
    pattern = tree.NamePattern(node.name.span, node.name.text)
    index, body = _check_loop(pattern, I64, node.body, ctx, result)
    return [] if bounds is None or index is None else [For(node.span, index, *bounds, body)]


def _range(node: tree.For, ctx: BodyContext) -> tuple[Dim, Dim] | None:
    """The bounds of a `for`, with `stop >= start` proved."""
    start, stop = _bound(node.start, ctx, "E2123", "for"), _bound(node.stop, ctx, "E2123", "for")
    if start is None or stop is None:
        return None
    goal = Constraint(">=", stop, start)
    if prove(goal, ctx.facts):
        return start, stop
    notes, help = proof_notes(goal, ctx)
    backward = refute(goal, ctx.facts)
    ctx.checker.diagnostics.report(
        "E2208",
        f"a `for` from {start} to {stop} {'runs backward' if backward else 'is not proved to run forward'}",
        node.stop.span,
        label=f"{'is' if backward else 'may be'} below the start",
        related=[Label(node.start.span, "the start")],
        notes=notes,
        help="count forward, and compute the position from the counter" if backward else help,
    )
    return None


def check_scan(node: tree.ForExpression, ctx: BodyContext, expected: Type | None, result: Type) -> Expr:
    """A `for` as a value: its body ends with `yield`, and the yielded values are stacked along a new first axis."""
    from linnet_core.check.statements import check_statement

    loop = node.loop
    bounds = _range(loop, ctx)
    ctx.push()
    check_name(loop.name, ctx)
    index = ctx.declare(loop.name.text, I64, loop.name.span, origin="the variable of a loop")
    ctx.push()
    ctx.loop_depth += 1
    last = loop.body[-1] if loop.body else None
    statements = loop.body[:-1] if isinstance(last, tree.Yield) else loop.body
    body = tuple(typed for statement in statements for typed in check_statement(statement, ctx, result))
    yielded = _check_yield(last, loop, ctx, _unstacked(expected))
    ctx.loop_depth -= 1
    ctx.pop()
    ctx.pop()
    if bounds is None or is_failed(yielded):
        return failed(node.span)
    start, stop = bounds
    stacked = _stacked(yielded.type, stop - start)
    if stacked is None:
        message = f"a `for` stacks tensors, scalars and tuples of them, and this is {quote(yielded.type)}"
        is_tuple = isinstance(yielded.type, TupleType)
        help = "yield one tuple without inner ones" if is_tuple else take_apart(yielded.type, yielded.span.brief)
        if isinstance(yielded.type, StructType):
            help = "yield its fields, as a tuple, and build structs of the parts afterwards"
        ctx.checker.diagnostics.report("E2101", message, yielded.span, label="cannot be stacked", help=help)
        return failed(node.span)
    return Scan(stacked, node.span, For(node.span, index, start, stop, body), yielded)


def _check_yield(last: tree.Statement | None, loop: tree.For, ctx: BodyContext, expected: Type | None) -> Expr:
    if not isinstance(last, tree.Yield):
        if any(isinstance(statement, tree.Yield) for statement in loop.body):
            return failed(loop.span)  # Reported where the `yield` stands.
        if isinstance(last, tree.Return):
            return failed(loop.span)  # Reported as a `return` in a loop.
        ctx.checker.diagnostics.report(
            "E2124", "a `for` that is a value ends with `yield`", _head(loop), label="yields nothing", help="end its body with `yield ...`"
        )
        return failed(loop.span)
    if isinstance(last.value, tree.ForExpression):
        return check_expression(last.value, ctx)
    return settle(as_value(check_expression(last.value, ctx, expected), ctx), ctx, expected)


def _head(loop: tree.For) -> Span:
    """`for i in a..b`."""
    return join(loop.span, loop.stop.span)


def _stacked(type: Type, length: Dim) -> Type | None:
    match type:
        case ScalarType():
            return TensorType((length,), type.dtype)
        case TensorType():
            return TensorType((length, *type.shape), type.dtype)
        case TupleType():
            elements = [_stacked(element, length) if not isinstance(element, TupleType) else None for element in type.elements]
            whole = tuple(element for element in elements if element is not None)
            return TupleType(whole) if len(whole) == len(elements) else None
        case _:
            return None


def _unstacked(type: Type | None) -> Type | None:
    """What each step yields when the stacked value is of `type`."""
    match type:
        case TensorType() if isinstance(type.shape[0], Dim):
            return tensor_or_scalar(type.shape[1:], type.dtype)
        case TupleType():
            elements = tuple(_unstacked(element) for element in type.elements)
            whole = tuple(element for element in elements if element is not None)
            return TupleType(whole) if len(whole) == len(elements) else None
        case _:
            return None
