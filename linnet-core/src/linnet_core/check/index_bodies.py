"""What stands under indices: the value of an indexed `let` or the body of a reduction.

In: its syntax, the indices already in scope.  Out: the typed body, one element.  E2101, E3104.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.coerce import fit, settle
from linnet_core.check.compile_time import is_contextual
from linnet_core.check.expressions import check_expression
from linnet_core.check.repairs import take_apart
from linnet_core.check.show_types import quote
from linnet_core.check.types import ScalarType, TensorType, TupleType
from linnet_core.check.whole_tensors import forbid_whole_tensors

if TYPE_CHECKING:
    from linnet_core.check.context import BodyContext
    from linnet_core.check.program import Expr
    from linnet_core.check.types import DType
    from linnet_core.syntax import tree


def check_body(node: tree.Expression, ctx: BodyContext, declared: DType | None = None) -> Expr:
    """The body of a comprehension or reduction, a literal at the declared dtype or its default."""
    body = check_expression(node, ctx, None if declared is None else ScalarType(declared))
    if not is_contextual(body.type):
        return body
    return settle(body, ctx) if declared is None else fit(body, ScalarType(declared), ctx)


def is_element(body: Expr, ctx: BodyContext) -> bool:
    """Whether the body is one number or bool; a whole tensor is E3104, anything else E2101."""
    if isinstance(body.type, ScalarType):
        return True
    if isinstance(body.type, TensorType):
        return forbid_whole_tensors(body, (), ctx)
    help = "compute each element in a statement of its own" if isinstance(body.type, TupleType) else take_apart(body.type, body.span.brief)
    ctx.checker.diagnostics.report(
        "E2101", f"an element is a number or a bool, this is {quote(body.type)}", body.span, label="no element", help=help
    )
    return False
