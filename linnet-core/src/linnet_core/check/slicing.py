"""Index expressions outside index notation: `x[0]`, `x[:, a:b:s]`, `x[..., t]`.

In: a checked tensor and the components written after it.  Out: `Slice` when every position is known at compile time, `Gather`
when one is a run-time integer; extents follow `(b - a + s - 1) / s`.  E2204, E2209, E2123, E3106.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.compile_time import dim_of, failed, is_failed
from linnet_core.check.expressions import check_expression
from linnet_core.check.positions import check_position, report_negative
from linnet_core.check.program import Expr, Gather, RuntimeIndex, Slice, SliceAxis, WholeAxes
from linnet_core.check.show_types import quote
from linnet_core.check.types import ScalarType, TensorType, tensor_or_scalar
from linnet_core.shapes import Constraint, Dim, Pack, floordiv, refute, show_shape
from linnet_core.syntax import tree

if TYPE_CHECKING:
    from linnet_core.check.context import BodyContext
    from linnet_core.shapes import Shape, Unit

Axis = SliceAxis | WholeAxes | RuntimeIndex


def check_slices(base: Expr, type: TensorType, node: tree.Index, ctx: BodyContext) -> Expr:
    """The part of `base` the components take; failed when one is wrong."""
    aligned = _align(type.shape, node, ctx)
    if aligned is None:
        return failed(node.span)
    axes: list[Axis] = []
    kept: list[Unit] = []
    good = True
    for unit, component in aligned:
        axis = _check_axis(unit, component, ctx)
        if axis is None:
            good = False
            continue
        axes.append(axis)
        kept.extend(_extent(axis))
    if not good:
        return failed(node.span)
    result = tensor_or_scalar(tuple(kept), type.dtype)
    if all(isinstance(axis, WholeAxes) for axis in axes):
        return base
    static = tuple(axis for axis in axes if not isinstance(axis, RuntimeIndex))
    return Slice(result, node.span, base, static) if len(static) == len(axes) else Gather(result, node.span, base, tuple(axes))


def _align(shape: Shape, node: tree.Index, ctx: BodyContext) -> list[tuple[Unit, tree.Component | None]] | None:
    """Each unit with its component, None for one taken whole; None (reported) when they do not fit."""
    components = node.components
    pack = next((component for component in components if isinstance(component, tree.PackComponent)), None)
    if pack is not None:
        message = f"`*{pack.name.text}` stands outside index notation"
        ctx.checker.diagnostics.report("E3106", message, pack.span, help="write `...` for whole axes")
        return None
    dots = [i for i, component in enumerate(components) if isinstance(component, tree.Ellipsis_)]
    if len(dots) > 1:
        ctx.checker.diagnostics.report(
            "E2204", "`...` stands twice", components[dots[1]].span, label="again", help="`...` stands for the axes not written, once"
        )
        return None
    head = components[: dots[0]] if dots else components
    tail = components[dots[0] + 1 :] if dots else ()
    written = len(head) + len(tail)
    uncounted = next((unit for unit in _counted(shape, head, tail) if isinstance(unit, Pack)), None)
    if uncounted is not None:
        ctx.checker.diagnostics.report(
            "E2204",
            f"the axes of the pack `*{uncounted.name}` cannot be counted",
            node.span,
            label=f"indexes {show_shape(shape)}",
            help=_around_pack(node, dots),
        )
        return None
    if written > len(shape):
        axes = "1 axis" if len(shape) == 1 else f"{len(shape)} axes"
        help = f"write at most {len(shape)}"
        ctx.checker.diagnostics.report(
            "E2204", f"{written} components for {axes}", node.span, label=f"indexes {show_shape(shape)}", help=help
        )
        return None
    middle: list[tree.Component | None] = [None] * (len(shape) - written)
    return list(zip(shape, [*head, *middle, *tail], strict=True))


def _around_pack(node: tree.Index, dots: list[int]) -> str:
    """The access that counts from the back, for one that counts from the front over a pack."""
    if dots or "\n" in node.span.text:
        return "count from the side where no pack stands: `...` takes its axes"
    written = ", ".join(component.span.text for component in node.components)
    return f"write `{node.base.span.text}[..., {written}]`: the dots take the axes of the pack"


def _counted(shape: Shape, head: tuple[tree.Component, ...], tail: tuple[tree.Component, ...]) -> list[Unit]:
    """The units that components stand at, counted from both sides."""
    counted = list(shape[: len(head)])
    if tail:
        counted.extend(shape[max(len(shape) - len(tail), 0) :])
    return counted


def _check_axis(unit: Unit, component: tree.Component | None, ctx: BodyContext) -> Axis | None:
    match component:
        case None:
            return WholeAxes(unit)
        case tree.Slice():
            assert isinstance(unit, Dim)
            return _check_slice(unit, component, ctx)
        case tree.At():
            assert isinstance(unit, Dim)
            position = check_position(component.value, unit, ctx)
            if position is None:
                return None
            if isinstance(position, Dim):
                return SliceAxis(position, position + 1, 1, True)
            return RuntimeIndex(position)
        case _:
            return None


def _check_slice(extent: Dim, node: tree.Slice, ctx: BodyContext) -> Axis | None:
    step = _check_step(node.step, ctx)
    start = _check_bound(node.start, Dim.constant(0), extent, ctx)
    stop = _check_bound(node.stop, extent, extent, ctx)
    if step is None or start is None or stop is None:
        return None
    if node.start is None and node.stop is None and step == 1:
        return WholeAxes(extent)
    if refute(Constraint("<=", stop, extent), ctx.facts):
        assert node.stop is not None
        message, label = f"bound {stop} is beyond an axis of extent {extent}", f"the axis ends at {extent}"
        ctx.checker.diagnostics.report("E2209", message, node.stop.span, label=label, help=f"write `{extent}`, or leave it out")
        return None
    if refute(Constraint("<=", start, stop), ctx.facts):
        ends = f"ends at {stop}" if node.stop is not None else f"the axis ends at {stop}"
        help = "no slice runs backward: write the smaller bound first" if node.stop is not None else f"start at {stop} at the latest"
        ctx.checker.diagnostics.report("E2209", f"the slice starts at {start}, after its end {stop}", node.span, label=ends, help=help)
        return None
    return SliceAxis(start, stop, step)


def _check_bound(node: tree.Expression | None, default: Dim, extent: Dim, ctx: BodyContext) -> Dim | None:
    if node is None:
        return default
    bound = _compile_time(node, "a slice bound", ctx)
    if bound is not None and refute(Constraint(">=", bound, Dim.constant(0)), ctx.facts):
        report_negative(bound, extent, "bound", node.span, ctx)
        return None
    return bound


def _check_step(node: tree.Expression | None, ctx: BodyContext) -> int | None:
    if node is None:
        return 1
    step = _compile_time(node, "a step", ctx)
    if step is None:
        return None
    if step.value is None or step.value < 1:
        negative = step.value is not None and step.value < 0
        help = "to go backward, read the positions `N - 1 - iota(N)[i]` in index notation" if negative else "write a number of at least 1"
        message = f"step {step} is not a positive constant"
        ctx.checker.diagnostics.report("E2209", message, node.span, label="1 or more is due", help=help)
        return None
    return step.value


def _compile_time(node: tree.Expression, what: str, ctx: BodyContext) -> Dim | None:
    expr = check_expression(node, ctx)
    if is_failed(expr):
        return None
    dim = dim_of(expr)
    if dim is None:
        label = f"{quote(expr.type)} at run time" if isinstance(expr.type, ScalarType) else f"this is {quote(expr.type)}"
        help = "what is known at run time only is read position by position: `let y[i] = x[start + iota(N)[i]]`"
        ctx.checker.diagnostics.report("E2123", f"{what} is not a compile-time integer", node.span, label=label, help=help)
    return dim


def _extent(axis: Axis) -> tuple[Unit, ...]:
    """The units of the result an axis gives."""
    match axis:
        case WholeAxes():
            return (axis.unit,)
        case SliceAxis(squeeze=False):
            return (floordiv(axis.stop - axis.start + (axis.step - 1), Dim.constant(axis.step)),)
        case _:
            return ()
