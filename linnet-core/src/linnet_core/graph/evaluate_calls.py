"""Calls, blocks and states.

In: an operation and the frame.  Out: its value.  A call becomes, in this order of choice: a launch of the op's kernel, a library call the
target takes, the callee's own body, the last two between a custom-gradient pair if the op has a `grad`.  Around it go `begin_call` and
`end_call`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from linnet_core.check.types import ArrayType, TensorType, Type, dtype_class
from linnet_core.errors import SourceError
from linnet_core.graph.bind import size_notes
from linnet_core.graph.calls import BeginCustomGradient, CallHeader, EndCustomGradient, EnumArgument, NativeCall, Operand
from linnet_core.graph.decisions import IN_GRID, NO_TENSOR, NOT_ADMITTED, NOT_WANTED, SEVERAL_RESULTS, Attempt, Decision
from linnet_core.graph.evaluate_tensors import whole
from linnet_core.graph.failures import beyond, cannot, through_call, unfit
from linnet_core.graph.instances import Frame
from linnet_core.graph.nodes import MAX_CALL_DEPTH
from linnet_core.graph.target import Declined
from linnet_core.graph.values import Absent, ArrayValue, BlockValue, EnumValue, Fields, Present, Tensor, Value, is_in_grid
from linnet_core.ir.library_calls import WITH_LIBRARY_CALLS, candidates

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from linnet_core.graph.evaluate import Evaluator, Rule
    from linnet_core.graph.instances import Instance
    from linnet_core.ir.library_calls import LibraryCall
    from linnet_core.ir.module import Op


def block_of(value: Value) -> BlockValue:
    """A value that must be a block."""
    assert isinstance(value, BlockValue)
    return value


def member(ev: Evaluator, op: Op, frame: Frame) -> Value:
    """`block.param`, `block.sub`."""
    return block_of(frame.values[op.operands[0].id]).members[op.attrs["name"]]


def element(ev: Evaluator, op: Op, frame: Frame) -> Value:
    """`array.get`, at a position known at export."""
    array, position = frame.values[op.operands[0].id], frame.values[op.operands[1].id]
    assert isinstance(array, ArrayValue)
    at = position.known if isinstance(position, Tensor) else None
    if at is None:
        raise cannot("the position in an array of blocks is not known at export", op, help="use `static for` over the array")
    if not 0 <= at < len(array.elements):
        type = op.operands[0].type
        notes = size_notes((type.length,), frame.instance.bindings) if isinstance(type, ArrayType) else ()
        raise unfit(f"position {at} is outside an array of length {len(array.elements)}", op.span, notes)
    return array.elements[at]


def state_read(ev: Evaluator, op: Op, frame: Frame) -> Tensor:
    """`state.read`."""
    return Tensor(ev.states.read(block_of(frame.values[op.operands[0].id]).member_path(op.attrs["name"])))


def state_write(ev: Evaluator, op: Op, frame: Frame) -> list[Value]:
    """`state.write`."""
    path = block_of(frame.values[op.operands[0].id]).member_path(op.attrs["name"])
    ev.states.write(path, whole(frame.values[op.operands[1].id], op))
    return []


def call(ev: Evaluator, op: Op, frame: Frame) -> Value | list[Value]:
    """`call`, `semantic.call`.  With arguments that depend on grid axes it runs within the grid, otherwise once and whole."""
    arguments = [frame.values[operand.id] for operand in op.operands]
    if ev.emitter.placement is not None and op.kind == "semantic.call":
        arguments = [ev.emitter.placement.here(argument) for argument in arguments]
    receiver = arguments[0] if arguments and isinstance(arguments[0], BlockValue) else None
    callee = ev.instances.called(op, frame.instance, receiver)
    passed = arguments[1:] if receiver else arguments
    in_grid = any(is_in_grid(argument) for argument in passed)
    saved = (ev.grid.axes, ev.grid.floor)
    if not in_grid:
        ev.grid.hide()
    ev.emitter.count()
    ev.depth += 1
    if ev.depth > MAX_CALL_DEPTH:
        raise beyond(f"calls are nested more than {MAX_CALL_DEPTH} deep", op.span, help="let functions call each other less deeply")
    header = CallHeader(
        callee=callee.function.name,
        semantic=callee.semantic,
        path=receiver.path if receiver else None,
        generics=callee.generics,
        arguments=tuple([_argument(argument) for argument in passed]),
    )
    ev.target.begin_call(header)
    try:
        if receiver is None:
            results = _run(ev, op, callee, arguments, once=not in_grid)
        else:

            def run() -> Sequence[Value]:
                return method_body(ev, receiver, lambda: _run(ev, op, callee, arguments, once=not in_grid))

            repeats = None if in_grid else ev.repeats
            results = run() if repeats is None else repeats.body(callee, receiver, passed, run)
    except SourceError as failure:
        raise through_call(failure, op, callee.function.name) from None
    ev.target.end_call(_flat(results))
    ev.depth -= 1
    ev.grid.restore(saved)
    return results[0] if len(op.results) == 1 else list(results)


def _run(ev: Evaluator, op: Op, callee: Instance, arguments: list[Value], *, once: bool) -> Sequence[Value]:
    """The call itself: of an op that runs once and whole, by a kernel, the library or between a custom-gradient pair; else the body."""
    if callee.function.kernel is not None:
        found = _kernel(ev, op, callee, arguments, once=once)
        if found is not None:
            return found
    if callee.function.grad is None or not once:
        return _native_or_body(ev, op, callee, arguments, native=once)
    return _own_gradient(ev, op, callee, arguments, native=True)


def _kernel(ev: Evaluator, op: Op, callee: Instance, arguments: list[Value], *, once: bool) -> Sequence[Value] | None:
    """A launch of the op's kernel, whose body is the op's own, between a custom-gradient pair where the op has a gradient."""
    from linnet_core.graph.evaluate_kernels import launched  # few entries call an op that names a kernel

    has_gradient = callee.function.grad is not None
    at = [position for position, argument in enumerate(arguments) if isinstance(argument, Tensor)]

    def body(names: Sequence[str]) -> Sequence[str | None]:
        inside = list(arguments)
        for position, name in zip(at, names, strict=True):
            outer = whole(arguments[position], op)
            inside[position] = Tensor(Operand(name, outer.shape, outer.dtype))
        if has_gradient:
            return [_name(operand) for operand in _flat(_own_gradient(ev, op, callee, inside, native=False))]
        return [_name(operand) for operand in _flat(_body(ev, callee, inside))]

    pullback = _pullback(ev, op, callee, arguments, at) if has_gradient else None
    return launched(ev, op, callee, arguments, body, pullback, once=once)


def _own_gradient(ev: Evaluator, op: Op, callee: Instance, arguments: list[Value], *, native: bool) -> Sequence[Value]:
    """The op between a custom-gradient pair: its body, or with `native` what the library has for it."""
    at = [position for position, argument in enumerate(arguments) if isinstance(argument, Tensor)]
    tensors = tuple([whole(arguments[position], op) for position in at])
    names = ev.emitter.names(BeginCustomGradient(operands=tensors))
    inside = list(arguments)
    for position, name, outer in zip(at, names, tensors, strict=True):
        inside[position] = Tensor(Operand(name, outer.shape, outer.dtype))
    (result,) = _native_or_body(ev, op, callee, inside, native=True) if native else _body(ev, callee, inside)
    y = whole(result, op)
    pullback = _pullback(ev, op, callee, arguments, at)
    ended = EndCustomGradient(arguments=len(tensors), operands=(*tensors, y))
    (name,) = ev.emitter.names(ended, {"pullback": pullback})
    return (Tensor(Operand(name, y.shape, y.dtype)),)


def _native_or_body(ev: Evaluator, op: Op, callee: Instance, arguments: list[Value], *, native: bool) -> Sequence[Value]:
    if callee.semantic and callee.function.name in WITH_LIBRARY_CALLS:
        taken = _native(ev, op, callee, arguments, whole=native)
        if taken is not None:
            return (taken,)
    return _body(ev, callee, arguments)


def _body(ev: Evaluator, callee: Instance, arguments: list[Value]) -> Sequence[Value]:
    body = callee.function.body
    inner = Frame(callee, dict(zip([argument.id for argument in body.args], arguments, strict=True)))
    return ev.region(body, inner)


def _native(ev: Evaluator, op: Op, callee: Instance, arguments: list[Value], *, whole: bool) -> Tensor | None:
    """The first library call for the op that the target takes; what was decided is kept."""
    offers = ev.offers.get(callee.function.name)
    if offers is None:
        offers = ev.offers[callee.function.name] = candidates(callee.function.name, ev.numerics)
    operands = _operands(arguments)
    reason = _why_not_offered(ev, op, offers, operands, whole=whole)
    if reason is not None or operands is None:
        ev.decisions.append(Decision(op, reason=reason))
        return None
    result = callee.result_type(op.span)
    attempts: list[Attempt] = []
    taken: Tensor | None = None
    for offer in offers:
        request = NativeCall(
            implementation=offer.implementation,
            generics=callee.sizes,
            shape=result.shape,
            dtype=result.dtype,
            operands=operands,
        )
        answer = ev.emitter.offered(request, result.shape, result.dtype)
        attempts.append(Attempt(offer, answer.reason if isinstance(answer, Declined) else None))
        if not isinstance(answer, Declined):
            taken = Tensor(answer)
            break
    ev.decisions.append(Decision(op, tuple(attempts)))
    return taken


def _operands(arguments: list[Value]) -> tuple[Operand | None, ...] | None:
    """The arguments as a library call takes them: whole tensors, None for an absent optional.  None where one is something else."""
    operands: list[Operand | None] = []
    for argument in arguments:
        match argument:
            case Tensor(axes=()):
                operands.append(argument.operand)
            case Present(value=Tensor(axes=()) as inner):
                operands.append(inner.operand)
            case Absent():
                operands.append(None)
            case _:
                return None
    return tuple(operands)


def _why_not_offered(ev: Evaluator, op: Op, offers: Sequence[LibraryCall], operands: Any, *, whole: bool) -> str | None:
    """Why the target is offered no library call; None when it is."""
    if not ev.library:
        return NOT_WANTED
    if not offers:
        return NOT_ADMITTED
    if not whole:
        return IN_GRID
    if len(op.results) != 1:
        return SEVERAL_RESULTS
    return NO_TENSOR if operands is None else None


def _pullback(ev: Evaluator, op: Op, callee: Instance, arguments: list[Value], at: list[int]) -> Any:
    """The callback that runs the op's gradient from names for its tensor arguments, y and dy."""

    def run(names: Sequence[str]) -> Sequence[str | None]:
        gradient = callee.function.grad
        assert gradient is not None
        y = callee.result_type(op.span)
        values = list(arguments)
        for position, name in zip(at, names, strict=False):
            outer = whole(arguments[position], op)
            values[position] = Tensor(Operand(name, outer.shape, outer.dtype))
        values += [Tensor(Operand(name, y.shape, y.dtype)) for name in names[len(at) :]]
        frame = Frame(callee, dict(zip([argument.id for argument in gradient.args], values, strict=True)))
        given = iter(_flat(ev.region(gradient, frame)))
        return [_name(next(given)) if _takes_gradient(gradient.args[position].type) else None for position in at]

    return run


