"""The finished list of calls a target keeps: one `Step` each, in order; passes read and rewrite this list.

In: calls and the names given to their results.  Out: steps, and what a pass needs to know of them: which names a step reads,
which brackets belong together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from linnet_core.errors import InternalError
from linnet_core.graph.calls import (
    BeginCounted,
    BeginRemat,
    BeginWhile,
    Call,
    Constant,
    EndCounted,
    EndWhile,
    NativeCall,
    WhileCondition,
)
from linnet_core.python_source.region_calls import CloseGradient, CloseLaunch, CloseRemat, OpenGradient, OpenLaunch, Pullback

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Sequence

    from linnet_core.graph.calls import ResultType

#: Calls that open a bracket, and what closes it.
OPENERS: dict[type[Call], type[Call]] = {
    BeginWhile: EndWhile,
    BeginCounted: EndCounted,
    OpenGradient: CloseGradient,
    BeginRemat: CloseRemat,
    OpenLaunch: CloseLaunch,
}
CLOSERS = frozenset(OPENERS.values())
#: Calls that stand between an opener and its closer, and belong to both.
DIVIDERS: frozenset[type[Call]] = frozenset({WhileCondition, Pullback})
#: Calls that open, divide or close a scope.
BRACKETS: frozenset[type[Call]] = frozenset({*OPENERS, *CLOSERS, *DIVIDERS})
#: Brackets whose body is a scope of its own: names made inside are not known after it.
LOOPS: frozenset[type[Call]] = frozenset({BeginWhile, BeginCounted})
#: The other brackets, whose body is a function of what it reads.
REGIONS: frozenset[type[Call]] = frozenset(OPENERS) - LOOPS


class Step(Struct, frozen=True, eq=False):
    """A call a target took, with the names of its results and the slot it runs on."""

    call: Call
    results: tuple[str, ...]
    slot: int = 0

    def reads(self) -> Iterator[str]:
        """The names of its operands, in order, repeated as often as they stand there."""
        for operand in self.call.operands:
            if operand is not None:
                yield str(operand.value)


def result_types(steps: Iterable[Step]) -> dict[str, ResultType]:
    """Shape and dtype every name was made with."""
    found: dict[str, ResultType] = {}
    for step in steps:
        for name, type in zip(step.results, step.call.result_types(), strict=True):
            found.setdefault(name, type)
    return found


def bracket_depths(steps: Sequence[Step]) -> list[int]:
    """How many brackets stand around each step; those that open or close one stand outside it."""
    depths: list[int] = []
    depth = 0
    for step in steps:
        kind = type(step.call)
        depth -= kind in CLOSERS
        depths.append(depth)
        depth += kind in OPENERS
    return depths


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
    raise InternalError("a bracket is never closed")


def call_key(call: Call) -> Hashable:
    """What makes two calls equal; 0.0 and -0.0 are different constants."""
    match call:
        case Constant():
            return (Constant, call.literal.kind, repr(call.literal.value), call.dtype)
        case NativeCall():
            return (call.implementation, tuple(call.generics.items()), call.shape, call.dtype, call.operands)
        case _:
            return call
