"""What becomes of text: tokens, comments, and every lexical error at its place."""

from __future__ import annotations

import pytest

from linnet_core.syntax.lexer import lex
from linnet_core.text.source import Source


def kinds(text: str) -> list[str]:
    errors = []
    tokens = lex(Source("t.linnet", text), errors).tokens
    assert not errors
    return [token.kind for token in tokens[:-1]]


def texts(text: str) -> list[str]:
    return [token.text for token in lex(Source("t.linnet", text), []).tokens[:-1]]


def faults(text: str) -> list[tuple[str, int, int, str]]:
    errors = []
    source = Source("t.linnet", text)
    lex(source, errors)
    return [(e.code, *_place(source, e.span.start), e.span.text) for e in errors]


def _place(source: Source, offset: int) -> tuple[int, int]:
    position = source.position(offset)
    return position.line, position.column


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("let x", ["let", "name"], id="keyword and name"),
        pytest.param("lets _ _x9 Tensor std", ["name"] * 5, id="names that only look like keywords"),
        pytest.param("grad grid warps stages store random sum", ["name"] * 7, id="words that are keywords in one place"),
        pytest.param("yield kernel some", ["yield", "kernel", "some"], id="keywords everywhere"),
        pytest.param("async ref device", ["reserved word"] * 3, id="reserved words"),
        pytest.param("self super extern", ["self", "super", "extern"], id="words the parser refuses"),
        pytest.param("0 1_000 0xff 0xFF_a 0b1010 0b1_0", ["integer"] * 6, id="integers"),
        pytest.param("1.5 1e-5 3.141_592 1e5 2E+3 0.5 1_0.0_1e1_0", ["float"] * 7, id="floats"),
        pytest.param("0..N", ["integer", "..", "name"], id="range after an integer"),
        pytest.param("2..K", ["integer", "..", "name"], id="two dots are no point"),
        pytest.param("0...1", ["integer", "...", "integer"], id="three dots"),
        pytest.param("x[::2]", ["name", "[", ":", ":", "integer", "]"], id="two colons are two tokens"),
        pytest.param("a<=b>=c==d!=e", ["name", "<=", "name", ">=", "name", "==", "name", "!=", "name"], id="comparisons"),
        pytest.param("a->b=>c", ["name", "->", "name", "=>", "name"], id="arrows"),
        pytest.param("&&&|||^!", ["&&", "&", "||", "|", "^", "!"], id="longest sign first"),
        pytest.param("-1", ["-", "integer"], id="a minus is its own token"),
        pytest.param(r'"a\n\t\\\"\u{1F600}b"', ["string"], id="every escape"),
        pytest.param('"// no comment /*"', ["string"], id="comment signs inside a string"),
        pytest.param("a // b\nc", ["name", "name"], id="line comment"),
        pytest.param("a /* b /* c */ d */ e", ["name", "name"], id="nested comment"),
        pytest.param("a /* \" ' */ e", ["name", "name"], id="quotes inside a comment"),
        pytest.param("a /**/ b /***/ c", ["name"] * 3, id="shortest comments"),
        pytest.param("a // b\rc", ["name", "name"], id="a lone CR ends a line comment"),
        pytest.param("a\r\n\tb", ["name", "name"], id="white space"),
        pytest.param("", [], id="nothing"),
    ],
)
def test_text_becomes_tokens(text: str, expected: list[str]) -> None:
    assert kinds(text) == expected


def test_tokens_know_their_places() -> None:
    tokens = lex(Source("t.linnet", "ab  +\n 1.5"), []).tokens
    assert [(t.text, t.start, t.end) for t in tokens] == [("ab", 0, 2), ("+", 4, 5), ("1.5", 7, 10), ("", 10, 10)]


