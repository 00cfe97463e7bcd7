"""Makes equal operations of one region one operation.

In: regions of one function.  Out: the same where an operation without regions that equals an earlier one of its region (kind, operands,
attributes, result types) is left out for it.  What reads state is equal only where nothing was written in between; calls are equal when
their callee and generics are.  One look-up an operation.

What is shared could be bound by a `let` of the source, so that a program can be written back from what is left: nothing is shared where no
statement can stand (an arm, the body of a reduction), and no blocks, elements of arrays of them, or dimensions that bound a loop.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from linnet_core.ir.module import Op, Region
from linnet_core.ir.ops import OPS
from linnet_core.ir.rewrite import with_regions
from linnet_core.ir.uses import is_block_like

if TYPE_CHECKING:
    from linnet_core.ir.module import Value
    from linnet_core.ir.passes.effects import Effects


def run(regions: tuple[Region, ...], effects: Effects) -> tuple[Region, ...]:
    """Share equal operations."""
    walk = _Sharing(effects)
    return tuple(walk.region(region, region.ops[-1].kind == "return") for region in regions)


#: The regions of these that hold statements.
BODIES: dict[str, int] = {"static_for": 0, "static_range": 0, "for": 0, "while": 1}

#: Rules whose result type the operands and attributes determine; such types may be large, and are not looked at.
_TYPED_BY_OPERANDS = ("tuple", "field", "some", "array")


class _Sharing:
    def __init__(self, effects: Effects) -> None:
        self.effects = effects
        self.replaced: dict[int, Value] = {}

    def region(self, region: Region, has_statements: bool) -> Region:
        ops: list[Op] = []
        bounds = _compile_time(region) if has_statements else set[int]()
        seen: dict[Hashable, Op] = {}
        writes = 0
        changed = False
        for old in region.ops:
            op = self.inside(old)
            changed = changed or op is not old
            if self.effects.writes_anywhere(op):
                writes += 1
            elif has_statements and _could_be_bound(op, bounds):
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
        if not op.regions:
            return op
        body = BODIES.get(op.kind)
        return with_regions(op, tuple(self.region(inner, at == body) for at, inner in enumerate(op.regions)))

    def key(self, op: Op, writes: int) -> Hashable:
        """What two equal operations have in common."""
        attrs = tuple((name, value) for name, value in op.attrs.items() if name != "substitution")
        types = () if OPS[op.kind].rule in _TYPED_BY_OPERANDS else tuple(result.type for result in op.results)
        return (op.kind, tuple(v.id for v in op.operands), attrs, types, writes if self.effects.reads(op) else -1)


def _compile_time(region: Region) -> set[int]:
    """Ids of the values that bound a loop or stand for a position in an array of blocks."""
    found: set[int] = set()
    for op in region.ops:
        if op.kind == "array.get":
            found.add(op.operands[1].id)
        elif op.kind in ("for", "static_range"):
            found.update(value.id for value in op.operands[:2])
    return found


def _could_be_bound(op: Op, bounds: set[int]) -> bool:
    """Whether a `let` could hold the operation's only result."""
    if len(op.results) != 1 or op.regions or op.results[0].id in bounds:
        return False
    if op.kind == "const.dim" and op.attrs["value"].value is not None:
        return False  # A `let` of a number holds a `const.int`.
    return not is_block_like(op.results[0].type)
