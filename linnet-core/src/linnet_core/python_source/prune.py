"""The pass that drops steps nobody reads.

In: steps.  Out: the steps whose results reach `finish` (or a bracket that does), in order, and those that exchange something with other
processes, which wait for it.  One backward sweep; a bracket is kept when any of its results is read or it exchanges something, and then
everything its body, condition, backward part and carried values need is kept too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.graph.calls import Finish, Input, Parameter, State
from linnet_core.graph.exchanges import exchanges
from linnet_core.python_source.steps import CLOSERS, DIVIDERS, OPENERS, Step

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Calls kept whatever reads them: the signature of the printed function does not depend on what its body uses.
_KEPT = (Finish, Input, Parameter, State)


def prune(steps: Sequence[Step]) -> list[Step]:
    """The steps that matter."""
    needed: set[str] = set()
    kept: list[Step] = []
    #: For each bracket that is open in the backward sweep, whether it is kept.
    brackets: list[bool] = []
    exchanging = _exchanging(steps)
    for at in range(len(steps) - 1, -1, -1):
        step = steps[at]
        kind = type(step.call)
        if kind in OPENERS:
            keep = brackets.pop()
        elif isinstance(step.call, _KEPT):
            keep = True
        elif brackets and not brackets[-1]:
            keep = False
        else:
            keep = kind in DIVIDERS or at in exchanging or any(name in needed for name in step.results)
        if kind in CLOSERS:
            brackets.append(keep)
        if keep:
            kept.append(step)
            needed.update(step.reads())
    kept.reverse()
    return kept


def _exchanging(steps: Sequence[Step]) -> set[int]:
    """The positions of calls that exchange something, and of the ends of the brackets around them."""
    found: set[int] = set()
    opened: list[bool] = []
    for at, step in enumerate(steps):
        kind = type(step.call)
        if kind in OPENERS:
            opened.append(False)
        elif kind in CLOSERS:
            if opened.pop():
                found.add(at)
                opened[-1:] = [True] * bool(opened)
        elif exchanges(step.call):
            found.add(at)
            opened[-1:] = [True] * bool(opened)
    return found
