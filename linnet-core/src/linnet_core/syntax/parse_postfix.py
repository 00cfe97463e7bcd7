"""Tokens to what follows a primary expression: calls, indexings and fields.

In: a `Cursor` after a primary expression, and that expression.  Out: the expression with everything that follows it.  `name<`
opens generic arguments only when they read as such and `(` follows their `>` at once; otherwise it compares.
"""

from __future__ import annotations

from linnet_core.errors import SourceError
from linnet_core.syntax import parse_expressions as expressions
from linnet_core.syntax import parse_types as types
from linnet_core.syntax.cursor import Cursor
from linnet_core.syntax.tokens import IDENT
from linnet_core.syntax.tree.expressions import (
    Argument,
    At,
    Call,
    Component,
    Ellipsis_,
    Expression,
    Field,
    Index,
    PackComponent,
    Ref,
    Slice,
)
from linnet_core.syntax.tree.node import Name
from linnet_core.syntax.tree.types import Arg


def postfix(c: Cursor, start: int, base: Expression) -> Expression:
    """Calls, indexings and fields after `base`, which began at the offset `start`."""
    while True:
        kind = c.kind
        if kind == "(":
            base = _call(c, start, base, None)
        elif kind == "[":
            base = _index(c, start, base)
        elif kind == ".":
            c.advance()
            name = c.name("a name after `.`")
            c.height += 1
            base = Field(c.span(start), base, name)
        elif kind == "<" and isinstance(base, Ref | Field) and c.at in c.layout.closing:
            args = _try_args(c)
            if args is None:
                return base
            base = _call(c, start, base, args)
        else:
            return base
        c.check_chain(c.height)


def _try_args(c: Cursor) -> tuple[Arg, ...] | None:
    """Generic arguments with `(` right after them; else None and nothing is taken."""
    start, mark, depth, height = c.at, len(c.errors), c.depth, c.height
    c.trying += 1
    try:
        args = types.generic_args(c)
        if c.kind == "(" and c.token.start == c.end:
            c.height = max(height, c.height)
            return args
    except SourceError as error:
        if error.diagnostics[0].code == "E1104":
            raise
        if c.trying == 1:
            c.failed_args = start, error
    finally:
        c.trying -= 1
    c.depth, c.height = depth, height
    del c.errors[mark:]
    c.go_to(start)
    return None


def raise_failed_args(c: Cursor) -> None:
    """Raise what is wrong with the generic arguments around the cursor, which were read as a comparison for that reason."""
    if c.failed_args is not None:
        opening, error = c.failed_args
        if opening < c.at <= c.layout.closing[opening]:
            raise error


def _call(c: Cursor, start: int, callee: Expression, args: tuple[Arg, ...] | None) -> Call:
    """`callee(arguments)`, from the `(` on."""
    height = c.height
    c.enter()
    opener = c.open("(")
    arguments: list[Argument] = []
    while c.kind != ")":
        arguments.append(_argument(c))
        height = max(height, c.height)
        if not c.accept(","):
            break
    c.close(")", opener)
    c.leave()
    c.height = height + 1
    return Call(c.span(start), callee, args, tuple(arguments))


def _argument(c: Cursor) -> Argument:
    """`x` or `name = x`."""
    start = c.token.start
    name = None
    if c.kind == IDENT and c.peek().kind == "=":
        name = Name(c.here(), c.token.text)
        c.advance()
        c.advance()
    value = expressions.expression(c, "an argument")
    return Argument(c.span(start), name, value)


def _index(c: Cursor, start: int, base: Expression) -> Index:
    """`base[components]`, from the `[` on."""
    height = c.height
    c.enter()
    opener = c.open("[")
    components: list[Component] = []
    while True:
        components.append(_component(c))
        height = max(height, c.height)
        if not c.accept(","):
            break
    c.close("]", opener)
    c.leave()
    c.height = height + 1
    return Index(c.span(start), base, tuple(components))


def _component(c: Cursor) -> Component:
    """`x`, `a:b:s`, `...` or `*s`."""
    start = c.token.start
    c.height = 0
    if c.accept("..."):
        return Ellipsis_(c.span(start))
    if c.accept("*"):
        name = c.name("the name of a pack index")
        return PackComponent(c.span(start), name)
    first = None if c.kind == ":" else expressions.expression(c, "an index or a slice")
    if c.kind != ":":
        assert first is not None
        return At(c.span(start), first)
    height = c.height
    c.advance()
    stop = _bound(c)
    height = max(height, c.height)
    step = _bound(c) if c.accept(":") else None
    c.height = max(height, c.height)
    return Slice(c.span(start), first, stop, step)


def _bound(c: Cursor) -> Expression | None:
    """A part of a slice that may be left out."""
    if c.kind in (":", ",", "]"):
        return None
    return expressions.expression(c, "a bound of the slice")
