"""Makes equal operations of one region one operation.

In: regions of one function.  Out: the same where an operation without regions that equals an earlier one of its region (kind, operands,
attributes, result types) is left out for it.  What reads state is equal only where nothing was written in between; calls are equal when
their callee and generics are.  One look-up an operation.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from linnet_core.ir.module import Op, Region
from linnet_core.ir.ops import OPS
from linnet_core.ir.rewrite import with_regions

if TYPE_CHECKING:
    from linnet_core.ir.module import Value
    from linnet_core.ir.passes.effects import Effects


def run(regions: tuple[Region, ...], effects: Effects) -> tuple[Region, ...]:
    """Share equal operations."""
    walk = _Sharing(effects)
    return tuple(map(walk.region, regions))


#: Rules whose result type the operands and attributes determine; such types may be large, and are not looked at.
_TYPED_BY_OPERANDS = ("tuple", "field", "some", "array")


class _Sharing:
    def __init__(self, effects: Effects) -> None:
        self.effects = effects
        self.replaced: dict[int, Value] = {}

    def region(self, region: Region) -> Region:
        ops: list[Op] = []
        seen: dict[Hashable, Op] = {}
        writes = 0
        changed = False
        for old in region.ops:
            op = self.inside(old)
            changed = changed or op is not old
            if self.effects.writes_anywhere(op):
                writes += 1
            elif op.results and not op.regions:
                earlier = seen.setdefault(self.key(op, writes), op)
                if earlier is not op:
                    self.replaced.update((new.id, kept) for new, kept in zip(op.results, earlier.results, strict=True))
                    changed = True
                    continue
            ops.append(op)
        return Region(region.args, tuple(ops)) if changed else region

    def inside(self, op: Op) -> Op:
        """The operation with shared operands and regions."""
        operands = op.operands
        if self.replaced and any(value.id in self.replaced for value in operands):
            op = Op(op.kind, tuple(self.replaced.get(v.id, v) for v in operands), op.results, op.attrs, op.regions, op.span)
        return with_regions(op, tuple(map(self.region, op.regions))) if op.regions else op

    def key(self, op: Op, writes: int) -> Hashable:
        """What two equal operations have in common."""
        attrs = tuple((name, value) for name, value in op.attrs.items() if name != "substitution")
        types = () if OPS[op.kind].rule in _TYPED_BY_OPERANDS else tuple(result.type for result in op.results)
        return (op.kind, tuple(v.id for v in op.operands), attrs, types, writes if self.effects.reads(op) else -1)
