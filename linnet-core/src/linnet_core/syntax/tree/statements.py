"""Syntax of statements.

In: tokens, through `parse_statements.py`.  Out: the nodes of function bodies.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from linnet_core.syntax.tree.node import Name, Node

if TYPE_CHECKING:
    from linnet_core.syntax.tree.expressions import Expression, IndexName
    from linnet_core.syntax.tree.patterns import Pattern
    from linnet_core.syntax.tree.types import Type


class Let(Node, frozen=True):
    """`let pattern: type = value`."""

    pattern: Pattern
    type: Type | None
    value: Expression


class IndexedLet(Node, frozen=True):
    """`let c[m, *s] = value`."""

    name: Name
    indices: tuple[IndexName, ...]
    value: Expression


class Var(Node, frozen=True):
    """`var name: type = value`."""

    name: Name
    type: Type | None
    value: Expression


class Assign(Node, frozen=True):
    """`name = value`."""

    name: Name
    value: Expression


class Return(Node, frozen=True):
    """`return value` or a bare `return`."""

    value: Expression | None


class StaticFor(Node, frozen=True):
    """`static for pattern in subject { }` (an array) or `in subject..stop { }` (a range: `stop` is not None)."""

    pattern: Pattern
    subject: Expression
    stop: Expression | None
    body: tuple[Statement, ...]


class While(Node, frozen=True):
    """`while condition { }`."""

    condition: Expression
    body: tuple[Statement, ...]


class For(Node, frozen=True):
    """`for name in start..stop { }`, as a statement or inside a `ForExpression`."""

    name: Name
    start: Expression
    stop: Expression
    body: tuple[Statement, ...]


class Yield(Node, frozen=True):
    """`yield value`."""

    value: Expression


class Store(Node, frozen=True):
    """`store(x[i], value, mask)` and the atomics of kernels."""

    kind: Literal["store", "atomic_add", "atomic_max", "atomic_min"]
    target: Expression
    value: Expression
    mask: Expression | None


Statement = Let | IndexedLet | Var | Assign | Return | StaticFor | While | For | Yield | Store
