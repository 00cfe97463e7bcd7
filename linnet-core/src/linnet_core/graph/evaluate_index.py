"""Index notation: comprehensions, reductions, element reads.

In: an operation and the frame.  Out: a whole tensor (comprehension), or a scalar over the grid axes it depends on.

An element read whose positions are distinct indices needs no call: the tensor itself is the scalar, over those axes.  Any other read is
a gather: an axis at which an index stands that no other position depends on is taken whole and goes last, the others get a column of
positions each, over the axes that these columns depend on and no more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.types import ShapeIndexType, shape_of
from linnet_core.graph.bind import size_notes
from linnet_core.graph.evaluate_tensors import tensor, whole
from linnet_core.graph.failures import unfit
from linnet_core.graph.instances import concrete_shape
from linnet_core.graph.values import Index, Tensor
from linnet_core.shapes import Dim

if TYPE_CHECKING:
    from linnet_core.graph.calls import Operand
    from linnet_core.graph.evaluate import Evaluator, Rule
    from linnet_core.graph.grid import Axes
    from linnet_core.graph.instances import Frame
    from linnet_core.ir.module import Op


def bind_indices(ev: Evaluator, op: Op, frame: Frame) -> Axes:
    """Add the axes of the indices to the grid and bind the region's arguments to them."""
    attributes = frame.instance.attributes
    sizes = attributes.get(id(op))
    if sizes is None:
        bindings = frame.instance.bindings
        sizes = attributes[id(op)] = [concrete_shape(index.domain, bindings, op.span) for index in op.attrs["indices"]]
    added: Axes = ()
    for argument, domain in zip(op.regions[0].args, sizes, strict=True):
        if len(domain) != 1 and not isinstance(argument.type, ShapeIndexType):
            raise unfit(f"index `{argument.name}` ranges over {len(domain)} axes", op.span)
        axes = ev.grid.extend(domain, op)
        frame.values[argument.id] = Index(axes)
        added += axes
    return added


def comprehension(ev: Evaluator, op: Op, frame: Frame) -> Tensor:
    """A tensor over its indices: the scalar spread to all of them."""
    saved = ev.grid.hide()
    axes = bind_indices(ev, op, frame)
    (element,) = ev.region(op.regions[0], frame)
    scalar = tensor(element, op)
    ev.grid.common((scalar,), op)
    made = ev.emitter.convert(ev.grid.spread(scalar, axes), frame.instance.type_of(op.results[0], op).dtype)
    ev.grid.restore(saved)
    return Tensor(made)


def reduction(ev: Evaluator, op: Op, frame: Frame) -> Tensor:
    """A reduction: a contraction where it is a sum of products, else the scalar spread over the reduced axes and reduced."""
    outer = (ev.grid.axes, ev.grid.floor)
    reduced = bind_indices(ev, op, frame)
    kind = op.attrs["reduce"]
    dtype = frame.instance.type_of(op.results[0], op).dtype
    found = _sum(ev, op, frame, reduced, dtype) if kind == "sum" else None
    if found is None:
        (element,) = ev.region(op.regions[0], frame)
        found = ev.reduced(kind, tensor(element, op), reduced, dtype, op)
    ev.grid.restore(outer)
    return found


def _sum(ev: Evaluator, op: Op, frame: Frame, axes: Axes, dtype: str) -> Tensor | None:
    """A sum of products as a contraction, or None.  An entry that takes a library call for each has none."""
    from linnet_core.graph.evaluate_masked_sums import masked_sum
    from linnet_core.graph.evaluate_sums import contracted

    found = contracted(ev, op, frame, axes, dtype)
    return masked_sum(ev, op, frame, axes, dtype) if found is None else found


# --------------------------------------------------------------------------------------------------------- element reads

#: A position in one axis: a grid axis, or a computed scalar.
Position = int | Tensor


def element(ev: Evaluator, op: Op, frame: Frame) -> Tensor:
    """`x[a, b, ...]`: one scalar."""
    source = whole(frame.values[op.operands[0].id], op)
    positions: list[Position] = []
    for operand in op.operands[1:]:
        value = frame.values[operand.id]
        if isinstance(value, Index):
            positions.extend(value.axes)
        else:
            positions.append(tensor(value, op))
    _check_positions(positions, source, op, frame)
    kept = _taken_whole(ev, positions, source.shape)
    if len(kept) == len(positions):
        return Tensor(source, _axes_at(positions, kept))
    if ev.slicing_diagonals and all(isinstance(position, int) for position in positions):
        found = _diagonal(ev, source, tuple(position for position in positions if isinstance(position, int)))
        if found is not None:
            return found
    return _gathered(ev, source, positions, kept, op)


