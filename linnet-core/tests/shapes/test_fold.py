"""Folding: what needs no facts is folded, the rest keeps its spelling, and no value changes."""

from __future__ import annotations

import pytest
from hypothesis import given as over
from hypothesis import settings
from hypothesis import strategies as st

from linnet_core.shapes import Dim, floordiv, maximum, minimum, mod


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        pytest.param("7 / 2", "3", id="constants"),
        pytest.param("-7 / 2", "-4", id="constants-floor"),
        pytest.param("-7 % 2", "1", id="constants-remainder"),
        pytest.param("H / 1", "H", id="by-one"),
        pytest.param("H % 1", "0", id="remainder-by-one"),
        pytest.param("6 * H / 3", "2 * H", id="multiple"),
        pytest.param("6 * H % 3", "0", id="remainder-of-multiple"),
        pytest.param("N * H / N", "H", id="product-by-factor"),
        pytest.param("(N * H + R) / N", "H + R / N", id="part-by-factor"),
        pytest.param("(2 * H + 1) / 2", "H", id="rest-is-constant"),
        pytest.param("(4 * M - 1) / 2", "2 * M - 1", id="rest-is-negative"),
        pytest.param("(2 * H + 1) % 2", "1", id="remainder-is-constant"),
        pytest.param("H / 2 / 3", "H / 6", id="nested"),
        pytest.param("2 * H / (2 * N)", "H / N", id="common-coefficient"),
        pytest.param("A * H / (A * N)", "H / N", id="common-factor"),
        pytest.param("2 * H % (2 * N)", "2 * (H % N)", id="remainder-common-factor"),
        pytest.param("(A * A - B * B) / (A + B)", "A - B", id="polynomial"),
        pytest.param("(A * A - B * B) % (A + B)", "0", id="remainder-polynomial"),
        pytest.param("(H - 1) / 2", "(H - 1) / 2", id="kept"),
        pytest.param("3 * H / 2", "3 * H / 2", id="kept-coefficient"),
        pytest.param("min(N, 0)", "0", id="min-with-zero"),
        pytest.param("max(N, 0)", "N", id="max-with-zero"),
        pytest.param("min(A, 2 * A)", "A", id="min-of-multiples"),
        pytest.param("max(A + 1, A)", "A + 1", id="max-apart-by-a-constant"),
        pytest.param("min(A, B)", "min(A, B)", id="min-kept"),
        pytest.param("max(N, 1)", "max(N, 1)", id="max-kept"),
    ],
)
def test_what_needs_no_facts_is_folded(dim, text, folded):
    assert str(dim(text)) == folded


_GENERICS = [Dim.symbol(0, "A"), Dim.symbol(1, "B")]
_OPERATIONS = [Dim.__add__, Dim.__sub__, Dim.__mul__, floordiv, mod, minimum, maximum]


def _value(operation, left: int, right: int) -> int:
    """What the operation means on integers."""
    return {
        Dim.__add__: lambda: left + right,
        Dim.__sub__: lambda: left - right,
        Dim.__mul__: lambda: left * right,
        floordiv: lambda: left // right,
        mod: lambda: left % right,
        minimum: lambda: min(left, right),
        maximum: lambda: max(left, right),
    }[operation]()


_leaves = st.one_of(st.sampled_from(_GENERICS), st.integers(-4, 6))
_trees = st.recursive(_leaves, lambda inner: st.tuples(st.sampled_from(_OPERATIONS), inner, inner), max_leaves=8)


def _dim_of(tree) -> Dim:
    if isinstance(tree, tuple):
        return tree[0](_dim_of(tree[1]), _dim_of(tree[2]))
    return tree if isinstance(tree, Dim) else Dim.constant(tree)


def _value_of(tree, sizes: dict[int, int]) -> int:
    if isinstance(tree, tuple):
        return _value(tree[0], _value_of(tree[1], sizes), _value_of(tree[2], sizes))
    return tree.evaluate(sizes) if isinstance(tree, Dim) else tree


@settings(max_examples=400, deadline=None, derandomize=True)
@over(_trees, st.integers(0, 7), st.integers(0, 7))
def test_folding_changes_no_value(tree, a, b):
    sizes = {0: a, 1: b}
    try:
        expected = _value_of(tree, sizes)
    except ZeroDivisionError:
        return
    assert _dim_of(tree).evaluate(sizes) == expected


@settings(max_examples=300, deadline=None, derandomize=True)
@over(_trees)
def test_what_is_folded_folds_no_further(tree):
    dim = _dim_of(tree)
    assert dim.substitute({0: Dim.symbol(2, "C")}).substitute({2: Dim.symbol(0, "A")}) is dim
