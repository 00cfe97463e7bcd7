"""What is known about the sizes: the `where` clauses in force.

In: constraints.  Out: `Facts`, immutable, built once for a function, which carries what the prover learns from them.
Generics are at least 0 without being told.  A clause that would divide by 0 at some sizes does not admit those sizes, but
it is never used to prove a divisor positive (`where H % N == 0` says nothing of `N > 0`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from linnet_core.shapes.atoms import FloorDiv, Mod
from linnet_core.shapes.dims import Dim, nested_atoms
from linnet_core.shapes.stated import surplus, zero_of_claim, zero_of_fact
from linnet_core.shapes.witness import Witnesses

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from linnet_core.shapes.knowledge import Knowledge
    from linnet_core.shapes.shape import Shape

Relation = Literal["==", "!=", "<", "<=", ">", ">="]

#: The relation that holds exactly where the other does not.
NEGATION: dict[Relation, Relation] = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


class Constraint(Struct, frozen=True):
    """One clause of a `where`: `left relation right`."""

    relation: Relation
    left: Dim
    right: Dim

    def substitute(self, dims: Mapping[int, Dim], packs: Mapping[int, Shape] | None = None) -> Constraint:
        """The clause with generics replaced by id."""
        return Constraint(self.relation, self.left.substitute(dims, packs), self.right.substitute(dims, packs))

    def negated(self) -> Constraint:
        """The clause that holds exactly where this one does not."""
        return Constraint(NEGATION[self.relation], self.left, self.right)

    def surplus(self) -> Dim | None:
        """The dim that is at least 0 exactly where the clause holds; None for `==` and `!=`.  `LinnetError` where it is too large."""
        match self.relation:
            case ">=":
                return self.left - self.right
            case ">":
                return self.left - self.right - 1
            case "<=":
                return self.right - self.left
            case "<":
                return self.right - self.left - 1
            case _:
                return None

    def symbols(self) -> tuple[int, ...]:
        """Ids of the generics it speaks of, ascending."""
        return tuple(sorted({*self.left.symbols(), *self.right.symbols()}))

    def divisors(self) -> tuple[Dim, ...]:
        """What it divides by at any depth, constants left out: where one of them is 0 the clause has no meaning."""
        if not (self.left.height or self.right.height):
            return ()
        atoms = (atom for side in (self.left, self.right) for atom in nested_atoms(side))
        return tuple(dict.fromkeys(atom.right for atom in atoms if isinstance(atom, FloorDiv | Mod) and atom.right.value is None))

    def holds(self, dims: Mapping[int, int], packs: Mapping[int, tuple[int, ...]] | None = None) -> bool:
        """Whether it is true at these sizes; raises as `Dim.evaluate` does."""
        left, right = self.left.evaluate(dims, packs), self.right.evaluate(dims, packs)
        match self.relation:
            case "==":
                return left == right
            case "!=":
                return left != right
            case "<":
                return left < right
            case "<=":
                return left <= right
            case ">":
                return left > right
            case ">=":
                return left >= right

    def __str__(self) -> str:
        return f"{self.left} {self.relation} {self.right}"


class Facts:
    """A set of constraints taken as true.  Everything proved from it is remembered in it; it never changes otherwise."""

    __slots__ = ("_contradiction", "_extended", "_knowledge", "_parts", "_stated", "_sure", "_told", "_zeros", "constraints", "witnesses")

    #: Without repetition, in the order given.
    constraints: tuple[Constraint, ...]

    def __init__(self, constraints: Iterable[Constraint] = ()) -> None:
        self.constraints = tuple(dict.fromkeys(constraints))
        self._knowledge: Knowledge | None = None
        #: Some sizes at which all the constraints hold; none where none of those tried did.
        self.witnesses = Witnesses(self.constraints)
        self._contradiction: tuple[Constraint, ...] | Literal[False] | None = False
        #: For every generic the first of those that are connected with it by facts, and the facts of such groups.
        self._told: dict[int, int] | None = None
        self._parts: dict[tuple[int, ...], Facts] = {}
        self._extended: dict[tuple[Constraint, ...], Facts] = {}
        self._sure: Facts | None = None
        #: What is at least 0, and what is 0, by a constraint as it stands.
        self._stated: frozenset[Dim | None] | None = None
        self._zeros: frozenset[Dim | None] | None = None

    def extended(self, more: Iterable[Constraint]) -> Facts:
        """These facts and more."""
        added = tuple(more)
        if all(constraint in self.constraints for constraint in added):
            return self
        if added not in self._extended:
            self._extended[added] = Facts((*self.constraints, *added))
        return self._extended[added]

    @property
    def knowledge(self) -> Knowledge:
        """What the prover made of the constraints; worked out when first asked for."""
        if self._knowledge is None:
            from linnet_core.shapes.knowledge import Knowledge

            self._knowledge = Knowledge(self.constraints)
        return self._knowledge

    def about(self, symbols: Iterable[int]) -> Facts:
        """Those of the facts that speak of these generics, directly or through each other; no other has a part in a proof."""
        if self._told is None:
            self._told = _connected([constraint.symbols() for constraint in self.constraints])
        told = self._told
        wanted = tuple(sorted({told[id] for id in symbols if id in told}))
        if wanted not in self._parts:
            kept = [c for c in self.constraints if not (ids := c.symbols()) or told[ids[0]] in wanted]
            self._parts[wanted] = self if len(kept) == len(self.constraints) else Facts(kept)
        return self._parts[wanted]

    def states(self, claim: Constraint) -> bool:
        """Whether one of the constraints is the claim, in the same words or others (`N > 0` states `N >= 1`), or a multiple of it."""
        if claim in self.constraints:
            return True
        if claim.relation == "==":
            if self._zeros is None:
                self._zeros = frozenset(zero_of_fact(fact) for fact in self.constraints if fact.relation == "==") - {None}
            return zero_of_claim(claim) in self._zeros
        if self._stated is None:
            self._stated = frozenset(map(surplus, self.constraints)) - {None}
        return surplus(claim) in self._stated

    @property
    def sure(self) -> Facts:
        """The facts whose own divisors are positive by the others: what may be used to prove a divisor positive."""
        if self._sure is None:
            from linnet_core.shapes.divisors import without_unsure

            self._sure = without_unsure(self)
        return self._sure

    def contradiction(self) -> tuple[Constraint, ...] | None:
        """Constraints that no sizes satisfy together, as few as could be found; None where none are known to be so."""
        if self._contradiction is False:
            self._contradiction = None if self.witnesses else self._find_contradiction()
        return self._contradiction

    def _find_contradiction(self) -> tuple[Constraint, ...] | None:
        from linnet_core.shapes.contradiction import find_contradiction

        return find_contradiction(self)

    def __repr__(self) -> str:
        return f"Facts({', '.join(str(constraint) for constraint in self.constraints)})"


def _connected(groups: Iterable[tuple[int, ...]]) -> dict[int, int]:
    """For every id one that stands for all those it shares a group with, directly or through others."""
    above: dict[int, int] = {}
    for group in groups:
        roots = {_root(id, above) for id in group}
        least = min(roots, default=0)
        above.update(dict.fromkeys(roots, least))
    return {id: _root(id, above) for id in above}


def _root(id: int, above: dict[int, int]) -> int:
    while above.setdefault(id, id) != id:
        above[id] = id = above[above[id]]
    return id
