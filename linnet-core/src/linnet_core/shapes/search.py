"""Proofs that are looked for: by cases, by rewriting, by signs and sums of what is known.

In: a constraint, what the facts teach, and a budget of steps.  Out: whether a proof was found.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.shapes.atoms import Least
from linnet_core.shapes.dims import nested_atoms
from linnet_core.shapes.division import common_factor, primitive, without_factor
from linnet_core.shapes.inequality import never_negative

if TYPE_CHECKING:
    from typing import Protocol

    from linnet_core.shapes.budget import Budget
    from linnet_core.shapes.dims import Dim
    from linnet_core.shapes.facts import Constraint
    from linnet_core.shapes.knowledge import Knowledge

    class Claim(Protocol):
        """A way to prove something of a dim: by quick means only, or thoroughly."""

        def __call__(self, dim: Dim, knowledge: Knowledge, budget: Budget, *, thorough: bool) -> bool:
            """Whether it was proved."""
            ...


#: How many minima, one inside or beside the other, are decided by cases, the most options of one, and what a case costs for
#: each atom in the claim.
_MAX_CASES_DEEP = 8
_MAX_OPTIONS = 6
_CASE_STEPS = 500


def proved(constraint: Constraint, knowledge: Knowledge, budget: Budget) -> bool:
    """Whether the constraint was proved within the budget; raises `LinnetError` where a dim becomes too large."""
    difference = constraint.left - constraint.right
    match constraint.relation:
        case "==":
            return _by_cases(_is_zero, difference, knowledge, budget, _MAX_CASES_DEEP)
        case "!=":
            return _by_cases(_is_not_zero, difference, knowledge, budget, _MAX_CASES_DEEP)
        case ">=":
            return _by_cases(_is_not_negative, difference, knowledge, budget, _MAX_CASES_DEEP)
        case ">":
            return _by_cases(_is_not_negative, difference - 1, knowledge, budget, _MAX_CASES_DEEP)
        case "<=":
            return _by_cases(_is_not_negative, -difference, knowledge, budget, _MAX_CASES_DEEP)
        case "<":
            return _by_cases(_is_not_negative, -difference - 1, knowledge, budget, _MAX_CASES_DEEP)


def _by_cases(claim: Claim, dim: Dim, knowledge: Knowledge, budget: Budget, depth: int) -> bool:
    """The claim by quick means, or else for each option of a minimum in it being the smallest; thoroughly once no minimum is
    left to decide.
    """
    if knowledge.impossible:
        return True
    atoms = nested_atoms(knowledge.normal(dim)) if depth else ()
    chosen = next((atom for atom in atoms if isinstance(atom, Least) and len(atom.options) <= _MAX_OPTIONS), None)
    if claim(dim, knowledge, budget, thorough=chosen is None):
        return True
    chosen = chosen or (_choice_of_facts(dim, knowledge) if depth else None)
    if chosen is None:
        return False
    for option in chosen.options:
        if not budget.spend(_CASE_STEPS * len(atoms)):
            return False
        others = [other - option for other in chosen.options if other is not option]
        if not _by_cases(claim, dim, knowledge.narrowed(others, {chosen: option}), budget, depth - 1):
            return False
    return True


def _choice_of_facts(dim: Dim, knowledge: Knowledge) -> Least | None:
    """A minimum that facts about the same generics hold."""
    for fact in knowledge.inequalities:
        if fact.height and not set(fact.symbols()).isdisjoint(dim.symbols()):
            for atom in nested_atoms(fact):
                if isinstance(atom, Least) and len(atom.options) <= _MAX_OPTIONS:
                    return atom
    return None


def _is_zero(dim: Dim, knowledge: Knowledge, budget: Budget, *, thorough: bool) -> bool:
    """0 by the equalities, or a product with a factor that is 0, or neither above nor below 0."""
    rest = knowledge.zero_form(dim)
    if not rest.terms:
        return True
    if rest.value is not None:
        return False
    rest = without_factor(rest, (1, common_factor(rest)[1]))
    low, high = knowledge.bounds.interval(rest)
    if (low is not None and low > 0) or (high is not None and high < 0):
        return False
    return never_negative(rest, knowledge, budget, thorough=thorough) and never_negative(-rest, knowledge, budget, thorough=thorough)


def _is_not_negative(dim: Dim, knowledge: Knowledge, budget: Budget, *, thorough: bool) -> bool:
    """At least 0 as it stands, or with what the equalities make of a multiple of it."""
    rest, reduced = knowledge.normal(dim), knowledge.zero_form(dim)
    return never_negative(rest, knowledge, budget, thorough=thorough) or (
        reduced is not primitive(rest) and never_negative(reduced, knowledge, budget, thorough=thorough)
    )


def _is_not_zero(dim: Dim, knowledge: Knowledge, budget: Budget, *, thorough: bool) -> bool:
    """Above 0, below 0, a multiple of what is known not to be 0, or 0 for no integers."""
    rest = knowledge.zero_form(dim)
    if rest.value is not None:
        return rest.value != 0
    known = [primitive(other) for other in knowledge.unequal]
    if rest in known or -rest in known or _between_multiples(rest):
        return True
    return never_negative(rest - 1, knowledge, budget, thorough=thorough) or never_negative(-rest - 1, knowledge, budget, thorough=thorough)


def _between_multiples(dim: Dim) -> bool:
    """`2 * N - 5` is 0 for no integer: what stands before the atoms has a divisor that the constant lacks."""
    constant = next((coefficient for coefficient, atoms in dim.terms if not atoms), 0)
    divisor = common_factor(dim - constant)[0]
    return constant % divisor != 0
