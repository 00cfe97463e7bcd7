"""Columns, line ends, white space in comments: what a text file of cases does not show."""

from __future__ import annotations

import pytest

from linnet_core.errors import InternalError, SourceError
from linnet_core.syntax.format import door, format_source, format_text
from linnet_core.syntax.format.layout import COLUMNS
from linnet_core.text.source import decode


@pytest.mark.parametrize("columns", [pytest.param(COLUMNS, id="the last column"), pytest.param(COLUMNS + 1, id="one more")])
def test_a_line_has_a_hundred_columns(columns: int) -> None:
    name = "x" * (columns - len("const X = f(a, )"))
    joined = f"module m\n\nconst X = f(a, {name})\n"
    broken = f"module m\n\nconst X = f(\n    a,\n    {name},\n)\n"
    assert format_text(joined) == (joined if columns <= COLUMNS else broken)
    assert format_text(broken.replace(",\n)", "\n)")) == (joined if columns <= COLUMNS else broken)


def test_what_follows_on_the_line_counts() -> None:
    name = "x" * (COLUMNS - len("fn f(a: ) -> f32 {}") + 1)
    assert format_text(f"module m fn f(a: {name}) -> f32 {{}}") == f"module m\n\nfn f(\n    a: {name},\n) -> f32 {{}}\n"


@pytest.mark.parametrize("end", [pytest.param(end, id=repr(end)) for end in ("\n", "\r\n", "\r")])
def test_lines_end_with_lf(end: str) -> None:
    text = end.join(["module m", "", "", "", "// a", "", "/* b", "c */", "const X = 1", ""])
    assert format_text(text) == "module m\n\n// a\n\n/* b\nc */\nconst X = 1\n"


def test_a_byte_order_mark_is_left_out() -> None:
    assert format_source(decode("m.linnet", b"\xef\xbb\xbfmodule m\r\n")) == "module m\n"


def test_columns_are_code_points() -> None:
    text = "é😀" * 30
    assert format_text(f'module m const X = "{text}"') == f'module m\n\nconst X = "{text}"\n'


def test_inner_spaces_of_a_comment_stay() -> None:
    assert format_text("module m  \t//  two  spaces \t\n") == "module m //  two  spaces\n"


def test_a_block_comment_moves_as_a_whole() -> None:
    before = "module m fn f() {\n\t/* a\n\t * b  \n\n\t */\n\treturn\n}"
    assert format_text(before) == "module m\n\nfn f() {\n    /* a\n     * b\n\n     */\n    return\n}\n"


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        pytest.param("const X = 1", ["E1102"], id="no module"),
        pytest.param("", ["E1102"], id="an empty file"),
        pytest.param("module m const X = = 1 const Y = 007", ["E1101", "E1005"], id="two errors"),
        pytest.param("module m /* a", ["E1002"], id="an open comment"),
        pytest.param("module m // \udcff", ["E1001"], id="bytes that are no text"),
    ],
)
def test_a_file_with_errors_is_refused_with_all_of_them(text: str, codes: list[str]) -> None:
    with pytest.raises(SourceError) as caught:
        format_text(text)
    assert [found.code for found in caught.value.diagnostics] == codes


@pytest.mark.parametrize(
    ("made", "words"),
    [
        pytest.param("module m // a\nconst X = 2\n", "another program", id="another value"),
        pytest.param("module m // a\nconst X = 1\nconst Y = 1\n", "another program", id="one item more"),
        pytest.param("module m\nconst X = 1\n", "other comments", id="a comment less"),
        pytest.param("module m // b\nconst X = 1\n", "other comments", id="another comment"),
        pytest.param("module m // a\nconst X = = 1\n", "does not parse", id="no program"),
    ],
)
def test_a_result_that_is_not_the_same_program_is_not_given_out(monkeypatch: pytest.MonkeyPatch, made: str, words: str) -> None:
    monkeypatch.setattr(door, "lay_out", lambda events: made)
    with pytest.raises(InternalError, match=words):
        format_text("module m // a\nconst X = 1")
