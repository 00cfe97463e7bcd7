"""Dimensions: integer polynomials over atoms, each kept once.

In: integers, generics, and dims.  Out: `Dim` values in canonical form, so that two dims with the same terms are the same
object and equality is `is`.  Quotients, remainders, minima and maxima are made by `fold.py`; what facts say about dims is
the prover's business.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from functools import cache, cmp_to_key
from typing import TYPE_CHECKING

from linnet_core.errors import LinnetError
from linnet_core.shapes.atoms import Atom, FloorDiv, Least, Max, Min, Mod, PackSize, Symbol, Term, compare, compare_monomials, operands

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping, Sequence

    from _typeshed import SupportsRichComparison

    from linnet_core.shapes.shape import Shape

#: The most terms a dim may have.  Beyond it a `LinnetError` names the limit; the checker gives it a place.
MAX_TERMS = 1024
#: The most factors one term may have.
MAX_DEGREE = 4096
#: Up to how many terms are inserted one by one rather than sorted with the others.
_MAX_INSERTED = 4
#: Up to how many atoms a dim remembers itself to hold.
_MAX_KEPT = 64

_ATOM_KEY = cmp_to_key(compare)
_MONOMIAL_KEY = cmp_to_key(compare_monomials)


class Dim:
    """A compile-time integer: a sum of terms, each a coefficient times atoms.  Make one with `Dim.constant`,
    `Dim.symbol`, `Dim.pack_size`, arithmetic, and the functions of `fold.py`; never by calling the class.

    Its value may be negative (`N - 1` at `N = 0`); a generic's never is.
    """

    __slots__ = ("_nested", "_symbols", "generic", "height", "nonnegative", "terms", "value")

    #: In canonical order: descending degree, then atoms in order of declaration, the constant last.  Empty for 0.
    terms: tuple[Term, ...]
    #: The integer when the dim is constant, else None.
    value: int | None
    #: The id of the `Dim` generic that it is and nothing else, as most dims are; else None.
    generic: int | None
    #: True when no size of the generics makes it negative, by its form alone.
    nonnegative: bool
    #: How deeply operations are nested: 0 without any.
    height: int
    _symbols: tuple[int, ...]
    _nested: tuple[Atom, ...] | None

    def __init__(self, terms: tuple[Term, ...]) -> None:
        self.terms = terms
        self.value = _constant_value(terms)
        self.generic = _lone_generic(terms)
        self._nested = None
        if self.generic is not None:
            self.nonnegative, self.height, self._symbols = True, 0, (self.generic,)
            return
        self.nonnegative = all(c >= 0 and all(_never_negative(a) for a in set_of(atoms)) for c, atoms in terms)
        inner = [operand for _, atoms in terms for atom in set_of(atoms) for operand in operands(atom)]
        self.height = 1 + max(operand.height for operand in inner) if inner else 0
        symbols = {atom.id for _, atoms in terms for atom in atoms if isinstance(atom, Symbol | PackSize)}
        self._symbols = tuple(sorted(symbols.union(*(operand._symbols for operand in inner))))

    @staticmethod
    @cache
    def constant(n: int) -> Dim:
        """The dim of a known size."""
        return _intern(((n, ()),) if n else ())

    @staticmethod
    @cache
    def symbol(id: int, name: str) -> Dim:
        """The dim of the `Dim` generic numbered `id`."""
        return of_atom(Symbol(id, name))

    @staticmethod
    def pack_size(id: int, name: str) -> Dim:
        """The product of the axes of the `Shape` generic numbered `id`."""
        return of_atom(PackSize(id, name))

    def __add__(self, other: Dim | int) -> Dim:
        other = as_dim(other)
        if not other.terms:
            return self
        if len(self.terms) < len(other.terms):
            self, other = other, self
        if len(other.terms) > _MAX_INSERTED:
            return from_terms([*self.terms, *other.terms])
        terms = list(self.terms)
        for term in other.terms:
            _insert(terms, term)
        if len(terms) > MAX_TERMS:
            raise _too_large("terms", MAX_TERMS)
        return _intern(tuple(terms))

    def __sub__(self, other: Dim | int) -> Dim:
        other = as_dim(other)
        if self is other:
            return ZERO
        return self + (-other)

    def __neg__(self) -> Dim:
        return _intern(tuple((-c, atoms) for c, atoms in self.terms))

    def __mul__(self, other: Dim | int) -> Dim:
        other = as_dim(other)
        if self.value is not None:
            self, other = other, self
        if other.value is not None:
            return scaled(self, other.value)
        if len(self.terms) * len(other.terms) > MAX_TERMS * 4:
            raise _too_large("terms", MAX_TERMS)
        products = [(c * d, multiply_atoms(a, b)) for c, a in self.terms for d, b in other.terms]
        return from_terms(products)

    __radd__ = __add__
    __rmul__ = __mul__

    def __rsub__(self, other: int) -> Dim:
        return Dim.constant(other) - self

    def symbols(self) -> tuple[int, ...]:
        """Ids of the generics it depends on (packs too), ascending."""
        return self._symbols

    def substitute(self, dims: Mapping[int, Dim], packs: Mapping[int, Shape] | None = None) -> Dim:
        """The dim with generics replaced by id; what is not named stays."""
        if self.generic is not None:
            return dims.get(self.generic, self)
        if dims.keys().isdisjoint(self._symbols) and (not packs or packs.keys().isdisjoint(self._symbols)):
            return self
        from linnet_core.shapes.substitute import substitute

        return substitute(self, dims, {} if packs is None else packs)

    def evaluate(self, dims: Mapping[int, int], packs: Mapping[int, tuple[int, ...]] | None = None) -> int:
        """The number at these sizes.

        Raises `KeyError` (of the id) for a generic without a size, `ZeroDivisionError` where a divisor is 0.
        """
        if self.generic is not None:
            return dims[self.generic]
        if self.value is not None:
            return self.value
        from linnet_core.shapes.substitute import evaluate

        return evaluate(self, dims, {} if packs is None else packs)

    def __str__(self) -> str:
        from linnet_core.shapes.spelling import spell

        return spell(self)

    def __repr__(self) -> str:
        return f"Dim({self})"

    def __copy__(self) -> Dim:
        return self

    def __deepcopy__(self, memo: object) -> Dim:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return (from_terms, (self.terms,))


_INTERNED: dict[tuple[Term, ...], Dim] = {}


def _intern(terms: tuple[Term, ...]) -> Dim:
    dim = _INTERNED.get(terms)
    if dim is None:
        dim = _INTERNED[terms] = Dim(terms)
    return dim


def _insert(terms: list[Term], term: Term) -> None:
    """Add one term to a sorted list of terms."""
    coefficient, atoms = term
    at = bisect_left(terms, _term_key(term), key=_term_key)
    if at < len(terms) and terms[at][1] == atoms:
        coefficient += terms[at][0]
        terms[at : at + 1] = [(coefficient, atoms)] if coefficient else []
    else:
        terms.insert(at, term)


def _term_key(term: Term) -> SupportsRichComparison:
    return _MONOMIAL_KEY(term[1])


def set_of(atoms: tuple[Atom, ...]) -> tuple[Atom, ...]:
    """The atoms without repetition, in order."""
    return atoms if len(atoms) < 2 else tuple(dict.fromkeys(atoms))


def _constant_value(terms: tuple[Term, ...]) -> int | None:
    if not terms:
        return 0
    if len(terms) == 1 and not terms[0][1]:
        return terms[0][0]
    return None


def _lone_generic(terms: tuple[Term, ...]) -> int | None:
    match terms:
        case ((1, (Symbol(id=id),)),):
            return id
        case _:
            return None


def _never_negative(atom: Atom) -> bool:
    """Whether the atom's form alone shows it to be >= 0 wherever it is defined."""
    match atom:
        case Symbol() | PackSize():
            return True
        case FloorDiv():
            return atom.left.nonnegative and atom.right.nonnegative
        case Mod():
            return atom.right.nonnegative
        case Min():
            return atom.left.nonnegative and atom.right.nonnegative
        case Max():
            return atom.left.nonnegative or atom.right.nonnegative
        case Least():
            return all(option.nonnegative for option in atom.options)


