"""The least and greatest value of dims, by interval arithmetic.

In: inequalities (dims that are at least 0).  Out: `Bounds`, which answers an interval for any dim; an end is None where
nothing is known.  Cheap, and asked before anything slower.  Every interval holds wherever no divisor is 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.shapes.atoms import FloorDiv, Least, Max, Min, Mod, PackSize, Symbol, operands
from linnet_core.shapes.dims import nested_atoms
from linnet_core.shapes.division import common_factor, content, without_factor

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linnet_core.shapes.atoms import Atom
    from linnet_core.shapes.dims import Dim

Interval = tuple[int | None, int | None]

#: How often bounds are carried through all inequalities; more would only serve long chains, which `linear.py` proves.
_ROUNDS = 4


class Bounds:
    """Intervals of atoms and dims under inequalities."""

    def __init__(self, inequalities: Sequence[Dim]) -> None:
        self._told: dict[Atom, Interval] = {}
        self._atoms: dict[Atom, Interval] = {}
        self._dims: dict[Dim, Interval] = {}
        #: The least value of sums that some inequality speaks of, without their constants and common factors.
        self._sums: dict[Dim, int] = {}
        for inequality in inequalities:
            self._learn_sum(inequality)
        for _ in range(_ROUNDS):
            before = dict(self._told)
            for inequality in inequalities:
                self._learn(inequality)
            if before == self._told:
                break

    def interval(self, dim: Dim) -> Interval:
        """The least and greatest value of a dim."""
        if dim.value is not None:
            return dim.value, dim.value
        known = self._dims.get(dim)
        if known is None:
            for atom in nested_atoms(dim, self._atoms):
                self._atom(atom)
            known = self._dims[dim] = self._polynomial(dim)
        return known

    def _ready(self, dim: Dim) -> Interval:
        """The interval of a dim whose atoms are worked out."""
        known = self._dims.get(dim)
        if known is None:
            known = self._dims[dim] = self._polynomial(dim)
        return known

    def lower(self, dim: Dim) -> int | None:
        """The least value of a dim, None where unknown."""
        return self.interval(dim)[0]

    def at_least(self, dim: Dim, least: int) -> bool:
        """Whether the dim is known to be `least` or more."""
        lower = self.interval(dim)[0]
        return lower is not None and lower >= least

    def atom(self, atom: Atom) -> Interval:
        """The least and greatest value of an atom."""
        known = self._atoms.get(atom)
        if known is None:
            for operand in operands(atom):
                self.interval(operand)
            known = self._atom(atom)
        return known

    def monomial(self, atoms: tuple[Atom, ...]) -> Interval:
        """The least and greatest value of a product of atoms."""
        product: Interval = (1, 1)
        for atom in atoms:
            product = _times(product, self.atom(atom))
        return product

    def never_negative(self, atoms: tuple[Atom, ...]) -> bool:
        """Whether a product of atoms is known to be at least 0; an even power always is."""
        odd = [atom for atom in dict.fromkeys(atoms) if atoms.count(atom) % 2]
        return all(self._at_least_zero(atom) for atom in odd)

    def _at_least_zero(self, atom: Atom) -> bool:
        lower = self.atom(atom)[0]
        return lower is not None and lower >= 0

    def _learn_sum(self, inequality: Dim) -> None:
        """`A + B - 1 >= 0` bounds the sum, which the bounds of its atoms would not."""
        constant, factor, rest = _parts(inequality)
        if len(rest.terms) > 1:
            least = -(constant // factor)
            self._sums[rest] = max(least, self._sums.get(rest, least))

    def _learn(self, inequality: Dim) -> None:
        """From `c * x + rest >= 0` learn a bound of `x`; from a product that is at least 1, that its factors are."""
        for coefficient, atoms in inequality.terms:
            if not atoms:
                continue
            rest_high = self._high_without(inequality, atoms)
            if rest_high is None:
                continue
            if len(atoms) == 1:
                limit = -(rest_high // coefficient) if coefficient > 0 else rest_high // -coefficient
                self._tell(atoms[0], (limit, None) if coefficient > 0 else (None, limit))
            elif coefficient > 0 and rest_high < 0 and all(self._at_least_zero(atom) for atom in atoms):
                for atom in atoms:
                    self._tell(atom, (1, None))

    def _high_without(self, dim: Dim, left_out: tuple[Atom, ...]) -> int | None:
        total = 0
        for coefficient, atoms in dim.terms:
            if atoms == left_out:
                continue
            high = _scale(self.monomial(atoms), coefficient)[1]
            if high is None:
                return None
            total += high
        return total

    def _tell(self, atom: Atom, interval: Interval) -> None:
        old = self._told.get(atom, (None, None))
        new = _meet(old, interval)
        if new != old:
            self._told[atom] = new
            self._atoms.clear()
            self._dims.clear()

    def _atom(self, atom: Atom) -> Interval:
        known = self._atoms.get(atom)
        if known is None:
            known = self._atoms[atom] = _meet(self._told.get(atom, (None, None)), self._by_form(atom))
        return known

    def _by_form(self, atom: Atom) -> Interval:
        match atom:
            case Symbol() | PackSize():
                return 0, None
            case FloorDiv():
                return _quotient(self._ready(atom.left), self._ready(atom.right))
            case Mod():
                return _remainder(self._ready(atom.left), self._ready(atom.right))
            case Min():
                return _least([self._ready(atom.left), self._ready(atom.right)])
            case Max():
                return _negate(_least([_negate(self._ready(atom.left)), _negate(self._ready(atom.right))]))
            case Least():
                return _least([self._ready(option) for option in atom.options])

    def _polynomial(self, dim: Dim) -> Interval:
        low: int | None = 0
        high: int | None = 0
        for coefficient, atoms in dim.terms:
            term_low, term_high = _scale(self.monomial(atoms), coefficient)
            low = None if low is None or term_low is None else low + term_low
            high = None if high is None or term_high is None else high + term_high
        found = (low, high)
        if len(dim.terms) > 1 and (low is None or high is None or self._sums):
            found = _meet(_meet(found, self._of_sum(dim)), self._of_product(dim))
        return found

    def _of_product(self, dim: Dim) -> Interval:
        """`N * A + N * B` is N times what is known of the sum."""
        _, atoms = common_factor(dim)
        return _times(self.monomial(atoms), self._ready(without_factor(dim, (1, atoms)))) if atoms else (None, None)

    def _of_sum(self, dim: Dim) -> Interval:
        """What inequalities say of the dim as a whole."""
        constant, factor, rest = _parts(dim)
        least, greatest = self._sums.get(rest), self._sums.get(-rest)
        return (None if least is None else constant + factor * least, None if greatest is None else constant - factor * greatest)


def _parts(dim: Dim) -> tuple[int, int, Dim]:
    """`(constant, factor, rest)`: the dim is `constant + factor * rest`, and no number but 1 divides all of `rest`."""
    constant = dim.terms[-1][0] if dim.terms and not dim.terms[-1][1] else 0
    rest = dim - constant
    factor = content(rest) or 1
    return constant, factor, without_factor(rest, (factor, ()))


def _meet(a: Interval, b: Interval) -> Interval:
    lows = [end for end in (a[0], b[0]) if end is not None]
    highs = [end for end in (a[1], b[1]) if end is not None]
    return max(lows, default=None), min(highs, default=None)


def _negate(a: Interval) -> Interval:
    low, high = a
    return None if high is None else -high, None if low is None else -low


def _scale(a: Interval, factor: int) -> Interval:
    low, high = a if factor >= 0 else _negate(a)
    size = abs(factor)
    return None if low is None else low * size, None if high is None else high * size


def _times(a: Interval, b: Interval) -> Interval:
    """The product, known where both are bounded on both sides or neither is negative."""
    (a_low, a_high), (b_low, b_high) = a, b
    if a_low is None or b_low is None:
        return None, None
    if a_low >= 0 and b_low >= 0:
        return a_low * b_low, None if a_high is None or b_high is None else a_high * b_high
    if a_high is None or b_high is None:
        return None, None
    corners = (a_low * b_low, a_low * b_high, a_high * b_low, a_high * b_high)
    return min(corners), max(corners)


def _quotient(a: Interval, b: Interval) -> Interval:
    """The floor of a quotient by something positive; nothing is known of others, save that 0 is no divisor."""
    low, high = b
    if low is None or low < 0:
        return None, None
    smallest = max(low, 1)
    a_low, a_high = a
    least = None if a_low is None else a_low // smallest if a_low < 0 else 0 if high is None else a_low // max(high, 1)
    greatest = None if a_high is None else a_high // smallest if a_high >= 0 else -1 if high is None else a_high // max(high, 1)
    return least, greatest


def _remainder(a: Interval, b: Interval) -> Interval:
    if b[0] is None or b[0] < 0:
        return None, None
    ends = [b[1] - 1] if b[1] is not None else []
    if a[0] is not None and a[0] >= 0 and a[1] is not None:
        ends.append(a[1])
    return 0, min(ends, default=None)


def _least(intervals: list[Interval]) -> Interval:
    lows = [low for low, _ in intervals]
    highs = [high for _, high in intervals if high is not None]
    known = [low for low in lows if low is not None]
    return min(known) if len(known) == len(lows) else None, min(highs, default=None)
