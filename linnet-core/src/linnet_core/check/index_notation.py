"""Indexed lets: `let c[m, n] = sum[k] a[m, k] * b[k, n]`.

In: their syntax.  Out: a `Let` of a `Comprehension`; the domains of all indices agree and every index indexes something.
E1207 here; E3103 and E3105, E2201, E3101, E3104 and E3106 in the files beside.  Reductions are `reductions.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.compile_time import failed, is_failed
from linnet_core.check.generics import check_name
from linnet_core.check.index_bodies import check_body, is_element
from linnet_core.check.index_scopes import index_var, open_indices, report_unused
from linnet_core.check.program import Comprehension, Let
from linnet_core.check.reductions import check_reduction
from linnet_core.check.types import ScalarType, tensor_or_scalar
from linnet_core.check.whole_tensors import forbid_whole_tensors

if TYPE_CHECKING:
    from linnet_core.check.context import BodyContext
    from linnet_core.check.program import Expr, Stmt
    from linnet_core.syntax import tree

__all__ = ["check_indexed_let", "check_reduction"]


def check_indexed_let(node: tree.IndexedLet, ctx: BodyContext) -> Stmt:
    """The statement; its local has the error type when the value was wrong."""
    check_name(node.name, ctx)
    value = _check_comprehension(node, ctx)
    local = ctx.declare(node.name.text, value.type, node.name.span, origin="bound by an indexed `let`")
    return Let(node.span, local, value)


def _check_comprehension(node: tree.IndexedLet, ctx: BodyContext) -> Expr:
    bindings = open_indices(node.indices, ctx, head=None)
    body = check_body(node.value, ctx)
    ctx.indices.pop()
    if is_failed(body) or not is_element(body, ctx) or report_unused(bindings, ctx) or any(binding.clashes for binding in bindings):
        return failed(node.value.span)
    indices = tuple(index_var(binding) for binding in bindings)
    if not forbid_whole_tensors(body, indices, ctx):
        return failed(node.value.span)
    shape = tuple(unit for index in indices for unit in index.domain)
    assert isinstance(body.type, ScalarType)
    return Comprehension(tensor_or_scalar(shape, body.type.dtype), node.value.span, indices, body)
