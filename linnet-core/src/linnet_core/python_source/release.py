"""Where a value is read for the last time.

In: steps.  Out: for each position the names that nothing reads afterwards, so that a target can free them.  A value made outside
a loop and read inside counts as read at the loop's end; what a turn makes for itself is released in the turn, and the names a
loop carries when it has ended.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.graph.calls import BeginCounted, Finish, WhileCondition
from linnet_core.python_source.steps import LOOPS, OPENERS, Step

if TYPE_CHECKING:
    from collections.abc import Sequence

_ENDS = frozenset(OPENERS[opener] for opener in LOOPS)
#: The loops around a step, outermost first, by the positions where they begin.
_Loops = tuple[int, ...]


def last_uses(steps: Sequence[Step]) -> dict[int, tuple[str, ...]]:
    """Names to release after the step at each position, in the order they were made.

    At the end of a loop they were all made outside it or are those it carries: none is unknown if the loop never turned.
    """
    around, ends = _loops(steps)
    home: dict[str, _Loops] = {}
    last: dict[str, int | None] = {}
    for at, step in enumerate(steps):
        for name in step.reads():
            if name in home:
                last[name] = _counted_at(at, around[at], home[name], ends)
        if type(step.call) in LOOPS:
            for name in step.results[isinstance(step.call, BeginCounted) :]:
                home[name], last[name] = around[at], ends[at]
        elif not isinstance(step.call, WhileCondition):  # which names the carried values again
            for name in step.results:
                home[name], last[name] = around[at], at
    return _by_position(steps, last)


def _loops(steps: Sequence[Step]) -> tuple[list[_Loops], dict[int, int]]:
    """The loops around each step (what opens and closes one stands outside it), and where each loop ends."""
    around: list[_Loops] = []
    ends: dict[int, int] = {}
    inside: list[int] = []
    for at, step in enumerate(steps):
        if type(step.call) in _ENDS:
            ends[inside.pop()] = at
        around.append(tuple(inside))
        if type(step.call) in LOOPS:
            inside.append(at)
    return around, ends


def _counted_at(at: int, around: _Loops, home: _Loops, ends: dict[int, int]) -> int | None:
    """Where a read at `at` counts for a value made inside the loops `home`; None when the loop's end hands the value to the next turn."""
    if len(around) < len(home):
        return None
    return at if len(around) == len(home) else ends[around[len(home)]]


def _by_position(steps: Sequence[Step], last: dict[str, int | None]) -> dict[int, tuple[str, ...]]:
    finish = next((i for i, step in enumerate(steps) if isinstance(step.call, Finish)), len(steps))
    found: dict[int, list[str]] = {}
    for name, at in last.items():
        if at is not None and at < finish:
            found.setdefault(at, []).append(name)
    return {position: tuple(names) for position, names in found.items()}
