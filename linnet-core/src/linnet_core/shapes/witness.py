"""Sizes at which a claim fails, tried before a proof is looked for.

In: constraints.  Out: a few sizes at which all of them hold (`Witnesses`), and whether a claim fails at one, which no sound
prover could then prove.  The sizes tried are fixed, so answers do not depend on anything else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from linnet_core.shapes.facts import Constraint

#: Nothing is evaluated that has operations nested deeper than this.
_MAX_HEIGHT = 60


class Sizes(Mapping[int, int]):
    """A size for every id, by a rule."""

    def __init__(self, rule: Callable[[int], int]) -> None:
        self._rule = rule

    def __getitem__(self, id: int) -> int:
        return self._rule(id)

    def __iter__(self) -> Iterator[int]:
        return iter(())

    def __len__(self) -> int:
        return 0


class Axes(Mapping[int, tuple[int, ...]]):
    """For every pack one axis, of the size that `Sizes` gives its id."""

    def __init__(self, sizes: Sizes) -> None:
        self._sizes = sizes

    def __getitem__(self, id: int) -> tuple[int, ...]:
        return (self._sizes[id],)

    def __iter__(self) -> Iterator[int]:
        return iter(())

    def __len__(self) -> int:
        return 0


#: All alike (so that all divide each other), then growing, shrinking and scattered by id.
_RULES: tuple[Callable[[int], int], ...] = (
    lambda id: 1,
    lambda id: 0,
    lambda id: 2,
    lambda id: 96,
    lambda id: 1 << id % 16,
    lambda id: 1 << (15 - id % 16),
    lambda id: 96 << id % 4,
    lambda id: 96 << (3 - id % 4),
    lambda id: id % 7 + 2,
    lambda id: 9 - id % 7,
    lambda id: (id * 2654435761 >> 7) % 5,
    lambda id: (id * 2654435761 >> 9) % 11 + 1,
    lambda id: (id * 2654435761 >> 5) % 3,
    lambda id: 2 * ((id * 2654435761 >> 11) % 4) + 3,
)
_ALL_SIZES = tuple(Sizes(rule) for rule in _RULES)


class Witnesses:
    """Those of the fixed sizes at which every constraint holds, each tried when it is first asked for; false where there is none."""

    __slots__ = ("_constraints", "_found", "_tried")

    def __init__(self, constraints: Sequence[Constraint]) -> None:
        self._constraints = constraints
        self._found: list[Sizes] = []
        self._tried = 0

    def __iter__(self) -> Iterator[Sizes]:
        at = 0
        while at < len(self._found) or self._find():
            yield self._found[at]
            at += 1

    def __bool__(self) -> bool:
        return bool(self._found) or self._find()

    def _find(self) -> bool:
        """Whether there is one more; it is then the last of those found."""
        while self._tried < len(_ALL_SIZES):
            sizes = _ALL_SIZES[self._tried]
            self._tried += 1
            if all(_holds(constraint, sizes) is True for constraint in self._constraints):
                self._found.append(sizes)
                return True
        return False


def fails_somewhere(claim: Constraint, sizes: Iterable[Sizes]) -> bool:
    """Whether the claim is defined and false at one of the sizes."""
    return any(_holds(claim, each) is False for each in sizes)


def _holds(constraint: Constraint, sizes: Sizes) -> bool | None:
    """Whether it holds there; None where it divides by 0 or is too deep to try."""
    if constraint.left.height > _MAX_HEIGHT or constraint.right.height > _MAX_HEIGHT:
        return None
    try:
        return constraint.holds(sizes, Axes(sizes))
    except ZeroDivisionError:
        return None
