"""Loops as statements.

In: a loop of Core IR.  Out: its lines.  The values it carries are variables of the program, assigned in the order they are carried.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.ir.uses import LOOPS
from linnet_core.linnet_source.pieces import WHOLE, Piece

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from linnet_core.ir.module import Op, Region, Value
    from linnet_core.linnet_source.body import Body


def loop(body: Body, ops: Sequence[Op], at: int) -> int:
    """Write a loop, and what takes its stacked result apart; how many operations that were."""
    op = ops[at]
    leading, own = LOOPS[op.kind]
    for initial in op.operands[leading:]:  # A value that passes left without the variable's name keeps having none.
        body.bind(initial)
    heads = [piece.text for piece in body.take(op)[:leading]]
    region = op.regions[-1]
    carried = region.args[own:]
    body.flush()
    names = [_variable(body, op, initial, arg) for initial, arg in zip(op.operands[leading:], carried, strict=True)]
    head = _head(body, op, heads, names, region)
    inner = body.inside(body.names.inner({name: arg.type for name, arg in zip(names, carried, strict=True)}))
    for value in region.args[:own]:
        inner.names.bind(value, _name_of_loop_variable(inner, value, op))
    for name, value in zip(names, carried, strict=True):
        inner.names.bind(value, name)
    lines = _lines(inner, region, names)
    body.names.leave(inner.names)
    text = "\n".join([f"{head(inner)} {{", *lines, "}"])
    for name, result in zip(names, op.results, strict=False):
        body.names.bind(result, name)
        body.assigned.setdefault(name)
    if len(op.results) > len(names):
        return body.result(op, Piece(text, WHOLE, op.results[-1].type), ops, at)
    body.lines.append(text)
    return 1


def _name_of_loop_variable(inner: Body, value: Value, op: Op) -> str:
    if value.name:
        return value.name
    return inner.names.for_nameless()


def _variable(body: Body, op: Op, initial: Value, arg: Value) -> str:
    """The variable a value is carried in, declared where there is none yet."""
    name = arg.name or body.names.for_nameless()
    names = body.names
    if names.holder.get(name) == initial.id and names.assignable.get(name) == arg.type:
        body.protect(name, op)
        return name
    body.protect(name, op)
    piece = body.piece_of(initial)
    annotation = f": {body.spelling.type(arg.type)}" if piece.loose or initial.type != arg.type else ""
    body.lines.append(f"var {name}{annotation} = {piece.text}")
    names.assignable[name] = arg.type
    names.holder[name] = initial.id
    if initial.id not in names.called:
        names.called[initial.id] = name
    return name


def _head(body: Body, op: Op, heads: list[str], names: list[str], region: Region) -> Callable[[Body], str]:
    """What stands before the body, told by the body's writer once the loop variable has its name there."""
    if op.kind == "while":
        condition = op.regions[0]

        def bind(inner: Body) -> None:
            for name, value in zip(names, condition.args, strict=True):
                inner.names.bind(value, name)

        text = body.expression(condition, bind).text
        return lambda _inner: f"while {text}"
    variable = region.args[0]
    if variable.name:
        body.protect(variable.name, op)
    if op.kind == "static_for":
        return lambda inner: f"static for {inner.names.called[variable.id]} in {heads[0]}"
    word = "for" if op.kind == "for" else "static for"
    return lambda inner: f"{word} {inner.names.called[variable.id]} in {heads[0]}..{heads[1]}"


def _lines(inner: Body, region: Region, names: list[str]) -> list[str]:
    """The lines of the body: every carried variable has its next value at the end."""
    inner.run(region.ops[:-1])
    end = region.ops[-1]
    nexts = end.operands[: len(names)]
    if any(inner.names.holder.get(name) != value.id for name, value in zip(names, nexts, strict=True)):
        inner.flush()
    if len(end.operands) > len(names):
        inner.settle(end.operands[-1])
    pieces = inner.take(end)
    for at, (name, value) in enumerate(zip(names, nexts, strict=True)):
        if inner.names.holder.get(name) == value.id:
            continue
        held = inner.names.holder.get(name)
        if any(later.id == held for later in end.operands[at + 1 :]):
            other = inner.names.fresh(name)
            inner.lines.append(f"let {other} = {name}")
            inner.names.called[held] = other  # pyright: ignore[reportArgumentType]  # some operand has the id
        inner.assign(name, inner.piece_of(value).text)
        inner.names.holder[name] = value.id
    lines = inner.lines
    if [name for name in inner.assigned if name in names] != names:
        lines = [*(f"{name} = {name}" for name in names), *lines]
    if len(end.operands) > len(names):
        last = end.operands[-1]
        text = inner.piece_of(last).text if last.id in inner.names.called else pieces[-1].text
        lines = [*lines, f"yield {text}"]
    return lines
