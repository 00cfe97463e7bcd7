"""Equalities as rewrites.

In: equalities (dims that are 0) and bounds.  Out: `Rewriter`, whose `normal` gives a dim the form in which what the
equalities make equal is, as far as possible, the same object.

An equality with an atom that stands alone (`D == N * (D / N)`, from `D % N == 0`) is solved for it, and the atom is
replaced wherever it occurs, inside quotients and minima too.  The others become a basis: polynomials whose leading
term is rewritten to the rest, completed with what follows from pairs of them, within a limit.
"""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING

from linnet_core.errors import LinnetError
from linnet_core.shapes.atoms import FloorDiv, Least, Max, Min, Mod, PackSize, Symbol, operands
from linnet_core.shapes.basis import complete, reduced
from linnet_core.shapes.dims import Dim, nested_atoms, of_atom
from linnet_core.shapes.division import common_factor, distinct_atoms, primitive, without_factor
from linnet_core.shapes.normal import least, quotient
from linnet_core.shapes.substitute import replace_atoms

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from linnet_core.shapes.atoms import Atom
    from linnet_core.shapes.bounds import Bounds

#: A dim made of more operations than this, or nested deeper, is left as it is.
_MAX_NESTED = 2000
_MAX_HEIGHT = 200
#: How often rewrites are applied to what rewrites made.
_MAX_ROUNDS = 8
#: No atom is rewritten to more terms, or to one of more factors: `B == A * A + 1, C == B * B + 1, ...` doubles them with every fact.
_MAX_TERMS = 40
_MAX_FACTORS = 16


