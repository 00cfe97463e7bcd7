"""Choices and loops that are settled at export, and `if`.

In: an operation and the frame.  Out: its value.  Matches and static loops leave no trace in the graph.  An `if` with a condition known at
export is its taken arm; otherwise both arms are evaluated and their results and state writes are merged by `select`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.graph.evaluate_tensors import chosen, tensor
from linnet_core.graph.failures import beyond, cannot
from linnet_core.graph.hierarchy import MAX_UNROLLED
from linnet_core.graph.values import Absent, ArrayValue, EnumValue, Fields, Present, Tensor, Value

if TYPE_CHECKING:
    from linnet_core.graph.evaluate import Evaluator, Rule
    from linnet_core.graph.instances import Frame
    from linnet_core.ir.module import Op, Region


def option_match(ev: Evaluator, op: Op, frame: Frame) -> Value:
    """`option.match`."""
    subject = frame.values[op.operands[0].id]
    some, none = op.regions
    if isinstance(subject, Present):
        if some.args:
            frame.values[some.args[0].id] = subject.value
        return ev.region(some, frame)[0]
    assert isinstance(subject, Absent)
    return ev.region(none, frame)[0]


def enum_match(ev: Evaluator, op: Op, frame: Frame) -> Value:
    """`enum.match`."""
    subject = frame.values[op.operands[0].id]
    assert isinstance(subject, EnumValue)
    for variant, arm in zip(op.attrs["variants"], op.regions, strict=True):
        if variant in (subject.variant, "_"):
            return ev.region(arm, frame)[0]
    raise cannot(f"no arm for `{subject.variant}`", op, help="add an arm for it, or `_`")


def conditional(ev: Evaluator, op: Op, frame: Frame) -> Value:
    """`if`."""
    condition = tensor(frame.values[op.operands[0].id], op)
    then, otherwise = op.regions
    if condition.known is not None:
        return ev.region(then if condition.known else otherwise, frame)[0]
    before = ev.states.snapshot()
    on_true = ev.region(then, frame)[0]
    written_true = ev.states.changed(before)
    ev.states.restore(before)
    on_false = ev.region(otherwise, frame)[0]
    written_false = ev.states.changed(before)
    ev.states.restore(before)
    result = _merged(ev, condition, on_true, on_false, op)
    for path in dict.fromkeys((*written_true, *written_false)):
        arms = [written.get(path) or ev.states.read(path) for written in (written_true, written_false)]
        if condition.axes:
            raise cannot(
                f"state `{path}` is assigned under a condition of index notation", op, help="assign it outside, from a whole tensor"
            )
        ev.states.write(path, chosen(ev, [condition, *map(Tensor, arms)], arms[0].shape, op).operand)
    return result


def _merged(ev: Evaluator, condition: Tensor, on_true: Value, on_false: Value, op: Op) -> Value:
    """What an `if` gives: tensors by `select`, tuples and structs part by part; whatever is no tensor must be the same in both arms."""
    match on_true, on_false:
        case Tensor(), Tensor():
            in_grid = condition.axes or on_true.axes or on_false.axes
            return chosen(ev, [condition, on_true, on_false], () if in_grid else on_true.operand.shape, op)
        case Fields(), Fields():
            pairs = zip(on_true.values, on_false.values, strict=True)
            return Fields(tuple([_merged(ev, condition, a, b, op) for a, b in pairs]))
        case Present(), Present():
            return Present(_merged(ev, condition, on_true.value, on_false.value, op))
        case _ if on_true == on_false:
            return on_true
        case Present() | Absent(), _:
            raise cannot("an `if` gives an optional that is present in one arm only", op, help="decide presence outside the `if`")
        case EnumValue(), EnumValue():
            message = f"an `if` over a run-time condition gives `{on_true.variant}` or `{on_false.variant}`: a variant is chosen at export"
            raise cannot(message, op, help="let both arms give what the `match` makes of the variant: a tensor, or a tuple of tensors")
        case _:
            raise cannot("an `if` over a run-time condition gives something that is no tensor", op, help="give a tensor in both arms")


def static_for(ev: Evaluator, op: Op, frame: Frame) -> list[Value]:
    """`static_for` over an array of blocks."""
    array = frame.values[op.operands[0].id]
    assert isinstance(array, ArrayValue)
    carried = [frame.values[operand.id] for operand in op.operands[1:]]
    return _unrolled(ev, op.regions[0], frame, carried, array.elements)


def static_range(ev: Evaluator, op: Op, frame: Frame) -> list[Value]:
    """`static_range`: each index is a constant of its own."""
    start, stop = bounds(op, frame)
    if stop - start > MAX_UNROLLED:
        message = f"this loop has {stop - start} iterations; at most {MAX_UNROLLED} are unrolled"
        raise beyond(message, op.span, help="use `while` or `for`")
    carried = [frame.values[operand.id] for operand in op.operands[2:]]
    region = op.regions[0]
    for at in range(start, stop):
        carried = _iteration(ev, region, frame, carried, Tensor(ev.emitter.integer(at), known=at))
    return carried


def bounds(op: Op, frame: Frame) -> tuple[int, int]:
    """Where a range starts and stops; known at export."""
    found = [tensor(frame.values[operand.id], op).known for operand in op.operands[:2]]
    if found[0] is None or found[1] is None:
        raise cannot("the bounds of this range are not known at export", op, help="let it start and stop at dimensions")
    return found[0], found[1]


def _unrolled(ev: Evaluator, region: Region, frame: Frame, carried: list[Value], elements: tuple[Value, ...]) -> list[Value]:
    for element in elements:
        carried = _iteration(ev, region, frame, carried, element)
    return carried


def _iteration(ev: Evaluator, region: Region, frame: Frame, carried: list[Value], element: Value) -> list[Value]:
    for argument, value in zip(region.args, (element, *carried), strict=True):
        frame.values[argument.id] = value
    return list(ev.region(region, frame))


RULES: dict[str, Rule] = {
    "option.match": option_match,
    "enum.match": enum_match,
    "if": conditional,
    "static_for": static_for,
    "static_range": static_range,
}
