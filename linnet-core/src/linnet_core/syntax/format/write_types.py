"""Types, generic parameters and arguments, and `where` clauses to events.

In: a `Writer` before the construct, and its node.  Out: its events.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.syntax.format import write_expressions as expressions
from linnet_core.syntax.format import write_infix as infix
from linnet_core.syntax.tree.types import (
    Arg,
    ArrayType,
    Constraint,
    GenericParam,
    NamedType,
    OptionalType,
    PackRef,
    ShapeArg,
    TensorType,
    TupleType,
    Type,
)

if TYPE_CHECKING:
    from linnet_core.syntax.format.writer import Writer
    from linnet_core.syntax.tree.expressions import Expression


def type_(w: Writer, node: Type) -> None:
    """A type, with its `?` and the parentheses around it."""
    start = node.span.start
    opened = 0
    while w.start < start:
        w.open_list()
        opened += 1
    match node:
        case OptionalType():
            type_(w, node.inner)
            w.take("?")
        case NamedType():
            named_type(w, node)
        case TensorType():
            _tensor(w, node)
        case TupleType():
            _tuple(w, node)
        case ArrayType():
            w.open_list()
            type_(w, node.element)
            w.take(";")
            w.line()
            expressions.expression(w, node.length)
            w.close_list("]", comma=False)
    for _ in range(opened):
        w.close_list(")", comma=False)


def named_type(w: Writer, node: NamedType) -> None:
    """`a.b.Name<args>`."""
    w.take_to(node.path.span.end)
    if node.args is not None:
        generic_args(w, node.args)


def _tensor(w: Writer, node: TensorType) -> None:
    """`Tensor[dims; dtype]`."""
    w.take()
    w.open_list()
    for index, dim in enumerate(node.dims):
        if index:
            w.next_part()
        dimension(w, dim)
    w.take(";")
    w.line()
    named_type(w, node.dtype)
    w.close_list("]", comma=False)


def dimension(w: Writer, node: Expression | PackRef) -> None:
    """A dimension, or `*S`."""
    if isinstance(node, PackRef):
        w.take_to(node.span.end)
    else:
        expressions.expression(w, node)


def _tuple(w: Writer, node: TupleType) -> None:
    """`(A, B)`."""
    w.open_list()
    for index, element in enumerate(node.elements):
        if index:
            w.next_part()
        type_(w, element)
    w.close_list(")", keeps=len(node.elements) > 1)


def generics(w: Writer, params: tuple[GenericParam, ...]) -> None:
    """`<N: Dim, *S: Shape = [1]>`, or nothing."""
    if not params:
        return
    w.open_list()
    for index, param in enumerate(params):
        if index:
            w.next_part()
        w.take_to(param.name.span.end)
        w.take(":")
        w.space()
        w.take()
        if param.default is not None:
            w.space()
            w.take("=")
            w.space()
            _arg(w, param.default)
    w.close_list(">")


def generic_args(w: Writer, args: tuple[Arg, ...]) -> None:
    """`<A, 8 * D, [B, S], bf16>`."""
    w.open_list()
    for index, arg in enumerate(args):
        if index:
            w.next_part()
        _arg(w, arg)
    w.close_list(">")


def _arg(w: Writer, arg: Arg) -> None:
    """One generic argument."""
    if isinstance(arg, ShapeArg):
        _shape(w, arg)
    elif isinstance(arg, Type):
        type_(w, arg)
    else:
        expressions.expression(w, arg)


def _shape(w: Writer, arg: ShapeArg) -> None:
    """`[A, *S]`."""
    if not arg.dims:
        w.empty_list("]")
        return
    w.open_list()
    for index, dim in enumerate(arg.dims):
        if index:
            w.next_part()
        dimension(w, dim)
    w.close_list("]", comma=False)


def where_clause(w: Writer, constraints: tuple[Constraint, ...]) -> None:
    """`where` and its constraints on lines of their own, up to the `{`: one stays beside the word, several stand one a line."""
    several = len(constraints) > 1
    w.line(hard=True)
    w.take("where")
    w.open()
    for index, constraint in enumerate(constraints):
        if index:
            w.take(",")
        w.line(hard=several, keep=index > 0)
        infix.constraint(w, constraint)
    w.end_parts(comma=False, flat=" ", hard=several)
    w.close(indent=False)
