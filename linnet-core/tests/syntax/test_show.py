"""Tokens and trees as text: everything that was read, on lines that are not too long, in time and stack that do not grow with depth."""

from __future__ import annotations

import sys

import pytest

from linnet_core.syntax.lexer import lex
from linnet_core.syntax.parse_file import parse
from linnet_core.syntax.show import WIDTH, show_tokens, show_tree
from linnet_core.text.diagnostic import Diagnostics
from linnet_core.text.source import Source


def tree(text: str) -> str:
    return show_tree(parse(Source("m.linnet", text), Diagnostics()))


def tokens(text: str) -> str:
    source = Source("m.linnet", text)
    return show_tokens(source, lex(source, []))


def test_a_token_has_its_place_its_text_and_its_kind():
    assert tokens("module m\n\nconst é = 0x1F\n") == (
        "  1:1   module\n  1:8   m  (name)\n  3:1   const\n  3:9   =\n  3:11  0x1F  (integer)\n  4:1     (end of file)\n"
    )


def test_what_does_not_print_moves_no_cursor():
    text = 'module m\n// \x1b[31m\nconst A = "\x1b[31m"\n'
    assert "\x1b" not in tokens(text) + tree(text)
    assert "\\x1b[31m" in tokens(text)
    assert "\\x1b[31m" in tree(text)


def test_a_small_tree_stands_on_few_lines():
    assert tree("module m.n\n\nuse std.nn\n\npub const A: i64 = 1 + 2\n") == (
        "File name=m.n uses=[Use(path=std.nn)]\n"
        "  items:\n"
        "    Const public=True name=A type=NamedType(path=i64)\n"
        "      value:\n"
        "        Binary operator=+ left=IntLiteral(value=1) right=IntLiteral(value=2)\n"
    )


def test_comments_are_shown():
    assert "Comment(text=// said, start=9)" in tree("module m\n// said\n")


@pytest.mark.parametrize(
    "expression",
    [
        pytest.param("x" + " + x" * 900, id="a long sum"),
        pytest.param("(" * 90 + "x" + ")" * 90, id="parentheses"),
        pytest.param("x" + ".y" * 900, id="fields"),
        pytest.param("f(" * 90 + "x" + ")" * 90, id="calls"),
        pytest.param("(" + "x, " * 5000 + "x)", id="a wide tuple"),
    ],
)
def test_a_deep_tree_takes_no_stack_and_shows_every_name(expression):
    text = f"module m\n\nfn f(x: f32) -> f32 {{\n    return {expression}\n}}\n"
    limit = sys.getrecursionlimit()
    parsed = parse(Source("m.linnet", text), Diagnostics())
    sys.setrecursionlimit(300)
    try:
        shown = show_tree(parsed)
    finally:
        sys.setrecursionlimit(limit)
    assert shown.count("name=x") == expression.count("x") + 1
    assert all(len(line.strip()) <= WIDTH for line in shown.splitlines())
