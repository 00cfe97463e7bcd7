"""Whether a dim is at least 0.

In: a dim in the prover's form, `Knowledge`, a budget.  Out: True where a proof was found.  By intervals first; then by
linear arithmetic from the facts that speak of the same atoms and the definitions of quotients and minima, with the
negated claim added; then with products of those.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.errors import LinnetError
from linnet_core.shapes.atoms import FloorDiv
from linnet_core.shapes.dims import Dim, from_terms, nested_atoms, of_atom, set_of
from linnet_core.shapes.division import common_factor, distinct_atoms, without_atoms, without_factor
from linnet_core.shapes.linear import infeasible, tightened
from linnet_core.shapes.quotients import defining_inequalities, nested_inequalities
from linnet_core.shapes.squares import completed_squares

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from linnet_core.shapes.atoms import Atom
    from linnet_core.shapes.budget import Budget
    from linnet_core.shapes.knowledge import Knowledge

#: How many facts and definitions may take part in one proof.
_MAX_FACTS = 60
_MAX_DEFINITIONS = 80
#: How many products may, of how many factors, and the most terms of one.
_MAX_PRODUCTS = 240
_MAX_FACTORS = 14
_MAX_TERMS = 24
#: What bringing one definition or product into the prover's form costs, for each level of its nesting.
_FORM_STEPS = 250


def never_negative(dim: Dim, knowledge: Knowledge, budget: Budget, *, thorough: bool) -> bool:
    """Whether the dim is at least 0 at every size the knowledge admits; products are tried only when `thorough`."""
    low, high = knowledge.bounds.interval(dim)
    if low is not None and low >= 0:
        return True
    if high is not None and high < 0:
        return False
    negated = tightened(-dim - 1)
    return _contradicts([negated], knowledge, budget, thorough)


def contradictory(knowledge: Knowledge, budget: Budget) -> bool:
    """Whether no sizes satisfy the inequalities of the knowledge together."""
    if any(high is not None and high < 0 for _, high in map(knowledge.bounds.interval, knowledge.inequalities)):
        return True
    return _contradicts(knowledge.inequalities, knowledge, budget, thorough=True)


def _contradicts(claims: Sequence[Dim], knowledge: Knowledge, budget: Budget, thorough: bool) -> bool:
    """Whether the claims (each at least 0) cannot hold beside what is known."""
    related, atoms = _related(claims, knowledge, budget)
    known = [*claims, *related, *_bounded_terms([*claims, *related], knowledge)]
    if infeasible(known, knowledge.never_negative, budget):
        return True
    if not thorough:
        return False
    products = _products(claims[:_MAX_FACTORS], related[:_MAX_FACTORS], atoms, knowledge, budget)
    if not products:
        return False
    known = [*claims, *related, *products]
    return infeasible([*known, *_bounded_terms(known, knowledge)], knowledge.never_negative, budget)


def _related(claims: Iterable[Dim], knowledge: Knowledge, budget: Budget) -> tuple[list[Dim], list[Atom]]:
    """Facts and definitions that speak, directly or through each other, of the atoms of the claims; and the atoms reached."""
    found: dict[Dim, None] = {}
    reached: dict[Atom, None] = dict.fromkeys(atom for claim in claims for atom in distinct_atoms(claim))
    waiting = list(knowledge.inequalities)
    identities = [distinct_atoms(zero) for zero in knowledge.rewriter.basis]
    queue = list(reached)
    defined = 0
    while queue:
        new: list[Dim] = []
        for atom in queue:
            definitions = defining_inequalities(atom, knowledge.bounds) if defined < _MAX_DEFINITIONS else []
            if not budget.spend(sum(_FORM_STEPS * (1 + dim.height) for dim in definitions)):
                return list(found), list(reached)
            defined += len(definitions)
            new.extend(tightened(knowledge.zero_form(dim)) for dim in definitions)
        speaking = [fact for fact in waiting if any(atom in reached for atom in nested_atoms(fact))]
        waiting = [fact for fact in waiting if fact not in speaking]
        new.extend(speaking[: max(0, _MAX_FACTS - len(found))])
        found.update(dict.fromkeys(dim for dim in new if not dim.nonnegative))
        groups = [distinct_atoms(dim) for dim in new]
        groups.extend(atoms for atoms in identities if any(atom in reached for atom in atoms))
        queue = [atom for atom in dict.fromkeys(atom for group in groups for atom in group) if atom not in reached]
        reached.update(dict.fromkeys(queue))
    for dim in nested_inequalities(reached, knowledge.bounds):
        if not budget.spend(_FORM_STEPS * (1 + dim.height)):
            break
        found[tightened(knowledge.zero_form(dim))] = None
    return [dim for dim in found if not dim.nonnegative], list(reached)


def _bounded_terms(known: Iterable[Dim], knowledge: Knowledge) -> list[Dim]:
    """Bounds of the products of atoms that occur, as far as they say more than "not negative"."""
    found: list[Dim] = []
    for atoms in dict.fromkeys(atoms for dim in known for _, atoms in dim.terms if atoms):
        low, high = knowledge.bounds.monomial(atoms)
        product = from_terms([(1, atoms)])
        if low is not None and low != 0:
            found.append(product - low)
        if high is not None:
            found.append(high - product)
    return found


def _products(claims: Sequence[Dim], facts: Sequence[Dim], atoms: Sequence[Atom], knowledge: Knowledge, budget: Budget) -> list[Dim]:
    """Products of what is at least 0: claims with atoms, divisors and facts, then facts with atoms and facts."""
    found: dict[Dim, None] = {}
    for a, b in _pairs(claims, facts, atoms, knowledge):
        if a.value is not None or b.value is not None or len(a.terms) * len(b.terms) > _MAX_TERMS:
            continue
        if len(found) >= _MAX_PRODUCTS or not budget.spend(_FORM_STEPS * (1 + max(a.height, b.height))):
            break
        try:
            product = knowledge.zero_form(a * b)
        except LinnetError:
            continue
        if not product.nonnegative:
            found[tightened(product)] = None
    return list(found)


def _pairs(claims: Sequence[Dim], facts: Sequence[Dim], atoms: Sequence[Atom], knowledge: Knowledge) -> Iterator[tuple[Dim, Dim]]:
    """What is worth multiplying, the most promising first."""
    for square in (square for claim in claims for square in completed_squares(-claim)):
        yield from ((square, square), (square, square - 1), (square, square + 1))
    products = [each for each in dict.fromkeys(atoms for claim in claims for _, atoms in claim.terms) if len(each) > 1]
    yield from _towards(products, facts, knowledge)
    lows = ((atom, knowledge.bounds.atom(atom)[0]) for atom in atoms)
    factors = [of_atom(atom) - min(low, 0) for atom, low in lows if low is not None][:_MAX_FACTORS]
    factors.extend(dim for dim in _divisors(atoms) if knowledge.bounds.at_least(dim, 0))
    positive = [factor - 1 for factor in factors if knowledge.bounds.at_least(factor, 1)]
    monomials = [from_terms([(1, each)]) for each in products if knowledge.never_negative(each)]
    yield from ((claim, factor) for claim in claims for factor in [*factors, *facts, *positive])
    yield from ((a, b) for a in monomials for b in [*positive, *facts])
    yield from ((fact, factor) for fact in facts for factor in factors)
    yield from ((a, b) for i, a in enumerate([*positive, *facts]) for b in [*positive, *facts][: i + 1])


def _towards(products: Sequence[tuple[Atom, ...]], facts: Sequence[Dim], knowledge: Knowledge) -> Iterator[tuple[Dim, Dim]]:
    """Pairs whose product holds a product of atoms that the claim has: `N * N >= N` times something, a fact times something."""
    for atoms in products:
        for atom in set_of(atoms):
            fewer = without_atoms(atoms, (atom,))
            if fewer and atom in fewer and knowledge.never_negative(without_atoms(fewer, (atom,)) or ()):
                yield from_terms([(1, fewer)]), of_atom(atom) - 1
    for fact in facts:
        for _, known in fact.terms:
            for atoms in products:
                factor = without_atoms(atoms, known) if known else None
                if factor and knowledge.never_negative(factor):
                    yield fact, from_terms([(1, factor)])


def _divisors(atoms: Sequence[Atom]) -> list[Dim]:
    """Divisors of several terms, and what is left of them without the atoms that all their terms share."""
    divisors = [atom.right for atom in atoms if isinstance(atom, FloorDiv) and len(atom.right.terms) > 1]
    return list(dict.fromkeys(dim for each in divisors for dim in (each, without_factor(each, (1, common_factor(each)[1])))))
