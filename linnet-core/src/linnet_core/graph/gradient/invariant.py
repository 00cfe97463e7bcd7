"""What a counted loop makes anew in each turn although it is the same in all of them: parts and views of values from outside.

In: the items of a tape.  Out: the items, in which such steps stand before the loop.  So what the loop reads from outside is the part it
reads, and the adjoint that its way back carries from turn to turn is that of the part, not that of the whole value with zeros around it.

A gather could raise, so it leaves only a loop that has turns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.graph.calls import BeginCounted, Gather, Reshape, Slice, Transpose
from linnet_core.graph.gradient.tape import Loop, Step, made_in

if TYPE_CHECKING:
    from collections.abc import Iterable

    from linnet_core.graph.gradient.tape import Item

_PARTS = (Reshape, Slice, Transpose)


def before_loops(items: Iterable[Item]) -> list[Item]:
    """The items with what is the same in all turns before each counted loop; out of several loops it moves one by one."""
    found: list[Item] = []
    for item in items:
        if isinstance(item, Loop) and isinstance(item.begin.call, BeginCounted):
            moved, rest = _split(item, before_loops(item.body))
            found += moved
            found.append(Loop(item.begin, rest, item.end))
        else:
            found.append(item)
    return found


def _split(loop: Loop, body: list[Item]) -> tuple[list[Item], list[Item]]:
    """(what is the same in all turns, the rest)."""
    call = loop.begin.call
    assert isinstance(call, BeginCounted)
    kinds = (*_PARTS, Gather) if call.stop > call.start else _PARTS
    inside = {*loop.begin.results, *made_in(body)}
    moved: list[Item] = []
    rest: list[Item] = []
    for item in body:
        if isinstance(item, Step) and isinstance(item.call, kinds) and inside.isdisjoint(item.operand_names()):
            inside.difference_update(item.results)
            moved.append(item)
        else:
            rest.append(item)
    return moved, rest
