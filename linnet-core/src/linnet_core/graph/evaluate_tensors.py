"""Constants, the elementwise family, the shape family, tuples, optionals and enums.

In: an operation and the frame with its operands.  Out: its value; `RULES` has a function a kind.  A scalar operation of index notation
works over the axes its operands depend on (`grid.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.integers import fits
from linnet_core.check.program import SliceAxis
from linnet_core.check.types import INTEGERS
from linnet_core.graph import known
from linnet_core.graph.bind import size_notes
from linnet_core.graph.calls import Compare, Cumsum, Elementwise, Literal, Operand, Select, Transpose
from linnet_core.graph.failures import cannot, unfit
from linnet_core.graph.instances import concrete_dim, concrete_shape
from linnet_core.graph.values import ABSENT, Absent, EnumValue, Fields, Present, Tensor, Value
from linnet_core.ir.ops import BINARY_KINDS, UNARY_KINDS

if TYPE_CHECKING:
    from linnet_core.graph.evaluate import Evaluator, Rule
    from linnet_core.graph.instances import Frame
    from linnet_core.ir.module import Op


def tensor(value: Value, op: Op) -> Tensor:
    """A value that must be a tensor or scalar."""
    if not isinstance(value, Tensor):
        raise cannot(f"`{op.kind}` needs a tensor, and this is known at export only", op, help="give it a tensor or a scalar")
    return value


def whole(value: Value, op: Op) -> Operand:
    """A value that must be a whole tensor, not a scalar of index notation."""
    found = tensor(value, op)
    if found.axes:
        raise cannot(
            f"`{op.kind}` of a whole tensor depends on an index of index notation", op, help="compute the tensor outside, then index it"
        )
    return found.operand


# ------------------------------------------------------------------------------------------------------------ constants


def integer(ev: Evaluator, op: Op, frame: Frame) -> Tensor:
    """`const.int`, whose dtype may have been a generic."""
    value, dtype = op.attrs["value"], frame.instance.type_of(op.results[0], op).dtype
    if dtype not in INTEGERS:
        return Tensor(ev.emitter.literal(Literal("real", float(value)), dtype))
    if not fits(value, dtype):
        raise unfit(f"{value} does not fit {dtype}", op.span, help="bind a dtype that holds it")
    return Tensor(ev.emitter.integer(value, dtype), known=value)


def boolean(ev: Evaluator, op: Op, frame: Frame) -> Tensor:
    """`const.bool`."""
    value = bool(op.attrs["value"])
    return Tensor(ev.emitter.literal(Literal("boolean", value), "bool"), known=value)


def real(ev: Evaluator, op: Op, frame: Frame) -> Tensor:
    """`const.float`."""
    dtype = frame.instance.type_of(op.results[0], op).dtype
    return Tensor(ev.emitter.literal(Literal("real", float(op.attrs["value"])), dtype))


def dimension(ev: Evaluator, op: Op, frame: Frame) -> Tensor:
    """`const.dim`."""
    value = concrete_dim(op.attrs["value"], frame.instance.bindings, op.span)
    if not fits(value, "i64"):
        raise unfit(f"`{op.attrs['value']}` is {value} at these sizes, which does not fit i64", op.span)
    return Tensor(ev.emitter.integer(value), known=value)


# ---------------------------------------------------------------------------------------------------------- elementwise


def binary(ev: Evaluator, op: Op, frame: Frame) -> Tensor:
    """A kind with two operands."""
    a, b = tensor(frame.values[op.operands[0].id], op), tensor(frame.values[op.operands[1].id], op)
    type = frame.instance.type_of(op.results[0], op)
    axes, shape, operands = ev.aligned((a, b), type.shape, op)
    made = ev.emitter.elementwise(op.kind, operands, shape, type.dtype)
    if a.known is None or b.known is None:
        return Tensor(made, axes)
    return Tensor(made, axes, known.binary(op.kind, a.known, b.known, type.dtype))


def unary(ev: Evaluator, op: Op, frame: Frame) -> Tensor:
    """A kind with one operand."""
    a = tensor(frame.values[op.operands[0].id], op)
    x = a.operand
    call = Elementwise(kind=op.kind, shape=x.shape, dtype=x.dtype, operands=(x,))  # type: ignore[arg-type]  # a kind both spell alike
    found = known.unary(op.kind, a.known, x.dtype) if a.known is not None else None
    return Tensor(ev.emitter.one(call, x.shape, x.dtype), a.axes, found)


def cast(ev: Evaluator, op: Op, frame: Frame) -> Tensor:
    """`cast`: of an element that was read, the whole tensor it was read from."""
    a = tensor(frame.values[op.operands[0].id], op)
    dtype = frame.instance.type_of(op.results[0], op).dtype
    found = known.cast(a.known, dtype) if a.known is not None else None
    return Tensor(ev.emitter.convert(a.operand, dtype), a.axes, found)


def compare(ev: Evaluator, op: Op, frame: Frame) -> Tensor:
    """A comparison."""
    a, b = tensor(frame.values[op.operands[0].id], op), tensor(frame.values[op.operands[1].id], op)
    axes, shape, operands = ev.aligned((a, b), frame.instance.type_of(op.results[0], op).shape, op)
    kind = op.attrs["compare"]
    made = ev.emitter.one(Compare(kind=kind, shape=shape, operands=operands), shape, "bool")
    return Tensor(made, axes, known.compare(kind, a.known, b.known) if a.known is not None and b.known is not None else None)


def select(ev: Evaluator, op: Op, frame: Frame) -> Tensor:
    """`select(condition, on_true, on_false)`."""
    parts = [tensor(frame.values[operand.id], op) for operand in op.operands]
    return chosen(ev, parts, frame.instance.type_of(op.results[0], op).shape, op)


def chosen(ev: Evaluator, parts: list[Tensor], shape: tuple[int, ...], op: Op) -> Tensor:
    """`select` of condition, on_true and on_false."""
    axes, shape, operands = ev.aligned(parts, shape, op)
    dtype = parts[1].operand.dtype
    return Tensor(ev.emitter.one(Select(shape=shape, dtype=dtype, operands=operands), shape, dtype), axes)


# ---------------------------------------------------------------------------------------------------------------- shape


def reshape(ev: Evaluator, op: Op, frame: Frame) -> Tensor:
    """`reshape`."""
    x = whole(frame.values[op.operands[0].id], op)
    shape = frame.instance.type_of(op.results[0], op).shape
    return Tensor(ev.emitter.reshape(x, shape))


def broadcast(ev: Evaluator, op: Op, frame: Frame) -> Tensor:
    """`broadcast_to` and `fill`."""
    x = whole(frame.values[op.operands[0].id], op)
    return Tensor(ev.emitter.spread(x, frame.instance.type_of(op.results[0], op).shape))


def iota(ev: Evaluator, op: Op, frame: Frame) -> Tensor:
    """`iota`, in another dtype by a conversion."""
    type = frame.instance.type_of(op.results[0], op)
    return Tensor(ev.emitter.convert(ev.emitter.iota(type.shape[0]), type.dtype))


def permute(ev: Evaluator, op: Op, frame: Frame) -> Tensor:
    """`permute`."""
    x = whole(frame.values[op.operands[0].id], op)
    axes = op.attrs["shape"]
    shape = tuple([x.shape[axis] for axis in axes])
    return Tensor(ev.emitter.one(Transpose(shape=shape, permutation=axes, operands=(x,)), shape, x.dtype))


def slice_(ev: Evaluator, op: Op, frame: Frame) -> Tensor:
    """`slice`, with its bounds checked against the bound sizes."""
    x = whole(frame.values[op.operands[0].id], op)
    attributes = frame.instance.attributes
    bounds = attributes.get(id(op))
    if bounds is None:
        bounds = attributes[id(op)] = _bounds(op, frame, x.shape)
    starts, limits, strides, kept = bounds
    taken = ev.emitter.slice(x, starts, limits, strides)
    if len(kept) == len(starts):
        return Tensor(taken)
    return Tensor(ev.emitter.reshape(taken, tuple([taken.shape[axis] for axis in kept])))


def _bounds(op: Op, frame: Frame, shape: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Starts, limits and strides of every axis, and which axes stay."""
    bindings = frame.instance.bindings
    starts: list[int] = []
    limits: list[int] = []
    strides: list[int] = []
    kept: list[int] = []
    for entry in op.attrs["axes"]:
        axis = len(starts)
        if not isinstance(entry, SliceAxis):
            extents = concrete_shape((entry.unit,), bindings, op.span)
            kept.extend(range(axis, axis + len(extents)))
            starts.extend([0] * len(extents))
            limits.extend(extents)
            strides.extend([1] * len(extents))
            continue
        start = concrete_dim(entry.start, bindings, op.span)
        stop = start + 1 if entry.squeeze else concrete_dim(entry.stop, bindings, op.span)
        if not 0 <= start <= stop <= shape[axis]:
            raise unfit(_outside(entry, start, stop, shape[axis]), op.span, size_notes((entry.start, entry.stop), bindings))
        if not entry.squeeze:
            kept.append(axis)
        starts.append(start)
        limits.append(stop)
        strides.append(entry.step)
    return tuple(starts), tuple(limits), tuple(strides), tuple(kept)


