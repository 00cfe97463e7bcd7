"""A failed proof says what was needed, what is known, and a `where` that settles it."""

from __future__ import annotations

import pytest

from linnet_core.shapes import Constraint, Dim, Facts, prove
from linnet_core.shapes.explain import explain


@pytest.mark.parametrize(
    ("facts", "goal", "help"),
    [
        pytest.param(["N > 0"], "N * (D / N) == D", "where D % N == 0", id="divisibility"),
        pytest.param([], "C * H * W == C * (H / P) * P * (W / P) * P", "where H % P == 0, W % P == 0", id="two-divisibilities"),
        pytest.param([], "D / 2 + D / 2 == D", "where D % 2 == 0", id="even"),
        pytest.param([], "(D + 1) / 2 == D / 2", "where D % 2 == 0", id="strided-slice"),
        pytest.param([], "B * S * H == B * S * K", "where H == K", id="common-factors-left-out"),
        pytest.param([], "A + 1 == B + 1", "where A == B", id="common-terms-left-out"),
        pytest.param([], "A == B", "where A == B", id="itself"),
        pytest.param([], "max(N, 1) == N", "where N > 0", id="maximum"),
        pytest.param([], "min(3, M) == 3", "where M >= 3", id="minimum"),
        pytest.param([], "N > 0", "where N > 0", id="positive"),
        pytest.param([], "N >= 1", "where N > 0", id="positive-respelled"),
        pytest.param([], "B * H > 0", "where B > 0, H > 0", id="positive-factors"),
        pytest.param([], "S - 1 >= 0", "where S > 0", id="last-position"),
        pytest.param([], "K - Q >= 0", "where Q <= K", id="offset"),
        pytest.param([], "2 * C % 6 == 0", "where C % 3 == 0", id="multiple"),
        pytest.param(["N < 2"], "N > 3", None, id="contradicts-a-fact"),
        pytest.param(["A < B"], "A == B", None, id="refuted"),
        pytest.param([], "2 * N == 5", None, id="never"),
        pytest.param([], "3 == 4", None, id="constants"),
    ],
)
def test_help_names_the_clause_that_settles_the_goal(given, claim, facts, goal, help):
    explanation = explain(claim(goal), given(*facts))
    assert explanation.help == help
    assert explanation.needed == str(claim(goal))
    if help is not None:
        clauses = [clause.replace("where ", "") for clause in help.split(", ")]
        assert not prove(claim(goal), given(*facts))
        assert prove(claim(goal), given(*facts, *clauses))


def test_known_are_the_facts_about_the_same_generics(given, claim):
    explanation = explain(claim("N * (D / N) == D"), given("N > 0", "M > 0", "D <= M"))
    assert explanation.known == ("N > 0", "D <= M")


def test_a_clause_about_the_size_of_a_pack_is_not_suggested(dim):
    goal = Constraint("==", Dim.pack_size(8, "S"), dim("N"))
    assert explain(goal, Facts()).help is None
    assert explain(goal, Facts()).needed == "size(*S) == N"
