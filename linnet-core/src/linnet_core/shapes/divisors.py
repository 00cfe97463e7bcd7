"""Facts that may be used to prove a divisor positive.

In: facts.  Out: those among them whose own divisors are positive by facts that are in turn free of doubt.
"""

from __future__ import annotations

from linnet_core.shapes.dims import ONE
from linnet_core.shapes.facts import Facts
from linnet_core.shapes.prove import prove_at_least


def without_unsure(facts: Facts) -> Facts:
    """Starting from the clauses without divisors, add those whose divisors are positive by what is there, until none is added."""
    waiting = {constraint: constraint.divisors() for constraint in facts.constraints}
    sure = Facts(constraint for constraint, found in waiting.items() if not found)
    waiting = {constraint: found for constraint, found in waiting.items() if found}
    while waiting:
        added = [c for c, found in waiting.items() if all(prove_at_least(divisor, ONE, sure) for divisor in found)]
        if not added:
            break
        sure = sure.extended(added)
        waiting = {c: found for c, found in waiting.items() if c not in added}
    return facts if len(sure.constraints) == len(facts.constraints) else sure
