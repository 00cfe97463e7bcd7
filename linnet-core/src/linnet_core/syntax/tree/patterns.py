"""Syntax of patterns: `x`, `_`, `(a, b)`, `some(p)`, `none`.

In: tokens.  Out: nodes for `let`, `static for` and match arms.
"""

from __future__ import annotations

from linnet_core.syntax.tree.node import Node


class NamePattern(Node, frozen=True):
    """A name to bind, `_`, or in an enum match a variant."""

    name: str


class TuplePattern(Node, frozen=True):
    """`(a, b)`."""

    elements: tuple[Pattern, ...]


class SomePattern(Node, frozen=True):
    """`some(p)`."""

    inner: Pattern


class NonePattern(Node, frozen=True):
    """`none`."""


Pattern = NamePattern | TuplePattern | SomePattern | NonePattern
