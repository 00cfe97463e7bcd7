"""Makes one permutation of two.

In: regions of one function.  Out: the same with `permute(permute(x, p), q)` as `permute(x, r)`, where r[i] = p[q[i]].
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.ir.module import Op
from linnet_core.ir.passes.forward import forward

if TYPE_CHECKING:
    from linnet_core.ir.module import Region
    from linnet_core.ir.passes.effects import Effects


#: Without an operation of this kind there is nothing to do.
KINDS = frozenset({"permute"})


def run(regions: tuple[Region, ...], effects: Effects) -> tuple[Region, ...]:
    """Compose permutations."""
    return forward(regions, _composed)


def _composed(op: Op, definitions: dict[int, Op]) -> Op:
    inner = definitions.get(op.operands[0].id) if op.kind in KINDS else None
    if inner is None or inner.kind != "permute":
        return op
    before = inner.attrs["shape"]
    axes = tuple(before[axis] for axis in op.attrs["shape"])
    return Op("permute", inner.operands, op.results, {"shape": axes}, (), op.span)
