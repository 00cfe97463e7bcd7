"""Run-time loops: `while`, `for`, and the stacking of what a `for` yields.

In: an operation and the frame.  Out: the values after the loop.  A loop carries its operands (of a tuple or a struct its tensors, in
order), then the stacks, then the states it reads or writes in the order of their paths.  A target without counted loops gets a `while`
that carries the index first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.types import TupleType
from linnet_core.graph.calls import (
    BeginCounted,
    BeginWhile,
    Compare,
    EndCounted,
    EndWhile,
    Operand,
    WhileCondition,
    WhileInitialCondition,
    WhileTrailingCondition,
)
from linnet_core.graph.calls.values import ResultType
from linnet_core.graph.carried import foreign, rebuilt, tensors
from linnet_core.graph.evaluate_control import bounds
from linnet_core.graph.evaluate_tensors import tensor
from linnet_core.graph.failures import cannot
from linnet_core.graph.footprint import states_of
from linnet_core.graph.rows import update_row, zeros
from linnet_core.graph.values import Fields, Tensor, Value

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from linnet_core.graph.evaluate import Evaluator, Rule
    from linnet_core.graph.instances import Frame
    from linnet_core.ir.module import Op
    from linnet_core.ir.module import Value as IRValue

#: What helps where a loop carries something else.
_CARRY = "carry tensors and scalars, or tuples and structs of them"


def while_(ev: Evaluator, op: Op, frame: Frame) -> list[Value]:
    """`while`."""
    _check(ev, op, frame, op.operands, needed=ev.target.capabilities.supports_while)
    condition, body = op.regions
    initial = [frame.values[operand.id] for operand in op.operands]
    carried = _flat(_here(ev, initial), op)
    paths = states_of(ev, op, frame)

    def predicate(values: Sequence[Operand]) -> Operand:
        _bind(frame, condition.args, rebuilt(initial, values))
        before = ev.states.snapshot()
        found = tensor(ev.region(condition, frame)[0], op).operand
        if ev.states.changed(before):
            raise cannot("the condition of this `while` assigns state", op, help="assign it in the body")
        return found

    def step(values: Sequence[Operand]) -> list[Operand]:
        _bind(frame, body.args, rebuilt(initial, values))
        return _flat(ev.region(body, frame), op)

    return rebuilt(initial, _emit_while(ev, carried, paths, predicate, step))


def _emit_while(
    ev: Evaluator,
    carried: Sequence[Operand],
    paths: Sequence[str],
    predicate: Callable[[Sequence[Operand]], Operand],
    step: Callable[[Sequence[Operand]], list[Operand]],
) -> list[Operand]:
    """The brackets of a loop around its predicate and one iteration; the final values without the states."""
    count, capabilities = len(carried), ev.target.capabilities
    initial = (*carried, *[ev.states.read(path) for path in paths])
    if capabilities.while_needs_initial_condition:
        ev.emitter.names(WhileInitialCondition(operands=(predicate(initial[:count]),)))
    seen = _renamed(ev.emitter.names(BeginWhile(operands=initial)), initial)
    before = ev.states.snapshot()
    _enter(ev, paths, seen[count:])
    checked = WhileCondition(operands=(predicate(seen[:count]),), carried=tuple([ResultType(o.shape, o.dtype) for o in seen]))
    entered = _renamed(ev.emitter.names(checked), initial)
    _enter(ev, paths, entered[count:])
    written = dict(ev.states.written)
    following = step(entered[:count])
    final_states = [ev.states.read(path) for path in paths]
    if capabilities.while_needs_trailing_condition:
        ev.emitter.names(WhileTrailingCondition(operands=(predicate(following),)))
    ends = (*following, *final_states)
    finals = _renamed(ev.emitter.names(EndWhile(operands=ends)), initial)
    _leave(ev, before, written, paths, entered[count:], final_states, finals[count:])
    return finals[:count]


def for_(ev: Evaluator, op: Op, frame: Frame) -> list[Value]:
    """`for`: counted, or a `while` over an index."""
    capabilities = ev.target.capabilities
    _check(ev, op, frame, op.operands[2:], needed=capabilities.supports_counted or capabilities.supports_while)
    start, stop = bounds(op, frame)
    region = op.regions[0]
    initial = [frame.values[operand.id] for operand in op.operands[2:]]
    scans = len(region.ops[-1].operands) > len(initial)
    locals = _flat(_here(ev, initial), op)
    carried = [*locals, *(_empty_stacks(ev, op, frame) if scans else ())]

    def step(index: Operand, values: Sequence[Operand]) -> list[Operand]:
        _bind(frame, region.args, [Tensor(index), *rebuilt(initial, values[: len(locals)])])
        results = ev.region(region, frame)
        following = _flat(results[: len(initial)], op)
        if not scans:
            return following
        rows = _flat(results[-1:], op)
        position = _position(ev, index, start)
        stacks = values[len(locals) :]
        return following + [update_row(ev.emitter, stack, position, row) for stack, row in zip(stacks, rows, strict=True)]

    paths = states_of(ev, op, frame)
    if capabilities.supports_counted:
        finals = _emit_counted(ev, carried, paths, start, stop, step)
    else:
        finals = _emit_indexed(ev, carried, paths, start, stop, step)
    values = rebuilt(initial, finals[: len(locals)])
    if scans:
        stacks = tuple([Tensor(value) for value in finals[len(locals) :]])
        values.append(Fields(stacks) if isinstance(op.results[-1].type, TupleType) else stacks[0])
    return values


def _emit_counted(
    ev: Evaluator,
    carried: Sequence[Operand],
    paths: Sequence[str],
    start: int,
    stop: int,
    step: Callable[[Operand, Sequence[Operand]], list[Operand]],
) -> list[Operand]:
    count = len(carried)
    initial = (*carried, *[ev.states.read(path) for path in paths])
    index, *names = ev.emitter.names(BeginCounted(start=start, stop=stop, operands=initial))
    seen = _renamed(names, initial)
    before = ev.states.snapshot()
    _enter(ev, paths, seen[count:])
    written = dict(ev.states.written)
    following = step(Operand(index, (), "i64"), seen[:count])
    final_states = [ev.states.read(path) for path in paths]
    finals = _renamed(ev.emitter.names(EndCounted(operands=(*following, *final_states))), initial)
    _leave(ev, before, written, paths, seen[count:], final_states, finals[count:])
    return finals[:count]


def _emit_indexed(
    ev: Evaluator,
    carried: Sequence[Operand],
    paths: Sequence[str],
    start: int,
    stop: int,
    step: Callable[[Operand, Sequence[Operand]], list[Operand]],
) -> list[Operand]:
    """A counted loop as a `while` whose first carried value is the index."""

    def predicate(values: Sequence[Operand]) -> Operand:
        call = Compare(kind="lt", shape=(), operands=(values[0], ev.emitter.integer(stop)))
        return ev.emitter.one(call, (), "bool")

    def advance(values: Sequence[Operand]) -> list[Operand]:
        following = step(values[0], values[1:])
        one = ev.emitter.integer(1)
        return [ev.emitter.elementwise("add", (values[0], one), (), "i64"), *following]

    return _emit_while(ev, [ev.emitter.integer(start), *carried], paths, predicate, advance)[1:]


# --------------------------------------------------------------------------------------------------------------- carried


def _check(ev: Evaluator, op: Op, frame: Frame, carried: Sequence[IRValue], *, needed: bool) -> None:
    if ev.grid.axes:
        raise cannot(f"a `{op.kind}` loop stands inside index notation", op, help="run the loop outside, then index its result")
    if not needed:
        raise cannot(f"target `{ev.target.name}` has no run-time loops", op, help="use `static for`, or another target")
    for operand in carried:
        value = frame.values[operand.id]
        kind = foreign((value,))
        if kind is not None:
            name = f"`{operand.name}`" if operand.name else "a value"
            raise cannot(f"this loop carries {name}, which {'holds' if isinstance(value, Fields) else 'is'} {kind}", op, help=_CARRY)


def _here(ev: Evaluator, values: Sequence[Value]) -> Sequence[Value]:
    """What the program carries starts where the loop runs; a state stays where it lives."""
    placement = ev.emitter.placement
    return values if placement is None else [placement.here(value) for value in values]


def _flat(values: Sequence[Value], op: Op) -> list[Operand]:
    """The tensors of the values, in order."""
    kind = foreign(values)
    if kind is not None:
        raise cannot(f"this loop carries {kind}", op, help=_CARRY)
    return tensors(values, "this loop carries", op.span)


def _bind(frame: Frame, arguments: Sequence[IRValue], values: Sequence[Value]) -> None:
    for argument, value in zip(arguments, values, strict=True):
        frame.values[argument.id] = value


def _renamed(names: Sequence[str], like: Sequence[Operand]) -> list[Operand]:
    return [Operand(name, operand.shape, operand.dtype) for name, operand in zip(names, like, strict=True)]


def _enter(ev: Evaluator, paths: Sequence[str], values: Sequence[Operand]) -> None:
    """The states as the inside of a loop sees them."""
    ev.states.current.update(zip(paths, values, strict=True))


def _leave(
    ev: Evaluator,
    before: dict[str, Operand],
    written: dict[str, None],
    paths: Sequence[str],
    entered: Sequence[Operand],
    ended: Sequence[Operand],
    finals: Sequence[Operand],
) -> None:
    """The states after a loop: those whose value at the end is not the one the body entered with count as written, in path order."""
    ev.states.current = before
    ev.states.written = written
    for path, entry, end, final in zip(paths, entered, ended, finals, strict=True):
        if end.value != entry.value:
            ev.states.write(path, final)


# ---------------------------------------------------------------------------------------------------------------- stacks


def _empty_stacks(ev: Evaluator, op: Op, frame: Frame) -> list[Operand]:
    """Zeros for each stack of what the loop yields."""
    type = op.results[-1].type
    elements = type.elements if isinstance(type, TupleType) else (type,)
    stacks: list[Operand] = []
    for element in elements:
        found = frame.instance.concrete(element, op.span)
        stacks.append(zeros(ev.emitter, found.shape, found.dtype))
    return stacks


def _position(ev: Evaluator, index: Operand, start: int) -> Operand:
    """Where in the stack the iteration's row goes."""
    if start == 0:
        return index
    return ev.emitter.elementwise("sub", (index, ev.emitter.integer(start)), (), "i64")


RULES: dict[str, Rule] = {
    "while": while_,
    "for": for_,
}
