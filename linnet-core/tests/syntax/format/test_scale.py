"""Long and deep files: the limits of the parser are the only ones."""

from __future__ import annotations

import sys

import pytest

from linnet_core.errors import SourceError
from linnet_core.syntax.format import format_text
from linnet_core.syntax.limits import MAX_CHAIN, MAX_NESTING

#: Brackets around a value that cost the parser one level each, and what the formatter needs most calls for.
NESTED = [
    pytest.param("(", "x", ")", id="parentheses"),
    pytest.param("(", "x", ",)", id="tuples"),
    pytest.param("f(a || b && c == d < e | f ^ g & h + i * -f(", "x", "))", id="calls between all operators"),
    pytest.param("x[a + ", "1", ":2]", id="indexings"),
    pytest.param("f<a * ", "x", ">(1)", id="generic arguments"),
    pytest.param("a + sum[i] ", "x", "", id="reductions"),
    pytest.param("a + some(", "x", ")", id="options"),
    pytest.param("if c { ", "x", " } else { y }", id="ifs"),
    pytest.param("match c { some(y) => ", "x", " }", id="matches"),
    pytest.param("for i in 0..1 { yield ", "x", " }", id="scans"),
]


def deepest(opening: str, inner: str, closing: str) -> str:
    """A constant as deep as the parser takes it."""
    for depth in range(MAX_NESTING, 0, -1):
        text = f"module m\nconst X = {opening * depth}{inner}{closing * depth}\n"
        try:
            format_text(text)
        except SourceError:
            continue
        assert depth > MAX_NESTING // 5
        return text
    raise AssertionError(opening)


@pytest.mark.parametrize(("opening", "inner", "closing"), NESTED)
def test_what_the_parser_takes_is_formatted(opening: str, inner: str, closing: str) -> None:
    result = format_text(deepest(opening, inner, closing))
    assert format_text(result) == result


def test_nested_bodies_and_blocks() -> None:
    loops = MAX_NESTING - 1
    format_text(f"module m\nfn f() {{\n{'while c { ' * loops}{'}' * loops}}}\n")
    format_text(f"module m\n{'block B { ' * loops}{'}' * loops}\n")


def test_long_flat_files() -> None:
    statements = "".join(f"    let x{n} = f(x{n}, {n}) + 3 * x{n}\n" for n in range(8000))
    text = f"module m\n\nfn f() {{\n{statements}}}\n"
    assert format_text(text) == text
    chain = " + ".join(["x"] * (MAX_CHAIN + 1))
    assert format_text(f"module m const X = {chain}").count("\n") == MAX_CHAIN + 4
    arguments = "a, " * 20_000
    assert format_text(f"module m const X = f({arguments})").count("\n") == 20_000 + 4
    remarks = "// a\n" * 20_000
    assert format_text(f"module m\n{remarks}const X = f({'/* a */ b, ' * 5000})").count("\n") == 20_000 + 5000 + 4


def test_nested_comments() -> None:
    depth = 100_000
    assert format_text("module m " + "/* " * depth + "*/ " * depth).endswith("*/\n")


def test_too_long_is_a_diagnostic() -> None:
    with pytest.raises(SourceError, match="E1104"):
        format_text("module m const X = " + " + ".join(["x"] * 20_000))


def test_recursion_leaves_room_for_the_command_line() -> None:
    """As deep as the parser goes, with a quarter of the interpreter's stack taken."""
    limit = sys.getrecursionlimit()
    text = deepest("f(a || b && c == d < e | f ^ g & h + i * -f(", "x", "))")

    def within(frames: int) -> str:
        return format_text(text) if frames == 0 else within(frames - 1)

    assert within(limit // 4)
