"""The rules of the calls that every target must take: elementwise, shapes, positions, reductions.

In: a call.  Out: its result, a `Source` of the graph in the making.  What GE has no operation for is an error that names the call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.types import FLOATS
from linnet_core.errors import DocumentError
from linnet_core.graph.calls import (
    Broadcast,
    Call,
    Compare,
    Concat,
    Contract,
    Convert,
    Cumsum,
    Elementwise,
    Gather,
    Iota,
    NativeCall,
    Reduce,
    Reshape,
    ScatterAdd,
    Select,
    Slice,
    Transpose,
    UpdateRow,
)
from linnet_ge.from_graph.contraction import contracted
from linnet_ge.from_graph.making import Making, spread_shape
from linnet_ge.from_graph.native import native

if TYPE_CHECKING:
    from collections.abc import Callable

    from linnet_ge.from_graph.scope import Source

_UNARY = {
    "neg": "Neg",
    "exp": "Exp",
    "log": "Log",
    "sqrt": "Sqrt",
    "rsqrt": "Rsqrt",
    "sin": "Sin",
    "cos": "Cos",
    "tanh": "Tanh",
    "abs": "Abs",
}
_BINARY = {
    "add": "Add",
    "sub": "Sub",
    "mul": "Mul",
    "rem": "TruncateMod",
    "min": "Minimum",
    "max": "Maximum",
    "and": "LogicalAnd",
    "or": "LogicalOr",
    "bitand": "BitwiseAnd",
    "bitor": "BitwiseOr",
    "bitxor": "BitwiseXor",
}
#: Bit operations on bools.
_LOGICAL = {"bitand": "LogicalAnd", "bitor": "LogicalOr", "bitxor": "NotEqual"}
_SHIFTS = {"shl": "LeftShift", "shr": "RightShift"}
_COMPARE = {"eq": "Equal", "ne": "NotEqual", "lt": "Less", "le": "LessEqual", "gt": "Greater", "ge": "GreaterEqual"}
_REDUCE = {"sum": "ReduceSum", "prod": "ReduceProd", "max": "ReduceMax", "min": "ReduceMin", "any": "ReduceAny", "all": "ReduceAll"}


def result_of(m: Making, call: Call) -> Source:
    """The result of a call that has one.  Raises `DocumentError` where GE has no operation for it."""
    rule = RULES.get(type(call))
    if rule is None:
        raise DocumentError(f"{call.op} has no operation of the Graph Engine")
    return rule(m, call)


def binary_type(kind: str, dtype: str) -> str:
    """The operation of an elementwise call of two operands, but shifts."""
    if kind == "div":
        return "RealDiv" if dtype in FLOATS else "TruncateDiv"
    return _LOGICAL[kind] if dtype == "bool" and kind in _LOGICAL else _BINARY[kind]


def _elementwise(m: Making, call: Elementwise) -> Source:
    if len(call.operands) == 1:
        x = m.loose(call, 0)
        kind = ("LogicalNot" if call.dtype == "bool" else "Invert") if call.kind == "not" else _UNARY[call.kind]
        return m.spread(m.scope.add(kind, {"x": x}, x.shape, call.dtype), call.shape)
    a, b = m.loose(call, 0), m.loose(call, 1)
    shape = spread_shape(a.shape, b.shape)
    if call.kind in _SHIFTS:
        return m.spread(m.scope.add(_SHIFTS[call.kind], {"x": a, "y": b}, shape, call.dtype), call.shape)
    return m.spread(m.scope.add(binary_type(call.kind, call.dtype), {"x1": a, "x2": b}, shape, call.dtype), call.shape)


def _compare(m: Making, call: Compare) -> Source:
    a, b = m.loose(call, 0), m.loose(call, 1)
    return m.spread(m.scope.add(_COMPARE[call.kind], {"x1": a, "x2": b}, spread_shape(a.shape, b.shape), "bool"), call.shape)


def _select(m: Making, call: Select) -> Source:
    condition, then, otherwise = (m.loose(call, position) for position in range(3))
    shape = spread_shape(condition.shape, then.shape, otherwise.shape)
    return m.spread(m.scope.add("SelectV2", {"condition": condition, "then": then, "else": otherwise}, shape, call.dtype), call.shape)


def _convert(m: Making, call: Convert) -> Source:
    return m.spread(m.cast(m.loose(call, 0), call.dtype), call.shape)


def _reshape(m: Making, call: Reshape) -> Source:
    return m.reshape(m.operand(call, 0), call.shape)


def _transpose(m: Making, call: Transpose) -> Source:
    return m.transpose(m.operand(call, 0), call.permutation)


def _broadcast(m: Making, call: Broadcast) -> Source:
    return m.spread(m.placed(m.operand(call, 0), call.dims, len(call.shape)), call.shape)


def _slice(m: Making, call: Slice) -> Source:
    x = m.operand(call, 0)
    if not call.shape:
        return x
    # a negative limit would be counted from the end: it means that the first element is taken, too
    to_first = sum(1 << axis for axis, limit in enumerate(call.limits) if limit < 0)
    positions = {"begin": m.integers(*call.starts), "end": m.integers(*call.limits), "strides": m.integers(*call.strides)}
    return m.scope.add("StridedSlice", {"x": x, **positions}, call.shape, x.dtype, end_mask=to_first)


def _concat(m: Making, call: Concat) -> Source:
    parts = m.operands(call)
    if len(parts) == 1:
        return parts[0]
    shape = call.result_types()[0].shape
    return m.scope.add("ConcatV2", {"x": parts, "concat_dim": m.integer(call.axis, "i32")}, shape, parts[0].dtype, N=len(parts))


def _cumsum(m: Making, call: Cumsum) -> Source:
    x = m.operand(call, 0)
    return m.scope.add("Cumsum", {"x": x, "axis": m.integer(call.axis, "i32")}, x.shape, x.dtype)


def _iota(m: Making, call: Iota) -> Source:
    bounds = {"start": m.integer(0), "limit": m.integer(call.length), "delta": m.integer(1)}
    return m.scope.add("Range", bounds, (call.length,), "i64")


def _gather(m: Making, call: Gather) -> Source:
    source, indices = m.operands(call)
    if not indices.shape[-1]:
        return m.spread(source, call.shape)
    return m.scope.add("GatherNd", {"x": source, "indices": indices}, call.shape, source.dtype)


def _scatter_add(m: Making, call: ScatterAdd) -> Source:
    indices, values = m.operands(call)
    if not indices.shape[-1]:
        lead = len(indices.shape) - 1
        axes = m.integers(*range(lead))
        return m.scope.add("ReduceSum", {"x": values, "axes": axes}, call.shape, call.dtype) if lead else values
    return m.scope.add("ScatterNd", {"indices": indices, "x": values, "shape": m.integers(*call.shape)}, call.shape, call.dtype)


def _update_row(m: Making, call: UpdateRow) -> Source:
    stack, index, row = m.operands(call)
    positions = {"indices": m.reshape(index, (1, 1)), "updates": m.reshape(row, (1, *row.shape))}
    return m.scope.add("TensorScatterUpdate", {"x": stack, **positions}, stack.shape, stack.dtype)


def _reduce(m: Making, call: Reduce) -> Source:
    x = m.operand(call, 0)
    if not call.dims:
        return x
    return m.scope.add(_REDUCE[call.kind], {"x": x, "axes": m.integers(*call.dims)}, call.shape, x.dtype)


RULES: dict[type[Call], Callable[[Making, object], Source]] = {
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
    Iota: _iota,
    Gather: _gather,
    ScatterAdd: _scatter_add,
    UpdateRow: _update_row,
    Reduce: _reduce,
    Contract: contracted,
    NativeCall: native,
}  # pyright: ignore[reportAssignmentType]  # each rule takes the kind it stands under
