"""Dims with other dims, or numbers, for their generics.

In: a dim and what its generics stand for.  Out: a dim, folded as if it had been written so, or an integer.  Both walk
operands before what is made of them, without recursion, and visit a shared operand once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.shapes.atoms import FloorDiv, Least, Max, Min, Mod, PackSize, Symbol
from linnet_core.shapes.dims import Dim, from_terms, nested_atoms, of_atom
from linnet_core.shapes.fold import floordiv, maximum, minimum, mod
from linnet_core.shapes.shape import count

if TYPE_CHECKING:
    from collections.abc import Mapping

    from linnet_core.shapes.atoms import Atom
    from linnet_core.shapes.shape import Shape


def substitute(dim: Dim, dims: Mapping[int, Dim], packs: Mapping[int, Shape]) -> Dim:
    """The dim with generics replaced by id; what is not named stays."""
    known: dict[Atom, Dim] = {}
    for atom in nested_atoms(dim):
        match atom:
            case Symbol():
                if atom.id in dims:
                    known[atom] = dims[atom.id]
            case PackSize():
                if atom.id in packs:
                    known[atom] = count(packs[atom.id])
            case _:
                made = rebuilt(atom, known)
                if made is not of_atom(atom):
                    known[atom] = made
    return replace_atoms(dim, known)


def replace_atoms(dim: Dim, known: Mapping[Atom, Dim]) -> Dim:
    """The dim with every atom of its terms replaced by what `known` holds for it; an atom not in `known` stays."""
    if not known:
        return dim
    changed = [term for term in dim.terms if not known.keys().isdisjoint(term[1])]
    if not changed:
        return dim
    if len(dim.terms) == 1 and changed[0][0] == 1 and len(changed[0][1]) == 1:  # one atom alone, as most dims are
        return known[changed[0][1][0]]
    total = from_terms([term for term in dim.terms if known.keys().isdisjoint(term[1])])
    for coefficient, atoms in changed:
        product = Dim.constant(coefficient)
        for atom in atoms:
            product = product * (known[atom] if atom in known else of_atom(atom))
        total = total + product
    return total


def rebuilt(atom: Atom, known: Mapping[Atom, Dim]) -> Dim:
    """An operation made again from its operands with `known` atoms replaced."""
    match atom:
        case Symbol() | PackSize():
            return known.get(atom, of_atom(atom))
        case Least():
            return of_atom(Least(tuple(replace_atoms(option, known) for option in atom.options)))
        case FloorDiv():
            make = floordiv
        case Mod():
            make = mod
        case Min():
            make = minimum
        case Max():
            make = maximum
    return make(replace_atoms(atom.left, known), replace_atoms(atom.right, known))


def evaluate(dim: Dim, dims: Mapping[int, int], packs: Mapping[int, tuple[int, ...]]) -> int:
    """The number at these sizes; raises as `Dim.evaluate` says."""
    known: dict[Atom, int] = {}
    for atom in nested_atoms(dim):
        known[atom] = _atom_value(atom, known, dims, packs)
    return _polynomial_value(dim, known)


def _atom_value(atom: Atom, known: Mapping[Atom, int], dims: Mapping[int, int], packs: Mapping[int, tuple[int, ...]]) -> int:
    match atom:
        case Symbol():
            return dims[atom.id]
        case PackSize():
            product = 1
            for size in packs[atom.id]:
                product *= size
            return product
        case Least():
            return min(_polynomial_value(option, known) for option in atom.options)
        case _:
            left, right = _polynomial_value(atom.left, known), _polynomial_value(atom.right, known)
    match atom:
        case FloorDiv():
            return left // right
        case Mod():
            return left % right
        case Min():
            return min(left, right)
        case Max():
            return max(left, right)


def _polynomial_value(dim: Dim, known: Mapping[Atom, int]) -> int:
    total = 0
    for coefficient, atoms in dim.terms:
        product = coefficient
        for atom in atoms:
            product *= known[atom]
        total += product
    return total
