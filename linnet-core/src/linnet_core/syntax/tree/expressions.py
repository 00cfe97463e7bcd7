"""Syntax of expressions.

In: tokens, through `parse_expressions.py`.  Out: the nodes `check/` gives types to.  Parentheses leave no node; a span
covers the expression without them, except where noted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from linnet_core.syntax.tree.node import Name, Node

if TYPE_CHECKING:
    from linnet_core.syntax.tree.patterns import Pattern
    from linnet_core.syntax.tree.statements import For
    from linnet_core.syntax.tree.types import Arg, PackRef
    from linnet_core.text.span import Span


class IntLiteral(Node, frozen=True):
    """An integer; a minus right before it belongs to it (`-128` is one literal)."""

    value: int


class FloatLiteral(Node, frozen=True):
    """A float.  `text` is the decimal text without underscores (with its minus, if any), so that a narrower dtype rounds once."""

    value: float
    text: str


class BoolLiteral(Node, frozen=True):
    """`true` or `false`."""

    value: bool


class StringLiteral(Node, frozen=True):
    """`"..."`, escapes resolved."""

    value: str


class Ref(Node, frozen=True):
    """A bare name."""

    name: str


class Tuple(Node, frozen=True):
    """`(a, b)`, at least one element with a trailing comma."""

    elements: tuple[Expression, ...]


class List(Node, frozen=True):
    """`[a, *S]`: a shape or a list of axes, an argument of prelude functions."""

    elements: tuple[Expression | PackRef, ...]


class Unary(Node, frozen=True):
    """`-x`, `+x`, `!x`."""

    operator: Literal["-", "+", "!"]
    operand: Expression


class Binary(Node, frozen=True):
    """Any infix operator; `operator` is its spelling (`||`, `==`, `&`, `+`, ...)."""

    operator: str
    left: Expression
    right: Expression


class Field(Node, frozen=True):
    """`x.name`."""

    base: Expression
    name: Name


class Call(Node, frozen=True):
    """`f<args>(positional, name = value)`; `generics` is None when no `<...>` was written."""

    callee: Expression
    generics: tuple[Arg, ...] | None
    arguments: tuple[Argument, ...]


class Argument(Node, frozen=True):
    """One argument of a call; `name` is None for a positional one."""

    name: Name | None
    value: Expression


class Index(Node, frozen=True):
    """`x[components]`."""

    base: Expression
    components: tuple[Component, ...]


class At(Node, frozen=True):
    """A plain component: an index, position or index variable."""

    value: Expression


class Ellipsis_(Node, frozen=True):
    """`...`."""


class Slice(Node, frozen=True):
    """`start:stop:step`, each part None when left out."""

    start: Expression | None
    stop: Expression | None
    step: Expression | None


class PackComponent(Node, frozen=True):
    """`*s` as a component or index."""

    name: Name


Component = At | Ellipsis_ | Slice | PackComponent


class Reduction(Node, frozen=True):
    """`sum<f32>[i, *s] body`; `head` spans `sum<f32>[i, *s]` for diagnostics that speak of the indices."""

    kind: Literal["sum", "prod", "max", "min", "any", "all"]
    head: Span
    dtype: Name | None
    indices: tuple[IndexName, ...]
    body: Expression


class IndexName(Node, frozen=True):
    """An index listed on the left of an indexed `let` or in a reduction: `i` or `*s`."""

    name: str
    pack: bool


class Some(Node, frozen=True):
    """`some(x)`."""

    value: Expression


class NoneLiteral(Node, frozen=True):
    """`none`."""


class If(Node, frozen=True):
    """`if c { a } else { b }`."""

    condition: Expression
    then: Expression
    otherwise: Expression


class Match(Node, frozen=True):
    """`match x { arms }`."""

    subject: Expression
    arms: tuple[Arm, ...]


class Arm(Node, frozen=True):
    """`pattern => value`."""

    pattern: Pattern
    value: Expression


class ForExpression(Node, frozen=True):
    """A `for` where an expression stands (a scan when it is the whole value of a statement)."""

    loop: For


Expression = (
    IntLiteral
    | FloatLiteral
    | BoolLiteral
    | StringLiteral
    | Ref
    | Tuple
    | List
    | Unary
    | Binary
    | Field
    | Call
    | Index
    | Reduction
    | Some
    | NoneLiteral
    | If
    | Match
    | ForExpression
)
