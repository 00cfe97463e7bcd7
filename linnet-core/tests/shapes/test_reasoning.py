"""The parts the prover is made of, each by itself: intervals, linear arithmetic, identities, division, budget."""

from __future__ import annotations

import pytest

from linnet_core.shapes.basis import complete, reduced_up_to_scale
from linnet_core.shapes.bounds import Bounds
from linnet_core.shapes.budget import Budget
from linnet_core.shapes.division import divide, divide_exactly, primitive
from linnet_core.shapes.linear import infeasible, tightened


@pytest.mark.parametrize(
    ("known", "text", "interval"),
    [
        pytest.param([], "A", (0, None), id="generic"),
        pytest.param([], "A - B", (None, None), id="difference"),
        pytest.param(["A - 3"], "2 * A + 1", (7, None), id="lower-end"),
        pytest.param(["A - 3", "9 - A"], "10 - A", (1, 7), id="both-ends"),
        pytest.param(["A - 3", "9 - A"], "A / 2", (1, 4), id="quotient"),
        pytest.param(["9 - A"], "(A - 5) / 2", (-3, 2), id="quotient-below-zero"),
        pytest.param(["A - B - 1", "B - 4"], "A", (5, None), id="carried"),
        pytest.param(["A * B - 1"], "A", (1, None), id="factor-of-a-positive"),
        pytest.param([], "A % 5", (0, 4), id="remainder"),
        pytest.param(["3 - A", "7 - B"], "A * B", (0, 21), id="product"),
        pytest.param(["3 - A"], "min(A, B)", (0, 3), id="minimum"),
        pytest.param(["A - 3"], "max(A, B)", (3, None), id="maximum"),
        pytest.param([], "A / (B - 5)", (None, None), id="divisor-of-unknown-sign"),
    ],
)
def test_intervals(dim, known, text, interval):
    assert Bounds([dim(each) for each in known]).interval(dim(text)) == interval


@pytest.mark.parametrize(
    ("texts", "impossible"),
    [
        pytest.param(["A - 3", "2 - A"], True, id="apart"),
        pytest.param(["A - 3", "3 - A"], False, id="touching"),
        pytest.param(["A - B - 1", "B - C - 1", "C - A - 1"], True, id="circle"),
        pytest.param(["A - B", "B - C", "C - A"], False, id="circle-of-equals"),
        pytest.param(["3 * A + 2 * B - 12", "3 - A", "1 - B"], True, id="weighted"),
        pytest.param(["3 * A + 2 * B - 11", "3 - A", "1 - B"], False, id="weighted-touching"),
        pytest.param(["0 - A - 1"], True, id="negative-generic"),
        pytest.param(["A * B - 5", "4 - A * B"], True, id="products-are-unknowns"),
    ],
)
def test_linear_arithmetic(dim, texts, impossible):
    assert infeasible([dim(text) for text in texts], Bounds(()).never_negative, Budget()) is impossible


def test_linear_arithmetic_stops_with_the_budget(dim):
    texts = ["A - B - 1", "B - C - 1", "C - A - 1"]
    budget = Budget(1)
    assert not infeasible([dim(text) for text in texts], Bounds(()).never_negative, budget)
    assert budget.exhausted


def test_an_inequality_of_integers_is_rounded(dim):
    assert tightened(dim("2 * A - 5")) is dim("A - 3")
    assert tightened(dim("-2 * A + 5")) is dim("2 - A")
    assert tightened(dim("2 * A + 3 * B - 5")) is dim("2 * A + 3 * B - 5")


@pytest.mark.parametrize(
    ("zeros", "text", "zero"),
    [
        pytest.param(["A * B - C"], "A * A * B - A * C", True, id="rewritten"),
        pytest.param(["A * B - C", "B * D - E"], "C * D - A * E", True, id="follows-from-two"),
        pytest.param(["2 * A - 3 * B"], "4 * A * C - 6 * B * C", True, id="scaled"),
        pytest.param(["A * B - C"], "A - C", False, id="does-not-follow"),
    ],
)
def test_identities(dim, zeros, text, zero):
    basis = complete([dim(each) for each in zeros])
    assert (not reduced_up_to_scale(dim(text), basis).terms) is zero


def test_long_division_leaves_a_rest_below_the_divisor(dim):
    quotient, rest = divide(dim("7 * A - 3 * B + 5"), dim("4"))
    assert (str(quotient), str(rest)) == ("A - B + 1", "3 * A + B + 1")
    assert quotient * 4 + rest is dim("7 * A - 3 * B + 5")
    assert divide_exactly(dim("A * A - B * B"), dim("A - B")) is dim("A + B")
    assert divide_exactly(dim("A * A + B * B"), dim("A - B")) is None
    assert primitive(dim("-4 * A + 6")) is dim("-2 * A + 3")


def test_a_budget_once_spent_stays_spent():
    budget = Budget(10)
    assert budget.spend(7)
    assert not budget.spend(4)
    assert not budget.spend(1)
    assert budget.exhausted
