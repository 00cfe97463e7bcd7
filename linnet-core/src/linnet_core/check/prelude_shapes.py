"""`reshape`, `broadcast_to`, `iota` and `fill`: functions that take a shape.

In: the syntax of a call.  Out: `Reshape`, `BroadcastTo`, `Iota` or `Fill`.  E2101, E2103, E2112, E2203, E2207.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.broadcasting import are_elementwise
from linnet_core.check.coerce import fit, settle
from linnet_core.check.compile_time import failed, is_contextual, is_failed
from linnet_core.check.expressions import check_expression
from linnet_core.check.prelude_arguments import bind_arguments, dtype_argument, list_argument, takes_no_generics
from linnet_core.check.program import BroadcastTo, Expr, Fill, Iota, Reshape
from linnet_core.check.proof_notes import proof_notes
from linnet_core.check.repairs import take_apart
from linnet_core.check.resolve_types import resolve_dim, resolve_shape
from linnet_core.check.show_types import quote
from linnet_core.check.types import I64, ScalarType, TensorType, shape_of, tensor_or_scalar
from linnet_core.shapes import Constraint, Mismatch, Pack, broadcast, count, equal_shapes, prove_equal, show_shape, show_unit
from linnet_core.syntax import tree

if TYPE_CHECKING:
    from linnet_core.check.context import BodyContext
    from linnet_core.check.types import DType, Type
    from linnet_core.shapes import Shape


def check_reshape(name: str, node: tree.Call, ctx: BodyContext, expected: Type | None) -> Expr:
    """`reshape(x, [..])`: the same elements in another shape, the counts proved equal (E2203)."""
    found = _operand_and_shape(name, node, ctx)
    if found is None:
        return failed(node.span)
    operand, old, new = found
    if not equal_shapes(old, new, ctx.facts) and not prove_equal(count(old), count(new), ctx.facts):
        _report_counts(node, old, new, ctx)
        return failed(node.span)
    return Reshape(tensor_or_scalar(new, operand.type.dtype), node.span, operand)  # type: ignore[union-attr]  # an operand with a dtype


def _report_counts(node: tree.Call, old: Shape, new: Shape, ctx: BodyContext) -> None:
    notes, help = proof_notes(Constraint("==", count(old), count(new)), ctx)
    ctx.checker.diagnostics.report(
        "E2203",
        f"`reshape` from {show_shape(old)} to {show_shape(new)} does not provably keep the number of elements",
        node.span,
        label=f"{count(old)} element{'s' * (count(old).value != 1)} to {count(new)}",
        notes=notes,
        help=help or _count_help(old, new),
    )


def _count_help(old: Shape, new: Shape) -> str:
    """For counts that no `where` makes equal."""
    pack = next((unit for unit in (*old, *new) if isinstance(unit, Pack)), None)
    if pack is not None:
        return f"nothing can be stated of the size of a pack: keep `*{pack.name}` in both shapes"
    return f"the new shape needs {count(old)} element{'s' * (count(old).value != 1)}"


def check_broadcast_to(name: str, node: tree.Call, ctx: BodyContext, expected: Type | None) -> Expr:
    """`broadcast_to(x, [..])`: each axis of `x`, from the right, equal to the shape's or 1 (E2207)."""
    found = _operand_and_shape(name, node, ctx)
    if found is None:
        return failed(node.span)
    operand, old, new = found
    result = broadcast(old, new, ctx.facts)
    if isinstance(result, Mismatch) or not equal_shapes(result, new, ctx.facts):
        _report_broadcast(node, old, new, result, ctx)
        return failed(node.span)
    return BroadcastTo(tensor_or_scalar(new, operand.type.dtype), node.span, operand)  # type: ignore[union-attr]  # an operand with a dtype


def _report_broadcast(node: tree.Call, old: Shape, new: Shape, result: Shape | Mismatch, ctx: BodyContext) -> None:
    notes: tuple[str, ...] = ()
    help: str | None = None
    if isinstance(result, Mismatch):
        left, right = result.left, result.right
        if isinstance(left, Pack) or isinstance(right, Pack):
            notes = (f"{show_unit(left)} against {show_unit(right)}: a pack aligns with the same pack only",)
            help = "keep the pack in the shape"
        else:
            notes, help = proof_notes(Constraint("==", left, right), ctx)
    elif len(old) > len(new):
        notes = (f"it has {len(old)} axes, and the shape {len(new)}",)
        help = "nothing is dropped: write at least as many axes, or reduce the tensor first"
    else:
        notes = (f"an axis of {show_shape(old)} is longer than the one it would fill",)
        help = "an axis is repeated only where it is 1: reduce or slice the tensor first"
    ctx.checker.diagnostics.report(
        "E2207",
        f"{show_shape(old)} does not broadcast to {show_shape(new)}",
        node.span,
        label="each axis has to be equal or 1",
        notes=notes,
        help=help,
    )


