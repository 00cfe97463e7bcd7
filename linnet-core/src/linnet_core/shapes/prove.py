"""What follows from facts.

In: dims, constraints and facts.  Out: True where a proof was found, False where none was (which does not mean that the
claim is false: `refute` says that).  First form; the reasoning from facts is still to come.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.shapes.dims import ONE, Dim, as_dim
from linnet_core.shapes.facts import Constraint
from linnet_core.shapes.fold import mod

if TYPE_CHECKING:
    from linnet_core.shapes.facts import Facts


def prove_equal(a: Dim, b: Dim, facts: Facts) -> bool:
    """Whether `a == b` at every size the facts admit."""
    return a is b or prove(Constraint("==", a, b), facts)


def prove_at_least(a: Dim, b: Dim | int, facts: Facts) -> bool:
    """Whether `a >= b` at every size the facts admit."""
    return prove(Constraint(">=", a, as_dim(b)), facts)


def prove_positive(a: Dim, facts: Facts) -> bool:
    """Whether `a > 0` at every size the facts admit."""
    return prove_at_least(a, ONE, facts)


def prove_divides(d: Dim, n: Dim, facts: Facts) -> bool:
    """Whether `n % d == 0` at every size the facts admit."""
    return prove(Constraint("==", mod(n, d), as_dim(0)), facts)


def prove(constraint: Constraint, facts: Facts) -> bool:
    """Whether the constraint holds at every size the facts admit."""
    if constraint in facts.constraints:
        return True
    difference = constraint.left - constraint.right
    match constraint.relation:
        case "==":
            return not difference.terms
        case "!=":
            return difference.value is not None and difference.value != 0
        case ">=":
            return difference.nonnegative
        case ">":
            return (difference - 1).nonnegative
        case "<=":
            return (-difference).nonnegative
        case "<":
            return (-difference - 1).nonnegative


def refute(constraint: Constraint, facts: Facts) -> bool:
    """Whether the constraint fails at every size the facts admit."""
    return prove(constraint.negated(), facts)