class Rewriter:
    """Brings dims into the prover's form under equalities."""

    def __init__(self, equalities: Sequence[Dim], bounds: Bounds) -> None:
        self.bounds = bounds
        #: Atoms and what they are equal to.
        self.solved: dict[Atom, Dim] = {}
        #: Polynomials that are 0 and solved for no atom.
        self.basis: tuple[Dim, ...] = ()
        #: What the basis says of divisibility where that solves for nothing (`2 * A == N * (2 * A / N)`).
        self.multiples: dict[Dim, list[tuple[Dim, Dim]]] = {}
        #: True when no sizes satisfy the equalities (`0 == 1`, `2 * N == 5`).
        self.impossible = False
        self._atoms: dict[Atom, Dim] = {}
        self._changed: dict[Atom, Dim] = {}
        self._dims: dict[Dim, Dim] = {}
        self._learn(equalities)

    def under(self, bounds: Bounds, also: Mapping[Atom, Dim] | None = None) -> Rewriter:
        """The same rewrites, and `also` these, where more is known of sizes."""
        other = Rewriter((), bounds)
        other.solved, other.basis, other.impossible = {**self.solved, **(also or {})}, self.basis, self.impossible
        other.multiples = self.multiples
        return other

    def normal(self, dim: Dim) -> Dim:
        """The dim in the prover's form; equal to it at every size the equalities admit."""
        known = self._dims.get(dim)
        if known is None:
            known = self._dims[dim] = self._worked_out(dim)
        return known

    def _worked_out(self, dim: Dim) -> Dim:
        if dim.value is not None or dim.height > _MAX_HEIGHT:
            return dim
        atoms = nested_atoms(dim, self._atoms)
        if len(atoms) > _MAX_NESTED:
            return dim
        try:
            for atom in atoms:
                made = self._atoms[atom] = self._substituted(self._atom(atom))
                if made is not of_atom(atom):
                    self._changed[atom] = made
            return self._settled(replace_atoms(dim, self._changed))
        except LinnetError:
            return dim

    def _atom(self, atom: Atom) -> Dim:
        """The form of an atom whose operands' atoms are worked out."""
        match atom:
            case Symbol() | PackSize():
                return of_atom(atom)
            case FloorDiv():
                return self._quotient(atom.left, atom.right)
            case Mod():
                left, right = self._operands(atom)
                return left - right * self._quotient(atom.left, atom.right)
            case Max():
                return -least([-option for option in self._operands(atom)], self.bounds)
            case Min() | Least():
                return least(self._operands(atom), self.bounds)

    def _operands(self, atom: Atom) -> list[Dim]:
        return [self._settled(replace_atoms(operand, self._changed)) for operand in operands(atom)]

    def _quotient(self, left: Dim, right: Dim) -> Dim:
        """A quotient that leaves nothing over after the solved atoms are put in, or else after the basis is used too.

        In this order because with `H == N * q` and `N * q == M * r` both `H / N` and `H / M` are to come out even.
        """
        left, right = replace_atoms(left, self._changed), replace_atoms(right, self._changed)
        a, b = self._substituted(left), self._substituted(right)
        made = quotient(a, b, self.bounds, self._substituted, self.multiples)
        if not self.basis or set(distinct_atoms(made)) <= set(distinct_atoms(a)):
            return made
        return quotient(self._settled(a), self._settled(b), self.bounds, self._settled, self.multiples)

    def _substituted(self, dim: Dim) -> Dim:
        """The dim with solved atoms replaced by what they are equal to."""
        for _ in range(_MAX_ROUNDS):
            before = dim
            dim = replace_atoms(dim, self.solved)
            if dim is before:
                break
        return dim

    def _settled(self, dim: Dim) -> Dim:
        """The dim with solved atoms replaced and leading terms of the basis rewritten, until nothing changes."""
        for _ in range(_MAX_ROUNDS):
            before = dim
            dim = reduced(self._substituted(dim), self.basis)
            if dim is before:
                break
        return dim

    def _learn(self, equalities: Sequence[Dim]) -> None:
        """Solve one equality at a time, each seen in the light of those before it; the unsolved ones make the basis."""
        waiting = list(equalities)
        for _ in range(_MAX_ROUNDS):
            unsolved: list[Dim] = []
            changed = False
            for equality in waiting:
                zero = self._without_positive_factor(primitive(self.normal(equality)))
                solved = self._solve(zero)
                if solved is None and zero.terms:
                    unsolved.append(zero)
                    solved = self._solve_multiple(zero)
                if solved is not None:
                    changed = True
                    unsolved.extend(self._reopened(solved))
            waiting = unsolved
            if not changed:
                break
        completed = complete(dict.fromkeys(self.normal(zero) for zero in waiting))
        self.impossible = any(_impossible(zero) for zero in completed)
        self._rewrite_by([zero for zero in completed if zero.value is None])

    def _rewrite_by(self, completed: Sequence[Dim]) -> None:
        """Take as the basis the polynomials that lead to an end: rewriting what they rewrite an atom to changes nothing more.

        `N * q == q - 2 * (q / 2)` with `q == H / N` leads to none: it rewrites what is inside the quotient it rewrites to.
        """
        kept: tuple[Dim, ...] = ()
        for zero in completed:
            self._take((*kept, zero))
            if all(self._ends(of_atom(atom)) for atom in nested_atoms(zero)):
                kept = self.basis
        self._take(kept)

    def _take(self, basis: tuple[Dim, ...]) -> None:
        self.basis, self.multiples = basis, {}
        for zero in basis:
            for atom in distinct_atoms(zero):
                if isinstance(atom, FloorDiv) and primitive(atom.right * of_atom(atom) - atom.left) in (zero, -zero):
                    self.multiples.setdefault(atom.right, []).append((atom.left, of_atom(atom)))
        self._forget()

    def _ends(self, dim: Dim) -> bool:
        made = self.normal(dim)
        return self.normal(made) is made

    def _without_positive_factor(self, zero: Dim) -> Dim:
        """`N * A == N * B` says `A == B` where `N > 0` is known."""
        _, atoms = common_factor(zero)
        positive = tuple(atom for atom in atoms if (self.bounds.atom(atom)[0] or 0) > 0)
        return without_factor(zero, (1, positive)) if positive else zero

    def _solve_multiple(self, zero: Dim) -> Atom | None:
        """From `2 * A == 3 * B` that A is a multiple of 3: what stands before the others has a divisor that 2 lacks."""
        for at, (coefficient, atoms) in enumerate(zero.terms):
            others = gcd(*(c for other, (c, _) in enumerate(zero.terms) if other != at))
            if len(atoms) == 1 and abs(coefficient) > 1 and others > 1:
                whole = Dim.constant(others) * of_atom(FloorDiv(of_atom(atoms[0]), Dim.constant(others)))
                if self._accept(atoms[0], self.normal(whole)):
                    return atoms[0]
        return None

    def _reopened(self, atom: Atom) -> list[Dim]:
        """Equalities solved for an atom that is made of the one solved now: it will not occur any more, and what they say must stay.

        `B == (C - 1) / 2` is solved for the quotient; with `C == 2 * (C / 2) + 1` that is `C / 2`.
        """
        stale = [key for key in self.solved if key != atom and atom in nested_atoms(of_atom(key))]
        reopened = [of_atom(key) - self.solved.pop(key) for key in stale]
        if reopened:
            self._forget()
        return reopened

    def _solve(self, zero: Dim) -> Atom | None:
        """Solve `zero == 0` for an atom of it, if the solution can be written without that atom; the atom, or None."""
        solutions: list[tuple[Atom, Dim]] = []
        for coefficient, atoms in reversed(zero.terms):
            if abs(coefficient) == 1 and len(atoms) == 1 and _stands_alone(atoms[0], zero):
                atom = atoms[0]
                solutions.append((atom, of_atom(atom) - zero if coefficient == 1 else of_atom(atom) + zero))
        solutions.sort(key=lambda each: not each[1].nonnegative)  # `B == A + N` for B: a sum divides and compares better than a difference
        return next((atom for atom, value in solutions if self._accept(atom, value)), None)

    def _accept(self, atom: Atom, value: Dim) -> bool:
        if not _is_short(value):
            return False
        before = dict(self.solved)
        self.solved[atom] = value
        self._forget()
        stable = self.normal(value) is value
        if stable:
            holding = [key for key, known in self.solved.items() if atom in nested_atoms(known)]
            self.solved.update([(key, self.normal(self.solved[key])) for key in holding])
            self._forget()
            stable = all(_is_short(known) and self.normal(known) is known for known in map(self.solved.__getitem__, [atom, *holding]))
        if not stable:
            self.solved = before
            self._forget()
        return stable

    def _forget(self) -> None:
        self._atoms.clear()
        self._changed.clear()
        self._dims.clear()


def _is_short(dim: Dim) -> bool:
    """Whether it has few terms, and the longest of them, which is the first, few factors."""
    return not dim.terms or (len(dim.terms) <= _MAX_TERMS and len(dim.terms[0][1]) <= _MAX_FACTORS)


def _stands_alone(atom: Atom, zero: Dim) -> bool:
    """Whether the atom is a term of its own and a factor of no other term."""
    return sum(atom in atoms for _, atoms in zero.terms) == 1


def _impossible(zero: Dim) -> bool:
    """Whether no integers make the polynomial 0: the numbers before its atoms share a divisor that its constant lacks."""
    rest = [coefficient for coefficient, atoms in zero.terms if not atoms]
    divisor = gcd(*(coefficient for coefficient, atoms in zero.terms if atoms))
    return bool(rest) and (divisor == 0 or rest[0] % divisor != 0)
