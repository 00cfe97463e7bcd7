"""The indivisible parts of a dimension, and the one order they are written in.

In: ids and names of generics, and `Dim` values for the operands of an operation.  Out: frozen atoms, which `dims.py`
multiplies into terms, and `compare`, a total order that looks at structure only (never at creation order or hashes), so
that equal programs print equal bytes.  Operands are interned, so hashing and comparing an atom costs constant time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from linnet_core.shapes.dims import Dim


class Symbol(Struct, frozen=True):
    """A `Dim` generic: a number of at least 0.  `id` numbers the generics in order of declaration."""

    id: int
    name: str


class PackSize(Struct, frozen=True):
    """The product of the axes of the pack `id`: at least 0."""

    id: int
    name: str


class FloorDiv(Struct, frozen=True):
    """`left / right`, rounded towards minus infinity; undefined where `right` is 0."""

    left: Dim
    right: Dim


class Mod(Struct, frozen=True):
    """`left - right * (left / right)`; undefined where `right` is 0."""

    left: Dim
    right: Dim


class Min(Struct, frozen=True):
    """The smaller of two."""

    left: Dim
    right: Dim


class Max(Struct, frozen=True):
    """The larger of two."""

    left: Dim
    right: Dim


class Least(Struct, frozen=True):
    """The smallest of any number of dims; only the prover makes it (see `normal.py`), no program's dim holds one."""

    options: tuple[Dim, ...]


Operation = FloorDiv | Mod | Min | Max | Least
Atom = Symbol | PackSize | Operation
#: A coefficient and the atoms it multiplies, repeated for powers, in the order of `compare`.
Term = tuple[int, tuple[Atom, ...]]

_RANK: dict[type, int] = {Symbol: 0, PackSize: 0, FloorDiv: 1, Mod: 2, Min: 3, Max: 4, Least: 5}


def operands(atom: Atom) -> tuple[Dim, ...]:
    """The dims an atom is made of; none for a generic."""
    match atom:
        case Symbol() | PackSize():
            return ()
        case Least():
            return atom.options
        case _:
            return (atom.left, atom.right)


def compare(first: Atom, second: Atom) -> int:
    """Negative, zero or positive as `first` is written before, as or after `second`.

    Generics come first, by id; then quotients, remainders, minima and maxima, by their operands.  The walk goes down one
    path only: interned operands that are not the same object differ, and the first difference decides.
    """
    while True:
        if first is second or first == second:
            return 0
        by_kind = _RANK[type(first)] - _RANK[type(second)]
        if by_kind:
            return by_kind
        if isinstance(first, Symbol | PackSize) and isinstance(second, Symbol | PackSize):
            a, b = (first.id, first.name, type(first).__name__), (second.id, second.name, type(second).__name__)
            return -1 if a < b else 1
        difference = _first_difference(operands(first), operands(second))
        if isinstance(difference, int):
            return difference
        first, second = difference


def _first_difference(left: tuple[Dim, ...], right: tuple[Dim, ...]) -> int | tuple[Atom, Atom]:
    """The order of two lists of operands, or the two atoms that decide it."""
    for a, b in zip(left, right, strict=False):
        if a is not b:
            return _terms_difference(a.terms, b.terms)
    return len(left) - len(right)


def _terms_difference(left: tuple[Term, ...], right: tuple[Term, ...]) -> int | tuple[Atom, Atom]:
    for (a, these), (b, those) in zip(left, right, strict=False):
        if len(these) != len(those):
            return len(those) - len(these)
        for this, that in zip(these, those, strict=True):
            if this != that:
                return this, that
        if a != b:
            return a - b
    return len(left) - len(right)


def compare_monomials(first: tuple[Atom, ...], second: tuple[Atom, ...]) -> int:
    """The order of terms: descending degree, then atom by atom; the constant (no atoms) comes last."""
    if len(first) != len(second):
        return len(second) - len(first)
    for a, b in zip(first, second, strict=True):
        if a is not b and a != b:
            return compare(a, b)
    return 0


def compare_dims(first: Dim, second: Dim) -> int:
    """A total order of dims, by their terms."""
    if first is second:
        return 0
    difference = _terms_difference(first.terms, second.terms)
    return difference if isinstance(difference, int) else compare(*difference)
