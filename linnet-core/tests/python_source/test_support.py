"""Functions that printed source brings along: those used, those they need however indirectly, in the order of the table."""

from __future__ import annotations

import pytest

from linnet_core.conformance.support import faults
from linnet_core.python_source.support import Functions, sources
from linnet_core.targets.numpy.support import FUNCTIONS

TABLE: Functions = {"a": ("\na\n", ("b",)), "b": ("b", ("c",)), "c": ("c", ("b",)), "d": ("d", ())}


@pytest.mark.parametrize(
    ("used", "printed"),
    [
        pytest.param(set(), [], id="nothing"),
        pytest.param({"d"}, ["d"], id="alone"),
        pytest.param({"c"}, ["b", "c"], id="in the order of the table"),
        pytest.param({"d", "a"}, ["a", "b", "c", "d"], id="what is needed by what is needed"),
    ],
)
def test_sources(used: set[str], printed: list[str]) -> None:
    assert sources(TABLE, used) == printed


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_of_the_numpy_target_comes_with_what_it_needs_and_says_what_it_does(name: str) -> None:
    assert faults(FUNCTIONS, name, frozenset(("np", "ml_dtypes"))) == []
