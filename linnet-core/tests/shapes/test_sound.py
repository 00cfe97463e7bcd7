"""Nothing false is proved: random facts and claims against every assignment of small sizes.

`LINNET_FUZZ=N` tries N times as many, with fresh randomness.
"""

from __future__ import annotations

import itertools
import os

from hypothesis import HealthCheck, settings
from hypothesis import given as over
from hypothesis import strategies as st

from linnet_core.shapes import Constraint, Dim, Facts, explain, floordiv, maximum, minimum, mod, prove, refute
from linnet_core.shapes.contradiction import find_contradiction
from linnet_core.shapes.explain import settling_clauses
from linnet_core.shapes.prove import answer

_MORE = int(os.environ.get("LINNET_FUZZ", "0"))
_RUN = settings(max_examples=1500 * max(1, _MORE), deadline=None, derandomize=not _MORE, suppress_health_check=list(HealthCheck))

_GENERICS = [Dim.symbol(id, name) for id, name in enumerate("ABC")]
_SIZES = [dict(enumerate(each)) for each in [*itertools.product(range(5), repeat=3), *itertools.product((0, 1, 7, 12), repeat=3)]]

_leaves = st.one_of(st.sampled_from(_GENERICS), st.sampled_from(_GENERICS), st.integers(-4, 6).map(Dim.constant))
_operations = st.sampled_from([Dim.__add__, Dim.__sub__, Dim.__mul__, floordiv, mod, minimum, maximum])


def _made(operation, left: Dim, right: Dim) -> Dim:
    return operation(left, right)


_small = st.one_of(_leaves, st.builds(_made, _operations, _leaves, _leaves))
_dims = st.one_of(_small, st.builds(_made, _operations, _small, _small))
_relations = st.sampled_from(["==", "==", "!=", "<", "<=", ">", ">="])
_free = st.builds(Constraint, _relations, _dims, _dims)
_positive = st.builds(lambda generic: Constraint(">", generic, Dim.constant(0)), st.sampled_from(_GENERICS))
_divides = st.builds(lambda n, d: Constraint("==", mod(n, d), Dim.constant(0)), _small, st.one_of(_leaves, _small))
_facts = st.lists(st.one_of(_positive, _divides, st.builds(Constraint, _relations, _small, _small)), max_size=4)
#: Claims that are often true, so that proofs are found and can be wrong.
_likely = st.one_of(
    st.builds(lambda x, y: Constraint("==", floordiv(x * y, y), x), _small, _small),
    st.builds(lambda x, y: Constraint("==", floordiv(x, y) * y + mod(x, y), x), _small, _small),
    st.builds(lambda x, y: Constraint("==", floordiv(x, y) * y, x), _small, _small),
    st.builds(lambda x, y, z: Constraint("==", floordiv(floordiv(x, y), z), floordiv(x, y * z)), _small, _small, _small),
    st.builds(lambda x, y, z: Constraint("==", minimum(x + z, y + z), minimum(y, x) + z), _small, _small, _small),
    st.builds(lambda x, y: Constraint("<=", floordiv(x, y), x), _small, _small),
    st.builds(lambda x, y: Constraint("<", mod(x, y), y), _small, _small),
    st.builds(lambda x, y: Constraint(">=", maximum(x, y), minimum(x, y)), _small, _small),
    st.builds(lambda x, y: Constraint(">=", x * y, x), _small, _small),
)
_claims = st.one_of(_free, _likely)


def _holds(constraint: Constraint, sizes: dict[int, int]) -> bool | None:
    """Whether it holds, None where it divides by 0."""
    try:
        return constraint.holds(sizes)
    except ZeroDivisionError:
        return None


def _admitted(facts: list[Constraint]) -> list[dict[int, int]]:
    return [sizes for sizes in _SIZES if all(_holds(fact, sizes) for fact in facts)]


@_RUN
@over(_facts, st.lists(_claims, min_size=1, max_size=3))
def test_what_is_proved_is_true_and_what_is_refuted_is_false(constraints, claims):
    facts, admitted = Facts(constraints), _admitted(constraints)
    for claim in claims:
        found = {_holds(claim, sizes) for sizes in admitted}
        if prove(claim, facts) or answer(claim, facts)[0]:  # the second without first looking for sizes at which it fails
            assert False not in found, f"{facts} proves {claim}"
        if refute(claim, facts) or answer(claim.negated(), facts)[0]:
            assert True not in found, f"{facts} refutes {claim}"


@_RUN
@over(st.lists(_free, max_size=3))
def test_what_is_called_contradictory_admits_no_sizes(constraints):
    contradiction = find_contradiction(Facts(constraints))
    if contradiction is not None:
        assert not _admitted(list(contradiction))
        assert not Facts(constraints).witnesses


@settings(_RUN, max_examples=150 * max(1, _MORE))
@over(_facts, _free)
def test_what_is_suggested_settles_the_goal(constraints, claim):
    facts = Facts(constraints)
    clauses = settling_clauses(claim, facts)
    assert (explain(claim, facts).help is not None) == bool(clauses)
    if clauses:
        settled = facts.extended(clauses)
        assert prove(claim, settled)
        assert settled.contradiction() is None
        assert not refute(claim, facts)


def test_enough_claims_are_proved_for_the_comparison_to_mean_something():
    """The likely claims hold often enough: a prover that proves nothing would be sound too."""
    a, b = _GENERICS[:2]
    facts = Facts([Constraint(">", b, Dim.constant(0)), Constraint("==", mod(a, b), Dim.constant(0))])
    claims = [
        Constraint("==", floordiv(a * b, b), a),
        Constraint("==", floordiv(a, b) * b + mod(a, b), a),
        Constraint("==", floordiv(a, b) * b, a),
        Constraint("<=", floordiv(a, b), a),
        Constraint("<", mod(a + 1, b), b),
        Constraint(">=", maximum(a, b), minimum(a, b)),
        Constraint(">=", a * b, a),
    ]
    assert [prove(claim, facts) for claim in claims] == [True] * len(claims)
