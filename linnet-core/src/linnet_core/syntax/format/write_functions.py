"""Functions and kernels to events.

In: a `Writer` before the word that says what they are, and their node.  Out: their events.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.syntax.format import write_expressions as expressions
from linnet_core.syntax.format import write_statements as statements
from linnet_core.syntax.format import write_types as types

if TYPE_CHECKING:
    from linnet_core.syntax.format.writer import Writer
    from linnet_core.syntax.tree.items import Function, Grad, Kernel, Param
    from linnet_core.syntax.tree.types import Constraint


def function(w: Writer, node: Function) -> None:
    """A `fn`, `op` or `entry`.  The parameters are broken before anything that follows them is."""
    w.take()
    w.space()
    w.take()
    types.generics(w, node.generics)
    w.open(indent=False)
    _params(w, node.params)
    if node.result is not None:
        w.space()
        w.take("->")
        w.space()
        types.type_(w, node.result)
    if node.kernel is not None:
        w.open(indent=False)
        w.line()
        w.take("kernel")
        w.space()
        w.take()
        if node.kernel.args is not None:
            types.generic_args(w, node.kernel.args)
        w.close(indent=False)
    w.close(indent=False)
    _where(w, node.where)
    statements.body(w, node.body)
    if node.grad is not None:
        _grad(w, node.grad)


def _where(w: Writer, where: tuple[Constraint, ...]) -> None:
    """The `where` clause, if there is one, and what stands before the `{`."""
    if where:
        types.where_clause(w, where)
    else:
        w.space()


def _grad(w: Writer, node: Grad) -> None:
    """`grad(y, dy) { }`."""
    w.space()
    w.take()
    w.open_list()
    w.take()
    w.next_part()
    w.take()
    w.close_list(")", comma=False)
    w.space()
    statements.body(w, node.body)


def kernel(w: Writer, node: Kernel) -> None:
    """`kernel k<..>(x: ...) -> y: ... grid(n) warps(4) where ... { }`."""
    w.take("kernel")
    w.space()
    w.take()
    types.generics(w, node.generics)
    w.open(indent=False)
    _params(w, node.params)
    w.space()
    w.take("->")
    w.space()
    if w.kind == "(":
        w.open_list()
        for index, result in enumerate(node.results):
            if index:
                w.next_part()
            _param(w, result)
        w.close_list(")", comma=False)
    else:
        _param(w, node.results[0])
    w.open(indent=False)
    w.line()
    w.take()
    w.open_list()
    for index, size in enumerate(node.grid):
        if index:
            w.next_part()
        expressions.expression(w, size)
    w.close_list(")", comma=False)
    for hint in node.hints:
        w.line()
        w.take()
        w.open_list()
        expressions.expression(w, hint.value)
        w.close_list(")", comma=False)
    w.close(indent=False)
    w.close(indent=False)
    _where(w, node.where)
    statements.body(w, node.body)


def _params(w: Writer, params: tuple[Param, ...]) -> None:
    """`(x: type, y: type = default)`, in the group of the header."""
    if not params:
        w.empty_list(")")
        return
    w.open_list(group=False)
    for index, param in enumerate(params):
        if index:
            w.next_part()
        _param(w, param)
    w.close_list(")", group=False)


def _param(w: Writer, node: Param) -> None:
    """`x: type = default`."""
    w.take()
    w.take(":")
    w.space()
    types.type_(w, node.type)
    if node.default is not None:
        w.space()
        w.take("=")
        w.space()
        expressions.expression(w, node.default)
