"""What follows from facts.

In: dims, constraints and facts.  Out: True where a proof was found; False where none was, which does not mean that the
claim is false (`refute` says that).  Sound for every size of the generics at which no divisor is 0; not complete.  Every
answer is found within a fixed number of steps and remembered in the facts.  What the form of a claim or a fact does not tell is looked for
by `search.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.errors import LinnetError
from linnet_core.shapes.budget import STEPS, Budget
from linnet_core.shapes.dims import ONE, ZERO, Dim, as_dim
from linnet_core.shapes.facts import Constraint
from linnet_core.shapes.fold import mod
from linnet_core.shapes.witness import fails_somewhere

if TYPE_CHECKING:
    from linnet_core.shapes.facts import Facts


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
    from linnet_core.shapes.search import proved  # Most programs state what they need, and search for nothing.

    knowledge = facts.about(constraint.symbols()).knowledge
    answers = knowledge.answers
    found = answers.get(constraint)
    if found is None:
        budget = Budget(steps)
        try:
            found = proved(constraint, knowledge.where_defined(constraint.divisors()), budget), budget.exhausted
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
