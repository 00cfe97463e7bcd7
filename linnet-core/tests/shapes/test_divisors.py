"""What may make a divisor positive: not a clause that merely has no meaning where it is 0."""

from __future__ import annotations

import pytest

from linnet_core.shapes import Constraint, Dim, Facts, floordiv, mod, prove_equal, prove_positive

H, N, M = (Dim.symbol(i, name) for i, name in enumerate("HNM"))
ZERO = Dim.constant(0)


def positive(dim):
    return Constraint(">", dim, ZERO)


def divides(divisor, dim):
    return Constraint("==", mod(dim, divisor), ZERO)


CASES = [
    pytest.param([divides(N, H)], N, False, id="divisibility alone"),
    pytest.param([positive(H), divides(N, H)], N, False, id="divisibility of something positive"),
    pytest.param([positive(floordiv(H, N))], N, False, id="a positive quotient"),
    pytest.param([positive(N), divides(N, H)], N, True, id="stated"),
    pytest.param([positive(N), positive(H), divides(N, H)], floordiv(H, N), True, id="a quotient by a positive divisor"),
    pytest.param([positive(M), Constraint("==", N, M + 1)], N, True, id="by an equality without divisors"),
    pytest.param([positive(N), Constraint("==", floordiv(H, N), M + 1)], floordiv(H, N), True, id="by an equality with a sure divisor"),
]


@pytest.mark.parametrize(("facts", "divisor", "expected"), CASES)
def test_a_divisor_is_positive(facts, divisor, expected):
    assert prove_positive(divisor, Facts(facts)) is expected


def test_a_divisibility_fact_still_gives_its_equality():
    assert prove_equal(N * floordiv(H, N), H, Facts([positive(H), divides(N, H)]))
