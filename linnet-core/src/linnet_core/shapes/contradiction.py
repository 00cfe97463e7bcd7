"""`where` clauses that no sizes satisfy together.

In: facts.  Out: the clauses that contradict each other, as few as leaving out one at a time finds, or None.
"""

from __future__ import annotations

from linnet_core.errors import LinnetError
from linnet_core.shapes.budget import Budget
from linnet_core.shapes.facts import Constraint, Facts
from linnet_core.shapes.inequality import contradictory

#: Steps for each set of clauses that is tried.
_STEPS = 100_000


def find_contradiction(facts: Facts) -> tuple[Constraint, ...] | None:
    """Clauses of the facts that cannot hold together, or None where none are known."""
    for part in dict.fromkeys(facts.about(constraint.symbols()) for constraint in facts.constraints):
        if not part.witnesses and _impossible(part):
            return _fewest(part)
    return None


def _fewest(facts: Facts) -> tuple[Constraint, ...]:
    needed = list(facts.constraints)
    for constraint in facts.constraints:
        fewer = [other for other in needed if other is not constraint]
        if _impossible(Facts(fewer)):
            needed = fewer
    return tuple(needed)


def _impossible(facts: Facts) -> bool:
    if not facts.constraints:
        return False
    try:
        knowledge = facts.knowledge
        if knowledge.impossible or any(not knowledge.zero_form(dim).terms for dim in knowledge.unequal):
            return True
        return contradictory(knowledge, Budget(_STEPS))
    except LinnetError:
        return False