def _outside(entry: SliceAxis, start: int, stop: int, size: int) -> str:
    if entry.squeeze:
        return f"position `{entry.start}` is {start} at these sizes, outside an axis of {size}"
    return f"the range `{entry.start}:{entry.stop}` is {start}:{stop} at these sizes, outside an axis of {size}"


def concat(ev: Evaluator, op: Op, frame: Frame) -> Tensor:
    """`concat`."""
    parts = tuple([whole(frame.values[operand.id], op) for operand in op.operands])
    axis = op.attrs["axis"]
    return Tensor(ev.emitter.concat(parts, axis if axis >= 0 else len(parts[0].shape) + axis))


def cumsum(ev: Evaluator, op: Op, frame: Frame) -> Tensor:
    """`cumsum`."""
    x = whole(frame.values[op.operands[0].id], op)
    axis = op.attrs["axis"]
    call = Cumsum(axis=axis if axis >= 0 else len(x.shape) + axis, operands=(x,))
    return Tensor(ev.emitter.one(call, x.shape, x.dtype))


# ----------------------------------------------------------------------------------------------------------- structures


def fields(ev: Evaluator, op: Op, frame: Frame) -> Fields:
    """`tuple.make`, `struct.make`."""
    return Fields(tuple([frame.values[operand.id] for operand in op.operands]))


