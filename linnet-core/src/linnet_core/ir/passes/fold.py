"""Computes sums, differences and products of integer constants.

In: regions of one function.  Out: the same with `add`, `sub` and `mul` of two integer constants as one constant.  Floats are never
folded, and no integer that would leave its dtype; run-time integers wrap, and of a dimension nobody knows yet whether it would.  Nor is
anything where no statement can stand: a `let` gives a number its dtype in source, where no other value does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check import integers
from linnet_core.check.types import INTEGERS, ScalarType, Type
from linnet_core.ir.module import Op
from linnet_core.ir.passes.forward import forward

if TYPE_CHECKING:
    from linnet_core.ir.module import Region
    from linnet_core.ir.passes.effects import Effects


#: Without an operation of this kind there is nothing to do.
KINDS = frozenset({"const.int"})


def run(regions: tuple[Region, ...], effects: Effects) -> tuple[Region, ...]:
    """Fold integer constants."""
    return forward(regions, _folded, only_statements=True)


def _folded(op: Op, definitions: dict[int, Op]) -> Op:
    if op.kind not in ("add", "sub", "mul"):
        return op
    left, right = (definitions.get(value.id) for value in op.operands)
    if left is None or right is None or not left.kind == right.kind == "const.int":
        return op
    value = compute(op.kind, left.attrs["value"], right.attrs["value"])
    return Op("const.int", (), op.results, {"value": value}, (), op.span) if fits(value, op.results[0].type) else op


def compute(kind: str, left: int, right: int) -> int:
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
    if not isinstance(type, ScalarType) or not isinstance(type.dtype, str) or type.dtype not in INTEGERS:
        return False
    return integers.fits(value, type.dtype)
