"""Linear arithmetic over terms.

In: polynomials that are at least 0, and which products of atoms never are negative.  Out: whether they cannot all hold,
because a sum of them with multipliers of at least 0 is a negative number (Farkas).  Each product of atoms is one unknown.
The simplex method on integers, every line with a scale of its own, Bland's rule, and a budget.
"""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING

from linnet_core.shapes.dims import Dim, from_terms

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from linnet_core.shapes.atoms import Atom
    from linnet_core.shapes.budget import Budget

    Monomial = tuple[Atom, ...]
    Row = dict[Monomial, int]


def tightened(inequality: Dim) -> Dim:
    """What `p >= 0` says of integers: `2 * N - 5 >= 0` is `N - 3 >= 0`."""
    divisor = gcd(*(coefficient for coefficient, atoms in inequality.terms if atoms))
    if divisor < 2:
        return inequality
    return from_terms([(coefficient // divisor, atoms) for coefficient, atoms in inequality.terms])


def infeasible(inequalities: Sequence[Dim], never_negative: Callable[[Monomial], bool], budget: Budget) -> bool:
    """Whether no sizes make every polynomial at least 0; False where that was not shown."""
    rows = [{atoms: coefficient for coefficient, atoms in dim.terms} for dim in dict.fromkeys(inequalities)]
    if any(row.get((), 0) < 0 and len(row) == 1 for row in rows):
        return True
    signs: dict[Monomial, bool] = {}
    for row in rows:
        for atoms in row:
            if atoms and atoms not in signs:
                signs[atoms] = never_negative(atoms)
    rows = _useful(rows, signs)
    if not any(row.get((), 0) < 0 for row in rows):
        return False
    return _unbounded(_tableau(rows, signs), budget)


def _useful(rows: list[Row], signs: dict[Monomial, bool]) -> list[Row]:
    """Without inequalities that can have no part in a contradiction: a term that no other can cancel."""
    while True:
        positive: set[Monomial] = set()
        negative: set[Monomial] = set()
        for row in rows:
            for atoms, coefficient in row.items():
                (positive if coefficient > 0 else negative).add(atoms)
        kept = [row for row in rows if all(_cancels(atoms, c, positive, negative, signs) for atoms, c in row.items())]
        if len(kept) == len(rows):
            return rows
        rows = kept


def _cancels(atoms: Monomial, coefficient: int, positive: set[Monomial], negative: set[Monomial], signs: dict[Monomial, bool]) -> bool:
    if not atoms:
        return True
    if coefficient > 0:
        return atoms in negative
    return atoms in positive or signs[atoms]


def _tableau(rows: list[Row], signs: dict[Monomial, bool]) -> list[list[int]]:
    """One line a term, one column a polynomial; the last line is what to raise above 0, minus the constants.

    A line says that the sum's coefficient is at most 0, which is enough for a term that is never negative; a term of unknown
    sign has a second line that says it is at least 0.
    """
    used = dict.fromkeys(atoms for row in rows for atoms in row if atoms)
    lines: list[list[int]] = []
    for atoms in used:
        line = [row.get(atoms, 0) for row in rows]
        lines.append(line)
        if not signs[atoms]:
            lines.append([-coefficient for coefficient in line])
    lines.append([row.get((), 0) for row in rows])
    return lines


def _unbounded(lines: list[list[int]], budget: Budget) -> bool:
    """Whether multipliers >= 0 exist with every line but the last at most 0 and the last negative.

    All right-hand sides are 0, so every pivot is degenerate and the multipliers, once found, may grow without bound.  Columns
    and lines carry labels for Bland's rule, which ends every run.
    """
    width, height = len(lines[0]), len(lines) - 1
    columns = list(range(width))
    basic = list(range(width, width + height))
    scales = [1] * (height + 1)
    while True:
        entering = min((j for j, entry in enumerate(lines[height]) if entry < 0), key=columns.__getitem__, default=None)
        if entering is None:
            return False
        leaving = min((i for i in range(height) if lines[i][entering] > 0), key=basic.__getitem__, default=None)
        if leaving is None:
            return True
        if not budget.spend(width * (height + 1)):
            return False
        _pivot(lines, scales, leaving, entering)
        columns[entering], basic[leaving] = basic[leaving], columns[entering]


def _pivot(lines: list[list[int]], scales: list[int], row: int, column: int) -> None:
    """Exchange the unknowns of a line and a column.

    A line says `scale * basic + sum of entry * unknown == 0` with a scale above 0 of its own, so that a line without the column stays
    as it is and the others are divided by what their numbers share.
    """
    pivot_line, scale = lines[row], scales[row]
    pivot = pivot_line[column]
    for i, line in enumerate(lines):
        factor = line[column]
        if i == row or not factor:
            continue
        changed = [entry * pivot - factor * other for entry, other in zip(line, pivot_line, strict=True)]
        changed[column] = -factor * scale
        shared = gcd(scales[i] * pivot, *changed)
        scales[i] = scales[i] * pivot // shared
        lines[i] = changed if shared == 1 else [entry // shared for entry in changed]
    pivot_line[column] = scale
    scales[row] = pivot
