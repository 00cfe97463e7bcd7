"""Import cycles, and the order that cannot be when there is one.

In: a graph of modules by number, edges in the order the imports are written.  Out: the numbers in load order (a module
after those it imports), and one shortest cycle for each knot.  Knows nothing of files.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def load_order(roots: Sequence[int], imports: Sequence[Sequence[int]]) -> list[int]:
    """Every module reachable from `roots`, each after the modules it imports (in a cycle: as far as that goes)."""
    order: list[int] = []
    seen: set[int] = set()
    for root in roots:
        if root in seen:
            continue
        seen.add(root)
        path = [(root, iter(imports[root]))]
        while path:
            module, rest = path[-1]
            following = next((each for each in rest if each not in seen), None)
            if following is None:
                order.append(module)
                path.pop()
            else:
                seen.add(following)
                path.append((following, iter(imports[following])))
    return order


def cycles(order: Sequence[int], imports: Sequence[Sequence[int]]) -> list[list[int]]:
    """One shortest cycle `[a, b, c]` (a imports b, b imports c, c imports a) for each set of modules that reach each other.

    `order` is a load order of all of them: a knot is searched for backwards from the module that comes first in it.
    """
    importers: list[list[int]] = [[] for _ in imports]
    for module in order:
        for each in imports[module]:
            importers[each].append(module)
    found: list[list[int]] = []
    done: set[int] = set()
    for start in reversed(order):
        if start in done:
            continue
        knot = _reaching(start, importers, done)
        done |= knot
        if len(knot) > 1 or start in imports[start]:
            found.append(_shortest(start, imports, knot))
    return found


def _reaching(start: int, importers: Sequence[Sequence[int]], done: set[int]) -> set[int]:
    """`start` and everything that imports it, directly or not, and is not `done`: its knot, taken in reverse load order."""
    found = {start}
    waiting = [start]
    while waiting:
        for each in importers[waiting.pop()]:
            if each not in found and each not in done:
                found.add(each)
                waiting.append(each)
    return found


def _shortest(start: int, imports: Sequence[Sequence[int]], knot: set[int]) -> list[int]:
    """The shortest way from `start` back to itself inside `knot`."""
    came_from: dict[int, int] = {}
    waiting = deque([start])
    while waiting:
        module = waiting.popleft()
        for each in imports[module]:
            if each == start:
                path = [module]
                while path[-1] != start:
                    path.append(came_from[path[-1]])
                return path[::-1]
            if each in knot and each not in came_from:
                came_from[each] = module
                waiting.append(each)
    return [start]
