"""What facts state as they stand, in their words or others, so that no proof is looked for."""

from __future__ import annotations

import pytest

STATED = [
    pytest.param("N > 0", "N >= 1", id="an inequality in other words"),
    pytest.param("A < B", "B >= A + 1", id="the other way round"),
    pytest.param("A == B", "B == A", id="an equality turned round"),
    pytest.param("A == B", "A * C == C * B", id="a multiple of an equality"),
    pytest.param("2 * A == 4 * B", "A == 2 * B", id="an equality without its number"),
    pytest.param("H % N == 0", "H == N * (H / N)", id="a multiple is divisor times quotient"),
    pytest.param("H % N == 0", "N * (H / N) == H", id="turned round"),
    pytest.param("H % N == 0", "B * N * Q * (H / N) == B * H * Q", id="and so are multiples of it"),
    pytest.param("D % 2 == 0", "2 * (D / 2) == D", id="an even size"),
    pytest.param("(A + B) % N == 0", "A + B == N * ((A + B) / N)", id="a sum"),
    pytest.param("(H / N) % 2 == 0", "2 * ((H / N) / 2) == H / N", id="a quotient"),
]
NOT_STATED = [
    pytest.param("N >= 0", "N >= 1", id="less than is claimed"),
    pytest.param("A * B == A * C", "B == C", id="a factor that may be 0"),
    pytest.param("A * (H % N) == 0", "H == N * (H / N)", id="a multiple of the rest"),
    pytest.param("H % N == 1", "H == N * (H / N)", id="a rest"),
    pytest.param("H % N != 0", "H == N * (H / N)", id="no multiple"),
    pytest.param("H % N == 0", "H == N * (H / M)", id="another divisor"),
    pytest.param("A == B", "A == C", id="another generic"),
    pytest.param("A == B", "A != B", id="the contrary"),
]


@pytest.mark.parametrize(("fact", "goal"), STATED)
def test_a_fact_states_a_claim(given, claim, fact: str, goal: str) -> None:
    assert given(fact).states(claim(goal))


@pytest.mark.parametrize(("fact", "goal"), NOT_STATED)
def test_a_fact_does_not_state_a_claim(given, claim, fact: str, goal: str) -> None:
    assert not given(fact).states(claim(goal))
