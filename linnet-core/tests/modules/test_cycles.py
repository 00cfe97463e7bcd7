"""Load order and cycles on graphs of numbers."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linnet_core.modules.cycles import cycles, load_order


@pytest.mark.parametrize(
    ("imports", "order", "found"),
    [
        pytest.param([[1, 2], [3], [3], []], [3, 1, 2, 0], [], id="diamond"),
        pytest.param([[2, 1], [], [1]], [1, 2, 0], [], id="imports in the order written"),
        pytest.param([[0]], [0], [[0]], id="itself"),
        pytest.param([[1], [0]], [1, 0], [[0, 1]], id="two"),
        pytest.param([[1], [2, 3], [1], [2]], [2, 3, 1, 0], [[1, 2]], id="the shortest of two cycles in one knot"),
    ],
)
def test_small_graphs(imports: list[list[int]], order: list[int], found: list[list[int]]) -> None:
    assert load_order([0], imports) == order
    assert cycles(order, imports) == found


graphs = st.integers(1, 8).flatmap(lambda n: st.lists(st.lists(st.integers(0, n - 1), max_size=4), min_size=n, max_size=n))


@settings(max_examples=200, deadline=None)
@given(graphs)
def test_random_graphs(imports: list[list[int]]) -> None:
    roots = list(range(len(imports)))
    order = load_order(roots, imports)
    assert sorted(order) == roots
    reach = closure(imports)
    cyclic = {n for n in roots if n in reach[n]}
    for module in roots:
        for imported in imports[module]:
            if module not in reach[imported]:
                assert order.index(imported) < order.index(module)
    found = cycles(order, imports)
    for cycle in found:
        assert all(b in imports[a] for a, b in zip(cycle, [*cycle[1:], cycle[0]], strict=True))
        assert len(set(cycle)) == len(cycle)
    knots = {frozenset(m for m in roots if m in reach[n] and n in reach[m]) for n in cyclic}
    assert sorted(sum(n in knot for knot in knots) for n in (cycle[0] for cycle in found)) == [1] * len(knots)


def closure(imports: list[list[int]]) -> list[set[int]]:
    """For every module, what it reaches in one step or more."""
    reach = [set(each) for each in imports]
    for _ in imports:
        for each in reach:
            each |= set().union(*(reach[n] for n in each)) if each else set()
    return reach
