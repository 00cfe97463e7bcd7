"""`where` clauses that admit no sizes are found, and those alone."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("clauses", "found"),
    [
        pytest.param(["N > 3", "N < 2"], ["N > 3", "N < 2"], id="two-bounds"),
        pytest.param(["M > 0", "N > 3", "H % M == 0", "N < 2"], ["N > 3", "N < 2"], id="among-others"),
        pytest.param(["N == 0", "N > 0"], ["N == 0", "N > 0"], id="zero-and-positive"),
        pytest.param(["A < B", "B < C", "C < A"], ["A < B", "B < C", "C < A"], id="circle"),
        pytest.param(["2 * N == 5"], ["2 * N == 5"], id="no-integer"),
        pytest.param(["3 < 2"], ["3 < 2"], id="constants"),
        pytest.param(["N != N"], ["N != N"], id="unequal-to-itself"),
        pytest.param(["A == B", "A != B"], ["A == B", "A != B"], id="equal-and-not"),
        pytest.param(["H % 2 == 0", "H == 3"], ["H % 2 == 0", "H == 3"], id="odd-and-even"),
        pytest.param(["N + 1 <= 0"], ["N + 1 <= 0"], id="negative-generic"),
        pytest.param(["min(A, B) >= 2", "A == 1"], ["min(A, B) >= 2", "A == 1"], id="minimum"),
        pytest.param(["A * B > 0", "A == 0"], ["A * B > 0", "A == 0"], id="product"),
    ],
)
def test_contradicting_clauses_are_named(given, clauses, found):
    contradiction = given(*clauses).contradiction()
    assert contradiction is not None
    assert [str(clause) for clause in contradiction] == found


@pytest.mark.parametrize(
    "clauses",
    [
        pytest.param([], id="none"),
        pytest.param(["N > 3", "N < 5"], id="one-size-left"),
        pytest.param(["N == 0"], id="empty-axis"),
        pytest.param(["H % N == 0", "N > 0", "H % M == 0", "M > 0"], id="two-divisors"),
        pytest.param(["A <= B", "B <= C", "C <= A"], id="all-equal"),
        pytest.param(["A != B", "A <= B"], id="strictly-less"),
        pytest.param(["3 * A == 2 * B"], id="multiples"),
        pytest.param(["H % N == 0"], id="divisor-of-unknown-sign"),
    ],
)
def test_clauses_that_can_hold_do_not_contradict(given, clauses):
    assert given(*clauses).contradiction() is None
