"""What follows from facts.

In: dims, constraints and facts.  Out: True where a proof was found; False where none was, which does not mean that the
claim is false (`refute` says that).  Sound for every size of the generics at which no divisor is 0; not complete.  Every
answer is found within a fixed number of steps and remembered in the facts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.errors import LinnetError
from linnet_core.shapes.atoms import Least
from linnet_core.shapes.budget import STEPS, Budget
from linnet_core.shapes.dims import ONE, ZERO, Dim, as_dim, nested_atoms
from linnet_core.shapes.division import common_factor, primitive, without_factor
from linnet_core.shapes.facts import Constraint
from linnet_core.shapes.fold import mod
from linnet_core.shapes.inequality import never_negative
from linnet_core.shapes.witness import fails_somewhere

if TYPE_CHECKING:
    from typing import Protocol

    from linnet_core.shapes.facts import Facts
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


def prove_equal(a: Dim, b: Dim, facts: Facts) -> bool:
    """Whether `a == b` at every size the facts admit."""
    return a is b or prove(Constraint("==", a, b), facts)


def prove_at_least(a: Dim, b: Dim | int, facts: Facts) -> bool:
    """Whether `a >= b` at every size the facts admit."""
    return prove(Constraint(">=", a, as_dim(b)), facts)


def prove_positive(a: Dim, facts: Facts) -> bool:
    """Whether `a > 0`, as a divisor must be: by facts whose own divisors are known to be positive, so that `H % N == 0` with
    `H > 0` does not make N positive merely because the clause has no meaning at N = 0.
    """
    return prove_at_least(a, ONE, facts.sure)


def prove_divides(d: Dim, n: Dim, facts: Facts) -> bool:
    """Whether `n % d == 0` at every size the facts admit."""
    try:
        return prove(Constraint("==", mod(n, d), ZERO), facts)
    except LinnetError:
        return False


def prove(constraint: Constraint, facts: Facts, steps: int = STEPS) -> bool:
    """Whether the constraint holds at every size the facts admit; facts known to contradict each other prove anything."""
    if _by_form(constraint) or facts.states(constraint):
        return True
    if fails_somewhere(constraint, facts.witnesses):
        return False
    return answer(constraint, facts, steps)[0] or facts.contradiction() is not None


def refute(constraint: Constraint, facts: Facts) -> bool:
    """Whether the constraint fails at every size the facts admit; facts known to contradict each other refute nothing, so that
    one mistake in a `where` is not reported again at every use.
    """
    return prove(constraint.negated(), facts) and facts.contradiction() is None


def answer(constraint: Constraint, facts: Facts, steps: int = STEPS) -> tuple[bool, bool]:
    """Whether a proof of the constraint was found, and whether the step budget ran out on the way."""
    knowledge = facts.about(constraint.symbols()).knowledge
    answers = knowledge.answers
    found = answers.get(constraint)
    if found is None:
        budget = Budget(steps)
        try:
            found = _proved(constraint, knowledge.where_defined(constraint.divisors()), budget), budget.exhausted
        except LinnetError:
            found = False, True
        if steps == STEPS or not budget.exhausted:
            answers[constraint] = found
    return found


def _by_form(constraint: Constraint) -> bool:
    """Whether the constraint holds for all sizes by the form of its sides."""
    left, right = constraint.left, constraint.right
    if constraint.relation == "==":
        return left is right
    if left.height or right.height or len(left.terms) + len(right.terms) > 8:
        return False
    difference = left - right
    match constraint.relation:
        case ">=":
            return difference.nonnegative
        case ">":
            return (difference - 1).nonnegative
        case "<=":
            return (-difference).nonnegative
        case "<":
            return (-difference - 1).nonnegative
        case _:
            return bool(difference.value)


def _proved(constraint: Constraint, knowledge: Knowledge, budget: Budget) -> bool:
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
