"""Expressions to events.

In: a `Writer` before an expression, and its node.  Out: its events.  Parentheses are those of the source.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.syntax.format import write_branches as branches
from linnet_core.syntax.format import write_infix as infix
from linnet_core.syntax.format import write_postfix as postfix
from linnet_core.syntax.format import write_statements as statements
from linnet_core.syntax.format import write_types as types
from linnet_core.syntax.tree.expressions import (
    Binary,
    Call,
    Expression,
    Field,
    ForExpression,
    If,
    Index,
    List,
    Match,
    Reduction,
    Some,
    StringLiteral,
    Tuple,
    Unary,
)

if TYPE_CHECKING:
    from linnet_core.syntax.format.writer import Writer
    from linnet_core.syntax.tree.expressions import IndexName

#: What begins a line of its own where it does not fit behind a `=`; the others are broken inside or cannot be.
_WHOLE = (Binary, Reduction, Unary, Field, StringLiteral)


def expression(w: Writer, node: Expression, *, fresh: bool = False) -> None:
    """Any expression with the parentheses around it; `fresh` when it begins a line that is indented for it already."""
    start = node.span.start
    opened = 0
    while w.start < start:
        w.open_list()
        opened += 1
    fresh = fresh or opened > 0
    match node:
        case Binary():
            infix.infix(w, node, fresh=fresh)
        case Call() | Index() | Field():
            postfix.postfix(w, node)
        case Unary():
            w.take()
            expression(w, node.operand)
        case Reduction():
            _reduction(w, node)
        case Tuple():
            w.open_list()
            for index, element in enumerate(node.elements):
                if index:
                    w.next_part()
                expression(w, element)
            w.close_list(")", keeps=len(node.elements) > 1)
        case List():
            _list(w, node)
        case Some():
            w.take()
            w.open_list()
            expression(w, node.value)
            w.close_list(")", comma=False)
        case If():
            branches.if_(w, node)
        case Match():
            branches.match_(w, node)
        case ForExpression():
            statements.for_(w, node.loop)
        case _:
            w.take_to(node.span.end)
    for _ in range(opened):
        w.close_list(")", comma=False)


def value(w: Writer, node: Expression) -> None:
    """The value after a `=` or `=>`: on the same line, or indented on the next where it does not fit and is not broken inside."""
    if (w.start < node.span.start or not isinstance(node, _WHOLE)) and not w.must_end_line:
        w.space()
        expression(w, node)
        return
    w.open()
    w.line()
    expression(w, node, fresh=True)
    w.close()


def _list(w: Writer, node: List) -> None:
    """`[a, *S]` or `[]`."""
    if not node.elements:
        w.empty_list("]")
        return
    w.open_list()
    for index, element in enumerate(node.elements):
        if index:
            w.next_part()
        types.dimension(w, element)
    w.close_list("]")


def _reduction(w: Writer, node: Reduction) -> None:
    """`sum<f32>[i, *s] body`."""
    w.take()
    if node.dtype is not None:
        w.take("<")
        w.take()
        w.take(">")
    index_names(w, node.indices)
    w.space()
    expression(w, node.body)


def index_names(w: Writer, indices: tuple[IndexName, ...]) -> None:
    """`[i, *s]`."""
    w.open_list()
    for index, name in enumerate(indices):
        if index:
            w.next_part()
        w.take_to(name.span.end)
    w.close_list("]", comma=False)
