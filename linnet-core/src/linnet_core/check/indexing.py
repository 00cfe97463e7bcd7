"""`x[components]`: a slice, a read at run-time positions, an element in index notation, or an element of an array of blocks.

In: the syntax of an index expression.  Out: `Slice`, `Gather`, `Element` or `ArrayGet`.  E2104, E2123, E2204, E2209, E3106.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.compile_time import dim_of, failed, is_failed
from linnet_core.check.expressions import check_expression
from linnet_core.check.index_elements import check_element
from linnet_core.check.positions import check_inside
from linnet_core.check.program import ArrayGet, Expr
from linnet_core.check.receivers import first_field
from linnet_core.check.repairs import take_apart
from linnet_core.check.show_types import quote
from linnet_core.check.slicing import check_slices
from linnet_core.check.types import ArrayType, ErrorType, OptionalType, ScalarType, StructType, TensorType, TupleType
from linnet_core.syntax import tree

if TYPE_CHECKING:
    from linnet_core.check.context import BodyContext
    from linnet_core.check.types import Type


def check_index(node: tree.Index, ctx: BodyContext, expected: Type | None = None) -> Expr:
    """The typed form of an index expression; failed when it was wrong (reported).

    A chain `x[0][1]...` is walked without recursion.
    """
    links = [node]
    while isinstance(links[-1].base, tree.Index):
        links.append(links[-1].base)
    expr = check_expression(links[-1].base, ctx)
    for link in reversed(links):
        expr = _check_link(expr, link, ctx)
    return expr


def _check_link(base: Expr, node: tree.Index, ctx: BodyContext) -> Expr:
    match base.type:
        case ErrorType():
            return failed(node.span)
        case ArrayType():
            return _check_array_get(base, base.type, node, ctx)
        case TensorType() if ctx.in_index_notation and not _is_whole_slice(node, ctx):
            return check_element(base, base.type, node, ctx)
        case TensorType():
            return check_slices(base, base.type, node, ctx)
        case ScalarType():
            _report(
                ctx,
                node,
                "E2204",
                f"a scalar takes no indices, got {len(node.components)}",
                f"this is `{base.type.dtype}`",
                f"write a scalar without indices: `{node.base.span.brief}`",
            )
        case OptionalType():
            help = take_apart(base.type, node.base.span.brief)
            _report(ctx, node, "E2104", "an optional value cannot be indexed", f"this is {quote(base.type)}", help)
        case TupleType():
            help = take_apart(base.type, node.base.span.brief)
            _report(ctx, node, "E2104", "a tuple cannot be indexed", f"this is {quote(base.type)}", help)
        case StructType():
            help = f"name one of its fields: `{node.base.span.brief}.{first_field(base.type, ctx)}`"
            _report(ctx, node, "E2104", f"{quote(base.type)} cannot be indexed", "only tensors and arrays of blocks can", help)
        case _:
            help = "write it without indices"
            _report(ctx, node, "E2104", f"{quote(base.type)} cannot be indexed", "only tensors and arrays of blocks can", help)
    return failed(node.span)


def _report(ctx: BodyContext, node: tree.Index, code: str, message: str, label: str | None, help: str | None) -> None:
    ctx.checker.diagnostics.report(code, message, node.span, label=label, help=help)


def _is_whole_slice(node: tree.Index, ctx: BodyContext) -> bool:
    """Whether an access in index notation is an ordinary slice (of an argument of a call): a slice without any index in it."""
    has_slice = False
    for component in node.components:
        match component:
            case tree.PackComponent():
                return False
            case tree.At(value=tree.Ref(name=name)) if ctx.find_index(name) is not None:
                return False
            case tree.Slice() | tree.Ellipsis_():
                has_slice = True
            case _:
                pass
    return has_slice


def _check_array_get(base: Expr, type: ArrayType, node: tree.Index, ctx: BodyContext) -> Expr:
    component = node.components[0]
    if len(node.components) != 1:
        one, *more = (component.span.text for component in node.components)
        help = f"write one index: `{node.base.span.brief}[{one}]`"
        if isinstance(type.element, ArrayType):
            help = f"index one array after the other: `{node.base.span.brief}[{one}]{''.join(f'[{other}]' for other in more)}`"
        _report(ctx, node, "E2204", f"an array of blocks takes 1 index, got {len(node.components)}", f"this is {quote(type)}", help)
        return failed(node.span)
    if not isinstance(component, tree.At):
        message = "an array of blocks is indexed by a compile-time integer, it has no slices"
        help = f"go through all of it: `static for block in {node.base.span.brief} {{ ... }}`"
        ctx.checker.diagnostics.report("E2209", message, component.span, label="no single block", help=help)
        return failed(node.span)
    position = check_expression(component.value, ctx)
    if is_failed(position):
        return failed(node.span)
    dim = dim_of(position)
    if dim is None:
        ctx.checker.diagnostics.report(
            "E2123",
            "the position in an array of blocks is not a compile-time integer",
            component.span,
            label=f"{quote(position.type)} at run time",
            help=f"go through the array: `static for block in {node.base.span.brief} {{ ... }}`",
        )
        return failed(node.span)
    if not check_inside(dim, type.length, component.span, ctx, what="an array of length"):
        return failed(node.span)
    return ArrayGet(type.element, node.span, base, dim)
