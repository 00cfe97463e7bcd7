"""The exact text of diagnostics."""

from __future__ import annotations

import re

import pytest

from linnet_core.text.diagnostic import Diagnostic, Label
from linnet_core.text.show_text import show_text
from linnet_core.text.source import Source
from linnet_core.text.span import Span

SUM = Source("models/bad.linnet", "\n" * 6 + "    let c[m, n] = sum[k] a[m, k] * b[k, n]\n")


def span(source: Source, words: str, of: str | None = None) -> Span:
    """Where `words` stand in the source; inside `of` if given."""
    start = source.text.index(of) + of.index(words) if of is not None else source.text.index(words)
    return Span(source, start, start + len(words))


TWO_EXTENTS = Diagnostic(
    "E2201",
    "`k` stands for two extents",
    span(SUM, "sum[k]"),
    "two extents",
    (Label(span(SUM, "k", "k] * b"), "K1 here"), Label(span(SUM, "k", "k, n]"), "K2 here")),
    ("`a` binds `k` to K1", "`b` binds `k` to K2"),
    "state that they are equal: `where K1 == K2`",
)
TWO_EXTENTS_TEXT = """\
error E2201: `k` stands for two extents

  --> models/bad.linnet:7:19
   |
 7 |     let c[m, n] = sum[k] a[m, k] * b[k, n]
   |                   ^^^^^^ two extents
   |                               - K1 here
   |                                      - K2 here
   |
   = note: `a` binds `k` to K1
   = note: `b` binds `k` to K2
   = help: state that they are equal: `where K1 == K2`
"""


def test_labels_on_the_same_line_follow_the_primary() -> None:
    assert show_text([TWO_EXTENTS], colour=False) == TWO_EXTENTS_TEXT


def test_blocks_are_separated_by_one_empty_line() -> None:
    assert show_text([TWO_EXTENTS, TWO_EXTENTS], colour=False) == f"{TWO_EXTENTS_TEXT}\n{TWO_EXTENTS_TEXT}"


def test_no_diagnostics_are_no_text() -> None:
    assert show_text([], colour=False) == ""


def test_colour_changes_no_character() -> None:
    coloured = show_text([TWO_EXTENTS, Diagnostic("W1003", "`b` is never used", span(SUM, "b"))], colour=True)
    plain = show_text([TWO_EXTENTS, Diagnostic("W1003", "`b` is never used", span(SUM, "b"))], colour=False)
    assert coloured != plain
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain


def test_an_earlier_line_comes_first_and_lines_between_are_left_out() -> None:
    source = Source("a.linnet", "fn f(\n  x\n  y\n) {\n}\n")
    found = Diagnostic("W1002", "m", span(source, ") {"), None, (Label(span(source, "("), "opened here"), Label(span(source, "x"), "x")))
    assert show_text([found], colour=False) == (
        "warning W1002: m\n"
        "\n"
        "  --> a.linnet:4:1\n"
        "   |\n"
        " 1 | fn f(\n"
        "   |     - opened here\n"
        " 2 |   x\n"
        "   |   - x\n"
        "...\n"
        " 4 | ) {\n"
        "   | ^^^\n"
        "   |\n"
    )


def test_a_span_over_several_lines_is_underlined_to_the_end_of_its_first() -> None:
    source = Source("a.linnet", "  match x {  \n    none => 1\n  }\n")
    found = Diagnostic("E2118", "m", Span(source, 2, len(source.text) - 1))
    assert show_text([found], colour=False).splitlines()[4:6] == [" 1 |   match x {  ", "   |   ^^^^^^^^^"]


@pytest.mark.parametrize(
    ("line", "arrow", "bar", "shown"),
    [
        pytest.param(9, "  -->", "   |", " 9 | x", id="one digit"),
        pytest.param(99, "  -->", "   |", "99 | x", id="two digits"),
        pytest.param(100, "   -->", "    |", "100 | x", id="three digits"),
    ],
)
def test_the_frame_widens_with_the_line_number(line: int, arrow: str, bar: str, shown: str) -> None:
    source = Source("a", "\n" * (line - 1) + "x")
    rows = show_text([Diagnostic("E1201", "m", span(source, "x"), help="h")], colour=False).splitlines()
    assert rows[2].startswith(f"{arrow} a:")
    assert rows[3:7] == [bar, shown, f"{bar} ^", bar]
    assert rows[7] == f"{bar[:-1]}= help: h"


