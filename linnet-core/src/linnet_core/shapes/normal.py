"""Quotients and minima as the prover writes them, so that equal ones become the same atom.

In: operands that are already in the prover's form, and what is cheaply known of sizes.  Out: dims.  A quotient gives up
every whole part and merges with a quotient inside it; a minimum is one flat `Least` whose options share no term; a
remainder is `a - b * (a / b)` and a maximum is `-min(-a, -b)`, so these two never appear.
"""

from __future__ import annotations

from functools import cmp_to_key
from typing import TYPE_CHECKING

from linnet_core.shapes.atoms import FloorDiv, Least, compare_dims
from linnet_core.shapes.dims import ZERO, Dim, from_terms, of_atom
from linnet_core.shapes.division import common_factor, divide, divide_exactly, primitive, without_factor

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from linnet_core.shapes.atoms import Atom, Term
    from linnet_core.shapes.bounds import Bounds

    #: By divisor: dims it is known to divide, and how often it goes into them.
    Multiples = Mapping[Dim, Sequence[tuple[Dim, Dim]]]

#: How many quotients inside quotients are merged into one, or how often minima inside a minimum are opened.
_MAX_MERGES = 16
#: The most terms of either side of a merged quotient.
_MAX_TERMS = 40
#: How many options a flat minimum may have, and up to how many are compared pair by pair.
_MAX_OPTIONS = 64
_MAX_COMPARED = 16

_DIM_KEY = cmp_to_key(compare_dims)


def quotient(a: Dim, b: Dim, bounds: Bounds, settle: Callable[[Dim], Dim], multiples: Multiples) -> Dim:
    """`a / b` in the prover's form.  `settle` brings what a merge makes into that form again."""
    total = ZERO
    seen: set[tuple[Dim, Dim]] = set()
    for _ in range(_MAX_MERGES):
        if not b.terms:
            break
        if b.terms[0][0] < 0:
            a, b = -a, -b
        factor = common_factor(a, b)
        a, b = _without_common_sum(without_factor(a, factor), without_factor(b, factor))
        whole, a = divide(a, b)
        total = total + whole
        for multiple, times in multiples.get(b, ()):
            whole, a = divide(a, multiple)
            total = total + whole * times
        if _fits_below(a, b, bounds):
            return total
        if (a, b) in seen:
            break
        seen.add((a, b))
        merged = _merged(a, b, bounds, settle)
        if merged is None:
            break
        a, b = merged
    return total + of_atom(FloorDiv(a, b))


def _without_common_sum(a: Dim, b: Dim) -> tuple[Dim, Dim]:
    """`(7 * A + 7 * B) / ((A + B) * C)` is `7 / C`: where the one divides the other up to a number, both give it up."""
    for shared in (primitive(a), primitive(b)) if len(a.terms) > 1 and len(b.terms) > 1 else ():
        less_a, less_b = divide_exactly(a, shared), divide_exactly(b, shared)
        if less_a is not None and less_b is not None:
            return (less_a, less_b) if not less_b.terms or less_b.terms[0][0] > 0 else (-less_a, -less_b)
    return a, b


def _fits_below(a: Dim, b: Dim, bounds: Bounds) -> bool:
    """Whether `0 <= a < b`, so that the quotient is 0."""
    return not a.terms or (bounds.at_least(a, 0) and bounds.at_least(b - a, 1))


def _merged(a: Dim, b: Dim, bounds: Bounds, settle: Callable[[Dim], Dim]) -> tuple[Dim, Dim] | None:
    """`(x / d + y) / b == (x + d * y) / (d * b)` for a positive b; one that is not negative and divides is positive.

    A quotient known to be whole stays: what equalities make of `x` would bring it back, times d, again and again.
    """
    if not bounds.at_least(b, 0):
        return None
    for coefficient, atoms in a.terms:
        if coefficient != 1 or len(atoms) != 1 or not isinstance(atoms[0], FloorDiv):
            continue
        inner, whole = atoms[0], of_atom(atoms[0])
        if settle(inner.left - inner.right * whole).terms:
            merged = settle(inner.left + inner.right * (a - whole)), settle(inner.right * b)
            return merged if max(len(side.terms) for side in merged) <= _MAX_TERMS else None
    return None


def least(options: Sequence[Dim], bounds: Bounds) -> Dim:
    """The smallest of `options` in the prover's form."""
    shift, kept = ZERO, list(options)
    for _ in range(_MAX_MERGES):
        kept = _undominated(_flat(kept), bounds)
        if len(kept) == 1:
            return shift + kept[0]
        part = _shared_part(kept)
        shift, kept = shift + part, [option - part for option in kept]
        if not part.terms or not any(map(_inner_least, kept)):  # what was taken out may leave a minimum to be opened
            break
    coefficient, atoms = common_factor(*kept)
    factor = (coefficient, tuple(atom for atom in atoms if bounds.never_negative((atom,))))
    kept = sorted((without_factor(option, factor) for option in kept), key=_DIM_KEY)
    return shift + from_terms([factor]) * of_atom(Least(tuple(kept)))


def _flat(options: Sequence[Dim]) -> list[Dim]:
    """Options with a minimum among their terms opened: `min(a, r + min(b, c))` is `min(a, r + b, r + c)`."""
    flat: dict[Dim, None] = {}
    waiting = list(reversed(options))
    while waiting:
        option = waiting.pop()
        inner = _inner_least(option)
        if inner is None or len(flat) + len(waiting) + len(inner.options) > _MAX_OPTIONS:
            flat[option] = None
            continue
        rest = option - of_atom(inner)
        waiting.extend(rest + each for each in reversed(inner.options))
    return list(flat)


def _inner_least(option: Dim) -> Least | None:
    for coefficient, atoms in option.terms:
        if coefficient == 1 and len(atoms) == 1 and isinstance(atoms[0], Least):
            return atoms[0]
    return None


def _undominated(options: list[Dim], bounds: Bounds) -> list[Dim]:
    """Options without those that another one never exceeds."""
    if len(options) > _MAX_COMPARED:
        return options
    kept = list(options)
    for option in options:
        if any(other is not option and bounds.at_least(option - other, 0) for other in kept):
            kept.remove(option)
    return kept


def _shared_part(options: list[Dim]) -> Dim:
    """What to take out so that no option has a negative coefficient and no term stands in all of them."""
    coefficients: dict[tuple[Atom, ...], list[int]] = {}
    for option in options:
        for coefficient, atoms in option.terms:
            coefficients.setdefault(atoms, []).append(coefficient)
    shared: list[Term] = []
    for atoms, found in coefficients.items():
        smallest = min(found) if len(found) == len(options) else min(0, *found)
        if smallest:
            shared.append((smallest, atoms))
    return from_terms(shared)
