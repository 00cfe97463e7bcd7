"""Tokens to patterns.

In: a `Cursor` before a pattern of a `let`, a `static for` or an arm.  Out: nodes of `tree/patterns.py`.
"""

from __future__ import annotations

from linnet_core.syntax.cursor import Cursor
from linnet_core.syntax.tree.patterns import NamePattern, NonePattern, Pattern, SomePattern, TuplePattern


def pattern(c: Cursor) -> Pattern:
    """`x`, `_`, `(a, b)`, `some(p)` or `none`; `(a)` is `a`."""
    start = c.token.start
    match c.kind:
        case "none":
            c.advance()
            return NonePattern(c.span(start))
        case "some":
            c.advance()
            c.enter()
            opener = c.open("(")
            inner = pattern(c)
            c.expect(")", opener)
            c.leave()
            return SomePattern(c.span(start), inner)
        case "(":
            return _tuple(c)
        case _:
            name = c.name("a pattern")
            return NamePattern(name.span, name.text)


def _tuple(c: Cursor) -> Pattern:
    """`(a, b)`."""
    start = c.token.start
    c.enter()
    opener = c.open("(")
    elements = [pattern(c)]
    comma = False
    while c.accept(","):
        comma = True
        if c.kind == ")":
            break
        elements.append(pattern(c))
    c.close(")", opener)
    c.leave()
    return TuplePattern(c.span(start), tuple(elements)) if comma else elements[0]
