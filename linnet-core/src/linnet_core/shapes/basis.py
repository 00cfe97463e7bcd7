"""Polynomial identities that follow from polynomials known to be 0.

In: polynomials that are 0.  Out: a basis (a Groebner basis when the limits suffice) and reduction by it.  Terms are
ordered by degree, then lexicographically.  What reduces to 0 is 0 wherever the given polynomials are; over the integers
this needs no more than that multiplying by a number other than 0 is undone.
"""

from __future__ import annotations

from collections import deque
from math import gcd
from typing import TYPE_CHECKING

from linnet_core.errors import LinnetError
from linnet_core.shapes.dims import Dim, from_terms, multiply_atoms, scaled
from linnet_core.shapes.division import primitive, without_atoms

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from linnet_core.shapes.atoms import Atom

#: Limits of the completion: pairs looked at, polynomials kept, terms and degree of one.
_MAX_PAIRS = 60
_MAX_SIZE = 40
_MAX_TERMS = 40
_MAX_DEGREE = 12
#: Terms rewritten in one reduction.
_MAX_STEPS = 400


def reduced(dim: Dim, basis: Sequence[Dim]) -> Dim:
    """The dim with leading terms of the basis rewritten, where that needs no scaling; equal to it."""
    for _ in range(_MAX_STEPS if basis else 0):
        step = _exact_step(dim, basis)
        if step is None:
            break
        dim = step
    return dim


def _exact_step(dim: Dim, basis: Sequence[Dim]) -> Dim | None:
    for coefficient, atoms in dim.terms:
        for zero in basis:
            lead, lead_atoms = zero.terms[0]
            if len(lead_atoms) > len(atoms) or coefficient % lead:
                continue
            left = without_atoms(atoms, lead_atoms)
            if left is not None:
                return dim - from_terms([(coefficient // lead, left)]) * zero
    return None


def reduced_up_to_scale(dim: Dim, basis: Sequence[Dim]) -> Dim:
    """A positive multiple of the dim with every leading term of the basis rewritten: 0 exactly where the dim is, and of its
    sign.
    """
    for _ in range(_MAX_STEPS if basis else 0):
        step = _scaled_step(dim, basis)
        if step is None:
            break
        dim = step
    return dim


def _scaled_step(dim: Dim, basis: Sequence[Dim]) -> Dim | None:
    for coefficient, atoms in dim.terms:
        for zero in basis:
            lead, lead_atoms = zero.terms[0]
            left = without_atoms(atoms, lead_atoms) if len(lead_atoms) <= len(atoms) else None
            if left is not None:
                scale = abs(lead) // gcd(lead, coefficient)
                return primitive(scaled(dim, scale) - from_terms([(scale * coefficient // lead, left)]) * zero)
    return None


def complete(zeros: Iterable[Dim]) -> tuple[Dim, ...]:
    """Add what follows from pairs whose leading terms overlap, until nothing new does or a limit is reached."""
    basis: list[Dim] = []
    for zero in zeros:
        _add(basis, zero)
    pairs = deque((i, j) for j in range(len(basis)) for i in range(j))
    for _ in range(_MAX_PAIRS):
        if not pairs or len(basis) >= _MAX_SIZE:
            break
        i, j = pairs.popleft()
        found = _cancelled(basis[i], basis[j])
        if found is not None and _add(basis, found):
            pairs.extend((i, len(basis) - 1) for i in range(len(basis) - 1))
    return tuple(basis)


def _add(basis: list[Dim], zero: Dim) -> bool:
    """Keep a polynomial that the basis does not already account for."""
    try:
        rest = primitive(reduced_up_to_scale(zero, basis))
    except LinnetError:
        return False
    if not rest.terms or len(rest.terms) > _MAX_TERMS or len(rest.terms[0][1]) > _MAX_DEGREE:
        return False
    basis.append(rest if rest.terms[0][0] > 0 else -rest)
    return True


def _cancelled(first: Dim, second: Dim) -> Dim | None:
    """The combination of two polynomials in which their leading terms cancel; None where those share no atom."""
    (a, a_atoms), (b, b_atoms) = first.terms[0], second.terms[0]
    shared = _shared(a_atoms, b_atoms)
    if not shared:
        return None
    divisor = gcd(a, b)
    for_first = from_terms([(b // divisor, without_atoms(b_atoms, shared) or ())])
    for_second = from_terms([(a // divisor, without_atoms(a_atoms, shared) or ())])
    try:
        return for_first * first - for_second * second
    except LinnetError:
        return None


def _shared(first: tuple[Atom, ...], second: tuple[Atom, ...]) -> tuple[Atom, ...]:
    left = list(second)
    shared: tuple[Atom, ...] = ()
    for atom in first:
        if atom in left:
            left.remove(atom)
            shared = multiply_atoms(shared, (atom,))
    return shared
