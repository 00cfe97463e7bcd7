"""Nothing false is proved: facts and claims at random, compared with every small assignment and many larger ones.

A run asks the prover 20,000 questions; `LINNET_FUZZ=N` asks N times as many, from fresh seeds.  A failure shows the facts, the claim, and
the seed, from which `Source(seed).case()` makes them again.
"""

from __future__ import annotations

import os
import random

import numpy as np
import pytest
from msgspec import Struct
from random_claims import NAMES, PACK, Case, Claim, Grid, Source, Tree, constraint_of, dim_of, tree

from linnet_core.shapes import (
    Constraint,
    Facts,
    Mismatch,
    Pack,
    Shape,
    broadcast,
    equal_shapes,
    prove,
    prove_divides,
    prove_positive,
    refute,
)
from linnet_core.shapes.contradiction import find_contradiction
from linnet_core.shapes.explain import explain, settling_clauses
from linnet_core.shapes.prove import answer

_MORE = int(os.environ.get("LINNET_FUZZ", "0"))
_FIRST = random.SystemRandom().randrange(10**6, 10**9) if _MORE else 0
BATCHES = 20 * max(1, _MORE)
CASES_A_BATCH = 31
#: Every claim may be false at the sizes the prover looks at first; for one in so many it is made to search all the same.
_SEARCHED = 4

GRID = Grid()


class Asked(Struct):
    """Counts of one batch."""

    questions: int = 0
    true: int = 0
    proved: int = 0


def _text(case: Case, claim: object) -> str:
    return f"seed {case.seed}: {'; '.join(map(str, case.facts))} |- {claim}"


def _compare_claims(case: Case, facts: Facts, admitted: np.ndarray, asked: Asked) -> None:
    for at, claim in enumerate(case.claims):
        holds, defined = GRID.holds(claim)
        constraint = constraint_of(claim)
        proved, refuted = prove(constraint, facts), refute(constraint, facts)
        if at % _SEARCHED == 0:  # without first looking for sizes at which it fails
            proved, refuted = proved or answer(constraint, facts)[0], refuted or answer(constraint.negated(), facts)[0]
        true = not (admitted & defined & ~holds).any()
        assert true or not proved, _text(case, claim)
        assert not refuted or not (admitted & holds).any(), f"refuted: {_text(case, claim)}"
        asked.questions += 2
        asked.true += true
        asked.proved += proved


def _compare_divisors(case: Case, facts: Facts, admitted: np.ndarray, asked: Asked) -> None:
    """A divisor is proved positive also where a fact has no meaning; that one size divides another is as a claim says it."""
    unsure = np.ones_like(admitted)
    for fact in case.facts:
        holds, defined = GRID.holds(fact)
        unsure &= holds | ~defined
    for claim in case.claims[:4]:
        for side in (claim.left, claim.right):
            above, defined = GRID.holds(Claim(">", side, tree(0)))
            proved = prove_positive(dim_of(side), facts)
            # a fact that was written with a divisor may be folded to one without, which then has a meaning everywhere
            where = unsure if all(_keeps_divisors(fact) for fact in case.facts) else admitted
            assert not proved or not (where & defined & ~above).any(), f"positive: {_text(case, side)}"
        divides, defined = GRID.holds(Claim("==", claim.left % claim.right, tree(0)))
        proved = prove_divides(dim_of(claim.right), dim_of(claim.left), facts)
        assert not proved or not (admitted & defined & ~divides).any(), f"{claim.right} divides {claim.left}: {_text(case, claim)}"
        asked.questions += 3


def _keeps_divisors(fact: Claim) -> bool:
    written = {dim_of(node.right) for side in (fact.left, fact.right) for node in _nodes(side) if node.operator in "/%" and node.right}
    return written <= {*constraint_of(fact).divisors(), *(dim for dim in written if dim.value)}


def _nodes(node: Tree) -> list[Tree]:
    return [node, *(inner for side in (node.left, node.right) if side is not None for inner in _nodes(side))]


