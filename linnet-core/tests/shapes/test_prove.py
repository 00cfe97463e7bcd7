"""What follows from facts: by rewriting, by intervals, by linear arithmetic, by products and by cases."""

from __future__ import annotations

import pytest

from linnet_core.shapes import Dim, prove, prove_at_least, prove_equal, refute

PROVED = [
    pytest.param(["A == B"], "A / N == B / N", id="equality-inside-a-quotient"),
    pytest.param(["A + B == C"], "C - A == B", id="equality-solved"),
    pytest.param(["A * B == C * D"], "A * B * E == C * D * E", id="equality-of-products"),
    pytest.param(["A * B == C * D", "C == E"], "E * D == B * A", id="equalities-chained"),
    pytest.param(["A * N == B * N", "N > 0"], "A == B", id="positive-factor-cancelled"),
    pytest.param(["2 * A == 2 * B"], "A == B", id="number-cancelled"),
    pytest.param(["A >= B", "B >= A"], "A == B", id="squeezed"),
    pytest.param(["A >= B", "B >= A"], "A / 2 == B / 2", id="squeezed-inside-a-quotient"),
    pytest.param(["N < 1"], "N == 0", id="squeezed-to-zero"),
    pytest.param(["A == B + 1", "B == C + 1"], "A - C == 2", id="equalities-substituted"),
    pytest.param(["H % N == 0", "H % M == 0", "N > 0", "M > 0"], "M * (H / M) == N * (H / N)", id="two-divisors"),
    pytest.param(["H % (2 * N) == 0", "N > 0"], "H % N == 0", id="divisor-of-the-divisor"),
    pytest.param(["A % N == 0", "B % N == 0"], "(A + B) % N == 0", id="sum-of-multiples"),
    pytest.param(["A % N == 0"], "A * B % N == 0", id="multiple-times-anything"),
    pytest.param(["A % B == 0", "B % C == 0"], "A % C == 0", id="divisors-chained"),
    pytest.param(["N > 0"], "(H * N + N - 1) / N == H", id="rest-below-the-divisor"),
    pytest.param(["N > 0"], "(H / N) / M == H / (N * M)", id="nested-quotient"),
    pytest.param(["M > 0", "N > 0"], "(H / N + 1) / M == (H + N) / (N * M)", id="nested-quotient-with-sum"),
    pytest.param(["A >= 0"], "(A - B) / 2 + B == (A + B) / 2", id="whole-part-taken-out"),
    pytest.param(["A < B", "B < C"], "A + 2 <= C", id="transitive-integers"),
    pytest.param(["A <= B", "B <= C", "C <= D"], "A <= D", id="transitive-long"),
    pytest.param(["2 * A <= 2 * B + 1"], "A <= B", id="rounded-to-integers"),
    pytest.param(["A <= B"], "A * C <= B * C", id="times-something-not-negative"),
    pytest.param(["A <= B", "C <= D"], "A * C <= B * D", id="products-of-both"),
    pytest.param(["N > 0"], "H <= H * N", id="times-something-positive"),
    pytest.param([], "A * B >= 0", id="product-of-non-negatives"),
    pytest.param(["H % N == 0", "N > 0", "H > 0"], "H / N > 0", id="part-of-something-positive"),
    pytest.param(["N > 0"], "H / N <= H", id="part-at-most-whole"),
    pytest.param(["N > 0"], "(H / N) * N <= H", id="floor"),
    pytest.param(["N > 0"], "((H + N - 1) / N) * N >= H", id="ceiling"),
    pytest.param(["N > 0"], "H % N < N", id="remainder-below-divisor"),
    pytest.param(["N > 0"], "H % N >= 0", id="remainder-not-negative"),
    pytest.param(["16 % G == 0", "G > 0"], "G <= 16", id="divisor-of-a-literal"),
    pytest.param(["A <= B", "N > 0"], "A / N <= B / N", id="quotients-keep-order"),
    pytest.param([], "min(A, B) == min(B, A)", id="min-commutes"),
    pytest.param([], "min(A, min(B, C)) == min(min(C, A), B)", id="min-associates"),
    pytest.param([], "max(A, max(B, C)) == max(max(C, A), B)", id="max-associates"),
    pytest.param([], "min(A, B) + max(A, B) == A + B", id="min-and-max"),
    pytest.param([], "min(A + C, B + C) == min(A, B) + C", id="min-shifts"),
    pytest.param([], "min(2 * A, 2 * B) == 2 * min(A, B)", id="min-scales"),
    pytest.param([], "min(N * A, N * B) == N * min(A, B)", id="min-scales-by-a-generic"),
    pytest.param([], "min(A, max(A, B)) == A", id="absorption"),
    pytest.param([], "max(min(A, B), min(A, C)) == min(A, max(B, C))", id="distribution"),
    pytest.param(["A <= B"], "max(A, B) == B", id="max-decided"),
    pytest.param(["A <= B"], "min(A, B) / 2 == A / 2", id="min-inside-a-quotient"),
    pytest.param(["A <= C", "B <= C"], "max(A, B) <= C", id="max-by-cases"),
    pytest.param(["A >= 1", "B >= 1"], "min(A, B) >= 1", id="min-by-cases"),
    pytest.param(["N != 0"], "N > 0", id="not-zero-is-positive"),
    pytest.param(["N != 3", "N >= 3"], "N >= 4", id="end-excluded"),
    pytest.param(["A != B"], "B != A", id="unequal-turned-round"),
    pytest.param([], "2 * A != 2 * B + 1", id="even-is-not-odd"),
    pytest.param(["N > 3"], "N != 2", id="unequal-by-order"),
    pytest.param(["H > 0", "W > 0"], "H * W > 0", id="product-positive"),
    pytest.param(["H * W > 0"], "H > 0", id="factor-of-something-positive"),
    pytest.param(["P + N <= Max"], "P <= Max", id="start-inside"),
    pytest.param(["S <= Max", "K <= S"], "Max - K >= 0", id="bound-substituted"),
]

