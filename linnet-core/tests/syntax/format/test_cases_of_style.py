"""What becomes of each construct and each comment: text before, text after, and after that nothing more."""

from __future__ import annotations

from textwrap import indent

import pytest
from style_cases import cases

from linnet_core.syntax.format import format_text

BODY = "module m\n\nfn f() -> f32 {{\n{}}}\n"


def check(before: str, after: str) -> None:
    assert format_text(before) == after
    assert format_text(after) == after


@pytest.mark.parametrize(("before", "after"), cases("items.txt"))
def test_items(before: str, after: str) -> None:
    check(f"module m\n{before}", f"module m\n\n{after}")


@pytest.mark.parametrize(("before", "after"), cases("statements.txt"))
def test_statements(before: str, after: str) -> None:
    check(BODY.format(f"{before}\n"), BODY.format(indent(after, "    ")))


@pytest.mark.parametrize(("before", "after"), cases("comments.txt"))
def test_comments(before: str, after: str) -> None:
    check(before, after)
