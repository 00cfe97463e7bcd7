"""`permute`, `concat` and `cumsum`: functions that name axes.

In: the syntax of a call.  Out: `Permute`, `Concat` or `Cumsum`.  An axis counts from the front, or from the back when it is
negative (not in `permute`); no pack may stand on the counted side.  E2101, E2102, E2103, E2112, E2123, E2202, E2210.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.broadcasting import report_two_dtypes
from linnet_core.check.compile_time import dim_of, failed, is_contextual, is_failed
from linnet_core.check.expressions import check_expression
from linnet_core.check.prelude_arguments import bind_arguments, list_argument, takes_no_generics, unknown_parameter
from linnet_core.check.prelude_elementwise import is_of_class
from linnet_core.check.program import Concat, Cumsum, Expr, Permute
from linnet_core.check.proof_notes import proof_notes
from linnet_core.check.repairs import take_apart, tight
from linnet_core.check.show_types import quote, show
from linnet_core.check.types import ScalarType, TensorType
from linnet_core.shapes import Constraint, Dim, Pack, equal_units, show_shape, show_unit
from linnet_core.syntax import tree
from linnet_core.text.diagnostic import Label

if TYPE_CHECKING:
    from linnet_core.check.context import BodyContext
    from linnet_core.check.types import Type
    from linnet_core.shapes import Shape, Unit
    from linnet_core.text.span import Span


def check_permute(name: str, node: tree.Call, ctx: BodyContext, expected: Type | None) -> Expr:
    """`permute(x, [..])`: every axis of `x` once, in a new order; the rank is known."""
    bound = bind_arguments(name, node, ("x", "axes"), ctx) if takes_no_generics(name, node, ctx) else None
    if bound is None:
        return failed(node.span)
    operand = check_tensor(bound[0], "`permute`", ctx)
    axes = _listed_axes(bound[1], ctx)
    if operand is None or axes is None:
        return failed(node.span)
    assert isinstance(operand.type, TensorType)
    shape = operand.type.shape
    pack = next((unit for unit in shape if isinstance(unit, Pack)), None)
    if pack is not None:
        message = f"`permute` needs a known rank, and the pack `*{pack.name}` stands for any number of axes"
        _bad_axis(message, node.span, shape, ctx, help=_in_index_notation(shape, axes, bound[0].span.brief))
        return failed(node.span)
    if sorted(axes) != list(range(len(shape))):
        help = f"name every axis once, counted from the front, as in `{_whole_order(axes, len(shape))}`"
        _bad_axis(_permutation_fault(axes, len(shape)), bound[1].span, shape, ctx, help=help)
        return failed(node.span)
    return Permute(TensorType(tuple(shape[axis] for axis in axes), operand.type.dtype), node.span, operand, axes)


def _whole_order(axes: tuple[int, ...], rank: int) -> list[int]:
    """A permutation that keeps what is right in `axes`: others are put where one is wrong, twice there or missing."""
    meant = [axis + rank if axis < 0 else axis for axis in axes][:rank]
    good = [axis if 0 <= axis < rank and axis not in meant[:at] else None for at, axis in enumerate(meant)]
    left = [axis for axis in range(rank) if axis not in good]
    return [left.pop(0) if axis is None else axis for axis in [*good, *[None] * (rank - len(good))]]


def _in_index_notation(shape: Shape, axes: tuple[int, ...], text: str) -> str:
    """The statement that reorders axes and whole packs."""
    indices = [f"*{unit.name.lower()}" if isinstance(unit, Pack) else f"i{position}" for position, unit in enumerate(shape)]
    moved = [indices[axis] for axis in axes] if sorted(axes) == list(range(len(shape))) else indices
    return f"in index notation a pack moves as a whole: `let y[{', '.join(moved)}] = {tight(text)}[{', '.join(indices)}]`"


def _listed_axes(node: tree.Expression, ctx: BodyContext) -> tuple[int, ...] | None:
    listed = list_argument("permute", node, "a list of axes", ctx)
    if listed is None:
        return None
    axes: list[int] = []
    for element in listed.elements:
        axis = None
        if isinstance(element, tree.PackRef):
            help = "write the number of each axis: `0` is the first"
            ctx.checker.diagnostics.report("E2210", "an axis of `permute` is a number, a pack is none", element.span, help=help)
        else:
            axis = _constant_axis(element, ctx)
        if axis is None:
            return None
        axes.append(axis)
    return tuple(axes)


def _permutation_fault(axes: tuple[int, ...], rank: int) -> str:
    for axis in axes:
        if not 0 <= axis < rank:
            return f"axis {axis} is outside a rank of {rank}"
        if axes.count(axis) > 1:
            return f"axis {axis} is named twice"
    missing = next(axis for axis in range(rank) if axis not in axes)
    return f"axis {missing} is not named"


def check_concat(name: str, node: tree.Call, ctx: BodyContext, expected: Type | None) -> Expr:
    """`concat(a, b, .., axis = k)`: parts of one dtype, equal in every axis but `k`, which adds up."""
    if not takes_no_generics(name, node, ctx):
        return failed(node.span)
    nodes = _concat_parts(node, ctx)
    if nodes is None:
        return failed(node.span)
    parts = [check_tensor(part, "`concat`", ctx) for part in nodes[0]]
    axis = _constant_axis(nodes[1], ctx)
    if axis is None or None in parts:
        return failed(node.span)
    return _concat([part for part in parts if part is not None], axis, nodes[1].span, node, ctx)


def _concat_parts(node: tree.Call, ctx: BodyContext) -> tuple[list[tree.Expression], tree.Expression] | None:
    """The parts and the axis; None after E2102."""
    named = [argument for argument in node.arguments if argument.name is not None]
    parts = [argument.value for argument in node.arguments if argument.name is None]
    other = next((argument for argument in named if argument.name is not None and argument.name.text != "axis"), None)
    report = ctx.checker.diagnostics.report
    if other is not None and other.name is not None:
        help = unknown_parameter(other.name.text, ("axis",)) or "call it as `concat(a, b, axis = 0)`"
        report("E2102", f"`concat` has no parameter `{other.name.text}`", other.name.span, help=help)
    elif len(named) > 1:
        report("E2102", "`axis` is given twice", named[1].span, related=[Label(named[0].span, "the first")], help="leave one of them out")
    elif not named:
        given = ", ".join(part.span.brief for part in parts)
        report("E2102", "`concat` misses `axis`", node.span, help=f"name the axis: `concat({given or 'a, b'}, axis = 0)`")
    elif not parts:
        report("E2102", "`concat` joins at least one tensor", node.span, help="call it as `concat(a, b, axis = 0)`")
    elif node.arguments[-1].name is None:
        help = "the parts come first, `axis` last"
        report("E2102", "a positional argument stands after a named one", node.arguments[-1].span, help=help)
    else:
        return parts, named[0].value
    return None


def _concat(parts: list[Expr], axis: int, axis_span: Span, node: tree.Call, ctx: BodyContext) -> Expr:
    first = parts[0]
    assert isinstance(first.type, TensorType)
    position = counted_axis(axis, first.type.shape, axis_span, ctx)
    if position is None:
        return failed(node.span)
    total = first.type.shape[position]
    for part in parts[1:]:
        assert isinstance(part.type, TensorType)
        if part.type.dtype != first.type.dtype:
            report_two_dtypes(first, part, node.span, "`concat`", ctx)
            return failed(node.span)
        if not _fits_beside(first, part, position, ctx):
            return failed(node.span)
        more = part.type.shape[position]
        assert isinstance(total, Dim)
        assert isinstance(more, Dim)
        total = total + more
    shape = first.type.shape
    return Concat(TensorType((*shape[:position], total, *shape[position + 1 :]), first.type.dtype), node.span, tuple(parts), axis)


def _fits_beside(first: Expr, part: Expr, position: int, ctx: BodyContext) -> bool:
    """Whether two parts have equal units everywhere but at `position`, where both have an axis (E2202)."""
    assert isinstance(first.type, TensorType)
    assert isinstance(part.type, TensorType)
    left, right = first.type.shape, part.type.shape
    related = [Label(first.span, show(first.type)), Label(part.span, show(part.type))]
    if len(left) != len(right):
        message = f"`concat` joins {show_shape(left)} and {show_shape(right)}, of another rank"
        shorter = first if len(left) < len(right) else part
        help = f"give `{shorter.span.brief}` the axes it lacks with `reshape`"
        ctx.checker.diagnostics.report("E2202", message, part.span, label=related[1].text, related=related[:1], help=help)
        return False
    for i, (a, b) in enumerate(zip(left, right, strict=True)):
        if not (isinstance(b, Dim) if i == position else equal_units(a, b, ctx.facts)):
            _report_extents(a, b, i, part.span, related, ctx)
            return False
    return True


def _report_extents(a: Unit, b: Unit, axis: int, span: Span, related: list[Label], ctx: BodyContext) -> None:
    notes: tuple[str, ...] = ("a pack equals the same pack only",)
    help: str | None = None
    if isinstance(a, Dim) and isinstance(b, Dim):
        notes, help = proof_notes(Constraint("==", a, b), ctx)
    ctx.checker.diagnostics.report(
        "E2202",
        f"`concat` joins parts of extents {show_unit(a)} and {show_unit(b)} in axis {axis}",
        span,
        label=related[1].text,
        related=related[:1],
        notes=notes,
        help=help,
    )


def check_cumsum(name: str, node: tree.Call, ctx: BodyContext, expected: Type | None) -> Expr:
    """`cumsum(x, axis = k)`: the running sum of numbers along an axis."""
    bound = bind_arguments(name, node, ("x", "axis"), ctx) if takes_no_generics(name, node, ctx) else None
    if bound is None:
        return failed(node.span)
    operand = check_tensor(bound[0], "`cumsum`", ctx)
    axis = _constant_axis(bound[1], ctx)
    if operand is None or axis is None or not is_of_class(operand, name, "numeric", ctx):
        return failed(node.span)
    assert isinstance(operand.type, TensorType)
    if counted_axis(axis, operand.type.shape, bound[1].span, ctx) is None:
        return failed(node.span)
    return Cumsum(operand.type, node.span, operand, axis)


def check_tensor(node: tree.Expression, what: str, ctx: BodyContext) -> Expr | None:
    """The typed argument, which has to be a tensor (E2101); None when it was wrong."""
    operand = check_expression(node, ctx)
    if isinstance(operand.type, TensorType):
        return operand
    if not is_failed(operand):
        text = node.span.brief
        scalar = isinstance(operand.type, ScalarType) or is_contextual(operand.type)
        help = f"make a tensor of it: `fill([1], {text})`" if scalar else take_apart(operand.type, text)
        ctx.checker.diagnostics.report(
            "E2101", f"{what} takes a tensor, this is {quote(operand.type)}", node.span, label="no tensor", help=help
        )
    return None


def _constant_axis(node: tree.Expression, ctx: BodyContext) -> int | None:
    """The number of an axis; None after E2123, or E2210 for one that depends on a size."""
    expr = check_expression(node, ctx)
    if is_failed(expr):
        return None
    dim = dim_of(expr)
    if dim is None:
        help = "write the number of the axis: `0` is the first"
        ctx.checker.diagnostics.report(
            "E2123", "an axis is a compile-time integer", node.span, label=f"this is {quote(expr.type)}", help=help
        )
        return None
    if dim.value is None:
        help = "write the number of the axis: `0` is the first"
        ctx.checker.diagnostics.report("E2210", f"an axis is a constant, and {dim} depends on a size", node.span, help=help)
    return dim.value


def counted_axis(axis: int, shape: Shape, span: Span, ctx: BodyContext) -> int | None:
    """The position of `axis` among the units of `shape`; None after E2210 (out of range, or a pack on the counted side)."""
    position = axis if axis >= 0 else len(shape) + axis
    side = shape[: position + 1] if axis >= 0 else shape[max(position, 0) :]
    pack = next((unit for unit in side if isinstance(unit, Pack)), None)
    if pack is not None:
        where, other = ("front", "back") if axis >= 0 else ("back", "front")
        help = f"count from the {other}"
        if 0 <= position < len(shape) and isinstance(shape[position], Dim):
            help += f": `{axis - len(shape) if axis >= 0 else position}` is {show_unit(shape[position])}"
        _bad_axis(f"axis {axis} counts from the {where} over the pack `*{pack.name}`", span, shape, ctx, help=help)
        return None
    if not 0 <= position < len(shape):
        last = len(shape) - 1
        axes = "its only axis is `0`" if not last else f"its axes are `0` to `{last}`, and `-1` is the last"
        _bad_axis(f"axis {axis} is outside a rank of {len(shape)}", span, shape, ctx, help=axes)
        return None
    return position


def _bad_axis(message: str, span: Span, shape: Shape, ctx: BodyContext, *, help: str | None = None) -> None:
    ctx.checker.diagnostics.report("E2210", message, span, notes=[f"the operand has shape {show_shape(shape)}"], help=help)
