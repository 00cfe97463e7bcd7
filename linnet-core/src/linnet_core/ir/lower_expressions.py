"""Expressions without regions: locals, elementwise operations, shapes, tuples, structs, optionals.

In: typed expressions.  Out: `RULES`, one lowering rule a node type (see `lower_body.py`).
"""

from __future__ import annotations

from linnet_core.check import program as p
from linnet_core.check.types import TupleType, shape_of
from linnet_core.errors import InternalError
from linnet_core.ir.lower_body import Body, Rule, Steps, each
from linnet_core.ir.module import Value


def lower_local(body: Body, node: p.LocalRef) -> Value:
    """The local's present value."""
    value = body.locals.get(node.local.id)
    if value is None:
        raise InternalError(f"local `{node.local.name}` is read before it has a value")
    return value


def lower_unary(body: Body, node: p.Unary) -> Steps:
    """Elementwise, one operand."""
    operand = yield node.operand
    return body.emit(node.kind, (operand,), node.type, node.span)


def lower_binary(body: Body, node: p.Binary) -> Steps:
    """Elementwise, two operands."""
    left = yield node.left
    right = yield node.right
    return body.emit(node.kind, (left, right), node.type, node.span)


def lower_compare(body: Body, node: p.Compare) -> Steps:
    """Elementwise comparison."""
    left = yield node.left
    right = yield node.right
    return body.emit("compare", (left, right), node.type, node.span, {"compare": node.kind})


def lower_select(body: Body, node: p.Select) -> Steps:
    """Elementwise choice."""
    condition = yield node.condition
    on_true = yield node.on_true
    on_false = yield node.on_false
    return body.emit("select", (condition, on_true, on_false), node.type, node.span)


def lower_cast(body: Body, node: p.Cast) -> Steps:
    """The operand in another dtype."""
    operand = yield node.operand
    return body.emit("cast", (operand,), node.type, node.span)


def lower_reshape(body: Body, node: p.Reshape) -> Steps:
    """The operand in another shape."""
    operand = yield node.operand
    return body.emit("reshape", (operand,), node.type, node.span, {"shape": shape_of(node.type)})


def lower_broadcast(body: Body, node: p.BroadcastTo) -> Steps:
    """The operand spread to a shape."""
    operand = yield node.operand
    return body.emit("broadcast", (operand,), node.type, node.span, {"shape": shape_of(node.type)})


def lower_fill(body: Body, node: p.Fill) -> Steps:
    """A scalar in every place."""
    value = yield node.value
    return body.emit("fill", (value,), node.type, node.span, {"shape": shape_of(node.type)})


def lower_iota(body: Body, node: p.Iota) -> Value:
    """0, 1, 2, ..."""
    return body.emit("iota", (), node.type, node.span, {"shape": shape_of(node.type)})


def lower_permute(body: Body, node: p.Permute) -> Steps:
    """The axes in another order."""
    operand = yield node.operand
    return body.emit("permute", (operand,), node.type, node.span, {"shape": node.axes})


def lower_concat(body: Body, node: p.Concat) -> Steps:
    """Parts along an axis, which stays as written."""
    parts = yield each(node.parts)
    return body.emit("concat", parts, node.type, node.span, {"axis": node.axis})


def lower_cumsum(body: Body, node: p.Cumsum) -> Steps:
    """A running sum along an axis, which stays as written."""
    operand = yield node.operand
    return body.emit("cumsum", (operand,), node.type, node.span, {"axis": node.axis})


def lower_slice(body: Body, node: p.Slice) -> Steps:
    """Ranges and positions known at compile time."""
    operand = yield node.operand
    return body.emit("slice", (operand,), node.type, node.span, {"axes": node.axes})


def lower_tuple(body: Body, node: p.MakeTuple) -> Steps:
    """A tuple."""
    elements = yield each(node.elements)
    return body.emit("tuple.make", elements, node.type, node.span)


def lower_struct(body: Body, node: p.MakeStruct) -> Steps:
    """A struct, fields in declaration order."""
    fields = yield each(node.fields)
    return body.emit("struct.make", fields, node.type, node.span)


def lower_get(body: Body, node: p.GetField) -> Steps:
    """A field of a struct or an element of a tuple."""
    base = yield node.base
    kind = "tuple.get" if isinstance(base.type, TupleType) else "struct.get"
    return body.emit(kind, (base,), node.type, node.span, {"value": node.position})


def lower_some(body: Body, node: p.MakeSome) -> Steps:
    """A present optional."""
    value = yield node.value
    return body.emit("option.some", (value,), node.type, node.span)


def lower_none(body: Body, node: p.MakeNone) -> Value:
    """An absent optional."""
    return body.emit("option.none", (), node.type, node.span)


def lower_enum_value(body: Body, node: p.EnumValue) -> Value:
    """A variant."""
    return body.emit("enum.const", (), node.type, node.span, {"name": node.variant})


RULES: dict[type, Rule] = {
    p.LocalRef: lower_local,
    p.Unary: lower_unary,
    p.Binary: lower_binary,
    p.Compare: lower_compare,
    p.Select: lower_select,
    p.Cast: lower_cast,
    p.Reshape: lower_reshape,
    p.BroadcastTo: lower_broadcast,
    p.Fill: lower_fill,
    p.Iota: lower_iota,
    p.Permute: lower_permute,
    p.Concat: lower_concat,
    p.Cumsum: lower_cumsum,
    p.Slice: lower_slice,
    p.MakeTuple: lower_tuple,
    p.MakeStruct: lower_struct,
    p.GetField: lower_get,
    p.MakeSome: lower_some,
    p.MakeNone: lower_none,
    p.EnumValue: lower_enum_value,
}