def test_comments_are_kept_beside_the_tokens() -> None:
    comments = lex(Source("t.linnet", "/// doc\n// plain\n/** doc */ /* plain */ //// rule\n/**/ x"), []).comments
    assert [(c.text, c.documents) for c in comments] == [
        ("/// doc", True),
        ("// plain", False),
        ("/** doc */", True),
        ("/* plain */", False),
        ("//// rule", False),
        ("/**/", False),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("a $ b", [("E1001", 1, 3, "$")], id="a sign of other languages"),
        pytest.param("a\n  @ b # c", [("E1001", 2, 3, "@"), ("E1001", 2, 7, "#")], id="all of them, each at its place"),
        pytest.param("a → b", [("E1001", 1, 3, "→")], id="not ASCII"),
        pytest.param("é", [("E1001", 1, 1, "é")], id="a letter that is no identifier"),
        pytest.param("a\x00b", [("E1001", 1, 2, "\x00")], id="NUL"),
        pytest.param("a // \x00", [("E1001", 1, 6, "\x00")], id="NUL in a comment"),
        pytest.param("a\u00a0b", [("E1001", 1, 2, "\u00a0")], id="a space that is none"),
        pytest.param("a /* /* */ b", [("E1002", 1, 3, "/*")], id="unclosed comment"),
        pytest.param("a /*/", [("E1002", 1, 3, "/*")], id="a comment is not closed by its own star"),
        pytest.param('"abc\nd', [("E1003", 1, 1, '"abc')], id="unclosed string"),
        pytest.param('"abc\\"', [("E1003", 1, 1, '"abc\\"')], id="escaped last quote"),
        pytest.param(r'"a\qb\xc"', [("E1003", 1, 3, r"\q"), ("E1003", 1, 6, r"\x")], id="two bad escapes"),
        pytest.param(r'"\u{110000}"', [("E1003", 1, 2, r"\u{110000}")], id="beyond Unicode"),
        pytest.param(r'"\u{d800}"', [("E1003", 1, 2, r"\u{d800}")], id="a surrogate"),
        pytest.param(r'"\u{}"', [("E1003", 1, 2, r"\u{}")], id="no digits"),
        pytest.param(r'"\u41"', [("E1003", 1, 2, r"\u41")], id="no braces"),
        pytest.param('"\x1b"', [("E1003", 1, 2, "\x1b")], id="a control character in a string"),
        pytest.param("007", [("E1005", 1, 1, "007")], id="leading zeros"),
        pytest.param("00.5", [("E1005", 1, 1, "00.5")], id="leading zeros of a float"),
        pytest.param("1_", [("E1005", 1, 1, "1_")], id="underscore at the end"),
        pytest.param("1__0", [("E1005", 1, 1, "1__0")], id="two underscores"),
        pytest.param("0x_1", [("E1005", 1, 1, "0x_1")], id="underscore after the prefix"),
        pytest.param("1.5_", [("E1005", 1, 1, "1.5_")], id="underscore at the end of a float"),
        pytest.param(
            "0x 0b 0b2 0xg", [("E1005", 1, 1, "0x"), ("E1005", 1, 4, "0b"), ("E1005", 1, 7, "0b2"), ("E1005", 1, 11, "0xg")], id="digits"
        ),
        pytest.param("0X1 0o7", [("E1005", 1, 1, "0X1"), ("E1005", 1, 5, "0o7")], id="other prefixes"),
        pytest.param("1e", [("E1005", 1, 1, "1e")], id="an exponent without digits"),
        pytest.param("1. + .5", [("E1005", 1, 1, "1."), ("E1005", 1, 6, ".5")], id="digits on both sides of the point"),
        pytest.param("12px 1.5f", [("E1005", 1, 1, "12px"), ("E1005", 1, 6, "1.5f")], id="suffixes"),
    ],
)
def test_every_lexical_error_of_a_file_is_reported_at_its_place(text: str, expected: list[tuple[str, int, int, str]]) -> None:
    assert faults(text) == expected


def test_a_malformed_literal_leaves_a_token_so_that_the_parser_says_nothing() -> None:
    errors = []
    assert [t.kind for t in lex(Source("t", r'1_ "\q"'), errors).tokens] == ["malformed number", "string", "end of file"]
    assert [e.code for e in errors] == ["E1005", "E1003"]


def test_a_hundred_thousand_nested_comments_are_one_comment() -> None:
    assert texts("/* " * 100_000 + " */" * 100_000 + " x") == ["x"]
