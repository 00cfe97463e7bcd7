"""Text to tokens.

In: a `Source`.  Out: `Tokens`, and every lexical error of the file (E1001 to E1003, E1005).  A malformed literal still gives
a token, so that the parser sees the structure around it and says nothing about it again.
"""

from __future__ import annotations

import re
from sys import intern
from typing import TYPE_CHECKING

from linnet_core.syntax.limits import MAX_ERRORS
from linnet_core.syntax.literals import is_float, is_integer, number_fault, string_faults
from linnet_core.syntax.tokens import END, FLOAT, IDENT, INTEGER, KIND_OF_WORD, MALFORMED, STRING, Comment, Token, Tokens
from linnet_core.text.diagnostic import Diagnostic
from linnet_core.text.span import Span

if TYPE_CHECKING:
    from linnet_core.text.source import Source

#: A search skips white space by itself, since no alternative takes any.
_TOKEN = re.compile(
    r"""
      (?P<word>[A-Za-z_][A-Za-z0-9_]*)
    | (?P<line>//[^\r\n]*)
    | (?P<open>/\*)
    | (?P<sign>->|=>|==|!=|<=|>=|&&|\|\||\.\.\.?|[()\[\]{}<>,:;=+\-*/%!&|^?] | \.(?![0-9]))
    | (?P<number>0[xXbBoO][0-9A-Za-z_]*
        | [0-9][0-9_]*(?:\.[0-9][0-9_]*)?(?:[eE][+-]?[0-9][0-9_]*)?[A-Za-z_]?[0-9A-Za-z_]*(?:\.(?![.0-9A-Za-z_]))?)
    | (?P<point>\.[0-9][0-9_]*)
    | (?P<string>"(?:[^"\\\r\n]|\\[^\r\n])*(?:"|\\)?)
    | (?P<bad>[^ \t\r\n]+?(?=[\x00-\x7f]|\Z))
    """,
    re.VERBOSE,
)
_COMMENT_EDGE = re.compile(r"/\*|\*/")


def lex(source: Source, errors: list[Diagnostic]) -> Tokens:
    """The tokens and comments of `source`; what cannot be read is added to `errors` and left out."""
    text = source.text
    tokens: list[Token] = []
    comments: list[Comment] = []
    add = tokens.append
    kind_of = KIND_OF_WORD.get
    at: int | None = 0
    while at is not None:
        resume = None
        for found in _TOKEN.finditer(text, at):
            group = found.lastgroup
            if group == "word":
                word = intern(found[0])
                add(Token(kind_of(word, IDENT), word, found.start()))
            elif group == "sign":
                sign = intern(found[0])
                add(Token(sign, sign, found.start()))
            elif group == "line":
                comments.append(Comment(found[0], found.start()))
            elif group == "open":
                resume = _comment_end(source, found.start(), errors)
                comments.append(Comment(text[found.start() : resume], found.start()))
                break
            elif group == "number":
                add(_number(source, found[0], found.start(), errors))
            elif group == "string":
                add(_string(source, found[0], found.start(), errors))
            elif group == "point":
                _point(source, found[0], found.start(), tokens, errors)
            else:
                _bad(source, found[0], found.start(), tokens, errors)
                if len(errors) > MAX_ERRORS:
                    break
        at = resume
    add(Token(END, "", len(text)))
    if "\0" in text:
        _report_nul(source, comments, errors)
    return Tokens(tokens, comments)


def _comment_end(source: Source, start: int, errors: list[Diagnostic]) -> int:
    """The offset after the block comment that opens at `start`; comments nest."""
    depth = 0
    for edge in _COMMENT_EDGE.finditer(source.text, start):
        depth += 1 if edge[0] == "/*" else -1
        if depth == 0:
            return edge.end()
    help = "block comments nest: every `/*` inside needs its own `*/`" if depth > 1 else "write `*/` where it ends"
    errors.append(Diagnostic("E1002", "the block comment is not closed", Span(source, start, start + 2), "opened here", help=help))
    return len(source.text)


def _number(source: Source, text: str, start: int, errors: list[Diagnostic]) -> Token:
    """The token of a number; a malformed one is reported here."""
    if is_integer(text):
        return Token(INTEGER, text, start)
    if is_float(text):
        return Token(FLOAT, text, start)
    from linnet_core.syntax.repairs import of_number  # here and below: a file that can be read needs no repairs

    span = Span(source, start, start + len(text))
    errors.append(Diagnostic("E1005", f"`{_shorten(text)}` is no number", span, number_fault(text), help=of_number(text)))
    return Token(MALFORMED, text, start)


def _point(source: Source, text: str, start: int, tokens: list[Token], errors: list[Diagnostic]) -> None:
    """`.5`: a malformed float, or after a value a `.` that the parser complains about."""
    if tokens and tokens[-1].end == start and tokens[-1].kind in (IDENT, ")", "]", INTEGER, FLOAT, STRING):
        tokens.append(Token(".", ".", start))
        tokens.append(_number(source, text[1:], start + 1, errors))
    else:
        tokens.append(_number(source, text, start, errors))


def _string(source: Source, text: str, start: int, errors: list[Diagnostic]) -> Token:
    """The token of a string; every fault in it is reported at its own place."""
    for offset, length, message in string_faults(text):
        from linnet_core.syntax.repairs import of_escape

        span = Span(source, start + offset, start + offset + length)
        errors.append(Diagnostic("E1003", message, span, help=of_escape(span.text)))
    return Token(STRING, text, start)


def _bad(source: Source, text: str, start: int, tokens: list[Token], errors: list[Diagnostic]) -> None:
    """Characters that begin no token.  Bytes that are not UTF-8 were reported when the file was decoded."""
    if "\udc80" <= text[0] <= "\udcff":
        return
    from linnet_core.syntax.repairs import of_character

    span = Span(source, start, start + len(text))
    between = bool(tokens) and tokens[-1].kind in (IDENT, ")", "]") and "\n" not in source.text[tokens[-1].end : start]
    help = of_character(text, between=between)
    errors.append(Diagnostic("E1001", f"{_describe(text)} cannot appear here", span, help=help))


def _report_nul(source: Source, comments: list[Comment], errors: list[Diagnostic]) -> None:
    """NUL is refused inside comments too: it is what a file that is no text shows first."""
    for comment in comments:
        at = comment.text.find("\0")
        if at >= 0:
            span = Span(source, comment.start + at, comment.start + at + 1)
            errors.append(Diagnostic("E1001", "the character U+0000 cannot appear here", span, help="remove it"))


def _describe(text: str) -> str:
    """The characters for people: themselves where they show, their code points where they do not."""
    if len(text) == 1:
        name = f"U+{ord(text):04X}"
        if not text.isprintable() or text.isspace():
            return f"the character {name}"
        return f"the character `{text}` ({name})" if text > "~" else f"the character `{text}`"
    if text.isprintable():
        return f"the text `{_shorten(text)}`"
    return "text with characters that do not print"


def _shorten(text: str) -> str:
    """`text`, cut in the middle when it is too long for a message."""
    return text if len(text) <= 60 else f"{text[:40]}...{text[-10:]}"
