"""Where the comments of a file stand between its tokens.

In: a `Source`, its tokens and its comments.  Out: `Gap` by the index of the token after it, for every gap that holds a
comment.  Comments on one line stay together: a run.  A run on a line of its own keeps it; one that ends a line ends a line
again; a block comment between two tokens of a line stays between them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from linnet_core.syntax.tokens import END

if TYPE_CHECKING:
    from linnet_core.syntax.tokens import Comment, Token
    from linnet_core.text.source import Source

_LINE_END = re.compile("\r\n?|\n")
#: What the token after it stands right after.
OPENERS = frozenset(("(", "[", "{", "<"))
#: What stands right after the token before it.
CLOSERS = frozenset((")", "]", "}", ">", ">=", ",", ";", "?", ".", END))


class Run(Struct, frozen=True):
    """Comments of one line."""

    text: str
    #: Whether something can follow them on their line.
    inline: bool
    #: What stands before the first of them, when they begin their line.
    indent: str | None = None
    #: Whether an empty line stands before them.
    blank: bool = False


class Gap(Struct, frozen=True):
    """The comments before one token."""

    #: Ends the line of the token before.
    ending: Run | None
    #: Block comments right after the token before.
    after: str
    #: Each on a line of its own.
    own: tuple[Run, ...]
    #: Block comments right before the token.
    before: str
    #: Whether an empty line stands between all this and the token.
    blank: bool


class _Found(Struct, frozen=True):
    """A run, and how it lies in the text."""

    run: Run
    begins_line: bool
    ends_line: bool


def line_ends(text: str) -> int:
    """How many lines end in `text`."""
    return len(_LINE_END.findall(text))


def gaps(source: Source, tokens: list[Token], comments: list[Comment]) -> dict[int, Gap]:
    """The gaps of a file that hold comments, by the index of the token after each."""
    found: dict[int, Gap] = {}
    at = 0
    for index, token in enumerate(tokens):
        if at == len(comments):
            break
        first = at
        while at < len(comments) and comments[at].start < token.start:
            at += 1
        if at > first:
            before = tokens[index - 1] if index else None
            runs = _runs(source.text, before.end if before else 0, comments[first:at], token)
            blank = line_ends(source.text[comments[at - 1].end : token.start]) > 1
            found[index] = _gap(before.kind if before else "", runs, token.kind, blank)
    return found


def _runs(text: str, start: int, comments: list[Comment], token: Token) -> list[_Found]:
    """The comments from the offset `start` to `token`, those of one line together."""
    runs: list[_Found] = []
    words: list[str] = []
    spaces = text[start : comments[0].start]
    for index, comment in enumerate(comments):
        last = index + 1 == len(comments)
        after = text[comment.end : token.start if last else comments[index + 1].start]
        words.append(_tidy(comment.text))
        if last or line_ends(after):
            lines = line_ends(spaces) if start else 1
            written = " ".join(words)
            inline = comment.text.startswith("/*") and "\n" not in written
            run = Run(written, inline, _LINE_END.split(spaces)[-1] if lines else None, lines > 1)
            runs.append(_Found(run, lines > 0, line_ends(after) > 0 or token.kind == END))
            words, spaces, start = [], after, comment.end
    return runs


def _tidy(text: str) -> str:
    """A comment without white space at the ends of its lines."""
    return "\n".join(line.rstrip(" \t") for line in _LINE_END.split(text))


def _gap(before: str, runs: list[_Found], after: str, blank: bool) -> Gap:
    """The runs between a token of kind `before` and one of kind `after`, each where it is printed."""
    ending, attached, leading = None, "", ""
    first, last = runs[0], runs[-1]
    if not first.begins_line:
        runs = runs[1:]
        if first.ends_line or not first.run.inline or (before == "{" and after == "}"):
            ending = first.run
        elif after in CLOSERS:
            attached = first.run.text
        else:
            leading = first.run.text
    if runs and last.run.inline and not last.ends_line and after not in CLOSERS:
        leading = last.run.text
        runs = runs[:-1]
    return Gap(ending, attached, tuple(found.run for found in runs), leading, blank)
