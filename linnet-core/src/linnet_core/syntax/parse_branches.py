"""Tokens to `if` and `match`.

In: a `Cursor` before the keyword.  Out: `If` and `Match` nodes.
"""

from __future__ import annotations

from linnet_core.syntax import parse_expressions as expressions
from linnet_core.syntax import parse_patterns as patterns
from linnet_core.syntax.cursor import Cursor
from linnet_core.syntax.tokens import IDENT, RESERVED_WORD
from linnet_core.syntax.tree.expressions import Arm, Expression, If, Match
from linnet_core.text.span import Span


def if_(c: Cursor) -> If:
    """`if c { a } else { b }`."""
    start = c.token.start
    c.enter()
    c.advance()
    condition = expressions.expression(c, "a condition")
    height = c.height
    then = _branch(c)
    height = max(height, c.height)
    if c.kind != "else":
        c.fail("`else`", help="an `if` is a value: it has both branches")
    c.advance()
    if c.kind == "if":
        c.fail("`{`", help="an `if` after `else` stands in braces: `else { if ... }`")
    otherwise = _branch(c)
    c.height = max(height, c.height) + 1
    c.leave()
    return If(c.span(start), condition, then, otherwise)


def _branch(c: Cursor) -> Expression:
    """`{ value }`."""
    opener = c.open("{")
    if c.kind in ("let", "var", "return", "while", "static", "yield"):
        c.fail("an expression", help="a branch of `if` holds one expression; write statements before it")
    value = expressions.expression(c)
    if c.kind != "}":
        c.fail("`}`", related=c.waiting(opener))
    c.advance()
    return value


def match_(c: Cursor) -> Match:
    """`match x { arms }`."""
    start = c.token.start
    c.enter()
    c.advance()
    subject = expressions.expression(c, "a value to match")
    opener = c.open("{")
    arms = [_arm(c, opener)]
    height = c.height
    while c.kind != "}":
        arms.append(_arm(c, opener))
        height = max(height, c.height)
    c.advance()
    c.leave()
    c.height = height + 1
    return Match(c.span(start), subject, tuple(arms))


def _arm(c: Cursor, opener: Span) -> Arm:
    """`pattern => value`."""
    start = c.token.start
    if c.kind not in (IDENT, "some", "none", RESERVED_WORD):
        helps = {
            "(": "an arm cannot begin with `(`: it would be a call of the value before it",
            "=>": "an arm cannot begin with `(`: it would be a call of the value before it",
            ",": "remove it: nothing stands between two arms",
            "}": "write an arm: a variant, `some(x)`, `none` or `_`, then `=>` and its value",
        }
        c.fail("an arm (`pattern => value`)", related=c.waiting(opener), help=helps.get(c.kind))
    pattern = patterns.pattern(c)
    if c.kind != "=>":
        c.fail("`=>`", help="a variant is named without its enum: `Mean => ...`" if c.kind == "." else None)
    c.advance()
    value = expressions.expression(c, "the value of the arm")
    return Arm(c.span(start), pattern, value)
