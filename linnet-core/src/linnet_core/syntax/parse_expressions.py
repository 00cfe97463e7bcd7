"""Tokens to expressions.

In: a `Cursor` before an expression.  Out: nodes of `tree/expressions.py`.  Infix operators are read with an explicit stack,
so that only brackets, branches and arms cost a level of recursion.
"""

from __future__ import annotations

from linnet_core.syntax import parse_branches as branches
from linnet_core.syntax import parse_postfix as postfix
from linnet_core.syntax import parse_statements as statements
from linnet_core.syntax import parse_types as types
from linnet_core.syntax.cursor import Cursor
from linnet_core.syntax.literals import LARGEST, float_text, integer_value, string_value
from linnet_core.syntax.tokens import FLOAT, IDENT, INTEGER, MALFORMED, REFUSED, RESERVED_WORD, STRING
from linnet_core.syntax.tree.expressions import (
    Binary,
    BoolLiteral,
    Expression,
    FloatLiteral,
    ForExpression,
    IndexName,
    IntLiteral,
    List,
    NoneLiteral,
    Reduction,
    Ref,
    Some,
    StringLiteral,
    Tuple,
    Unary,
)
from linnet_core.syntax.tree.types import PackRef
from linnet_core.text.span import Span

#: How tightly an infix operator binds.
LEVEL = {
    "||": 1,
    "&&": 2,
    "==": 3,
    "!=": 3,
    "<": 4,
    "<=": 4,
    ">": 4,
    ">=": 4,
    "|": 5,
    "^": 6,
    "&": 7,
    "+": 8,
    "-": 8,
    "*": 9,
    "/": 9,
    "%": 9,
}
_REDUCTIONS = frozenset(("sum", "prod", "max", "min", "any", "all"))
_BEGINS = frozenset(
    (
        IDENT,
        INTEGER,
        FLOAT,
        STRING,
        MALFORMED,
        RESERVED_WORD,
        "true",
        "false",
        "none",
        "some",
        "(",
        "[",
        "-",
        "+",
        "!",
        "if",
        "match",
        "for",
    )
)


def begins_expression(c: Cursor) -> bool:
    """Whether an expression can begin with the current token."""
    return c.kind in _BEGINS or c.kind in REFUSED


def expression(c: Cursor, what: str = "an expression") -> Expression:
    """Any expression; `what` says in a complaint what was due."""
    match c.kind:
        case "if":
            return branches.if_(c)
        case "match":
            return branches.match_(c)
        case "for":
            start = c.token.start
            c.enter()
            loop = statements.for_(c)
            c.leave()
            return ForExpression(c.span(start), loop)
        case _:
            return _infix(c, 1, what)


def bits(c: Cursor) -> Expression:
    """An expression of `|` and tighter: a side of a `where` constraint."""
    return _infix(c, LEVEL["|"], "an expression")


def additive(c: Cursor) -> Expression:
    """An expression of `+` and tighter: a generic argument."""
    return _infix(c, LEVEL["+"], "a generic argument")


def _infix(c: Cursor, lowest: int, what: str) -> Expression:
    """Operands joined by operators that bind at least as tightly as `lowest`, all of them from the left."""
    start = c.token.start
    left = _operand(c, what)
    level = LEVEL.get(c.kind, 0)
    if level < lowest:
        return left
    height, links = c.height, 0
    waiting: list[tuple[Expression, int, str, int]] = []
    while level >= lowest:
        while waiting and waiting[-1][3] >= level:
            before, start_before, operator, _ = waiting.pop()
            left = Binary(Span(c.source, start_before, c.end), operator, before, left)
            start = start_before
        waiting.append((left, start, c.kind, level))
        links += 1
        c.check_chain(height + links)
        c.advance()
        start = c.token.start
        left = _operand(c, "an operand")
        height = max(height, c.height)
        level = LEVEL.get(c.kind, 0)
    while waiting:
        before, start_before, operator, _ = waiting.pop()
        left = Binary(Span(c.source, start_before, c.end), operator, before, left)
    c.height = height + links
    return left


def _operand(c: Cursor, what: str) -> Expression:
    """One operand: at most one prefix operator, a primary expression and what follows it."""
    kind = c.kind
    if kind == IDENT:
        return postfix.postfix(c, c.token.start, _word(c))
    if kind == "-" or kind == "+" or kind == "!":
        return _unary(c)
    return postfix.postfix(c, c.token.start, _primary(c, what))


def _unary(c: Cursor) -> Expression:
    """`-x`, `+x`, `!x`; a minus right before a number belongs to the number."""
    start = c.token.start
    operator = c.advance().kind
    if operator == "-" and c.kind in (INTEGER, FLOAT):
        return postfix.postfix(c, start, _number(c, start, negative=True))
    if c.kind in ("-", "+", "!"):
        c.fail(f"an operand after `{operator}`", help=f"put the second operator in parentheses: `{operator}({c.kind}...)`")
    inner_start = c.token.start
    operand = postfix.postfix(c, inner_start, _primary(c, f"an operand after `{operator}`"))
    c.height += 1
    return Unary(c.span(start), operator, operand)  # pyright: ignore[reportArgumentType]  # the token's kind is one of the operators listed above


# primary expressions


