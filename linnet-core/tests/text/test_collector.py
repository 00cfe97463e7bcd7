"""The collector, and names that are nearly right."""

from __future__ import annotations

import pytest

from linnet_core.errors import SourceError
from linnet_core.text.diagnostic import Diagnostics
from linnet_core.text.near import did_you_mean, near_names
from linnet_core.text.source import Source
from linnet_core.text.span import Span


def test_the_same_code_at_the_same_place_is_kept_once() -> None:
    diagnostics, source = Diagnostics(), Source("a", "xy")
    diagnostics.report("E1201", "first", Span(source, 0, 1))
    diagnostics.report("E1201", "second", Span(source, 0, 1))
    diagnostics.report("E1202", "other code", Span(source, 0, 1))
    diagnostics.report("E1201", "other place", Span(source, 1, 2))
    assert [d.message for d in diagnostics.found] == ["first", "other code", "other place"]


def test_diagnostics_are_shown_file_by_file_in_load_order_then_by_place_then_by_code() -> None:
    diagnostics = Diagnostics()
    first, second, manifest = Source("first", "xyz"), Source("second", "xyz"), Source("linnet.toml", "")
    diagnostics.report("E2101", "d", Span(second, 0, 1))
    diagnostics.report("E2101", "c", Span(first, 2, 3))
    diagnostics.report("E2102", "b", Span(first, 1, 2))
    diagnostics.report("E2101", "a", Span(first, 1, 2))
    diagnostics.report("E5001", "m", Span(manifest, 0, 0))
    diagnostics.report("E6002", "n", None)
    diagnostics.files = (first, second)
    assert "".join(d.message for d in diagnostics.ordered()) == "nmabcd"
    assert list(diagnostics) == list(diagnostics.ordered())


def test_errors_are_raised_together_and_warnings_alone_are_not() -> None:
    diagnostics, source = Diagnostics(), Source("a", "xy")
    diagnostics.report("W1001", "w", Span(source, 1, 2))
    diagnostics.raise_errors()
    assert not diagnostics.has_errors
    diagnostics.report("E1201", "e", Span(source, 0, 1))
    with pytest.raises(SourceError) as caught:
        diagnostics.raise_errors()
    assert [d.code for d in caught.value.diagnostics] == ["E1201", "W1001"]


@pytest.mark.parametrize(
    ("name", "known", "expected"),
    [
        pytest.param("wieght", ["weight", "bias"], ["weight"], id="two letters swapped"),
        pytest.param("Weight", ["weight", "height"], ["weight", "height"], id="case first"),
        pytest.param("forwrd", ["forward", "backward"], ["forward"], id="a letter left out"),
        pytest.param("x", ["y", "z"], [], id="one letter is like no other"),
        pytest.param("abc", ["abc"], [], id="the name itself is no suggestion"),
        pytest.param("softmax", ["sqrt", "sum"], [], id="nothing near"),
        pytest.param("linea", ["linear", "lines", "line", "liner"], ["line", "linear", "liner"], id="nearest first, at most three"),
    ],
)
def test_near_names(name: str, known: list[str], expected: list[str]) -> None:
    assert near_names(name, known) == expected
    assert near_names(name, reversed(known)) == expected


def test_near_names_as_a_help_line() -> None:
    assert did_you_mean("aaaa", ["bbbb"]) is None
    assert did_you_mean("weigth", ["weight"]) == "did you mean `weight`?"
    assert did_you_mean("linea", ["linear", "lines", "line"]) == "did you mean `line`, `linear` or `lines`?"
