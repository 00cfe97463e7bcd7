"""Long and deep programs: read, or refused with E1104 at a place, and never an exception."""

from __future__ import annotations

import pytest

from linnet_core.syntax.limits import MAX_CHAIN, MAX_ERRORS, MAX_NESTING
from linnet_core.syntax.parse_file import parse
from linnet_core.text.diagnostic import Diagnostics
from linnet_core.text.source import Source


def codes(text: str) -> list[str]:
    diagnostics = Diagnostics()
    parse(Source("t.linnet", text), diagnostics)
    assert all(d.span is not None for d in diagnostics.found)
    return [d.code for d in diagnostics.found]


def value(text: str) -> str:
    return f"module m\nfn f() {{\n    let a = {text}\n    let = 0\n    return\n}}\n"


NESTED = [
    pytest.param("(", "x", ")", id="parentheses"),
    pytest.param("-(", "x", ")", id="minuses"),
    pytest.param("[", "x", "]", id="lists"),
    pytest.param("f(", "x", ")", id="calls"),
    pytest.param("f(1 + ", "x", ")", id="calls in sums"),
    pytest.param("x[", "0", "]", id="indexings"),
    pytest.param("x[0:", "1", "]", id="slices"),
    pytest.param("some(", "x", ")", id="some"),
    pytest.param("if c { x } else { ", "x", " }", id="if"),
    pytest.param("match c { a => ", "x", " }", id="match"),
    pytest.param("sum[i] ", "x", "", id="reductions"),
    pytest.param("for i in 0..3 { yield ", "x", " }", id="for"),
    pytest.param("f<1 * ", "x", ">(x)", id="generic calls"),
    pytest.param("f<", "x * 2", ">(x)", id="generic calls that do not read as types"),
    pytest.param("f<(1 * g<[", "x", "]>(x))>(x)", id="shapes in generic calls"),
]


def test_nesting_up_to_the_limit_is_read() -> None:
    depth = MAX_NESTING - 2
    assert codes(value("(" * depth + "x" + ")" * depth)) == ["E1101"]


@pytest.mark.parametrize(("before", "inside", "after"), NESTED)
def test_deeper_nesting_is_one_error_and_reading_goes_on(before: str, inside: str, after: str) -> None:
    assert codes(value(before * 5000 + inside + after * 5000)) == ["E1104", "E1101"]


@pytest.mark.parametrize(("before", "inside", "after"), NESTED)
def test_the_limit_comes_before_that_of_the_interpreter_from_a_deep_stack_too(before: str, inside: str, after: str) -> None:
    def called_from(depth: int) -> list[str]:
        return called_from(depth - 1) if depth else codes(value(before * 200 + inside + after * 200))

    assert called_from(200) == ["E1104", "E1101"]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("module m\nfn f(x: " + "(" * 5000 + "f32" + ",)" * 5000 + ") { return }", id="types"),
        pytest.param("module m\nfn f() { " + "while c { " * 5000 + "x = 1" + " }" * 5000 + " return }", id="loops"),
        pytest.param("module m\nfn f() { let " + "(" * 5000 + "a" + ",)" * 5000 + " = x return }", id="patterns"),
        pytest.param("module m\n" + "block A { " * 5000 + " }" * 5000, id="blocks"),
    ],
)
def test_deep_types_bodies_patterns_and_blocks_are_one_error(text: str) -> None:
    assert codes(text) == ["E1104"]


@pytest.mark.parametrize(
    ("first", "link"),
    [
        pytest.param("x", " + x", id="sum"),
        pytest.param("x", "[0]", id="indexings"),
        pytest.param("x", ".b", id="fields"),
        pytest.param("x", "()", id="calls"),
        pytest.param("x", " < x", id="comparisons"),
    ],
)
def test_a_chain_is_read_up_to_the_limit_and_refused_beyond(first: str, link: str) -> None:
    assert codes(value(first + link * MAX_CHAIN)) == ["E1101"]
    assert codes(value(first + link * (MAX_CHAIN + 1))) == ["E1104", "E1101"]
    assert codes(value(first + link * 20_000)) == ["E1104", "E1101"]


def test_chains_inside_parentheses_add_up() -> None:
    half = MAX_CHAIN // 2
    assert codes(value("(" + "x" + " + x" * half + ")" + " + x" * (half + 1))) == ["E1104", "E1101"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("(", ")", id="parentheses"),
        pytest.param("f(", ")", id="arguments"),
        pytest.param("f<1 * ", ">(x)", id="generic arguments"),
        pytest.param("f<Tensor[", "; f32]>(x)", id="dimensions"),
        pytest.param("y[", "]", id="indices"),
        pytest.param("(for i in 0..3 { yield ", " })", id="bodies"),
        pytest.param("(if c { ", " } else { x })", id="branches"),
    ],
)
def test_chains_inside_anything_add_up_so_that_no_tree_is_deep(before: str, after: str) -> None:
    text = "x"
    for _ in range(3):
        text = before + text + " + x" * (MAX_CHAIN // 2) + after
    assert codes(value(text)) == ["E1104", "E1101"]


def test_what_stands_side_by_side_does_not_add_up() -> None:
    assert codes(value("[" + "x + y, " * 5000 + "z]")) == ["E1101"]
    assert codes(value("f(" + "g(x[0], y.z), " * 5000 + "z)")) == ["E1101"]


def test_many_prefix_operators_are_one_error_at_the_second() -> None:
    diagnostics = Diagnostics()
    source = Source("t.linnet", value("- " * 5000 + "x"))
    parse(source, diagnostics)
    first = diagnostics.found[0]
    assert first.code == "E1101"
    assert first.span is not None
    assert source.position(first.span.start).column == len("    let a = - ") + 1


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("module m\nfn f() {\n" + "    y = y + 1.0\n" * 8000 + "    return\n}\n", id="statements"),
        pytest.param("module m\nfn f() { return g(" + "a < b, " * 20_000 + "c) }", id="comparisons that could be generic arguments"),
        pytest.param("module m\n" + "const A: B<C>=3\n" * 5000, id="split signs"),
        pytest.param("module m\nuse " + ".".join(["a"] * 5000), id="path"),
    ],
)
def test_long_flat_programs_are_read(text: str) -> None:
    assert codes(text) == []


@pytest.mark.parametrize(
    ("text", "first"),
    [
        pytest.param("fn " * 300_000, "E1102", id="keywords"),
        pytest.param("$ " * 300_000, "E1001", id="characters that cannot appear"),
        pytest.param("module m const A = " + "9" * 1_000_000, "E1005", id="a number"),
        pytest.param("module m const A = " + '"' + "a" * 1_000_000, "E1003", id="a string"),
        pytest.param("{" * 300_000, "E1102", id="braces"),
        pytest.param("module m fn f() { " + "let " * 300_000, "E1101", id="statements"),
    ],
)
def test_large_garbage_is_a_bounded_number_of_errors(text: str, first: str) -> None:
    found = codes(text)
    assert found[0] == first
    assert len(found) <= MAX_ERRORS + 1