NOT_PROVED = [
    pytest.param(["A * N == B * N"], "A == B", id="factor-may-be-zero"),
    pytest.param(["A / N == B / N", "N > 0"], "A == B", id="quotients-forget"),
    pytest.param(["A >= B"], "A == B", id="half-a-squeeze"),
    pytest.param(["A % N == 0", "B % M == 0"], "(A + B) % N == 0", id="other-multiple"),
    pytest.param(["A * B % N == 0", "N > 0"], "A % N == 0", id="factor-of-a-multiple"),
    pytest.param([], "H <= H * N", id="times-something-that-may-be-zero"),
    pytest.param(["A - B <= 0", "C - D <= 0"], "(A - B) * (C - D) <= 0", id="two-negatives"),
    pytest.param([], "(A - 5) / 2 >= 0", id="negative-floor"),
    pytest.param([], "(A - 5) % 3 == A % 3", id="negative-remainder"),
    pytest.param([], "(A - B) / 2 == -((B - A) / 2)", id="floor-is-not-odd"),
    pytest.param(["H > 0", "N > 0"], "H / N > 0", id="part-may-vanish"),
    pytest.param(["A < B", "N > 0"], "A / N < B / N", id="floors-meet"),
    pytest.param([], "min(A, B) == A", id="min-undecided"),
    pytest.param(["A <= B"], "max(A, B) == A", id="max-of-the-smaller"),
    pytest.param([], "min(A, max(B, C)) == max(min(A, B), C)", id="no-such-law"),
    pytest.param(["N != 3"], "N >= 4", id="unequal-is-no-order"),
    pytest.param(["H * W >= 0"], "H > 0", id="factor"),
    pytest.param(["2 * A <= 2 * B + 2"], "A <= B", id="rounded-too-far"),
    pytest.param([], "3 * A != 2 * B + 1", id="no-common-divisor"),
    pytest.param(["A < 4"], "A < 3", id="off-by-one"),
]


@pytest.mark.parametrize(("facts", "goal"), PROVED)
def test_proved(given, claim, facts, goal):
    assert prove(claim(goal), given(*facts))


