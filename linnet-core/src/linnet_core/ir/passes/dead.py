"""Removes operations whose results nothing uses.

In: regions of one function.  Out: the same without them.  Writes of state, calls that write it, stores and the ends of regions stay, and
so does every operation with one of those inside.  One walk from the end to the beginning.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.ir.module import Region
from linnet_core.ir.rewrite import with_regions

if TYPE_CHECKING:
    from linnet_core.ir.module import Op
    from linnet_core.ir.passes.effects import Effects


def run(regions: tuple[Region, ...], effects: Effects) -> tuple[Region, ...]:
    """Remove dead operations."""
    return tuple(_region(region, effects, set()) for region in regions)


def _region(region: Region, effects: Effects, used: set[int]) -> Region:
    """The region without dead operations; `used` collects the ids of the values it uses."""
    kept: list[Op] = []
    changed = False
    for op in reversed(region.ops):
        if not any(result.id in used for result in op.results) and not effects.writes_anywhere(op):
            changed = True
            continue
        new = with_regions(op, tuple(_region(inner, effects, used) for inner in op.regions)) if op.regions else op
        changed = changed or new is not op
        used.update(value.id for value in op.operands)
        kept.append(new)
    return Region(region.args, tuple(reversed(kept))) if changed else region
