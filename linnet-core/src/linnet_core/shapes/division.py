"""Long division of polynomials.

In: dims.  Out: quotient and remainder with `a == b * quotient + rest`, and common factors.  `fold.py` uses exact division,
the prover all of it.  Any whole quotient may be taken out of a floor: `(b * q + r) / b == q + r / b` for every b but 0.
"""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING

from linnet_core.shapes.dims import ZERO, Dim, from_terms, set_of

if TYPE_CHECKING:
    from linnet_core.shapes.atoms import Atom, Term

#: The most leading terms taken out in one division; what is left is then the remainder, which is still right.
_MAX_STEPS = 256


def without_atoms(atoms: tuple[Atom, ...], factors: tuple[Atom, ...]) -> tuple[Atom, ...] | None:
    """`atoms / factors`, or None when some factor is not there often enough."""
    if not factors:
        return atoms
    left = list(atoms)
    for factor in factors:
        if factor not in left:
            return None
        left.remove(factor)
    return tuple(left)


def divide(a: Dim, b: Dim) -> tuple[Dim, Dim]:
    """Quotient and rest of dividing `a` by the leading term of `b`, again and again; `b` is not 0.

    With a constant `b` every coefficient of the rest is in `0..|b|` (exclusive).
    """
    lead, lead_atoms = b.terms[0]
    quotient: list[Term] = []
    rest = a
    done: set[tuple[Atom, ...]] = set()
    for _ in range(_MAX_STEPS):
        step = _leading_quotient(rest, lead, lead_atoms, done)
        if step is None:
            break
        quotient.append(step)
        rest = rest - from_terms([step]) * b
    return (from_terms(quotient) if quotient else ZERO), rest


def _leading_quotient(rest: Dim, lead: int, lead_atoms: tuple[Atom, ...], done: set[tuple[Atom, ...]]) -> Term | None:
    """The next term of the quotient: from the first term of `rest` that still holds the leading term."""
    for coefficient, atoms in rest.terms:
        left = without_atoms(atoms, lead_atoms)
        if left is not None and coefficient // lead and atoms not in done:
            done.add(atoms)
            return coefficient // lead, left
    return None


def divide_exactly(a: Dim, b: Dim) -> Dim | None:
    """`q` with `a == b * q`, or None; `b` is not 0."""
    lead, lead_atoms = b.terms[0]
    quotient: list[Term] = []
    rest = a
    for _ in range(_MAX_STEPS):
        if not rest.terms:
            return from_terms(quotient) if quotient else ZERO
        coefficient, atoms = rest.terms[0]
        left = without_atoms(atoms, lead_atoms)
        if left is None or coefficient % lead:
            return None
        step = (coefficient // lead, left)
        quotient.append(step)
        rest = rest - from_terms([step]) * b
    return None


def content(*dims: Dim) -> int:
    """The greatest common divisor of all coefficients; 0 when all are 0."""
    return gcd(*(coefficient for dim in dims for coefficient, _ in dim.terms))


def common_factor(*dims: Dim) -> Term:
    """The largest single term, with a positive coefficient, that divides every term of every dim; (1, ()) for zeros."""
    shared: list[Atom] | None = None
    for dim in dims:
        for _, atoms in dim.terms:
            if shared is None:
                shared = list(atoms)
                continue
            left = list(atoms)
            kept: list[Atom] = []
            for atom in shared:
                if atom in left:
                    left.remove(atom)
                    kept.append(atom)
            shared = kept
    return content(*dims) or 1, tuple(shared or ())


def without_factor(dim: Dim, factor: Term) -> Dim:
    """`dim / factor`, for a factor of every term."""
    if factor == (1, ()):
        return dim
    coefficient, factors = factor
    return from_terms([(c // coefficient, without_atoms(atoms, factors) or ()) for c, atoms in dim.terms])


def primitive(dim: Dim) -> Dim:
    """The dim divided by its content: zero exactly where `dim` is, and of its sign."""
    return without_factor(dim, (content(dim) or 1, ()))


def distinct_atoms(dim: Dim) -> tuple[Atom, ...]:
    """The atoms that stand in its terms (not those inside them), once each, in order."""
    return tuple(dict.fromkeys(atom for _, atoms in dim.terms for atom in set_of(atoms)))
