"""Random files: the formatted text is the same program with the same comments, and formatting it changes nothing."""

from __future__ import annotations

import os
from itertools import pairwise
from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_text import Text

from linnet_core.syntax.format import format_text
from linnet_core.syntax.format.same import same_comments, same_tree
from linnet_core.syntax.lexer import lex
from linnet_core.syntax.parse_file import parse
from linnet_core.syntax.tree.items import File
from linnet_core.text.diagnostic import Diagnostics
from linnet_core.text.source import Source

#: The environment variable LINNET_FUZZ multiplies the number of examples.
MORE = int(os.environ.get("LINNET_FUZZ", "1"))

fuzz = settings(max_examples=100 * MORE, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


def tree(text: str) -> File:
    diagnostics = Diagnostics()
    file = parse(Source("t.linnet", text), diagnostics)
    assert diagnostics.found == ()
    return file


def words(text: str) -> list[str]:
    """The tokens without commas, of which the formatter adds some."""
    return [token.text for token in lex(Source("t.linnet", text), []).tokens if token.kind != ","]


def check(text: str) -> None:
    before = tree(text)
    result = format_text(text)
    after = tree(result)
    assert same_tree(before, after)
    assert same_comments(before.comments, after.comments)
    assert words(result) == words(text)
    assert format_text(result) == result
    assert result.endswith("\n")
    assert not result.endswith("\n\n")
    assert "\n\n\n" not in result
    assert "\r" not in result
    assert not any(line.endswith((" ", "\t")) for line in result.split("\n"))


@fuzz
@given(st.randoms(use_true_random=False), st.sampled_from([0.005, 0.03, 0.2]))
def test_files_with_comments_anywhere(random: Random, comments: float) -> None:
    check(Text(random, comments=comments).file())


@fuzz
@given(st.randoms(use_true_random=False))
def test_where_the_lines_of_a_source_end_does_not_matter(random: Random) -> None:
    text = Text(random, comments=0).file()
    assert format_text(spread(text, "\n")) == format_text(spread(text, " "))


def spread(text: str, gap: str) -> str:
    """The tokens of a text with `gap` between them, but where they stand together and that says something."""
    tokens = lex(Source("t.linnet", text), []).tokens
    parts: list[str] = []
    for token, following in pairwise(tokens):
        together = token.end == following.start and (token.kind, following.kind) in ((">", "("), (":", ":"))
        parts += (token.text, "" if together else gap)
    return "".join(parts)
