"""What a recomputed block gives to the steps behind it.

In: all steps of an entry, in which `begin_remat` and `end_remat` stand around the calls of a block, and the types and known scalars by
name.  Out: the steps with a `CloseRemat` for each `end_remat`, which hands on what is read after it: inside, such a value is called
`v7_kept`, outside `v7`.  `types` and `scalars` know the new names.  A state first read inside is read before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.graph.calls import BeginRemat, EndRemat, Operand, State
from linnet_core.python_source.region_calls import CloseRemat
from linnet_core.python_source.renaming import renamed
from linnet_core.python_source.steps import Step

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linnet_core.graph.calls import ResultType
    from linnet_core.python_source.fold import Scalar


def close_remats(steps: Sequence[Step], types: dict[str, ResultType], scalars: dict[str, Scalar]) -> list[Step]:
    """The steps, outer blocks first, so that one inside another hands on what both give under a name of each."""
    steps = _states_first(steps)
    last = {name: at for at, step in enumerate(steps) for name in step.reads()}
    kept = list(steps)
    for begin, end in _pairs(steps):
        # what a block around this one has renamed goes by its present name in here
        present = {
            old: new
            for was, now in zip(steps[begin + 1 : end], kept[begin + 1 : end], strict=True)
            for old, new in zip(was.results, now.results, strict=True)
        }
        now = [new for old, new in present.items() if last.get(old, -1) > end]
        names = {name: f"{name}_kept" for name in now}
        kept[begin + 1 : end] = renamed(kept[begin + 1 : end], names)
        for name in now:
            types[names[name]] = types[name]
            if name in scalars:
                scalars[names[name]] = scalars[name]
        operands = tuple([Operand(names[name], types[name].shape, types[name].dtype) for name in now])
        kept[end] = Step(CloseRemat(operands=operands), tuple(now), kept[end].slot)
    return kept


def _states_first(steps: Sequence[Step]) -> list[Step]:
    """The steps, with states that are first read in a block before the outermost one."""
    found: list[Step] = []
    opened: list[int] = []
    for step in steps:
        if isinstance(step.call, State) and opened:
            found.insert(opened[0], step)
            opened = [at + 1 for at in opened]
            continue
        if isinstance(step.call, BeginRemat):
            opened.append(len(found))
        elif isinstance(step.call, EndRemat):
            opened.pop()
        found.append(step)
    return found


def _pairs(steps: Sequence[Step]) -> list[tuple[int, int]]:
    """Where blocks begin and end, in the order of their beginnings."""
    opened: list[int] = []
    found: list[tuple[int, int]] = []
    for at, step in enumerate(steps):
        if isinstance(step.call, BeginRemat):
            opened.append(at)
        elif isinstance(step.call, EndRemat):
            found.append((opened.pop(), at))
    return sorted(found)