def _operand_and_shape(name: str, node: tree.Call, ctx: BodyContext) -> tuple[Expr, Shape, Shape] | None:
    """The operand (a tensor or a scalar), its shape, and the shape written; None when one was wrong."""
    bound = bind_arguments(name, node, ("x", "shape"), ctx) if takes_no_generics(name, node, ctx) else None
    if bound is None:
        return None
    operand = check_expression(bound[0], ctx)
    listed = list_argument(name, bound[1], "a shape", ctx)
    new = None if listed is None else resolve_shape(listed.elements, ctx)
    if not are_elementwise((operand,), f"`{name}`", ctx) or new is None:
        return None
    operand = settle(operand, ctx)
    old = shape_of(operand.type)
    return None if old is None else (operand, old, new)


def check_iota(name: str, node: tree.Call, ctx: BodyContext, expected: Type | None) -> Expr:
    """`iota<T = i64>(n)`: the numbers 0 to n - 1."""
    dtype = dtype_argument(name, node, "numeric", ctx)
    bound = bind_arguments(name, node, ("n",), ctx)
    length = None if bound is None else resolve_dim(bound[0], ctx, extent=True)
    if dtype is False or length is None:
        return failed(node.span)
    return Iota(TensorType((length,), I64.dtype if dtype is True else dtype), node.span)


def check_fill(name: str, node: tree.Call, ctx: BodyContext, expected: Type | None) -> Expr:
    """`fill<T>([..], v)`: one scalar everywhere; `T` may come from a typed `v`, or from the place for a number without dtype."""
    written = dtype_argument(name, node, "any", ctx)
    bound = bind_arguments(name, node, ("shape", "v"), ctx)
    if bound is None:
        return failed(node.span)
    if isinstance(bound[1], tree.List) and not isinstance(bound[0], tree.List):
        help = f"give it first: `{bound[1].span.brief}, {bound[0].span.brief}`"
        ctx.checker.diagnostics.report("E2102", f"`{name}` takes a shape in brackets", bound[0].span, help=help)
        return failed(node.span)
    listed = list_argument(name, bound[0], "a shape", ctx)
    shape = None if listed is None else resolve_shape(listed.elements, ctx)
    value = _fill_value(bound[1], written, ctx, expected)
    if shape is None or value is None or written is False:
        return failed(node.span)
    if not shape:
        return value
    return Fill(TensorType(shape, value.type.dtype), node.span, value)  # type: ignore[union-attr]  # an operand with a dtype


def _fill_value(node: tree.Expression, written: DType | bool, ctx: BodyContext, expected: Type | None) -> Expr | None:
    """The scalar at its dtype; None when it was wrong."""
    wanted = _wanted_scalar(written, expected)
    value = check_expression(node, ctx, wanted)
    if is_contextual(value.type):
        value = settle(value, ctx) if wanted is None else fit(value, wanted, ctx)
    if is_failed(value):
        return None
    report = ctx.checker.diagnostics.report
    if not isinstance(value.type, ScalarType):
        help = f"repeat it with `broadcast_to({node.span.brief}, [...])`" if isinstance(value.type, TensorType) else None
        help = help or take_apart(value.type, node.span.brief)
        report("E2101", f"`fill` takes one scalar, this is {quote(value.type)}", node.span, label="a scalar is due", help=help)
        return None
    if not isinstance(written, bool) and value.type.dtype != written:
        help = f"convert it: `cast<{written}>({node.span.brief})`"
        report("E2103", f"`fill<{written}>` is given {value.type.dtype}", node.span, label=str(value.type.dtype), help=help)
        return None
    return value


def _wanted_scalar(written: DType | bool, expected: Type | None) -> ScalarType | None:
    if not isinstance(written, bool):
        return ScalarType(written)
    return ScalarType(expected.dtype) if isinstance(expected, TensorType) else None
