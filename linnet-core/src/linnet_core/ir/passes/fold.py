"""Computes sums, differences and products of integer constants.

In: regions of one function.  Out: the same with `add`, `sub` and `mul` of two integer constants, or of two dimensions, as one constant.
Floats are never folded, and no integer is folded that would leave its dtype.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from linnet_core.check.types import I64, ScalarType, Type
from linnet_core.ir.module import Op
from linnet_core.ir.passes.forward import forward
from linnet_core.shapes import Dim

if TYPE_CHECKING:
    from linnet_core.ir.module import Region
    from linnet_core.ir.passes.effects import Effects

#: A product of dims beyond this many terms stays a run-time product.
_MOST_TERMS = 64


def run(regions: tuple[Region, ...], effects: Effects) -> tuple[Region, ...]:
    """Fold integer constants."""
    return forward(regions, _folded)


def _folded(op: Op, definitions: dict[int, Op]) -> Op:
    if op.kind not in ("add", "sub", "mul"):
        return op
    left, right = (definitions.get(value.id) for value in op.operands)
    if left is None or right is None:
        return op
    kinds = {left.kind, right.kind}
    if kinds == {"const.int"}:
        value = compute(op.kind, left.attrs["value"], right.attrs["value"])
        return _constant(op, "const.int", value) if fits(value, op.results[0].type) else op
    if kinds <= {"const.int", "const.dim"} and op.results[0].type == I64:
        a, b = (_as_dim(side.attrs["value"]) for side in (left, right))
        if len(a.terms) * len(b.terms) <= _MOST_TERMS:
            value = compute(op.kind, a, b)
            return _constant(op, "const.dim", value) if value.value is None or fits(value.value, I64) else op
    return op


def _as_dim(value: Dim | int) -> Dim:
    return value if isinstance(value, Dim) else Dim.constant(value)


def compute(kind: str, left: Any, right: Any) -> Any:
    """The sum, difference or product."""
    match kind:
        case "add":
            return left + right
        case "sub":
            return left - right
        case _:
            return left * right


def fits(value: int, type: Type) -> bool:
    """Whether an integer is a value of this scalar type, which must be of a definite integer dtype."""
    if not isinstance(type, ScalarType) or not isinstance(type.dtype, str) or type.dtype[0] not in "iu" or type.dtype == "bool":
        return False
    bits = int(type.dtype[1:])
    if type.dtype[0] == "u":
        return 0 <= value < 2**bits
    return -(2 ** (bits - 1)) <= value < 2 ** (bits - 1)


def _constant(op: Op, kind: str, value: int | Dim) -> Op:
    return Op(kind, (), op.results, {"value": value}, (), op.span)
