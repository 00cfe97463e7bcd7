"""Why a proof failed, in the program's own words.

In: a goal that was not proved, and the facts.  Out: what was needed, what is known that bears on it, and the `where` that
would settle it.  First form: the goal itself is suggested.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from linnet_core.shapes.facts import Constraint, Facts


class Explanation(Struct, frozen=True):
    """`needed` is the goal, `known` the facts that speak of its generics, `help` a `where` to paste, or None."""

    needed: str
    known: tuple[str, ...]
    help: str | None


def explain(goal: Constraint, facts: Facts) -> Explanation:
    """What was needed, what is known, what would help."""
    about = set(goal.symbols())
    known = tuple(str(fact) for fact in facts.constraints if about.intersection(fact.symbols()))
    return Explanation(str(goal), known, f"where {goal}")