def _primary(c: Cursor, what: str) -> Expression:
    """What an operand begins with."""
    start = c.token.start
    c.height = 0
    match c.kind:
        case "name":
            return _word(c)
        case "integer" | "float":
            return _number(c, start)
        case "(":
            return _parentheses(c)
        case "[":
            return _list(c)
        case "true" | "false":
            value = c.advance().kind == "true"
            return BoolLiteral(c.span(start), value)
        case "none":
            c.advance()
            return NoneLiteral(c.span(start))
        case "some":
            c.advance()
            c.enter()
            opener = c.open("(")
            value = expression(c)
            c.expect(")", opener)
            c.leave()
            return Some(c.span(start), value)
        case "string":
            text = c.advance().text
            return StringLiteral(c.span(start), _string(text))
        case "malformed number":
            c.advance()
            return IntLiteral(c.span(start), 0)
        case "reserved word" if c.token.text in c.reserved:
            text = c.advance().text
            return Ref(c.span(start), text)
        case "reserved word" | "self" | "super" | "extern":
            name = c.name(what)
            return Ref(name.span, name.text)
        case "if" | "match" | "for":
            c.fail(what, help=f"put parentheses around the `{c.kind}`")
        case _:
            c.fail(what)


def _string(text: str) -> str:
    """The value of a string; the lexer has reported a malformed one."""
    try:
        return string_value(text)
    except (ValueError, KeyError, IndexError, OverflowError):
        return ""


def _number(c: Cursor, start: int, *, negative: bool = False) -> IntLiteral | FloatLiteral:
    """An integer or float; the minus before it is taken already."""
    token = c.advance()
    c.height = 0
    if token.kind == FLOAT:
        text = ("-" if negative else "") + float_text(token.text)
        return FloatLiteral(c.span(start), float(text), text)
    value = integer_value(token.text)
    if value > LARGEST + negative:
        shown = token.text if len(token.text) <= 40 else f"{token.text[:30]}..."
        message = f"`{shown}` does not fit 64 bits"
        c.report("E1005", message, Span(c.source, token.start, token.end), help=f"the largest integer is {LARGEST}")
        value = 0
    return IntLiteral(c.span(start), -value if negative else value)


def _word(c: Cursor) -> Expression:
    """A name, or the reduction it begins."""
    token = c.token
    c.height = 0
    if token.text in _REDUCTIONS and _begins_reduction(c):
        return _reduction(c)
    c.advance()
    return Ref(Span(c.source, token.start, token.start + len(token.text)), token.text)


def _begins_reduction(c: Cursor) -> bool:
    """Whether `[` or `<dtype>[` follows the word."""
    following = c.peek().kind
    if following == "[":
        return True
    return following == "<" and c.peek(2).kind == IDENT and c.peek(3).kind == ">" and c.peek(4).kind == "["


def _reduction(c: Cursor) -> Reduction:
    """`sum<f32>[i, j] body`; the body reaches as far right as it can."""
    start = c.token.start
    kind = c.advance().text
    c.enter()
    dtype = None
    if c.accept("<"):
        dtype = c.name()
        c.expect(">")
    if c.kind == "[" and c.peek().kind in (INTEGER, ":", "..."):
        c.advance()
        c.fail("the name of an index", help=_meant_as_value(kind))
    indices = index_names(c)
    head = c.span(start)
    if not begins_expression(c):
        c.fail("the expression to reduce", help=_meant_as_value(kind))
    body = expression(c, "the expression to reduce")
    c.height += 1
    c.leave()
    return Reduction(c.span(start), kind, head, dtype, indices, body)  # pyright: ignore[reportArgumentType]  # only the words of reductions lead here


def _meant_as_value(kind: str) -> str:
    """The help where a value seems to be called like a reduction."""
    return f"`{kind}[` begins a reduction, `{kind}[i, j] x[i, j]`; a value that is indexed needs another name"


def index_names(c: Cursor) -> tuple[IndexName, ...]:
    """`[i, *s]`: the indices of a reduction or of an indexed `let`."""
    opener = c.open("[")
    indices = [_index_name(c)]
    while c.accept(","):
        indices.append(_index_name(c))
    if c.kind != "]":
        c.fail("`,` or `]`")
    c.expect("]", opener)
    return tuple(indices)


def _index_name(c: Cursor) -> IndexName:
    """`i` or `*s`."""
    start = c.token.start
    pack = c.accept("*")
    name = c.name("the name of an index")
    return IndexName(c.span(start), name.text, pack)


def _parentheses(c: Cursor) -> Expression:
    """`(x)`, which leaves no node, or a tuple."""
    start = c.token.start
    c.enter()
    opener = c.open("(")
    first = expression(c)
    if c.kind == ")":
        c.advance()
        c.leave()
        return first
    elements, height = [first], c.height
    while c.accept(","):
        if c.kind == ")":
            break
        elements.append(expression(c))
        height = max(height, c.height)
    if c.kind != ")":
        c.fail("`,` or `)`" if len(elements) > 1 else "`)`", related=c.waiting(opener))
    c.advance()
    c.leave()
    c.height = height + 1
    return Tuple(c.span(start), tuple(elements))


def _list(c: Cursor) -> List:
    """`[a, *S]` or `[]`."""
    start = c.token.start
    c.enter()
    opener = c.open("[")
    elements: list[Expression | PackRef] = []
    height = 0
    while c.kind != "]":
        elements.append(types.pack_ref(c) if c.kind == "*" else expression(c))
        height = max(height, c.height)
        if not c.accept(","):
            break
    c.close("]", opener)
    c.leave()
    c.height = height + 1
    return List(c.span(start), tuple(elements))
