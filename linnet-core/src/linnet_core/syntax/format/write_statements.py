"""Statements and bodies to events.

In: a `Writer` before the construct, and its node.  Out: its events.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.syntax.format import write_branches as branches
from linnet_core.syntax.format import write_expressions as expressions
from linnet_core.syntax.format import write_types as types
from linnet_core.syntax.tree.statements import (
    Assign,
    For,
    IndexedLet,
    Let,
    Return,
    Statement,
    StaticFor,
    Store,
    Var,
    While,
    Yield,
)

if TYPE_CHECKING:
    from linnet_core.syntax.format.writer import Writer
    from linnet_core.syntax.tree.types import Type


def body(w: Writer, statements: tuple[Statement, ...]) -> None:
    """`{ statements }`, a statement a line."""
    w.take("{")
    if not statements and not w.must_end_line:
        w.take("}")
        return
    w.open()
    for index, node in enumerate(statements):
        if index:
            w.line(hard=True, keep=True)
        else:
            w.first_line(hard=True)
        _statement(w, node)
    w.last_line(hard=True, first=not statements)
    w.take("}")
    w.close(indent=False)


def _statement(w: Writer, node: Statement) -> None:
    """One statement."""
    match node:
        case Let():
            w.take("let")
            w.space()
            branches.pattern(w, node.pattern)
            _annotation(w, node.type)
            _value(w, node)
        case IndexedLet():
            w.take("let")
            w.space()
            w.take()
            expressions.index_names(w, node.indices)
            _value(w, node)
        case Var():
            w.take("var")
            w.space()
            w.take()
            _annotation(w, node.type)
            _value(w, node)
        case Assign():
            w.take()
            _value(w, node)
        case Return():
            w.take("return")
            if node.value is not None:
                w.space()
                expressions.expression(w, node.value)
        case Yield():
            w.take("yield")
            w.space()
            expressions.expression(w, node.value)
        case For():
            for_(w, node)
        case While():
            w.take("while")
            w.space()
            expressions.expression(w, node.condition)
            w.space()
            body(w, node.body)
        case StaticFor():
            _static_for(w, node)
        case Store():
            _store(w, node)


def _annotation(w: Writer, type: Type | None) -> None:
    """`: type`, or nothing."""
    if type is not None:
        w.take(":")
        w.space()
        types.type_(w, type)


def _value(w: Writer, node: Let | IndexedLet | Var | Assign) -> None:
    """`= value`."""
    w.space()
    w.take("=")
    expressions.value(w, node.value)


def for_(w: Writer, node: For) -> None:
    """`for name in start..stop { }`."""
    w.take("for")
    w.space()
    w.take()
    w.space()
    w.take("in")
    w.space()
    expressions.expression(w, node.start)
    w.take("..")
    expressions.expression(w, node.stop)
    w.space()
    body(w, node.body)


def _static_for(w: Writer, node: StaticFor) -> None:
    """`static for pattern in subject { }` or `in subject..stop { }`."""
    w.take("static")
    w.space()
    w.take("for")
    w.space()
    branches.pattern(w, node.pattern)
    w.space()
    w.take("in")
    w.space()
    expressions.expression(w, node.subject)
    if node.stop is not None:
        w.take("..")
        expressions.expression(w, node.stop)
    w.space()
    body(w, node.body)


def _store(w: Writer, node: Store) -> None:
    """`store(x[i], value, mask)`."""
    w.take()
    w.open_list()
    expressions.expression(w, node.target)
    w.next_part()
    expressions.expression(w, node.value)
    if node.mask is not None:
        w.next_part()
        expressions.expression(w, node.mask)
    w.close_list(")", comma=False)
