"""Where a block's body may repeat: the steps of each call of a method on an element of an array of blocks.

In: steps and the scopes they were made in.  Out: the steps with what layers share lifted before the layer that computes it, and
`Region`s, ranges of steps that stand whole.  `level` says how many arrays around an array are looked past.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from linnet_core.graph.calls import Finish, Input, Parameter, State
from linnet_core.python_source.row_calls import AppendRow
from linnet_core.python_source.steps import BRACKETS, CLOSERS, OPENERS, Step, bracket_depths

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from linnet_core.python_source.scopes import Scopes

_LEAVES = (Input, Parameter, State)


class Region(Struct, frozen=True):
    """The steps from `start` to before `stop` are those of a call on `path`, an element of an array."""

    start: int
    stop: int
    path: str


def elements(steps: Sequence[Step], scopes: Scopes, level: int) -> list[int | None]:
    """The call on an element that each step belongs to.

    One of an unknown name, as passes make them, goes with what it stands behind, and one that opens a bracket with what it stands before.
    """
    found: list[int | None] = []
    openers: list[int] = []
    last: int | None = None
    for at, step in enumerate(steps):
        # what gives nothing belongs where the list does that it changes
        names = step.reads() if isinstance(step.call, AppendRow) else step.results
        known = next((name for name in names if name in scopes.home), None)
        if isinstance(step.call, (*_LEAVES, Finish)) or step.call.op == "repeated":
            found.append(None)
            continue
        if known is None and type(step.call) in OPENERS:
            openers.append(at)
        elif known is not None:
            last = scopes.element(scopes.home[known], level)
            for opener in openers:
                found[opener] = last
            openers = []
        found.append(last)
    return found


def lifted(steps: Sequence[Step], scopes: Scopes, level: int) -> list[tuple[Step, int | None]]:
    """The steps with leaves, and what was computed once for several layers, before the layer they stand in; with each the call on an
    element that it belongs to, None for what was lifted out of one."""
    owners = elements(steps, scopes, level)
    depths = bracket_depths(steps)
    free = _liftable(steps, owners, depths, scopes, level)
    result: list[tuple[Step, int | None]] = []
    held: list[tuple[Step, int | None]] = []
    current: int | None = None
    base = 0
    for step, owner, depth in zip(steps, owners, depths, strict=True):
        leaf = isinstance(step.call, _LEAVES)
        if not leaf and (depth < base or (depth == base and owner != current)):
            result += held
            held, current = [], None
        if current is None and owner is not None and not leaf:
            current, base = owner, depth
        if current is None or leaf or (depth == base and not free.isdisjoint(step.results)):
            result.append((step, None))
        else:
            held.append((step, current))
    return result + held


def _liftable(steps: Sequence[Step], owners: Sequence[int | None], depths: Sequence[int], scopes: Scopes, level: int) -> set[str]:
    """Names made outside a layer's brackets that several layers computed, and what they are made of, if none of it is one layer's own."""
    bases: dict[int | None, int] = {}
    owners_of = {name: owner for step, owner in zip(steps, owners, strict=True) for name in step.results}
    bound: set[str] = set()
    free: list[Step] = []
    for step, owner, depth in zip(steps, owners, depths, strict=True):
        if owner is None or isinstance(step.call, _LEAVES):
            continue
        outside = depth == bases.setdefault(owner, depth) and type(step.call) not in BRACKETS
        alone = outside and all(_is_shared(name, owner, scopes, level) for name in step.results)
        if alone and step.results and bound.isdisjoint(step.reads()):
            free.append(step)
        else:
            bound.update(step.results)
    elsewhere = {name for step, owner in zip(steps, owners, strict=True) for name in step.reads() if owners_of.get(name, owner) != owner}
    wanted = {name for step in free for name in step.results if name in scopes.home or name in elsewhere}
    for step in reversed(free):
        if not wanted.isdisjoint(step.results):
            wanted.update(step.reads())
    return {name for step in free for name in step.results if name in wanted}


def _is_shared(name: str, owner: int, scopes: Scopes, level: int) -> bool:
    """Whether another layer computed the value too; what a pass made may be part of one that was."""
    if name not in scopes.home:
        return True
    return any(scopes.element(scope, level) != owner for scope in scopes.again.get(name, ()))


def regions(steps: Sequence[Step], owners: Sequence[int | None], scopes: Scopes) -> Iterator[Region]:
    """The calls on elements of arrays, to which the steps belong as `owners` says, that stand whole, in order."""
    at = 0
    while at < len(steps):
        owner = owners[at]
        stop = at + 1
        while stop < len(steps) and owners[stop] == owner:
            stop += 1
        if owner is not None and _is_whole(steps[at:stop]):
            yield Region(at, stop, scopes.scopes[owner].path)
        at = stop


def _is_whole(steps: Sequence[Step]) -> bool:
    """Whether every bracket among the steps opens and closes there, and none that stands around is divided."""
    depth = 0
    for step in steps:
        kind = type(step.call)
        if kind in BRACKETS and kind not in OPENERS and depth == 0:
            return False
        depth += (kind in OPENERS) - (kind in CLOSERS)
    return depth == 0
