"""What the operands and attributes of a call must be to each other.

In: a call of any kind, with its operands.  Out: what is wrong with it, in words, or None.  Reading a document applies it, so that a graph
that was read is one an exporter can have made; the rules are those of each kind's docstring.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import TYPE_CHECKING, Any

from linnet_core.check.types import DTYPES, FLOATS, INTEGERS
from linnet_core.graph.calls import (
    BeginCounted,
    Broadcast,
    Compare,
    Concat,
    Constant,
    Contract,
    Convert,
    Cumsum,
    Elementwise,
    EndCustomGradient,
    Finish,
    Gather,
    LaunchKernel,
    NativeCall,
    Reduce,
    Reshape,
    ScatterAdd,
    Select,
    Slice,
    Transpose,
    UpdateRow,
    WhileCondition,
    WhileInitialCondition,
    WhileTrailingCondition,
)
from linnet_core.graph.calls.elementwise import UNARY_KINDS
from linnet_core.graph.library_shapes import broken_signature

if TYPE_CHECKING:
    from linnet_core.graph.calls import Call, Operand

#: The dtypes a literal of a kind may have; `lowest` and `highest` are of any numeric dtype.
_LITERALS: dict[str, frozenset[str]] = {
    "integer": frozenset(INTEGERS),
    "real": frozenset(FLOATS),
    "boolean": frozenset(("bool",)),
    "lowest": frozenset((*INTEGERS, *FLOATS)),
    "highest": frozenset((*INTEGERS, *FLOATS)),
}
_NUMBERS = (*INTEGERS, *FLOATS)
#: The dtypes of the kinds of `elementwise`; those that are not here take any.
_DTYPES_OF: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("exp", "log", "sqrt", "rsqrt", "sin", "cos", "tanh"), FLOATS),
    **dict.fromkeys(("add", "sub", "mul", "div", "rem", "neg", "abs"), _NUMBERS),
    **dict.fromkeys(("shl", "shr"), INTEGERS),
    **dict.fromkeys(("and", "or", "not", "bitand", "bitor", "bitxor"), ("bool", *INTEGERS)),
}


#: Calls that see operands spread to their shape, where a target spreads them itself.
SPREADS = (Elementwise, Compare, Select)


def spreads(shape: tuple[int, ...], to: tuple[int, ...]) -> bool:
    """Whether axes are spread to those of `to`, aligned from the right."""
    return len(shape) <= len(to) and all(size in (1, wide) for size, wide in zip(reversed(shape), reversed(to), strict=False))


def broken_rule(call: Call) -> str | None:
    """The first rule that `call` breaks."""
    rule = RULES.get(type(call))
    return None if rule is None else rule(call, call.operands)


def _constant(call: Constant, operands: tuple[Operand, ...]) -> str | None:
    fits = call.dtype in _LITERALS[call.literal.kind]
    return None if fits else f"literal: `{call.literal.kind}` is no literal of {call.dtype}"


def _elementwise(call: Elementwise, operands: tuple[Operand, ...]) -> str | None:
    due = 1 if call.kind in UNARY_KINDS else 2
    if len(operands) != due:
        return f"operands: {call.kind} takes {due} operands, not {len(operands)}"
    if call.dtype not in _DTYPES_OF.get(call.kind, DTYPES):
        return f"kind: {call.kind} of {call.dtype}"
    return _all_of(call.shape, call.dtype, operands)


def _compare(call: Compare, operands: tuple[Operand, ...]) -> str | None:
    return _all_of(call.shape, operands[0].dtype, operands)


def _select(call: Select, operands: tuple[Operand, ...]) -> str | None:
    return _all_of(call.shape, "bool", operands[:1]) or _all_of(call.shape, call.dtype, operands[1:])


def _all_of(shape: Any, dtype: str, operands: tuple[Operand, ...]) -> str | None:
    for operand in operands:
        if operand.shape != shape or operand.dtype != dtype:
            return f"operands: {dtype} {list(shape)} is due, not {operand.dtype} {list(operand.shape)}"
    return None


def _convert(call: Convert, operands: tuple[Operand, ...]) -> str | None:
    return None if operands[0].shape == call.shape else "shape: a conversion keeps its operand's"


def _reshape(call: Reshape, operands: tuple[Operand, ...]) -> str | None:
    return None if prod(operands[0].shape) == prod(call.shape) else "shape: a reshape keeps the number of elements"


def _transpose(call: Transpose, operands: tuple[Operand, ...]) -> str | None:
    shape = operands[0].shape
    if sorted(call.permutation) != list(range(len(shape))):
        return f"permutation: {list(call.permutation)} is no order of {len(shape)} axes"
    return None if call.shape == tuple(shape[axis] for axis in call.permutation) else "shape: not the operand's in that order"


def _broadcast(call: Broadcast, operands: tuple[Operand, ...]) -> str | None:
    shape, dims = operands[0].shape, call.dims
    if len(dims) != len(shape) or not _are_axes(dims, len(call.shape)):
        return f"dims: {list(dims)} are not {len(shape)} distinct axes of {len(call.shape)}"
    fits = all(size in (1, call.shape[axis]) for size, axis in zip(shape, dims, strict=True))
    return None if fits else f"dims: {list(shape)} does not spread to {list(call.shape)} along {list(dims)}"


def _are_axes(axes: tuple[int, ...], rank: int) -> bool:
    return len(set(axes)) == len(axes) and all(0 <= axis < rank for axis in axes)


def _slice(call: Slice, operands: tuple[Operand, ...]) -> str | None:
    sizes = operands[0].shape
    if not len(call.starts) == len(call.limits) == len(call.strides) == len(sizes):
        return f"starts: one entry for each of {len(sizes)} axes is due, of limits and strides too"
    taken: list[int] = []
    for start, limit, stride, size in zip(call.starts, call.limits, call.strides, sizes, strict=True):
        if not 0 <= start <= limit <= size or stride < 1:
            return f"starts: {start}:{limit}:{stride} is no range of an axis of {size}"
        taken.append(-((start - limit) // stride))
    return None if call.shape == tuple(taken) else f"shape: the ranges take {taken}"


def _concat(call: Concat, operands: tuple[Operand, ...]) -> str | None:
    first, axis = operands[0], call.axis
    if not 0 <= axis < len(first.shape):
        return f"axis: the operands of this concat do not fit an axis {axis}"
    for part in operands:
        if part.dtype != first.dtype or (*part.shape[:axis], *part.shape[axis + 1 :]) != (*first.shape[:axis], *first.shape[axis + 1 :]):
            return f"operands: {part.dtype} {list(part.shape)} does not stand beside {first.dtype} {list(first.shape)}"
    return None


def _cumsum(call: Cumsum, operands: tuple[Operand, ...]) -> str | None:
    if operands[0].dtype == "bool":
        return "operands: numbers are added, not bools"
    return None if 0 <= call.axis < len(operands[0].shape) else f"axis: there is no axis {call.axis} of {len(operands[0].shape)}"


def _columns(indices: Operand, rank: int) -> str | None:
    """Positions: i64, the last axis a column for each of the first axes of something of `rank`."""
    if indices.dtype != "i64" or not indices.shape or indices.shape[-1] > rank:
        return f"operands: {indices.dtype} {list(indices.shape)} are no positions in {rank} axes"
    return None


def _gather(call: Gather, operands: tuple[Operand, ...]) -> str | None:
    source, indices = operands
    problem = _columns(indices, len(source.shape))
    fits = not problem and call.shape == (*indices.shape[:-1], *source.shape[indices.shape[-1] :])
    return problem or (None if fits else "shape: not the positions' followed by the axes taken whole")


def _scatter_add(call: ScatterAdd, operands: tuple[Operand, ...]) -> str | None:
    indices, values = operands
    problem = _columns(indices, len(call.shape))
    fits = not problem and values.dtype == call.dtype and values.shape == (*indices.shape[:-1], *call.shape[indices.shape[-1] :])
    return problem or (None if fits else "operands: the values are not as the positions and the shape say")


def _update_row(call: UpdateRow, operands: tuple[Operand, ...]) -> str | None:
    stack, index, row = operands
    if not stack.shape or row.shape != stack.shape[1:] or row.dtype != stack.dtype:
        return f"operands: {row.dtype} {list(row.shape)} is no row of {stack.dtype} {list(stack.shape)}"
    return _all_of((), "i64", (index,))


def _reduce(call: Reduce, operands: tuple[Operand, ...]) -> str | None:
    body = operands[0]
    kept = len(body.shape) - len(call.dims)
    if call.dims != tuple(range(kept, len(body.shape))):
        return f"dims: {list(call.dims)} are not the last axes of {len(body.shape)}"
    if (call.kind in ("any", "all")) != (body.dtype == "bool"):
        return f"kind: {call.kind} of {body.dtype}"
    return None if call.shape == body.shape[:kept] else "shape: not the operand's without its last axes"


def _contract(call: Contract, operands: tuple[Operand, ...]) -> str | None:
    sizes: dict[int, int] = {}
    for name, axes, operand in (("lhs_axes", call.lhs_axes, operands[0]), ("rhs_axes", call.rhs_axes, operands[1])):
        if len(axes) != len(operand.shape) or len(set(axes)) != len(axes):
            return f"{name}: {list(axes)} are not {len(operand.shape)} distinct axes"
        for axis, size in zip(axes, operand.shape, strict=True):
            if sizes.setdefault(axis, size) != size:
                return f"{name}: axis {axis} has {sizes[axis]} elements and {size}"
        if operand.dtype != call.dtype or operand.dtype == "bool":
            return f"operands: numbers of {call.dtype} are due, not {operand.dtype}"
    known = len(set(call.out_axes)) == len(call.out_axes) and all(axis in sizes for axis in call.out_axes)
    if not known:
        return f"out_axes: {list(call.out_axes)} are not distinct axes of the operands"
    return None if call.shape == tuple(sizes[axis] for axis in call.out_axes) else "shape: not that of the axes kept"


def _native_call(call: NativeCall, operands: tuple[Operand | None, ...]) -> str | None:
    return broken_signature(call)


def _predicate(call: Call, operands: tuple[Operand, ...]) -> str | None:
    return _all_of((), "bool", operands)


def _begin_counted(call: BeginCounted, operands: tuple[Operand, ...]) -> str | None:
    return None if call.start <= call.stop else f"stop: {call.stop} is before {call.start}"


def _end_custom_gradient(call: EndCustomGradient, operands: tuple[Operand, ...]) -> str | None:
    due = call.arguments + 1
    return None if len(operands) == due else f"operands: {call.arguments} arguments and a result are due, not {len(operands)}"


def _launch_kernel(call: LaunchKernel, operands: tuple[Operand, ...]) -> str | None:
    if len(call.result_shapes) != len(call.result_dtypes):
        return f"result_dtypes: {len(call.result_dtypes)} of them for {len(call.result_shapes)} shapes"
    if not 1 <= len(call.grid) <= 3:
        return f"grid: one to three sizes are due, not {len(call.grid)}"
    if min(call.grid) < 1:
        return f"grid: {list(call.grid)} has no program"
    unknown = next((at for at, dtype in enumerate(call.result_dtypes) if dtype not in DTYPES), None)
    if unknown is not None:
        return f"result_dtypes[{unknown}]: {call.result_dtypes[unknown]!r} is no dtype"
    negative = next((name for name in ("warps", "stages") if getattr(call, name) < 0), None)
    return None if negative is None else f"{negative}: {getattr(call, negative)} is negative"


def _finish(call: Finish, operands: tuple[Operand, ...]) -> str | None:
    due = call.returns + len(call.states)
    if len(operands) != due:
        return f"operands: {call.returns} results and {len(call.states)} states are due, not {len(operands)}"
    if call.gradients and len(call.gradients) + 1 != call.returns:
        return f"gradients: {call.returns} results are a loss and {call.returns - 1} gradients, not {len(call.gradients)}"
    for field, paths in (("states: a state", call.states), ("gradients: a gradient", call.gradients)):
        if len(set(paths)) != len(paths):
            return f"{field} stands there twice"
    return None


#: By kind; a kind that is not here has no rule beyond the types of its fields.
RULES: dict[type, Callable[[Any, Any], str | None]] = {
    Constant: _constant,
    Elementwise: _elementwise,
    Compare: _compare,
    Select: _select,
    Convert: _convert,
    Reshape: _reshape,
    Transpose: _transpose,
    Broadcast: _broadcast,
    Slice: _slice,
    Concat: _concat,
    Cumsum: _cumsum,
    Gather: _gather,
    ScatterAdd: _scatter_add,
    UpdateRow: _update_row,
    Reduce: _reduce,
    Contract: _contract,
    NativeCall: _native_call,
    WhileCondition: _predicate,
    WhileInitialCondition: _predicate,
    WhileTrailingCondition: _predicate,
    BeginCounted: _begin_counted,
    EndCustomGradient: _end_custom_gradient,
    LaunchKernel: _launch_kernel,
    Finish: _finish,
}
