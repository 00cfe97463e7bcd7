"""Typed statements, which run in order.

In: nothing.  Out: the values.
"""

from __future__ import annotations

from typing import Literal as Lit

from msgspec import Struct

from linnet_core.check.program.declarations import Local
from linnet_core.check.program.expressions import Expr
from linnet_core.shapes import Dim
from linnet_core.text.span import Span


class Stmt(Struct, frozen=True):
    """Base of typed statements."""

    span: Span


class Let(Stmt, frozen=True):
    """Binds one local (also `var`).  Tuple patterns arrive as a Let of a hidden local and Lets of `GetField`s."""

    local: Local
    value: Expr


class Assign(Stmt, frozen=True):
    """A new value for a `var`."""

    local: Local
    value: Expr


class StateWrite(Stmt, frozen=True):
    """A new value for a state of the receiver itself."""

    member: str
    value: Expr


class Evaluate(Stmt, frozen=True):
    """An expression for its effect (`let _ = f(x)`)."""

    value: Expr


class Return(Stmt, frozen=True):
    """The function's result; None for a unit function."""

    value: Expr | None


class StaticForArray(Stmt, frozen=True):
    """Unrolled over the elements of an array; `element` has the element's type."""

    element: Local
    array: Expr
    body: tuple[Stmt, ...]


class StaticForRange(Stmt, frozen=True):
    """Unrolled for i in start..stop; `index` is an i64 scalar."""

    index: Local
    start: Dim
    stop: Dim
    body: tuple[Stmt, ...]


class While(Stmt, frozen=True):
    """A run-time loop over a scalar bool."""

    condition: Expr
    body: tuple[Stmt, ...]


class For(Stmt, frozen=True):
    """A run-time loop of known length; `index` is an i64 scalar."""

    index: Local
    start: Dim
    stop: Dim
    body: tuple[Stmt, ...]


class Store(Stmt, frozen=True):
    """Writes elements of a kernel's result, or adds to them (or takes the larger or smaller) atomically; nothing where the mask
    is false.  A scalar value is written to every element."""

    memory: Local
    indices: tuple[Expr, ...]
    value: Expr
    mask: Expr | None
    atomic: Lit["add", "max", "min"] | None
