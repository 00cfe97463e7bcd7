"""What a floor says of its operands.

In: an atom and bounds.  Out: inequalities that hold wherever the atom is defined.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.shapes.atoms import FloorDiv, Least
from linnet_core.shapes.dims import of_atom

if TYPE_CHECKING:
    from linnet_core.shapes.atoms import Atom
    from linnet_core.shapes.bounds import Bounds
    from linnet_core.shapes.dims import Dim


def floor_inequalities(atom: Atom, bounds: Bounds) -> list[Dim]:
    """For a quotient by a positive divisor: `0 <= left - right * q < right`.  Empty for every other atom."""
    if not isinstance(atom, FloorDiv) or not bounds.at_least(atom.right, 1):
        return []
    rest = atom.left - atom.right * of_atom(atom)
    return [rest, atom.right - 1 - rest]


def defining_inequalities(atom: Atom, bounds: Bounds) -> list[Dim]:
    """What holds of a quotient or a minimum by its definition; a minimum exceeds none of its options."""
    if isinstance(atom, Least):
        return [option - of_atom(atom) for option in atom.options]
    return floor_inequalities(atom, bounds)
