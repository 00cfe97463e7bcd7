"""Puts operations in an order that source can give them.

In: the regions of one function, after the other passes.  Out: the same operations, those whose value no `let` could hold (a block, a number
that is a dimension) right before the expression that uses them.

A source expression is worked out in one go, so what is bound by a `let` comes before all of it.  Sharing makes values of inner expressions
such: in `first.go(exp(x)) + second.go(exp(x))` the one `exp` is bound, and `first` is looked up after it.  Only operations without effects
that depend on nothing but their operands are moved.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from linnet_core.ir.module import Region
from linnet_core.ir.passes.share import BODIES
from linnet_core.ir.rewrite import with_regions
from linnet_core.ir.uses import LOOPS, Uses, can_be_bound, gathered, is_block_like, operands, uses_of

if TYPE_CHECKING:
    from linnet_core.ir.module import Op, Value


def run(regions: tuple[Region, ...]) -> tuple[Region, ...]:
    """Order the operations of every region that holds statements."""
    uses = uses_of(regions)
    return tuple(_region(region, uses) if region.ops[-1].kind == "return" else region for region in regions)


class _Expression(Struct, eq=False):
    """A value that is used once, with the operations of its expression."""

    value: Value
    ops: list[Op]


def _region(region: Region, uses: Uses) -> Region:
    walk = _Walk(uses)
    for op in region.ops:
        walk.place(op, _inside(op, uses))
    same = all(new is old for new, old in zip(walk.done, region.ops, strict=False))
    return region if same or walk.waiting else Region(region.args, tuple(walk.done))


class _Walk:
    """The operations placed so far, and the expressions that wait for the operation that takes them."""

    def __init__(self, uses: Uses) -> None:
        self.uses = uses
        self.done: list[Op] = []
        self.waiting: list[_Expression] = []
        self.ids: set[int] = set()

    def place(self, old: Op, op: Op) -> None:
        """Place `op`, which `old` is but for what was ordered inside it."""
        if old.kind in LOOPS:
            self.bind_through({value.id for value in old.operands[LOOPS[old.kind][0] :]})
        wanted = [value.id for value in operands(old) if value.id in self.ids]
        ops = [inner for one in self.take(wanted) for inner in one.ops] if wanted else []
        ops.append(op)
        if _is_inside_an_expression(old, self.uses):
            self.waiting.append(_Expression(old.results[0], ops))
            self.ids.add(old.results[0].id)
        else:
            self.bind(len(self.waiting))
            self.done.extend(ops)

    def take(self, wanted: list[int]) -> list[_Expression]:
        """The expressions of the values `wanted` that end those that wait, in that order; the others are bound or stand before them."""
        below, left = len(self.waiting), list(wanted)
        while left and below and self.waiting[below - 1].value.id == left[-1]:
            left.pop()
            below -= 1
        if left:
            self.bind(1 + max(at for at, one in enumerate(self.waiting) if one.value.id in left))
            taken = [one for one in self.waiting if one.value.id in wanted]
            self.waiting = [one for one in self.waiting if one.value.id not in wanted]
        else:
            taken = self.waiting[below:]
            del self.waiting[below:]
        self.ids.difference_update(one.value.id for one in taken)
        return taken

    def bind_through(self, ids: set[int]) -> None:
        """Bind the expressions that wait up to the last of these, which a loop carries: a variable holds each before the loop begins."""
        if not self.ids.isdisjoint(ids):
            self.bind(1 + max(at for at, one in enumerate(self.waiting) if one.value.id in ids))

    def bind(self, count: int) -> None:
        """Bind the first expressions that wait, as far as a local can hold them."""
        bound = [one for one in self.waiting[:count] if can_be_bound(one.value, self.uses)]
        if bound:
            self.done.extend(op for one in bound for op in one.ops)
            gone = {one.value.id for one in bound}
            self.ids -= gone
            self.waiting = [one for one in self.waiting if one.value.id not in gone]


def _inside(op: Op, uses: Uses) -> Op:
    body = BODIES.get(op.kind)
    if body is None:
        return op
    return with_regions(op, tuple(_region(inner, uses) if at == body else inner for at, inner in enumerate(op.regions)))


def _is_inside_an_expression(op: Op, uses: Uses) -> bool:
    """Whether the operation has one nameless value, used once in its own region, that an expression can have in it."""
    if len(op.results) != 1 or op.kind in LOOPS or op.kind == "tuple.get" or (op.kind == "comprehension" and gathered(op) is None):
        return False
    [value] = op.results
    used_once = uses.count(value) == 1 and uses.is_local(value)
    return used_once and (not value.name or is_block_like(value.type))
