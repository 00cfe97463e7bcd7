"""The values of a function numbered from 0 in the order lowering makes them.

In: the regions of one function.  Out: equal regions: a region's arguments come before its operations, an operation's results after its
regions; the same objects where the numbers are right already.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.ir.module import Op, Region, Value

if TYPE_CHECKING:
    from collections.abc import Iterable


def renumbered(regions: tuple[Region, ...]) -> tuple[Region, ...]:
    """The regions with the ids of their values in order."""
    walk = _Walk()
    return tuple(walk.region(region) for region in regions)


class _Walk:
    def __init__(self) -> None:
        self.next = 0
        self.new: dict[int, Value] = {}

    def region(self, region: Region) -> Region:
        args = self.values(region.args)
        ops = tuple(map(self.op, region.ops))
        same = args is region.args and all(new is old for new, old in zip(ops, region.ops, strict=True))
        return region if same else Region(args, ops)

    def op(self, op: Op) -> Op:
        operands = tuple(self.new[value.id] for value in op.operands)
        regions = tuple(map(self.region, op.regions))
        results = self.values(op.results)
        old = (*op.operands, *op.regions, *op.results)
        if all(new is before for new, before in zip((*operands, *regions, *results), old, strict=True)):
            return op
        return Op(op.kind, operands, results, op.attrs, regions, op.span)

    def values(self, values: tuple[Value, ...]) -> tuple[Value, ...]:
        made = tuple(self._value(value) for value in values)
        return values if _are_same(made, values) else made

    def _value(self, value: Value) -> Value:
        new = value if value.id == self.next else Value(self.next, value.name, value.type)
        self.new[value.id] = new
        self.next += 1
        return new


def _are_same(some: Iterable[object], others: Iterable[object]) -> bool:
    return all(one is other for one, other in zip(some, others, strict=True))
