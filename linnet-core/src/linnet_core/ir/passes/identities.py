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


#: Without an operation of one of these there is nothing to do.
KINDS = frozenset({"reshape", "broadcast", "cast", "permute", "neg", "not"})


def run(regions: tuple[Region, ...], effects: Effects) -> tuple[Region, ...]:
    """Remove identities."""
    return forward(regions, _identity)


def _identity(op: Op, definitions: dict[int, Op]) -> Op | Value:
    if op.kind not in KINDS:
        return op
    match op.kind:
        case "reshape" | "broadcast" | "cast":
            same = op.operands[0].type == op.results[0].type
            return op.operands[0] if same and not _gives_a_literal_its_dtype(op, definitions) else op
        case "permute":
            same = op.attrs["shape"] == tuple(range(len(op.attrs["shape"])))
            return op.operands[0] if same and op.operands[0].type == op.results[0].type else op
        case "neg" | "not":
            inner = definitions.get(op.operands[0].id)
            if inner is not None and inner.kind == op.kind and inner.operands[0].type == op.results[0].type:
                return inner.operands[0]
    return op


def _gives_a_literal_its_dtype(op: Op, definitions: dict[int, Op]) -> bool:
    """Whether it is the cast of a number: without it, source could not say the number's dtype where no other value does."""
    made = definitions.get(op.operands[0].id)
    return op.kind == "cast" and made is not None and made.kind.startswith("const.")
