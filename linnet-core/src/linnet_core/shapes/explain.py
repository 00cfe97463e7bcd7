"""Why a proof failed, in the program's own words.

In: a goal that was not proved, and the facts.  Out: what was needed, what is known that bears on it, and the `where` that
would settle it.  A suggestion is made only after the goal was proved with it added and the facts with it contradict
neither each other nor the goal; `None` where no clause of the language would do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from linnet_core.errors import LinnetError
from linnet_core.shapes.atoms import FloorDiv, Max, Min, Mod, PackSize, Symbol
from linnet_core.shapes.budget import STEPS
from linnet_core.shapes.dims import ONE, ZERO, Dim, from_terms, nested_atoms, of_atom
from linnet_core.shapes.division import common_factor, distinct_atoms, without_factor
from linnet_core.shapes.facts import Constraint
from linnet_core.shapes.fold import mod
from linnet_core.shapes.prove import answer, prove
from linnet_core.shapes.witness import fails_somewhere

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linnet_core.shapes.facts import Facts

#: Longest clause that is suggested, in characters.
_MAX_HELP = 200
#: How many suggestions are tried, and from how many minima and quotients they are made.
_MAX_TRIED = 12
_MAX_CHOICES = 4
#: Nothing is suggested for a goal of operations nested deeper than this.
_MAX_HEIGHT = 20
#: Steps each proof about a suggestion may take: what helps helps soon, and a file may hold hundreds of errors.
_STEPS = 200_000


class Explanation(Struct, frozen=True):
    """`needed` is the goal; `known` the facts that speak of its generics; `help` a `where` to paste, made of `clauses`, or None.

    `gave_up` is the number of steps after which the search for a proof stopped, or None when it ended by itself.
    """

    needed: str
    known: tuple[str, ...]
    help: str | None
    gave_up: int | None = None
    clauses: tuple[Constraint, ...] = ()


def explain(goal: Constraint, facts: Facts) -> Explanation:
    """What was needed, what is known, what would help."""
    about = set(goal.symbols())
    known = tuple(str(fact) for fact in facts.constraints if about.intersection(fact.symbols()))
    gave_up = STEPS if not fails_somewhere(goal, facts.witnesses) and answer(goal, facts)[1] else None
    clauses = settling_clauses(goal, facts)
    text = ", ".join(str(constraint) for constraint in clauses)
    if not 0 < len(text) <= _MAX_HELP:
        return Explanation(str(goal), known, None, gave_up)
    return Explanation(str(goal), known, f"where {text}", gave_up, clauses)


def settling_clauses(goal: Constraint, facts: Facts) -> tuple[Constraint, ...]:
    """The first suggestion that settles the goal without contradicting what is known; empty when there is none."""
    if not goal.symbols() or max(goal.left.height, goal.right.height) > _MAX_HEIGHT or prove(goal.negated(), facts):
        return ()
    try:
        for tried, suggestion in enumerate(_suggestions(goal)):
            if tried >= _MAX_TRIED:
                break
            if any(_unspellable(clause) or prove(clause, facts, _STEPS) for clause in suggestion):
                continue
            more = facts.extended(suggestion)
            if not prove(goal, more, _STEPS) or more.contradiction() is not None or prove(goal.negated(), more, _STEPS):
                continue
            if not _empties(goal, facts, more):
                return suggestion
    except LinnetError:
        pass
    return ()


def _empties(goal: Constraint, facts: Facts, more: Facts) -> bool:
    """Whether `more` leaves a generic no size but 0, as `A == 2 * A` does: nobody means that."""
    atoms = dict.fromkeys([*nested_atoms(goal.left), *nested_atoms(goal.right)])
    empty = [Constraint("<=", of_atom(atom), ZERO) for atom in atoms if isinstance(atom, Symbol)]
    return any(prove(claim, more, _STEPS) and not prove(claim, facts, _STEPS) for claim in empty)


def _suggestions(goal: Constraint) -> Iterator[tuple[Constraint, ...]]:
    """From the most likely intention to the plainest: whole quotients, signs of generics, equal sides, the goal itself."""
    if goal.relation == "==":
        yield from _whole_quotients(goal)
        yield from _plain_bounds(goal)
        yield from _equal_parts(goal)
    else:
        yield from _plain_order(goal)
    yield (goal,)


def _whole_quotients(goal: Constraint) -> Iterator[tuple[Constraint, ...]]:
    """Divisions of the goal that would come out even: one, then all of them."""
    atoms = dict.fromkeys([*nested_atoms(goal.left), *nested_atoms(goal.right)])
    even = [Constraint("==", mod(atom.left, atom.right), ZERO) for atom in atoms if isinstance(atom, FloorDiv | Mod)]
    even = [clause for clause in dict.fromkeys(even) if clause.left.terms]
    yield from ((clause,) for clause in even[:_MAX_CHOICES])
    if 1 < len(even) <= _MAX_CHOICES:
        yield tuple(even)


def _plain_bounds(goal: Constraint) -> Iterator[tuple[Constraint, ...]]:
    """For `min(a, b) == a` and the like: which of the two is the smaller."""
    atoms = dict.fromkeys([*nested_atoms(goal.left), *nested_atoms(goal.right)])
    choices = [atom for atom in atoms if isinstance(atom, Min | Max)]
    for atom in choices if len(choices) <= _MAX_CHOICES else ():
        yield (_at_most(atom.left, atom.right),)
        yield (_at_most(atom.right, atom.left),)


def _at_most(a: Dim, b: Dim) -> Constraint:
    """`a <= b`, as a program would write it: `N > 0` for `1 <= N`, `A > B` for `B + 1 <= A`, `M >= 3` for `3 <= M`."""
    if (1, ()) in a.terms:
        return Constraint(">", b, a - ONE)
    return Constraint(">=", b, a) if a.value is not None else Constraint("<=", a, b)


def _equal_parts(goal: Constraint) -> Iterator[tuple[Constraint, ...]]:
    """`B * S * H == B * S * K` is settled by `H == K`, `A + 1 == B + 1` by `A == B`."""
    same = {atoms: c for c, atoms in goal.left.terms if (c, atoms) in goal.right.terms}
    shared = from_terms([(c, atoms) for atoms, c in same.items()])
    left, right = goal.left - shared, goal.right - shared
    factor = common_factor(left, right)
    left, right = without_factor(left, factor), without_factor(right, factor)
    if (left.terms or right.terms) and (left, right) != (goal.left, goal.right):
        yield (Constraint("==", left, right),)


def _plain_order(goal: Constraint) -> Iterator[tuple[Constraint, ...]]:
    """`B * H >= 1` is settled by `B > 0, H > 0`; `K - Q >= 0` is written `K >= Q`, and `N - 1 >= 0` is `N > 0`."""
    if goal.relation == "!=":
        return
    upward = goal.relation in (">", ">=")
    difference = goal.left - goal.right if upward else goal.right - goal.left
    least = difference - 1 if goal.relation in (">", "<") else difference
    large = from_terms([term for term in least.terms if term[0] > 0 and term[1]])
    small = large - least
    if small is ONE and len(large.terms) == 1 and all(isinstance(atom, Symbol) for atom in distinct_atoms(large)):
        yield tuple(Constraint(">", of_atom(atom), ZERO) for atom in distinct_atoms(large))
    if not _plainly_ordered(goal):
        yield (_at_most(small, large),)


def _plainly_ordered(goal: Constraint) -> bool:
    """Whether the goal is as short as it gets: no term stands on both sides and none is taken away."""
    sides = [atoms for side in (goal.left, goal.right) for _, atoms in side.terms]
    return len(sides) == len(set(sides)) and all(c > 0 for side in (goal.left, goal.right) for c, _ in side.terms)


def _unspellable(clause: Constraint) -> bool:
    """Whether the clause speaks of the size of a pack, which the language has no word for."""
    return any(isinstance(atom, PackSize) for side in (clause.left, clause.right) for atom in nested_atoms(side))
