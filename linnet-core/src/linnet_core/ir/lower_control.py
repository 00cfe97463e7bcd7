"""Branches and loops.

In: typed expressions and loop statements.  Out: `RULES` (see `lower_body.py`).

A loop carries the locals from outside that its body assigns, found by their ids, in the order of first assignment; loops inside it,
and loops that are the value of a statement, count.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from linnet_core.check import program as p
from linnet_core.check.types import I64, OptionalType
from linnet_core.errors import InternalError
from linnet_core.ir.lower_body import Body, Rule, Steps, each
from linnet_core.ir.module import Region, Value

if TYPE_CHECKING:
    from linnet_core.shapes import Dim
    from linnet_core.text.span import Span


def lower_if(body: Body, node: p.If) -> Steps:
    """One of two values, by a scalar condition."""
    condition = yield node.condition
    then = yield _arm(body, node.then)
    otherwise = yield _arm(body, node.otherwise)
    return body.emit("if", (condition,), node.type, node.span, regions=(then, otherwise))


def _arm(body: Body, value: p.Expr) -> Steps:
    """A region without arguments that yields an expression."""
    body.open_region((), value.span)
    return body.yield_values(((yield value),), value.span)


def lower_match_optional(body: Body, node: p.MatchOptional) -> Steps:
    """One of two values, by whether the optional is present."""
    subject: Value = yield node.subject
    if not isinstance(subject.type, OptionalType):
        raise InternalError(f"an optional match on {subject.type}")
    inner = body.value(subject.type.inner, node.binding.name if node.binding else "")
    body.open_region((inner,), node.some.span)
    value = yield (node.some if node.binding is None else _within(body, node.binding, inner, node.some))
    some = body.yield_values((value,), node.some.span)
    none = yield _arm(body, node.none)
    return body.emit("option.match", (subject,), node.type, node.span, regions=(some, none))


def lower_bind(body: Body, node: p.Bind) -> Steps:
    """A local inside an expression."""
    value: Value = yield node.value
    return (yield _within(body, node.local, body.named(value, node.local.name), node.body))


def _within(body: Body, local: p.Local, value: Value, inner: p.Expr) -> Steps:
    """`inner` where `local` is `value`; afterwards the local is what it was."""
    before = body.locals.get(local.id)
    body.bind(local, value)
    result = yield inner
    if before is None:
        del body.locals[local.id]
    else:
        body.bind(local, before)
    return result


def lower_match_enum(body: Body, node: p.MatchEnum) -> Steps:
    """One of several values, by an enum's variant."""
    subject = yield node.subject
    arms = yield each([_arm(body, arm) for arm in node.arms])
    return body.emit("enum.match", (subject,), node.type, node.span, {"variants": node.variants}, tuple(arms))


# ---------------------------------------------------------------------------------------------------------------- loops


def assigned(statements: tuple[p.Stmt, ...]) -> dict[int, p.Local]:
    """The locals these statements assign, by id, in the order of first assignment, inner loops included."""
    found: dict[int, p.Local] = {}
    pending: list[Iterator[p.Stmt]] = [iter(statements)]
    while pending:
        statement = next(pending[-1], None)
        if statement is None:
            pending.pop()
            continue
        match statement:
            case p.Assign(value=p.Scan() as scan):
                # The scan's own assignments come first; the statement is looked at again without them.
                pending.append(iter((*scan.loop.body, p.Assign(statement.span, statement.local, scan.yielded))))
            case p.Assign():
                found.setdefault(statement.local.id, statement.local)
            case p.Let(value=p.Scan() as scan) | p.Evaluate(value=p.Scan() as scan) | p.StateWrite(value=p.Scan() as scan):
                pending.append(iter(scan.loop.body))
            case p.StaticForArray() | p.StaticForRange() | p.While() | p.For():
                pending.append(iter(statement.body))
            case _:
                pass
    return found