def _takes_gradient(type: Type) -> bool:
    """Whether a parameter of this type has a gradient: a tensor of a float dtype, or of a dtype generic that can be nothing else."""
    return isinstance(type, TensorType) and dtype_class(type.dtype) == "float"


def _name(operand: Operand | None) -> str | None:
    return None if operand is None else str(operand.value)


def _argument(value: Value) -> Any:
    """An argument as a `call` node shows it."""
    match value:
        case Tensor():
            return value.operand
        case Present():
            return _argument(value.value)
        case Fields():
            return tuple([_argument(part) for part in value.values])
        case EnumValue():
            return EnumArgument(value.variant)
        case _:
            return None


def method_body(ev: Evaluator, receiver: BlockValue, run: Callable[[], Sequence[Value]]) -> Sequence[Value]:
    """What stands around the body of a block's method, inside its `call` node.

    In this order: `set_slot`, `begin_remat`, the body, `release`, `end_remat`, `set_slot`.
    """
    placement = ev.emitter.placement
    if placement is None:
        return run() if ev.remat is None else ev.remat.around(receiver.path, run)

    def released() -> Sequence[Value]:
        results = run()
        placement.release(receiver.path, (*_flat(results), *ev.states.current.values()))
        return results

    placement.enter(receiver.path)
    results = released() if ev.remat is None else ev.remat.around(receiver.path, released)
    placement.leave()
    return results


def _flat(results: Sequence[Value]) -> list[Operand | None]:
    """The tensors of what a function gives, in order, None for an absent optional."""
    flat: list[Operand | None] = []
    for result in results:
        _flatten(result, flat)
    return flat


def _flatten(value: Value, into: list[Operand | None]) -> None:
    """The tensors of a result in order, None for an absent optional; a variant has no tensor."""
    match value:
        case Tensor():
            into.append(value.operand)
        case Present():
            _flatten(value.value, into)
        case Absent():
            into.append(None)
        case Fields():
            for part in value.values:
                _flatten(part, into)
        case _:
            pass


RULES: dict[str, Rule] = {
    "block.param": member,
    "block.sub": member,
    "array.get": element,
    "state.read": state_read,
    "state.write": state_write,
    "call": call,
    "semantic.call": call,
}
