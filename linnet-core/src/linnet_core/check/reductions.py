"""Reductions: `sum<f32>[k] a[m, k] * b[k, n]`, inside index notation and on whole tensors.

In: the syntax of a reduction.  Out: `Reduce`, a scalar; its indices are bound by the axes they index in the body.  E2101, E2103,
E2112 here; E2201, E3101 to E3106 in the files of index notation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.compile_time import failed, is_failed
from linnet_core.check.index_bodies import check_body, is_element
from linnet_core.check.index_scopes import index_var, open_indices, report_unused
from linnet_core.check.program import Reduce
from linnet_core.check.repairs import cast_to, to_bool
from linnet_core.check.resolve_types import resolve_dtype
from linnet_core.check.types import BOOL, ScalarType, is_in_class
from linnet_core.check.whole_tensors import forbid_whole_tensors

if TYPE_CHECKING:
    from linnet_core.check.context import BodyContext
    from linnet_core.check.program import Expr
    from linnet_core.check.types import DType, Type
    from linnet_core.syntax import tree


def check_reduction(node: tree.Reduction, ctx: BodyContext, expected: Type | None = None) -> Expr:
    """A reduction; a scalar, of the dtype of its body (which `sum<f32>` only states)."""
    declared = None if node.dtype is None else resolve_dtype(node.dtype, ctx)
    bindings = open_indices(node.indices, ctx, head=node.head)
    wanted = expected.dtype if declared is None and isinstance(expected, ScalarType) else declared
    body = check_body(node.body, ctx, wanted)
    ctx.indices.pop()
    if is_failed(body) or not is_element(body, ctx) or report_unused(bindings, ctx):
        return failed(node.span)
    assert isinstance(body.type, ScalarType)
    if not _takes_dtype(node, body.type.dtype, declared, ctx):
        return failed(node.span)
    reduced = Reduce(body.type, node.span, node.kind, tuple(index_var(binding) for binding in bindings), body)
    if not ctx.in_index_notation and not forbid_whole_tensors(reduced, (), ctx):
        return failed(node.span)
    return reduced


def _takes_dtype(node: tree.Reduction, dtype: DType, declared: DType | None, ctx: BodyContext) -> bool:
    """Whether the kind of reduction takes elements of `dtype`, and they are of the dtype written after its name."""
    report = ctx.checker.diagnostics.report
    if node.kind in ("any", "all"):
        if dtype == BOOL:
            return True
        help = to_bool(ScalarType(dtype), node.body.span.brief)
        report("E2101", f"`{node.kind}` takes bool, this is {dtype}", node.body.span, label="bool is due", help=help)
        return False
    if not is_in_class(dtype, "numeric"):
        help = f"convert it: `{cast_to('i32', node.body.span.brief)}`, or use `any` or `all`"
        report("E2112", f"`{node.kind}` takes numbers, this is {dtype}", node.body.span, label="numbers are due", help=help)
        return False
    if declared is not None and dtype != declared:
        report(
            "E2103",
            f"`{node.kind}<{declared}>` accumulates {declared}, and its body is {dtype}",
            node.body.span,
            label=str(dtype),
            help=f"cast the summand: `cast<{declared}>({node.body.span.brief})`",
        )
        return False
    return True
