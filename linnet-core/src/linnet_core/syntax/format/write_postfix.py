"""Calls, indexings and fields to events.

In: a `Writer` before the expression they follow, and the node of the last of them.  Out: the events of all.  Three calls of
methods or more that do not fit on one line stand one a line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.syntax.format import write_expressions as expressions
from linnet_core.syntax.format import write_types as types
from linnet_core.syntax.tree.expressions import (
    Argument,
    At,
    Call,
    Component,
    Ellipsis_,
    Field,
    FloatLiteral,
    Index,
    IntLiteral,
    PackComponent,
    Slice,
)

if TYPE_CHECKING:
    from linnet_core.syntax.format.writer import Writer
    from linnet_core.syntax.tree.expressions import Expression

#: From how many calls of methods on each stands on its line when they do not fit on one.
_CHAIN = 3


def postfix(w: Writer, node: Expression) -> None:
    """`base` and everything that follows it."""
    links: list[Call | Index | Field] = []
    base = node
    start = node.span.start
    while isinstance(base, Call | Index | Field) and base.span.start == start:
        links.append(base)
        base = base.base if isinstance(base, Index | Field) else base.callee
    links.reverse()
    methods = _methods(links)
    chained = len(methods) >= _CHAIN
    if chained:
        w.open()
    expressions.expression(w, base)
    called = False
    for index, link in enumerate(links):
        if isinstance(link, Call) and called:
            w.close(indent=False)
        if chained and index in methods:
            if called:
                w.close(indent=False)
                called = False
            w.line("")
        called = _link(w, link) or (called and not isinstance(link, Call))
    if called:
        w.close(indent=False)
    if chained:
        w.close()


def _methods(links: list[Call | Index | Field]) -> frozenset[int]:
    """Where the names of called methods stand among `links`."""
    return frozenset(index for index, link in enumerate(links[:-1]) if isinstance(link, Field) and isinstance(links[index + 1], Call))


def _link(w: Writer, link: Call | Index | Field) -> bool:
    """One link; whether it is a call whose group is open still, so that what follows it is kept on the line of its `)`."""
    match link:
        case Field():
            if isinstance(link.base, IntLiteral | FloatLiteral):
                w.space()
            w.take(".")
            w.take()
        case Index():
            w.open_list()
            for index, part in enumerate(link.components):
                if index:
                    w.next_part()
                _component(w, part)
            w.close_list("]", comma=False)
        case Call():
            if link.generics is not None:
                types.generic_args(w, link.generics)
            if not link.arguments:
                w.empty_list(")")
                return False
            w.open(indent=False)
            w.open_list(group=False)
            for index, argument in enumerate(link.arguments):
                if index:
                    w.next_part()
                _argument(w, argument)
            w.close_list(")", group=False)
            return True
    return False


def _argument(w: Writer, node: Argument) -> None:
    """`x` or `name = x`."""
    if node.name is not None:
        w.take()
        w.space()
        w.take("=")
        w.space()
    expressions.expression(w, node.value)


def _component(w: Writer, node: Component) -> None:
    """`x`, `a:b:s`, `...` or `*s`."""
    match node:
        case Ellipsis_() | PackComponent():
            w.take_to(node.span.end)
        case At():
            expressions.expression(w, node.value)
        case Slice():
            if node.start is not None:
                expressions.expression(w, node.start)
            w.take(":")
            if node.stop is not None:
                expressions.expression(w, node.stop)
            if w.kind == ":":
                w.take(":")
            if node.step is not None:
                expressions.expression(w, node.step)