@pytest.mark.parametrize(
    ("before", "under"),
    [
        pytest.param("\tlet s = ", "\t" + " " * 8, id="a tab is copied"),
        pytest.param("模型 ", " " * 5, id="wide characters take two cells"),
        pytest.param("é ", " " * 2, id="an accented letter takes one"),
        pytest.param("e\u0301 ", " " * 2, id="a combining accent takes none"),
        pytest.param("😀\u200d😀 ", " " * 5, id="a joiner takes none"),
        pytest.param("\x1b[31m ", " " * 6, id="an escape byte takes one"),
        pytest.param("\udce9 ", " " * 2, id="a byte that is not UTF-8 takes one"),
    ],
)
def test_carets_stand_under_the_words_in_a_terminal(before: str, under: str) -> None:
    source = Source("a", f"{before}missing")
    rows = show_text([Diagnostic("E1201", "m", span(source, "missing"))], colour=False).splitlines()
    assert rows[5] == f"   | {under}^^^^^^^"


def test_wide_characters_under_the_carets_count_too() -> None:
    source = Source("a", "x 模é y")
    rows = show_text([Diagnostic("E1001", "m", span(source, "模é"))], colour=False).splitlines()
    assert rows[5] == "   |   ^^^"


def test_nothing_that_moves_the_cursor_is_sent() -> None:
    source = Source("a\x1b[2J\n\u202e.linnet", "x \x1b[31m \x07 \x9b \u202e y")
    found = Diagnostic("E1201", "m \x1b[0m\r", span(source, "y"), "l\x08", notes=("n\x1b",), help="h\n")
    text = show_text([found], colour=False)
    assert all(character == "\n" or character.isprintable() for character in text)
    assert "\u202e" not in text
    assert "a\\x1b[2J\\n\\u202e.linnet:1:" in text


def test_brackets_are_characters_like_others() -> None:
    source = Source("src/[id]/[/red].linnet", "let x = a[i, /2] [bold]")
    found = Diagnostic("E3101", "Tensor[b, s; f32], found x[i] :cat: [/]", span(source, "[i, /2]"), "[/x]")
    for colour in (True, False):
        text = re.sub(r"\x1b\[[0-9;]*m", "", show_text([found], colour=colour))
        assert "src/[id]/[/red].linnet:1:10" in text
        assert "Tensor[b, s; f32], found x[i] :cat: [/]" in text
        assert " 1 | let x = a[i, /2] [bold]\n" in text
        assert "^^^^^^^ [/x]\n" in text


def test_a_span_in_another_file_is_a_place_of_its_own() -> None:
    other = Source("b.linnet", "\nfn g() {}\n")
    here = Source("a.linnet", "use b::g")
    found = Diagnostic("E1203", "`g` is private", span(here, "g"), None, (Label(span(other, "g"), "declared here"),), ("n",))
    assert show_text([found], colour=False) == (
        "error E1203: `g` is private\n"
        "\n"
        "  --> a.linnet:1:8\n"
        "   |\n"
        " 1 | use b::g\n"
        "   |        ^\n"
        "   |\n"
        "  --> b.linnet:2:4\n"
        "   |\n"
        " 2 | fn g() {}\n"
        "   |    - declared here\n"
        "   |\n"
        "   = note: n\n"
    )


def test_the_end_of_a_file_gets_one_caret() -> None:
    source = Source("a", "fn f() {")
    rows = show_text([Diagnostic("E1101", "m", Span(source, 8, 8))], colour=False).splitlines()
    assert rows[2:6] == ["  --> a:1:9", "   |", " 1 | fn f() {", "   |         ^"]


def test_an_empty_file_has_a_place() -> None:
    source = Source("a", "")
    rows = show_text([Diagnostic("E1102", "m", Span(source, 0, 0))], colour=False).splitlines()
    assert rows[2:6] == ["  --> a:1:1", "   |", " 1 |", "   | ^"]


def test_a_problem_of_no_file_has_no_place() -> None:
    assert show_text([Diagnostic("E6002", "m", None, notes=("n",), help="h")], colour=False) == (
        "error E6002: m\n\n   = note: n\n   = help: h\n"
    )
    assert show_text([Diagnostic("E6002", "m", None)], colour=False) == "error E6002: m\n"


def test_a_long_line_is_shown_whole_and_an_endless_one_around_the_words() -> None:
    long = Source("a", "x" * 3000 + " here")
    assert f" 1 | {long.text}\n" in show_text([Diagnostic("E1201", "m", span(long, "here"))], colour=False)
    endless = Source("a", "x" * 5_000_000 + " here " + "y" * 5_000_000)
    rows = show_text([Diagnostic("E1201", "m", span(endless, "here"))], colour=False).splitlines()
    assert len(rows[4]) < 1000
    assert rows[5].index("^") == rows[4].index("here")
