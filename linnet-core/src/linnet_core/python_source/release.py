"""Where a value is read for the last time.

In: steps.  Out: for each position the names that nothing reads afterwards, so that a target can free them.  A use inside a loop counts at the loop's
end, and a name made inside a loop is not released (the next turn makes it anew).
"""

from __future__ import annotations

from linnet_core.graph.calls import Finish
from linnet_core.python_source.steps import CLOSERS, LOOPS, OPENERS, Step


def last_uses(steps: list[Step]) -> dict[int, tuple[str, ...]]:
    """Names to release after the step at each position, in the order they were made."""
    made: dict[str, int] = {}
    last: dict[str, int] = {}
    depth = 0
    pending: list[str] = []
    for position, step in enumerate(steps):
        kind = type(step.call)
        reads = [name for name in step.reads() if name in made]
        if kind in LOOPS:
            depth += 1
        if depth:
            pending.extend(reads)
        else:
            last.update(dict.fromkeys(reads, position))
        if kind in CLOSERS and kind not in _OPEN_ONLY and depth:
            depth -= 1
            if depth == 0:
                last.update(dict.fromkeys(pending, position))
                pending.clear()
        if depth == 0:
            for name in step.results:
                made.setdefault(name, position)
                last.setdefault(name, position)
    finish = next((i for i, step in enumerate(steps) if isinstance(step.call, Finish)), len(steps))
    found: dict[int, list[str]] = {}
    for name in made:
        if last[name] < finish:
            found.setdefault(last[name], []).append(name)
    return {position: tuple(names) for position, names in found.items()}


#: Brackets that are no loops do not change what is released when.
_OPEN_ONLY = frozenset(closer for opener, closer in OPENERS.items() if opener not in LOOPS)
