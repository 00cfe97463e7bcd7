"""Names that are nearly the one that was written.

In: a name and the names that exist.  Out: the few that are near enough to be meant, nearest first, the same ones every
time.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

#: How many names are compared letter by letter.
_MOST_COMPARED = 200


def near_names(name: str, known: Iterable[str], most: int = 3) -> list[str]:
    """Up to `most` of `known` within a third of `name`'s length in edits (swaps count one), nearest first, then by spelling."""
    limit = max(1, min(3, len(name) // 3))
    lowered = name.lower()
    found: list[tuple[int, str]] = []
    for candidate in _worth_comparing(name, sorted(set(known))):
        if candidate == name or abs(len(candidate) - len(name)) > limit:
            continue
        distance = 0 if candidate.lower() == lowered else _distance(lowered, candidate.lower(), limit)
        if distance <= limit and distance < len(name):
            found.append((distance, candidate))
    return [candidate for _, candidate in sorted(found)[:most]]


def _worth_comparing(name: str, known: list[str]) -> list[str]:
    """All of them; of very many those that begin or end most like `name`, or a file full of errors would take minutes."""
    if len(known) <= _MOST_COMPARED:
        return known
    backwards = sorted(candidate[::-1] for candidate in known)
    return sorted({*_beside(name, known), *(candidate[::-1] for candidate in _beside(name[::-1], backwards))})


def _beside(name: str, known: list[str]) -> list[str]:
    """Those that stand next to `name` in order of spelling."""
    at = bisect_left(known, name)
    return known[max(0, at - _MOST_COMPARED // 4) : at + _MOST_COMPARED // 4]


def did_you_mean(name: str, known: Iterable[str]) -> str | None:
    """The help line that names them, or None."""
    near = near_names(name, known)
    if not near:
        return None
    shown = [f"`{candidate}`" for candidate in near]
    return f"did you mean {shown[0]}?" if len(shown) == 1 else f"did you mean {', '.join(shown[:-1])} or {shown[-1]}?"


def listed(names: Iterable[str]) -> str:
    """The names one after the other, as messages show names."""
    return ", ".join(f"`{name}`" for name in names)


def _distance(left: str, right: str, limit: int) -> int:
    """Insertions, deletions, changes, and swaps of neighbours that make `right` of `left`; `limit + 1` where they are more than `limit`.

    A way of at most `limit` edits leaves the diagonal by no more than that, so nothing else is looked at: names may be very long.
    """
    far = limit + 1
    before: dict[int, int] = {}
    row = {j: j for j in range(min(len(right), limit) + 1)}
    for i, a in enumerate(left, 1):
        following = {0: i} if i <= limit else {}
        for j in range(max(1, i - limit), min(len(right), i + limit) + 1):
            b = right[j - 1]
            cost = min(row.get(j, far) + 1, following.get(j - 1, far) + 1, row.get(j - 1, far) + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                cost = min(cost, before.get(j - 2, far) + 1)
            following[j] = cost
        if not following or min(following.values()) > limit:
            return far
        before, row = row, following
    return min(far, row.get(len(right), far))