class Carried:
    """The locals a loop carries, with their values on entry."""

    def __init__(self, body: Body, statements: tuple[p.Stmt, ...]) -> None:
        """What a loop over these statements carries when it is entered now."""
        self.locals = [local for id, local in assigned(statements).items() if id in body.locals]
        self.initial = tuple(body.locals[local.id] for local in self.locals)

    def enter(self, body: Body) -> tuple[Value, ...]:
        """New values for the locals, as a region (or what follows the loop) sees them."""
        values = tuple(body.value(local.type, local.name) for local in self.locals)
        for local, value in zip(self.locals, values, strict=True):
            body.bind(local, value)
        return values

    def present(self, body: Body) -> tuple[Value, ...]:
        """The locals' values now."""
        return tuple(body.locals[local.id] for local in self.locals)


def _loop_region(body: Body, carried: Carried, variable: p.Local | None, statements: tuple[p.Stmt, ...], span: Span) -> Steps:
    """A region over the loop variable (if any) and the carried values, which yields the next carried values."""
    first: tuple[Value, ...] = ()
    if variable is not None:
        first = (body.value(variable.type, variable.name),)
        body.bind(variable, first[0])
    body.open_region((*first, *carried.enter(body)), span)
    yield statements
    return body.yield_values(carried.present(body), span)


def _bounds(body: Body, start: Dim, stop: Dim, span: Span) -> tuple[Value, Value]:
    return (
        body.emit("const.dim", (), I64, span, {"value": start}),
        body.emit("const.dim", (), I64, span, {"value": stop}),
    )


def _finish(body: Body, kind: str, leading: tuple[Value, ...], carried: Carried, regions: tuple[Region, ...], span: Span) -> None:
    body.emit_many(kind, (*leading, *carried.initial), carried.enter(body), span, regions=regions)


def lower_static_for(body: Body, node: p.StaticForArray) -> Steps:
    """Unrolled over an array of blocks."""
    array = yield node.array
    carried = Carried(body, node.body)
    region = yield _loop_region(body, carried, node.element, node.body, node.span)
    _finish(body, "static_for", (array,), carried, (region,), node.span)


def lower_static_range(body: Body, node: p.StaticForRange) -> Steps:
    """Unrolled over a range."""
    bounds = _bounds(body, node.start, node.stop, node.span)
    carried = Carried(body, node.body)
    region = yield _loop_region(body, carried, node.index, node.body, node.span)
    _finish(body, "static_range", bounds, carried, (region,), node.span)


def lower_while(body: Body, node: p.While) -> Steps:
    """A run-time loop: the condition and the body see the carried values each as arguments of their own."""
    carried = Carried(body, node.body)
    body.open_region(carried.enter(body), node.condition.span)
    condition = body.yield_values(((yield node.condition),), node.condition.span)
    region = yield _loop_region(body, carried, None, node.body, node.span)
    _finish(body, "while", (), carried, (condition, region), node.span)


def lower_for(body: Body, node: p.For) -> Steps:
    """A run-time loop of known length."""
    bounds = _bounds(body, node.start, node.stop, node.span)
    carried = Carried(body, node.body)
    region = yield _loop_region(body, carried, node.index, node.body, node.span)
    _finish(body, "for", bounds, carried, (region,), node.span)


def lower_scan(body: Body, node: p.Scan) -> Steps:
    """A `for` that stacks what it yields: the last result is the stack (a tuple of stacks for a yielded tuple)."""
    loop = node.loop
    bounds = _bounds(body, loop.start, loop.stop, loop.span)
    carried = Carried(body, loop.body)
    index = body.value(loop.index.type, loop.index.name)
    body.bind(loop.index, index)
    body.open_region((index, *carried.enter(body)), loop.span)
    yield loop.body
    yielded = yield node.yielded
    region = body.yield_values((*carried.present(body), yielded), loop.span)
    results = (*carried.enter(body), body.value(node.type))
    body.emit_many("for", (*bounds, *carried.initial), results, node.span, regions=(region,))
    return results[-1]


RULES: dict[type, Rule] = {
    p.If: lower_if,
    p.MatchOptional: lower_match_optional,
    p.Bind: lower_bind,
    p.MatchEnum: lower_match_enum,
    p.StaticForArray: lower_static_for,
    p.StaticForRange: lower_static_range,
    p.While: lower_while,
    p.For: lower_for,
    p.Scan: lower_scan,
}
