"""Removes operations that change nothing.

In: regions of one function.  Out: the same without `reshape`, `broadcast`, `cast` to the operand's own type, identity permutations,
`neg(neg(x))` and `not(not(x))`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.ir.passes.forward import forward

if TYPE_CHECKING:
    from linnet_core.ir.module import Op, Region, Value
    from linnet_core.ir.passes.effects import Effects


def run(regions: tuple[Region, ...], effects: Effects) -> tuple[Region, ...]:
    """Remove identities."""
    return forward(regions, _identity)


def _identity(op: Op, definitions: dict[int, Op]) -> Op | Value:
    match op.kind:
        case "reshape" | "broadcast" | "cast":
            same = op.operands[0].type == op.results[0].type
            return op.operands[0] if same else op
        case "permute":
            same = op.attrs["shape"] == tuple(range(len(op.attrs["shape"])))
            return op.operands[0] if same and op.operands[0].type == op.results[0].type else op
        case "neg" | "not":
            inner = definitions.get(op.operands[0].id)
            if inner is not None and inner.kind == op.kind and inner.operands[0].type == op.results[0].type:
                return inner.operands[0]
    return op
