"""Which values of a loop's body its reverse pass reads, and which items of the body make them.

In: a loop and the values that have an adjoint.  Out: `Kept`: the items to run again in each iteration of the reverse loop, the carried
values to keep of each iteration of the loop, and the values from outside that are read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from linnet_core.graph.gradient.rules import RULES
from linnet_core.graph.gradient.tape import Loop, Step, read_from_outside

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linnet_core.graph.gradient.tape import Item


class Kept(Struct, frozen=True, eq=False):
    """`items` of the body in order; `carried` are positions in the loop's list of carried values; `read` are names."""

    items: list[Item]
    carried: tuple[int, ...]
    read: frozenset[str]


def kept_of(loop: Loop, wanted: frozenset[str]) -> Kept:
    """What the reverse pass of a counted loop needs of its body."""
    needed = set(_read_in_reverse(loop.body, wanted))
    items: list[Item] = []
    for item in reversed(loop.body):
        match item:
            case Step() if item.first and not needed.isdisjoint(item.results):
                needed.update(item.operand_names())
            case Loop() if has_adjoint(item, wanted) or not needed.isdisjoint(item.end.results):
                needed.update(read_from_outside(item))
            case _:
                continue
        items.append(item)
    items.reverse()
    carried = tuple([at for at, name in enumerate(loop.carried) if name in needed])
    return Kept(items, carried, frozenset(needed))


def has_adjoint(loop: Loop, wanted: frozenset[str]) -> bool:
    """Whether a gradient flows through a loop."""
    return not wanted.isdisjoint(loop.end.results)


def _read_in_reverse(items: Sequence[Item], wanted: frozenset[str]) -> list[str]:
    """The names that the rules of the items read."""
    read: list[str] = []
    for item in items:
        match item:
            case Step():
                rule = RULES.get(type(item.call))
                if rule is not None and item.first and not wanted.isdisjoint(item.results):
                    read += rule.reads(item, item.call, wanted)
            case Loop() if has_adjoint(item, wanted):
                read += kept_of(item, wanted).read
            case _:
                pass
    return read
