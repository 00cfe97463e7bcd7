"""Names close to one that is not known.

In: a misspelt name and the names that could stand there.  Out: the few a person may have meant, nearest first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

#: Names offered at most.
MOST = 2


def near_names(name: str, candidates: Iterable[str]) -> tuple[str, ...]:
    """The candidates within a third of the length in edits (at least one), nearest first, then in the order given."""
    limit = max(1, min(len(name) // 3, 3))
    found: dict[str, int] = {}
    for candidate in candidates:
        if candidate != name and candidate not in found and abs(len(candidate) - len(name)) <= limit:
            distance = 0 if candidate.lower() == name.lower() else edit_distance(name, candidate)
            if distance <= limit and distance < max(len(name), len(candidate)):
                found[candidate] = distance
    return tuple(sorted(found, key=lambda candidate: found[candidate])[:MOST])


def edit_distance(a: str, b: str) -> int:
    """Letters to insert, delete, replace or swap with a neighbour to make `b` of `a`."""
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, last, row = row, before, [i]
        for j, y in enumerate(b, 1):
            best = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                best = min(best, last[j - 2] + 1)
            row.append(best)
    return row[-1]


def did_you_mean(name: str, candidates: Iterable[str]) -> str | None:
    """The help line that offers near names, or None."""
    near = near_names(name, candidates)
    return "did you mean " + " or ".join(f"`{candidate}`" for candidate in near) + "?" if near else None
