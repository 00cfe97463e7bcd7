"""Orders and circles among declarations that name each other.

In: which declaration names which, in the order written.  Out: an order in which each comes after what it names, one
shortest circle for each set that name each other, and the words for it.
"""

from __future__ import annotations

from linnet_core.modules.cycles import cycles, load_order

#: Names listed at most where a circle is shown.
MOST_NAMED = 5

#: What helps where a function calls itself.
NO_RECURSION = "use a loop: functions do not recurse"


def dependency_order(names: dict[str, list[str]]) -> list[str]:
    """Every key of `names`, each after what it names (in a circle: as far as that goes)."""
    keys, edges = _numbered(names)
    return [keys[number] for number in load_order(range(len(keys)), edges)]


def circles(names: dict[str, list[str]]) -> list[list[str]]:
    """`[a, b]` where a names b and b names a; those of earlier declarations first, each starting with its earliest."""
    keys, edges = _numbered(names)
    found = [_from_earliest(circle) for circle in cycles(load_order(range(len(keys)), edges), edges)]
    return [[keys[number] for number in circle] for circle in sorted(found)]


def through(others: list[str]) -> str:
    """` through `b`, `c``, or nothing; a long way is cut short."""
    if not others:
        return ""
    shown = ", ".join(f"`{name}`" for name in others[:MOST_NAMED])
    more = f" and {len(others) - MOST_NAMED} more" if len(others) > MOST_NAMED else ""
    return f" through {shown}{more}"


def _from_earliest(circle: list[int]) -> list[int]:
    first = circle.index(min(circle))
    return circle[first:] + circle[:first]


def _numbered(names: dict[str, list[str]]) -> tuple[list[str], list[list[int]]]:
    numbers = {key: number for number, key in enumerate(names)}
    return list(names), [[numbers[other] for other in others if other in numbers] for others in names.values()]
