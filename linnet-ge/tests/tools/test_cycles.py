"""Cycles are found whatever the size and shape of a graph, and each is the shortest way round."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linnet_ge.tools.cycles import cycles, knots


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        pytest.param([], [], id="nothing"),
        pytest.param([[1], [2], []], [], id="a chain"),
        pytest.param([[0]], [[0, 0]], id="itself"),
        pytest.param([[1], [2], [0]], [[0, 1, 2, 0]], id="three"),
        pytest.param([[1, 1], [0, 0]], [[0, 1, 0]], id="twice the same"),
        pytest.param([[1], [0, 2], [3], [2]], [[0, 1, 0], [2, 3, 2]], id="two knots"),
        pytest.param([[1, 2], [2], [3], [0]], [[0, 2, 3, 0]], id="the shorter of two ways"),
    ],
)
def test_cycles(after: list[list[int]], expected: list[list[int]]) -> None:
    assert cycles(after) == expected


def test_a_long_cycle_is_no_recursion() -> None:
    count = 200_000
    assert len(cycles([[(at + 1) % count] for at in range(count)])[0]) == count + 1


def reaches(after: list[list[int]], start: int) -> set[int]:
    found: set[int] = set()
    waiting = list(after[start])
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting += after[node]
    return found


@given(st.integers(1, 8).flatmap(lambda n: st.lists(st.lists(st.integers(0, n - 1), max_size=3), min_size=n, max_size=n)))
def test_a_node_is_in_a_knot_when_it_leads_to_itself(after: list[list[int]]) -> None:
    inside = {node for knot in knots(after) for node in knot}
    assert inside == {node for node in range(len(after)) if node in reaches(after, node)}
    for way in cycles(after):
        assert way[0] == way[-1] == min(next(knot for knot in knots(after) if way[0] in knot))
        assert all(to in after[at] for at, to in pairwise(way))
