"""What a failed proof says: what was needed, what is known, which `where` would settle it.

In: the goal and the facts of the body.  Out: notes and a help line for a diagnostic.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.shapes import Constraint, Pack, Shape, explain, show_shape, show_unit

if TYPE_CHECKING:
    from linnet_core.check.context import BodyContext
    from linnet_core.shapes import Unit


def proof_notes(goal: Constraint, ctx: BodyContext) -> tuple[tuple[str, ...], str | None]:
    """The notes (what was needed, then what is known) and the help of a goal that could not be proved."""
    explanation = explain(goal, ctx.facts)
    return (f"needed: {explanation.needed}", *(f"known: {fact}" for fact in explanation.known)), explanation.help


def equality_help(left: Unit, right: Unit, ctx: BodyContext) -> str | None:
    """The `where` that would make two axes equal, None when none can."""
    if isinstance(left, Pack) or isinstance(right, Pack):
        return None
    return explain(Constraint("==", left, right), ctx.facts).help


def show_units(units: Shape) -> str:
    """Axes as the program writes them: one without brackets, several with."""
    if len(units) == 1:
        return show_unit(units[0])
    return show_shape(units)
