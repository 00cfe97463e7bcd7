"""What constraints teach the prover.

In: constraints.  Out: `Knowledge`: equalities as rewrites, inequalities in the prover's form, dims that are not 0, and
bounds of atoms.  Made once for `Facts`, and made narrower for a branch of a proof.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.errors import LinnetError
from linnet_core.shapes.basis import reduced_up_to_scale
from linnet_core.shapes.bounds import Bounds
from linnet_core.shapes.dims import Dim, of_atom
from linnet_core.shapes.division import primitive
from linnet_core.shapes.linear import tightened
from linnet_core.shapes.quotients import floor_inequalities
from linnet_core.shapes.rewrite import Rewriter

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from linnet_core.shapes.atoms import Atom
    from linnet_core.shapes.facts import Constraint


class Knowledge:
    """Facts in the form that proofs use."""

    def __init__(self, constraints: Sequence[Constraint]) -> None:
        equalities: list[Dim] = []
        inequalities: list[Dim] = []
        unequal: list[Dim] = []
        for constraint in constraints:
            try:
                surplus = constraint.surplus()
                if surplus is not None:
                    inequalities.append(surplus)
                else:
                    (equalities if constraint.relation == "==" else unequal).append(constraint.left - constraint.right)
            except LinnetError:  # too large to say anything of; knowing less is sound
                continue
        self._learn(equalities, inequalities, unequal)
        #: Claims already answered, by the prover: proved, and whether the budget ran out.
        self.answers: dict[object, tuple[bool, bool]] = {}
        self._defined: dict[tuple[Dim, ...], Knowledge] = {}

    def _learn(self, equalities: list[Dim], inequalities: list[Dim], unequal: list[Dim]) -> None:
        """Twice: what the first pass learns of signs lets the second one merge and cancel more."""
        rewriter = Rewriter((), Bounds(()))
        squeezed: dict[Dim, None] = {}
        for _ in range(2):
            known = [tightened(rewriter.normal(inequality)) for inequality in inequalities]
            known.extend(_implied(rewriter))
            bounds = Bounds(known)
            known.extend(_away_from_zero((rewriter.normal(dim) for dim in unequal), bounds))
            bounds = Bounds(known)
            squeezed.update(dict.fromkeys(_squeezed(known)))
            rewriter = Rewriter([*equalities, *squeezed], bounds)
        self.rewriter = rewriter
        known = [tightened(rewriter.normal(inequality)) for inequality in inequalities]
        known.extend(_implied(rewriter))
        self.unequal = tuple(dict.fromkeys(rewriter.normal(dim) for dim in unequal))
        known.extend(_away_from_zero(self.unequal, Bounds(known)))
        self._settle(known)

    def _settle(self, known: Sequence[Dim], also: Mapping[Atom, Dim] | None = None) -> None:
        self.bounds = Bounds(known)
        self.rewriter = self.rewriter.under(self.bounds, also)
        normal = self.rewriter.normal
        #: Dims that are at least 0, beyond what the form of a dim says.
        self.inequalities = tuple(dict.fromkeys(tightened(normal(dim)) for dim in known if not dim.nonnegative))

    def narrowed(self, inequalities: Iterable[Dim], also: Mapping[Atom, Dim]) -> Knowledge:
        """This knowledge in a branch where more dims are at least 0 and atoms are `also` equal to something."""
        other = object.__new__(Knowledge)
        other.rewriter, other.unequal, other.answers = self.rewriter, self.unequal, {}
        other._defined = {}
        other._settle([*self.inequalities, *inequalities], also)
        return other

    def where_defined(self, divisors: Iterable[Dim]) -> Knowledge:
        """This knowledge where none of the divisors of a claim is 0: one that is not negative is then at least 1."""
        unsure = tuple(d for d in map(self.normal, divisors) if self.bounds.at_least(d, 0) and not self.bounds.at_least(d, 1))
        if not unsure:
            return self
        if unsure not in self._defined:
            self._defined[unsure] = self.narrowed([divisor - 1 for divisor in unsure], {})
        return self._defined[unsure]

    @property
    def impossible(self) -> bool:
        """Whether the equalities alone admit no sizes."""
        return self.rewriter.impossible

    def normal(self, dim: Dim) -> Dim:
        """The dim in the prover's form."""
        return self.rewriter.normal(dim)

    def zero_form(self, dim: Dim) -> Dim:
        """A positive multiple of the dim, divided by common factors; the dim 0 where the equalities make it so."""
        return primitive(reduced_up_to_scale(self.rewriter.normal(dim), self.rewriter.basis))

    def never_negative(self, atoms: tuple[Atom, ...]) -> bool:
        """Whether a product of atoms is known to be at least 0."""
        return self.bounds.never_negative(atoms)


def _implied(rewriter: Rewriter) -> list[Dim]:
    """What eliminated atoms leave behind: a generic is still at least 0, a quotient still a floor; and both halves of
    equalities that were not solved.
    """
    left: list[Dim] = []
    for atom, value in rewriter.solved.items():
        if of_atom(atom).nonnegative:
            left.append(value)
        try:
            left.extend(rewriter.normal(dim) for dim in floor_inequalities(atom, rewriter.bounds))
        except LinnetError:
            continue
    for zero in rewriter.basis:
        left.extend((zero, -zero))
    return left


def _away_from_zero(unequal: Iterable[Dim], bounds: Bounds) -> list[Dim]:
    """A dim that is not 0 and not negative is at least 1; likewise below."""
    found: list[Dim] = []
    for dim in unequal:
        low, high = bounds.interval(dim)
        if low is not None and low >= 0:
            found.append(dim - 1)
        elif high is not None and high <= 0:
            found.append(-dim - 1)
    return found


def _squeezed(inequalities: Sequence[Dim]) -> list[Dim]:
    """Dims that are 0 because they are at least 0 and at most 0."""
    known = set(inequalities)
    return [dim for dim in inequalities if -dim in known or (-dim).nonnegative]
