"""What a floor says of its operands.

In: an atom and bounds.  Out: inequalities that hold wherever the atom is defined.
"""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

from linnet_core.shapes.atoms import FloorDiv, Least
from linnet_core.shapes.dims import of_atom
from linnet_core.shapes.division import divide_exactly

if TYPE_CHECKING:
    from collections.abc import Iterable

    from linnet_core.shapes.atoms import Atom
    from linnet_core.shapes.bounds import Bounds
    from linnet_core.shapes.dims import Dim

#: How many quotients are compared with each other, and the most terms of what one divisor is of another.
_MAX_QUOTIENTS = 8
_MAX_TERMS = 24


def floor_inequalities(atom: Atom, bounds: Bounds) -> list[Dim]:
    """For a quotient by a positive divisor: `0 <= left - right * q < right`.  Empty for every other atom."""
    if not isinstance(atom, FloorDiv) or not bounds.at_least(atom.right, 1):
        return []
    rest = atom.left - atom.right * of_atom(atom)
    return [rest, atom.right - 1 - rest]


def nested_inequalities(atoms: Iterable[Atom], bounds: Bounds) -> list[Dim]:
    """A quotient of a quotient is written as one, `x / (d * b)` for `(x / d) / b`: what is left of `x / d` is from 0 to below b."""
    found: list[Dim] = []
    quotients = [atom for atom in atoms if isinstance(atom, FloorDiv) and atom.right.terms][:_MAX_QUOTIENTS]
    for outer, inner in permutations(quotients, 2):
        more = divide_exactly(outer.right, inner.right)
        if more is None or not bounds.at_least(more, 1):
            continue
        added = divide_exactly(outer.left - inner.left, inner.right)
        if added is None or len(more.terms) > _MAX_TERMS:
            continue
        rest = of_atom(inner) + added - more * of_atom(outer)
        found.extend((rest, more - 1 - rest))
    return found


def defining_inequalities(atom: Atom, bounds: Bounds) -> list[Dim]:
    """What holds of a quotient or a minimum by its definition; a minimum exceeds none of its options."""
    if isinstance(atom, Least):
        return [option - of_atom(atom) for option in atom.options]
    return floor_inequalities(atom, bounds)
