"""The finished list of calls a target keeps: one `Step` each, in order; passes read and rewrite this list.

In: calls and the names given to their results.  Out: steps, and what a pass needs to know of them: which names a step reads, which brackets belong
together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from linnet_core.graph.calls import (
    BeginCounted,
    BeginCustomGradient,
    BeginRemat,
    BeginWhile,
    Call,
    EndCounted,
    EndCustomGradient,
    EndRemat,
    EndWhile,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

#: Calls that open a bracket, and what closes it.
OPENERS: dict[type[Call], type[Call]] = {
    BeginWhile: EndWhile,
    BeginCounted: EndCounted,
    BeginCustomGradient: EndCustomGradient,
    BeginRemat: EndRemat,
}
CLOSERS = frozenset(OPENERS.values())
#: Brackets whose body is a scope of its own: names made inside are not known after it.
LOOPS: frozenset[type[Call]] = frozenset({BeginWhile, BeginCounted})


class Step(Struct, frozen=True, eq=False):
    """A call a target took, with the names of its results."""

    call: Call
    results: tuple[str, ...]

    def reads(self) -> Iterator[str]:
        """The names of its operands, in order, repeated as often as they stand there."""
        for operand in self.call.operands:
            if operand is not None:
                yield str(operand.value)


def matching_end(steps: Sequence[Step], begin: int) -> int:
    """The position of the call that closes the bracket opened at `begin`."""
    depth = 0
    for position in range(begin, len(steps)):
        kind = type(steps[position].call)
        if kind in OPENERS:
            depth += 1
        elif kind in CLOSERS:
            depth -= 1
            if depth == 0:
                return position
    raise AssertionError("a bracket is never closed")
