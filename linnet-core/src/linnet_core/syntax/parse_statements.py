"""Tokens to statements and bodies.

In: a `Cursor` before a `{` or a statement.  Out: nodes of `tree/statements.py`.  An error inside a statement costs that
statement: it is kept, and reading goes on at the next one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.errors import SourceError
from linnet_core.syntax import parse_expressions as expressions
from linnet_core.syntax import parse_kernels as kernels
from linnet_core.syntax import parse_patterns as patterns
from linnet_core.syntax import parse_postfix as postfix
from linnet_core.syntax import parse_types as types
from linnet_core.syntax.cursor import Cursor
from linnet_core.syntax.recovery import ITEM_STARTS, STATEMENT_STARTS, skip_to_statement
from linnet_core.syntax.tokens import END, IDENT
from linnet_core.syntax.tree.node import Name
from linnet_core.syntax.tree.statements import Assign, For, IndexedLet, Let, Return, Statement, StaticFor, Var, While, Yield
from linnet_core.text.near import did_you_mean

if TYPE_CHECKING:
    from linnet_core.syntax.tree.expressions import Expression
    from linnet_core.syntax.tree.types import Type

_ENDS_BODY = ITEM_STARTS | {END, "}", "param", "buffer", "state", "sub", "use", "module"}


def body(c: Cursor) -> tuple[Statement, ...]:
    """`{ statements }`.  A brace that is missing after an error is not complained about: the error may have hidden it."""
    c.enter()
    opener = c.open("{")
    braces = c.layout.braces[c.at]
    found: list[Statement] = []
    failed, height = False, 0
    while c.kind not in _ENDS_BODY:
        start, depth, trying = c.at, c.depth, c.trying
        try:
            found.append(_statement(c))
            height = max(height, c.height)
        except SourceError as error:
            if trying:
                raise
            failed = True
            c.keep(error)
            c.depth = depth
            skip_to_statement(c, start, braces)
    if c.kind == "}":
        c.advance()
    elif not failed:
        c.fail("a statement or `}`", related=c.waiting(opener))
    c.leave()
    c.height = height
    return tuple(found)


def _statement(c: Cursor) -> Statement:
    """One statement."""
    match c.kind:
        case "let":
            return _let(c)
        case "name":
            return _assign(c)
        case "return":
            return _return(c)
        case "var":
            return _var(c)
        case "static":
            return _static_for(c)
        case "while":
            return _while(c)
        case "for":
            return for_(c)
        case "yield":
            start = c.token.start
            c.advance()
            value = expressions.expression(c, "the value to yield")
            return Yield(c.span(start), value)
        case "self" | "super" | "extern" | "reserved word" if c.peek().kind == "=":
            return _assign(c)
        case "," | ">":
            postfix.raise_failed_args(c)
            c.fail("a statement", help=_statement_help(c))
        case _:
            c.fail("a statement", help=_statement_help(c))


def _statement_help(c: Cursor) -> str | None:
    """What the writer of something that is no statement probably wants."""
    match c.kind:
        case ";":
            return "remove it: statements are not separated by anything"
        case "if" | "match":
            return f"`{c.kind}` is an expression: bind its value with `let` or return it"
        case ")" | "]":
            return "remove it: it closes nothing"
        case "{" if c.tokens[c.at - 1].kind == IDENT and not c.layout.begins_line(c.at):
            return f"a struct is built by a call: `{c.tokens[c.at - 1].text}(field = value)`"
        case "else":
            return "an `if` is a value: `let y = if c { a } else { b }`"
        case "some" | "none" | "true" | "false" | "(" | "[" | "integer" | "float" | "string" | "-" | "+" | "!":
            return "a value alone is no statement: bind it with `let` or return it"
        case _:
            return "a statement is a `let`, `var`, assignment, loop or `return`"


def _value(c: Cursor, after: str = "`=`") -> Expression:
    """`= value`."""
    if c.kind != "=":
        c.fail(after)
    c.advance()
    return expressions.expression(c)


def _annotation(c: Cursor) -> Type | None:
    """`: type`, or nothing."""
    return types.type_(c) if c.accept(":") else None


def _let(c: Cursor) -> Let | IndexedLet:
    """`let pattern: type = value` or `let c[m, n] = value`."""
    start = c.token.start
    c.advance()
    if c.kind == IDENT and c.peek().kind == "[":
        name = c.name()
        if c.peek().kind == "]":
            c.advance()
            c.fail("the name of an index", help=f"without an index it is a plain `let`: `let {name.text} = ...`")
        indices = expressions.index_names(c)
        help = "an indexed `let` takes its type from its indices" if c.kind == ":" else None
        if c.kind != "=":
            c.fail("`=`", help=help)
        value = _value(c)
        return IndexedLet(c.span(start), name, indices, value)
    pattern = patterns.pattern(c)
    type = _annotation(c)
    value = _value(c, "`=`" if type is not None else "`:` or `=`")
    return Let(c.span(start), pattern, type, value)


def _var(c: Cursor) -> Var:
    """`var name: type = value`."""
    start = c.token.start
    c.advance()
    name = c.name("the name of a variable")
    type = _annotation(c)
    value = _value(c, "`=`" if type is not None else "`:` or `=`")
    return Var(c.span(start), name, type, value)


def _assign(c: Cursor) -> Statement:
    """`name = value`, or a store of a kernel."""
    start = c.token.start
    if c.token.text in kernels.STORES and c.peek().kind == "(":
        return kernels.store(c)
    name = c.name()
    if c.kind != "=":
        _no_assignment(c, name)
    value = _value(c)
    return Assign(c.span(start), name, value)


def _no_assignment(c: Cursor, name: Name) -> None:
    """Complain about `name` followed by something else than `=`."""
    postfix.raise_failed_args(c)
    text = name.text
    match c.kind:
        case _ if (word := _indexed_before(c, c.at - 1)) is not None:
            help = f"`{word}` is no reduction; those are `sum prod max min any all`, and a mean is `(sum[i] x[i]) / N`"
        case "[":
            help = (
                f"one element cannot be assigned: make the whole tensor with `let {text}[i] = ...`, or in a kernel `store({text}[i], ...)`"
            )
        case ".":
            help = "only a name can be assigned; a call's value is bound with `let _ = ...`"
        case "(" | "<":
            help = f"a call alone is no statement: write `let _ = {text}(...)`"
        case "+" | "-" | "*" | "/" | "%" | "&" | "|" | "^" if c.peek().kind == "=":
            help = f"write `{text} = {text} {c.kind} ...`"
        case _:
            help = did_you_mean(text, STATEMENT_STARTS) or "a value alone is no statement: bind it with `let` or return it"
    c.fail(f"`=` after `{text}`", help=help)


def _indexed_before(c: Cursor, at: int) -> str | None:
    """The `word` of a `word[...]` right before the token at `at`, on its line: it is read as an element, and was meant to go on."""
    last = at - 1
    if c.tokens[last].kind != "]" or c.layout.begins_line(at):
        return None
    depth, first = 1, last
    while depth and first > 0:
        first -= 1
        depth += {"]": 1, "[": -1}.get(c.tokens[first].kind, 0)
    word = c.tokens[first - 1]
    return word.text if first > 0 and word.kind == IDENT else None


def _return(c: Cursor) -> Return:
    """`return value`, or a bare `return`."""
    start = c.token.start
    c.advance()
    assigns = c.kind == IDENT and c.peek().kind == "="
    value = expressions.expression(c) if expressions.begins_expression(c) and not assigns else None
    return Return(c.span(start), value)


def _static_for(c: Cursor) -> StaticFor:
    """`static for pattern in subject { }` or `in start..stop { }`."""
    start = c.token.start
    c.advance()
    c.expect("for")
    pattern = patterns.pattern(c)
    c.expect("in")
    subject = expressions.expression(c, "an array of blocks or a range")
    stop = expressions.expression(c, "the end of the range") if c.accept("..") else None
    if c.kind != "{":
        c.fail("`..` or `{`" if stop is None else "`{`")
    inner = body(c)
    return StaticFor(c.span(start), pattern, subject, stop, inner)


def _while(c: Cursor) -> While:
    """`while condition { }`."""
    start = c.token.start
    c.advance()
    condition = expressions.expression(c, "a condition")
    inner = body(c)
    return While(c.span(start), condition, inner)


def for_(c: Cursor) -> For:
    """`for name in start..stop { }`."""
    start = c.token.start
    c.advance()
    name = c.name("the name of the loop's counter")
    c.expect("in")
    first = expressions.expression(c, "the start of the range")
    if c.kind != "..":
        c.fail("`..`", help="a `for` counts through a range; `static for` also goes through an array of blocks")
    c.advance()
    stop = expressions.expression(c, "the end of the range")
    inner = body(c)
    return For(c.span(start), name, first, stop, inner)