@pytest.mark.parametrize(("facts", "goal"), NOT_PROVED)
def test_not_proved(given, claim, facts, goal):
    assert not prove(claim(goal), given(*facts))


@pytest.mark.parametrize(
    ("facts", "goal"),
    [
        pytest.param([], "N < 0", id="generics-are-not-negative"),
        pytest.param([], "2 * N + 1 == 0", id="positive-is-not-zero"),
        pytest.param(["N > 3"], "N == 2", id="above"),
        pytest.param(["N > 3"], "N <= 3", id="order-turned"),
        pytest.param(["A < B"], "A == B", id="ordered"),
        pytest.param(["A == B"], "A != B", id="equal"),
        pytest.param([], "2 * N == 5", id="parity"),
        pytest.param([], "2 * N + 3 <= N", id="beyond-the-axis"),
        pytest.param(["H % 2 == 0"], "H == 7", id="odd-size-of-an-even-axis"),
    ],
)
def test_refuted(given, claim, facts, goal):
    assert refute(claim(goal), given(*facts))


@pytest.mark.parametrize(
    ("facts", "goal"),
    [
        pytest.param([], "N == 0", id="may-be-zero"),
        pytest.param([], "A == B", id="may-be-equal"),
        pytest.param(["N > 3"], "N == 4", id="may-be-four"),
        pytest.param([], "N <= 5", id="may-be-small"),
        pytest.param(["H % 2 == 0"], "H == 8", id="may-be-eight"),
    ],
)
def test_what_can_hold_is_not_refuted(given, claim, facts, goal):
    assert not refute(claim(goal), given(*facts))


def test_an_integer_may_stand_for_the_lower_end(given, dim):
    assert prove_at_least(dim("N"), 1, given("N > 0"))
    assert prove_at_least(dim("N"), Dim.constant(0), given())
    assert not prove_at_least(dim("N"), 1, given())


def test_extending_facts_leaves_them_as_they_were(given, claim, dim):
    facts = given("A <= B")
    more = facts.extended([claim("B <= A")])
    assert prove_equal(dim("A"), dim("B"), more)
    assert not prove_equal(dim("A"), dim("B"), facts)
    assert more.constraints == (claim("A <= B"), claim("B <= A"))
    assert facts.extended([claim("A <= B")]) is facts


def test_the_order_of_facts_and_questions_changes_no_answer(given, claim):
    clauses = ["H % N == 0", "N > 0", "H % M == 0", "A <= B", "min(A, B) > 0"]
    goals = ["N * (H / N) == H", "M * (H / M) == H", "A <= B", "B > 0", "A == B", "max(A, B) == B", "H / N > 0"]
    first = [prove(claim(goal), given(*clauses)) for goal in goals]
    facts = given(*reversed(clauses))
    assert [prove(claim(goal), facts) for goal in reversed(goals)] == first[::-1]


def test_a_constraint_holds_or_not_at_sizes(claim):
    assert claim("H % N == 0").holds({0: 12, 1: 4})
    assert not claim("H % N == 0").holds({0: 10, 1: 3})
    assert str(claim("H % N == 0")) == "H % N == 0"
    assert str(claim("H % N == 0").substitute({0: Dim.constant(10)})) == "10 % N == 0"


@pytest.mark.parametrize(
    ("fact", "said", "answer"),
    [
        pytest.param("N > 0", "N >= 1", True, id="greater"),
        pytest.param("N > 0", "0 < N", True, id="turned-round"),
        pytest.param("A + 1 <= B", "B - A > 0", True, id="moved-across"),
        pytest.param("N > 0", "N >= 2", False, id="more-than-was-said"),
        pytest.param("N >= 1", "2 * N >= 2", False, id="a-proof-is-needed"),
        pytest.param("A == B", "A >= B", False, id="an-equality-is-left-to-the-prover"),
        pytest.param("A != B", "A != B", True, id="the-same-words"),
    ],
)
def test_facts_state_a_claim_in_other_words(claim, given, fact, said, answer):
    assert given(fact).states(claim(said)) is answer
