"""What a failed proof says: what was needed, what is known, which `where` would settle it.

In: the goal and the facts of the body.  Out: notes and a help line for a diagnostic.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.shapes import Constraint, Mod, Pack, PackSize, Shape, refute, show_shape, show_unit
from linnet_core.shapes.dims import nested_atoms

if TYPE_CHECKING:
    from linnet_core.check.context import BodyContext
    from linnet_core.shapes import Unit
    from linnet_core.shapes.explain import Explanation


def proof_notes(
    goal: Constraint, ctx: BodyContext, *, needed: str | None = None, assume: bool = True
) -> tuple[tuple[str, ...], str | None]:
    """The notes (what was needed, what is known, whether the search was cut short) and the help of a goal that was not proved.

    `needed` replaces the first note, `""` leaves it out; of a goal without generics nothing was needed that is not seen.
    With `assume` the `where` that is offered is taken for granted in what follows: one that is missing is told once.
    """
    from linnet_core.shapes.explain import explain

    why = explain(goal, ctx.facts)
    if needed is None:
        needed = f"needed: {why.needed}" if goal.symbols() else ""
    notes = [needed] if needed else []
    notes.extend(f"known: {fact}" for fact in why.known if not was_assumed(fact, ctx))
    if assume and why.help is not None:
        _take_for_granted(why.clauses, ctx)
    if why.gave_up is not None:
        notes.append(f"the search for a proof stopped after {why.gave_up:,} steps")
    return tuple(notes), _repair(why) or _without_where(goal, ctx)


def _take_for_granted(clauses: tuple[Constraint, ...], ctx: BodyContext) -> None:
    ctx.facts = ctx.facts.extended(clauses)
    declaration = ctx.function or ctx.block or ctx.kernel
    if declaration is not None:
        declaration.facts = ctx.facts
        ctx.checker.assumed.update((declaration.qualified, str(clause)) for clause in clauses)


def was_assumed(fact: str, ctx: BodyContext) -> bool:
    """Whether a fact is no more than what an error before it has asked for."""
    return any(info is not None and (info.qualified, fact) in ctx.checker.assumed for info in (ctx.function, ctx.block, ctx.kernel))


def _without_where(goal: Constraint, ctx: BodyContext) -> str:
    """The help for what no `where` settles, or none that would be meant."""
    if any(isinstance(atom, PackSize) for side in (goal.left, goal.right) for atom in nested_atoms(side)):
        return "nothing can be stated of the size of a pack: keep the pack itself on both sides"
    if goal.relation != "==":
        return f"give sizes for which `{goal}` holds"
    if refute(goal, ctx.facts):
        return f"no sizes make {goal.left} and {goal.right} equal: change one of the two"
    return f"change {goal.left} or {goal.right}, so that both are written as one size"


def _repair(why: Explanation) -> str | None:
    """The help line with the `where` that would settle it."""
    if why.help is None:
        return None
    lead = "state that they are equal" if all(_equates(clause) for clause in why.clauses) else "state it"
    return f"{lead}: `{why.help}`"


def _equates(clause: Constraint) -> bool:
    """Whether a clause says that two sizes are equal, and not that one is a multiple."""
    return clause.relation == "==" and not any(
        isinstance(atom, Mod) for side in (clause.left, clause.right) for _, atoms in side.terms for atom in atoms
    )


def equality_help(left: Unit, right: Unit, ctx: BodyContext) -> str | None:
    """The help line with the `where` that would make two axes equal, None when none can."""
    if isinstance(left, Pack) or isinstance(right, Pack):
        return None
    return proof_notes(Constraint("==", left, right), ctx)[1]


def show_units(units: Shape) -> str:
    """Axes as the program writes them: one without brackets, several with."""
    if len(units) == 1:
        return show_unit(units[0])
    return show_shape(units)
