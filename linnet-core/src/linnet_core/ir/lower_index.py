"""Index notation: element reads, comprehensions, reductions, and run-time positions outside index notation.

In: typed expressions.  Out: `RULES` (see `lower_body.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check import program as p
from linnet_core.check.types import I64, ScalarType, ShapeIndexType, TensorType, Type, tensor_or_scalar
from linnet_core.errors import InternalError
from linnet_core.ir.lower_body import Body, Rule, Steps, as_index
from linnet_core.ir.module import IndexDomain, Region, Value
from linnet_core.shapes import Pack

if TYPE_CHECKING:
    from linnet_core.check.types import DType
    from linnet_core.shapes import Shape, Unit
    from linnet_core.text.span import Span


def lower_element(body: Body, node: p.Element) -> Steps:
    """One element; positions are index arguments or i64 scalars."""
    operands = [(yield node.base)]
    for position in node.positions:
        if isinstance(position, p.IndexRef):
            operands.append(body.indices[position.index.id])
        else:
            operands.append(as_index(body, (yield position), position.span))
    return body.emit("tensor.element", operands, node.type, node.span)


def lower_comprehension(body: Body, node: p.Comprehension) -> Steps:
    """A tensor over its indices."""
    region = yield _index_region(body, node.indices, node.body, node.span)
    return body.emit("comprehension", (), node.type, node.span, {"indices": _domains(node.indices)}, (region,))


def lower_reduce(body: Body, node: p.Reduce) -> Steps:
    """A scalar over its indices."""
    region = yield _index_region(body, node.indices, node.body, node.span)
    attrs = {"indices": _domains(node.indices), "reduce": node.kind}
    return body.emit("reduce", (), node.type, node.span, attrs, (region,))


def _index_region(body: Body, indices: tuple[p.IndexVar, ...], inner: p.Expr, span: Span) -> Steps:
    args = tuple(body.value(_index_type(index), index.name) for index in indices)
    outer = dict(body.indices)
    body.indices.update((index.id, arg) for index, arg in zip(indices, args, strict=True))
    body.open_region(args, span)
    value = yield inner
    body.indices = outer
    return body.yield_values((value,), span)


def _index_type(index: p.IndexVar) -> Type:
    return ShapeIndexType(index.domain) if index.pack else I64


def _domains(indices: tuple[p.IndexVar, ...]) -> tuple[IndexDomain, ...]:
    return tuple(IndexDomain(index.name, index.domain) for index in indices)


def lower_gather(body: Body, node: p.Gather) -> Steps:
    """Run-time positions outside index notation.

    Only positions: an element read.  Otherwise a comprehension over the axes that stay, each whole, and then a slice for those
    that have bounds.
    """
    base: Value = yield node.operand
    units, dtype = _tensor(base)
    fixed: list[Value | None] = []
    kept: list[tuple[Unit, p.SliceAxis | p.WholeAxes]] = []
    for unit, axis in zip(units, node.axes, strict=True):
        match axis:
            case p.RuntimeIndex():
                fixed.append(as_index(body, (yield axis.index), axis.index.span))
            case p.SliceAxis(squeeze=True):
                fixed.append(body.emit("const.dim", (), I64, node.span, {"value": axis.start}))
            case _:
                fixed.append(None)
                kept.append((unit, axis))
    if not kept:
        operands = (base, *(position for position in fixed if position is not None))
        return body.emit("tensor.element", operands, node.type, node.span)
    whole = tuple(unit for unit, _ in kept)
    bounded = any(isinstance(axis, p.SliceAxis) for _, axis in kept)
    type = tensor_or_scalar(whole, dtype) if bounded else node.type
    region = _kept_axes(body, base, fixed, whole, dtype, node.span)
    attrs = {"indices": tuple(IndexDomain(arg.name, (unit,)) for arg, unit in zip(region.args, whole, strict=True))}
    taken = body.emit("comprehension", (), type, node.span, attrs, (region,))
    if not bounded:
        return taken
    return body.emit("slice", (taken,), node.type, node.span, {"axes": tuple(axis for _, axis in kept)})


def _tensor(value: Value) -> tuple[Shape, DType]:
    if not isinstance(value.type, TensorType):
        raise InternalError(f"an index into {value.type}")
    return value.type.shape, value.type.dtype


def _kept_axes(body: Body, base: Value, fixed: list[Value | None], whole: Shape, dtype: DType, span: Span) -> Region:
    """The region of a comprehension over the units `whole`, reading `base` with `fixed` positions where there are any."""
    args = tuple(body.value(_whole_index(unit), f"k{n}") for n, unit in enumerate(whole))
    body.open_region(args, span)
    free = iter(args)
    operands = (base, *(next(free) if position is None else position for position in fixed))
    element = body.emit("tensor.element", operands, ScalarType(dtype), span)
    return body.yield_values((element,), span)


def _whole_index(unit: Unit) -> Type:
    return ShapeIndexType((unit,)) if isinstance(unit, Pack) else I64


RULES: dict[type, Rule] = {
    p.Element: lower_element,
    p.Comprehension: lower_comprehension,
    p.Reduce: lower_reduce,
    p.Gather: lower_gather,
}