def field_of(ev: Evaluator, op: Op, frame: Frame) -> Value:
    """`tuple.get`, `struct.get`."""
    value = frame.values[op.operands[0].id]
    assert isinstance(value, Fields)
    return value.values[op.attrs["value"]]


def some(ev: Evaluator, op: Op, frame: Frame) -> Present:
    """`option.some`."""
    return Present(frame.values[op.operands[0].id])


def none(ev: Evaluator, op: Op, frame: Frame) -> Absent:
    """`option.none`."""
    return ABSENT


def variant(ev: Evaluator, op: Op, frame: Frame) -> EnumValue:
    """`enum.const`."""
    return EnumValue(op.attrs["name"])


RULES: dict[str, Rule] = {
    "const.int": integer,
    "const.bool": boolean,
    "const.float": real,
    "const.dim": dimension,
    **dict.fromkeys(BINARY_KINDS, binary),
    **dict.fromkeys(UNARY_KINDS, unary),
    "cast": cast,
    "compare": compare,
    "select": select,
    "reshape": reshape,
    "broadcast": broadcast,
    "fill": broadcast,
    "iota": iota,
    "permute": permute,
    "slice": slice_,
    "concat": concat,
    "cumsum": cumsum,
    "tuple.make": fields,
    "struct.make": fields,
    "tuple.get": field_of,
    "struct.get": field_of,
    "option.some": some,
    "option.none": none,
    "enum.const": variant,
}