def as_dim(value: Dim | int) -> Dim:
    """The dim itself, or the constant dim of an integer."""
    return value if isinstance(value, Dim) else Dim.constant(value)


def of_atom(atom: Atom) -> Dim:
    """The dim that is one atom."""
    return _intern(((1, (atom,)),))


def from_terms(terms: Iterable[Term]) -> Dim:
    """The sum of terms in any order; the atoms of each must be in the order of `multiply_atoms`."""
    found: dict[tuple[Atom, ...], int] = {}
    for coefficient, atoms in terms:
        found[atoms] = found.get(atoms, 0) + coefficient
    kept = [atoms for atoms, coefficient in found.items() if coefficient]
    if len(kept) > MAX_TERMS:
        raise _too_large("terms", MAX_TERMS)
    if len(kept) > 1:
        kept.sort(key=_MONOMIAL_KEY)
    return _intern(tuple((found[atoms], atoms) for atoms in kept))


def scaled(dim: Dim, factor: int) -> Dim:
    """`factor * dim`."""
    if factor == 0:
        return ZERO
    return dim if factor == 1 else _intern(tuple((factor * c, atoms) for c, atoms in dim.terms))


def multiply_atoms(first: tuple[Atom, ...], second: tuple[Atom, ...]) -> tuple[Atom, ...]:
    """The product of two sorted lists of atoms, sorted."""
    if not first:
        return second
    if not second:
        return first
    if len(first) + len(second) > MAX_DEGREE:
        raise _too_large("factors", MAX_DEGREE)
    if len(first) < len(second):
        first, second = second, first
    if len(second) > _MAX_INSERTED:
        return tuple(sorted(first + second, key=_ATOM_KEY))
    product = list(first)
    for atom in second:
        insort(product, atom, key=_ATOM_KEY)
    return tuple(product)


def _too_large(what: str, limit: int) -> LinnetError:
    return LinnetError(f"a dimension has more than {limit} {what}")


def nested_atoms(dim: Dim, known: Container[Atom] = ()) -> Sequence[Atom]:
    """Every atom in a dim at any depth, once each, operands before what is made of them; without those `known` already and
    what only they hold.
    """
    if known:
        return _nested(dim, known)
    if dim._nested is not None:
        return dim._nested
    atoms = tuple(_nested(dim, ()))
    if len(atoms) <= _MAX_KEPT:
        dim._nested = atoms
    return atoms


def _nested(dim: Dim, known: Container[Atom]) -> list[Atom]:
    if dim.height == 0:
        return _unseen(dim, known, ())
    done: dict[Atom, None] = {}
    stack = [(atom, False) for atom in reversed(_unseen(dim, known, done))]
    while stack:
        atom, expanded = stack.pop()
        if atom in done:
            continue
        inner = [] if expanded else [each for operand in operands(atom) for each in _unseen(operand, known, done)]
        if not inner:
            done[atom] = None
            continue
        stack.append((atom, True))
        stack.extend((each, False) for each in reversed(inner))
    return list(done)


def _unseen(dim: Dim, known: Container[Atom], done: Container[Atom]) -> list[Atom]:
    return list(dict.fromkeys(atom for _, atoms in dim.terms for atom in atoms if atom not in done and atom not in known))


ZERO = Dim.constant(0)
ONE = Dim.constant(1)
