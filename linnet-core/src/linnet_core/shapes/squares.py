"""Squares that may make a polynomial at least 0.

In: a polynomial.  Out: dims whose squares bound it from below, found by completing the square for one product of atoms after the
other (`4 * c * (c * r * r + b * r + d)` is `(2 * c * r + b) * (2 * c * r + b) + 4 * c * d - b * b`).
"""

from __future__ import annotations

from linnet_core.errors import LinnetError
from linnet_core.shapes.dims import Dim, from_terms, set_of
from linnet_core.shapes.division import primitive, without_atoms

#: How many products of atoms are tried in one polynomial, how often the rest is looked at again, the most terms of one.
_MAX_ROOTS = 4
_MAX_DEPTH = 3
_MAX_TERMS = 24


def completed_squares(dim: Dim) -> list[Dim]:
    """What to square, the most promising first; empty where no term is a square times a positive number."""
    found: dict[Dim, None] = {}
    rests = [dim]
    for _ in range(_MAX_DEPTH):
        left: list[Dim] = []
        for rest in rests:
            for root in _roots(rest)[:_MAX_ROOTS]:
                square, rest_of_it = _completed(rest, root)
                found[square] = None
                left.append(rest_of_it)
        rests = [rest for rest in dict.fromkeys(left) if len(rest.terms) <= _MAX_TERMS][:_MAX_ROOTS]
    return [square for square in found if square.value is None]


def _roots(dim: Dim) -> list[Dim]:
    """Products of atoms whose squares are terms with positive coefficients."""
    roots: list[Dim] = []
    for coefficient, atoms in dim.terms:
        kinds = set_of(atoms)
        if atoms and coefficient > 0 and all(atoms.count(atom) % 2 == 0 for atom in kinds):
            roots.append(from_terms([(1, tuple(atom for atom in kinds for _ in range(atoms.count(atom) // 2)))]))
    return roots


def _completed(dim: Dim, root: Dim) -> tuple[Dim, Dim]:
    """The dim to square for one root, and what is left of the polynomial then, both up to positive factors."""
    atoms = root.terms[0][1]
    once = {at: left for at, (_, each) in enumerate(dim.terms) if (left := without_atoms(each, atoms)) is not None}
    twice = next((dim.terms[at][0] for at, left in once.items() if left == atoms), 0)
    linear = from_terms([(dim.terms[at][0], left) for at, left in once.items() if left != atoms])
    free = from_terms([term for at, term in enumerate(dim.terms) if at not in once])
    try:
        return primitive(2 * twice * root + linear), primitive(4 * twice * free - linear * linear)
    except LinnetError:
        return primitive(root), free
