"""Operands that must have one dtype, in the order in which they can tell it.

In: the syntax of operands.  Out: their typed values, in the order given.  A `select` of numbers alone has no dtype of its own: it is
looked at after what stands beside it and takes that dtype, as a number would.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.compile_time import is_failed
from linnet_core.check.expressions import check_expression
from linnet_core.check.types import ScalarType, TensorType, is_in_class
from linnet_core.syntax import tree

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linnet_core.check.context import BodyContext
    from linnet_core.check.program import Expr
    from linnet_core.check.types import Type

#: How late an operand is looked at: it has a dtype, or a name in it may have one, or there are numbers alone.
_HAS_ONE, _MAY_HAVE_ONE, _HAS_NONE = range(3)


def check_operands(nodes: Sequence[tree.Expression], ctx: BodyContext, expected: Type | None) -> list[Expr]:
    """The typed operands; `expected` is the dtype the place wants, if any, as a scalar or a tensor."""
    lateness = [lateness_of(node) for node in nodes]
    place = dtype_hint(expected)
    beside = None
    values: dict[int, Expr] = {}
    for at in sorted(range(len(nodes)), key=lateness.__getitem__):
        values[at] = check_expression(nodes[at], ctx, beside or place if lateness[at] else place)
        beside = beside or dtype_beside(values[at])
    return [values[at] for at in range(len(nodes))]


def dtype_hint(type: Type | None) -> ScalarType | None:
    """The dtype of a scalar or tensor as a scalar, which is what numbers take."""
    return ScalarType(type.dtype) if isinstance(type, ScalarType | TensorType) else None


def dtype_beside(operand: Expr) -> ScalarType | None:
    """What numbers beside an operand take from it."""
    hint = None if is_failed(operand) else dtype_hint(operand.type)
    return hint if hint is not None and is_in_class(hint.dtype, "numeric") else None


def lateness_of(node: tree.Expression) -> int:
    """0 for an operand with a dtype, more for a `select` that may have none, most for one of numbers alone."""
    match node:
        case tree.Call(callee=tree.Ref(name="select"), generics=None, arguments=[_, *values]):
            return min((_of_value(argument.value) for argument in values), default=_HAS_ONE)
        case _:
            return _HAS_ONE


def _of_value(node: tree.Expression) -> int:
    match node:
        case tree.IntLiteral() | tree.FloatLiteral() | tree.Unary(operand=tree.IntLiteral() | tree.FloatLiteral() | tree.Ref()):
            return _HAS_NONE
        case tree.Ref():
            return _MAY_HAVE_ONE
        case _:
            return lateness_of(node)