def _compare_shapes(case: Case, facts: Facts, admitted: np.ndarray, asked: Asked) -> None:
    for shapes in case.shapes:
        left, right = ([PACK if unit is None else dim_of(unit) for unit in shape] for shape in shapes)
        where = np.flatnonzero(admitted & _defined(shapes))[:: 1 + len(admitted) // 40]
        found = broadcast(tuple(left), tuple(right), facts)
        equal = equal_shapes(tuple(left), tuple(right), facts)
        asked.questions += 2
        for at in where:
            numbers = [_numbers(shape, at) for shape in (tuple(left), tuple(right))]
            assert not equal or numbers[0] == numbers[1], _text(case, shapes)
            if not isinstance(found, Mismatch) and min(*numbers[0], *numbers[1]) >= 0:
                assert _numbers(found, at) == np.broadcast_shapes(*numbers), _text(case, shapes)


def _defined(shapes: tuple[tuple[Tree | None, ...], ...]) -> np.ndarray:
    where = np.ones(GRID.sizes.shape[1], bool)
    for shape in shapes:
        for unit in shape:
            where = where & (GRID.value(unit)[1] if unit is not None else True)
    return where


def _numbers(shape: Shape, at: int) -> tuple[int, ...]:
    """The shape at one assignment; the pack has two axes there, of which one is 1."""
    sizes = {id: int(size) for id, size in enumerate(GRID.sizes[:, at])}
    packs = {PACK.id: (sizes.pop(len(NAMES)), 1)}
    return tuple(number for unit in shape for number in (packs[unit.id] if isinstance(unit, Pack) else (unit.evaluate(sizes, packs),)))


def _compare_contradiction(case: Case, facts: Facts, admitted: np.ndarray, asked: Asked) -> None:
    contradiction = find_contradiction(facts)
    asked.questions += 1
    if contradiction is not None:
        assert not admitted.any(), f"{_text(case, 'contradiction')}"
        clashing = [fact for fact in case.facts if constraint_of(fact) in contradiction]
        assert not GRID.admitted(clashing).any(), f"{_text(case, 'contradiction')}: {contradiction}"


@pytest.mark.parametrize("batch", range(BATCHES))
def test_what_is_proved_is_true_and_what_is_refuted_is_false(batch: int) -> None:
    asked = Asked()
    for seed in range(_FIRST + batch * CASES_A_BATCH, _FIRST + (batch + 1) * CASES_A_BATCH):
        case = Source(seed).case()
        facts = Facts(map(constraint_of, case.facts))
        admitted = GRID.admitted(case.facts)
        _compare_claims(case, facts, admitted, asked)
        _compare_divisors(case, facts, admitted, asked)
        _compare_shapes(case, facts, admitted, asked)
        _compare_contradiction(case, facts, admitted, asked)
    GRID.known.clear()
    assert asked.questions * BATCHES >= 20_000
    assert asked.proved > 0.8 * asked.true, "a prover that proves nothing would be sound too"
    assert asked.true < 0.95 * 8 * CASES_A_BATCH, "without false claims nothing is tested"


@pytest.mark.parametrize("batch", range(max(1, BATCHES // 20)))
def test_what_is_suggested_settles_the_goal(batch: int) -> None:
    suggested = 0
    for seed in range(_FIRST + batch * 60, _FIRST + (batch + 1) * 60):
        case = Source(seed).case()
        facts = Facts(map(constraint_of, case.facts))
        for claim in case.claims[:2]:
            goal = constraint_of(claim)
            if prove(goal, facts):
                continue  # only what does not follow is explained
            clauses = settling_clauses(goal, facts)
            assert (explain(goal, facts).help is not None) == bool(clauses)
            if not clauses:
                continue
            suggested += 1
            settled = facts.extended(clauses)
            assert prove(goal, settled), _text(case, claim)
            assert settled.contradiction() is None
            assert not refute(goal, facts)
            _holds_where_suggested(case, claim, clauses)
    assert suggested > 5


def _holds_where_suggested(case: Case, claim: Claim, clauses: tuple[Constraint, ...]) -> None:
    """At every assignment where the facts and the suggested clauses hold, the goal does."""
    holds, defined = GRID.holds(claim)
    for at in np.flatnonzero(GRID.admitted(case.facts) & defined & ~holds)[::7]:
        sizes = {id: int(size) for id, size in enumerate(GRID.sizes[:, at])}
        packs = {PACK.id: (sizes.pop(len(NAMES)),)}
        try:
            assert not all(clause.holds(sizes, packs) for clause in clauses), f"{_text(case, claim)}: {clauses}"
        except ZeroDivisionError:
            continue


def test_the_comparison_sees_a_false_claim() -> None:
    """Were a false claim proved, or a true one refuted, the numbers would say so."""
    a, n = Tree("generic", 0), Tree("generic", 3)
    holds, defined = GRID.holds(Claim("==", (a // n) * n, a))
    assert (defined & ~holds).any()
    assert (defined & holds).any()
    assert not defined.all()
    whole = GRID.admitted([Claim("==", a % n, tree(0))])
    assert holds[whole].all()
    assert GRID.value((a - 5) // tree(2))[0].min() == -3
