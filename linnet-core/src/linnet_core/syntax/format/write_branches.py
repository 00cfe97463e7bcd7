"""`if`, `match` and patterns to events.

In: a `Writer` before the construct, and its node.  Out: its events.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.syntax.format import write_expressions as expressions
from linnet_core.syntax.tree.patterns import Pattern, SomePattern, TuplePattern

if TYPE_CHECKING:
    from linnet_core.syntax.format.writer import Writer
    from linnet_core.syntax.tree.expressions import Expression, If, Match


def if_(w: Writer, node: If) -> None:
    """`if c { a } else { b }`, on one line if it fits."""
    w.open(indent=False)
    w.take("if")
    w.space()
    expressions.expression(w, node.condition)
    w.space()
    _branch(w, node.then)
    w.space()
    w.take("else")
    w.space()
    _branch(w, node.otherwise)
    w.close(indent=False)


def _branch(w: Writer, value: Expression) -> None:
    """`{ value }`."""
    w.open_list(flat=" ", group=False)
    expressions.expression(w, value)
    w.close_list("}", comma=False, flat=" ", group=False)


def match_(w: Writer, node: Match) -> None:
    """`match x { arms }`, an arm a line."""
    w.take("match")
    w.space()
    expressions.expression(w, node.subject)
    w.space()
    w.take("{")
    w.open()
    for index, arm in enumerate(node.arms):
        if index:
            w.line(hard=True, keep=True)
        else:
            w.first_line(hard=True)
        pattern(w, arm.pattern)
        w.space()
        w.take("=>")
        expressions.value(w, arm.value)
    w.last_line(hard=True)
    w.take("}")
    w.close(indent=False)


def pattern(w: Writer, node: Pattern) -> None:
    """`x`, `_`, `(a, b)`, `some(p)` or `none`, with the parentheses around it."""
    start = node.span.start
    opened = 0
    while w.start < start:
        w.open_list()
        opened += 1
    match node:
        case TuplePattern():
            w.open_list()
            for index, element in enumerate(node.elements):
                if index:
                    w.next_part()
                pattern(w, element)
            w.close_list(")", keeps=len(node.elements) > 1)
        case SomePattern():
            w.take()
            w.open_list()
            pattern(w, node.inner)
            w.close_list(")", comma=False)
        case _:
            w.take()
    for _ in range(opened):
        w.close_list(")", comma=False)