def _check_positions(positions: list[Position], source: Operand, op: Op, frame: Frame) -> None:
    for axis, position in enumerate(positions):
        known = position.known if isinstance(position, Tensor) else None
        if known is not None and not 0 <= known < source.shape[axis]:
            notes = size_notes((unit for unit in shape_of(op.operands[0].type) or () if isinstance(unit, Dim)), frame.instance.bindings)
            raise unfit(f"position {known} is outside an axis of {source.shape[axis]}", op.span, notes)


def _taken_whole(ev: Evaluator, positions: list[Position], shape: tuple[int, ...]) -> tuple[int, ...]:
    """The source's axes at which a grid axis of its own size stands, alone and with no other position that depends on it."""
    plain = [
        isinstance(position, int) and positions.count(position) == 1 and ev.grid.size(position) == size
        for position, size in zip(positions, shape, strict=True)
    ]
    computed = _dependencies([position for position, alone in zip(positions, plain, strict=True) if not alone])
    return tuple([at for at, position in enumerate(positions) if plain[at] and position not in computed])


def _dependencies(positions: list[Position]) -> set[int]:
    found: set[int] = set()
    for position in positions:
        found.update((position,) if isinstance(position, int) else position.axes)
    return found


def _gathered(ev: Evaluator, source: Operand, positions: list[Position], kept: tuple[int, ...], op: Op) -> Tensor:
    """A gather along the axes that are not `kept`, which go behind them."""
    taken = tuple([at for at in range(len(positions)) if at not in kept])
    scalars = [_as_scalar(ev, positions[at]) for at in taken]
    axes = ev.grid.common(scalars, op)
    columns = [_column(ev, scalar, axes) for scalar in scalars]
    indices = columns[0] if len(columns) == 1 else ev.emitter.concat(tuple(columns), len(axes))
    found = ev.emitter.gather(ev.emitter.transpose(source, taken + kept), indices)
    return Tensor(found, axes + _axes_at(positions, kept))


def _axes_at(positions: list[Position], places: tuple[int, ...]) -> Axes:
    return tuple([position for at in places if isinstance(position := positions[at], int)])


def _as_scalar(ev: Evaluator, position: Position) -> Tensor:
    """The value of a position: of a grid axis, 0, 1, ... over that axis."""
    if isinstance(position, int):
        return Tensor(ev.emitter.iota(ev.grid.size(position)), (position,))
    return position


def _column(ev: Evaluator, scalar: Tensor, axes: Axes) -> Operand:
    """Positions over `axes`, in i64, with a last axis of one."""
    positions = Tensor(ev.emitter.convert(scalar.operand, "i64"), scalar.axes)
    return ev.emitter.reshape(ev.grid.spread(positions, axes), (*ev.grid.shape(axes), 1))


def _diagonal(ev: Evaluator, source: Operand, axes: Axes) -> Tensor | None:
    """`x[.., i, i, ..]` by slices: every N + 1st of the N * N elements.  None where equal axes are not neighbours."""
    distinct = tuple(axis for at, axis in enumerate(axes) if at == 0 or axes[at - 1] != axis)
    if len(set(distinct)) != len(distinct) or ev.grid.shape(axes) != source.shape:
        return None
    operand, left = source, list(axes)
    for axis in distinct:
        at = left.index(axis)
        while left.count(axis) > 1:
            shape, size = operand.shape, ev.grid.size(axis)
            flat = (*shape[:at], size * size, *shape[at + 2 :])
            strides = tuple([size + 1 if place == at else 1 for place in range(len(flat))])
            operand = ev.emitter.slice(ev.emitter.reshape(operand, flat), (0,) * len(flat), flat, strides)
            del left[at]
    return Tensor(operand, distinct)


RULES: dict[str, Rule] = {
    "comprehension": comprehension,
    "reduce": reduction,
    "tensor.element": element,
}
