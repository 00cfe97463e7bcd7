"""Syntax of types, dimensions, generic parameters and arguments.

In: tokens, through `parse_types.py`.  Out: the nodes `check/` resolves.  A dimension is an ordinary expression node; a
pack in a dimension list is `PackRef`.
"""

from __future__ import annotations

from linnet_core.syntax.tree.expressions import Expression
from linnet_core.syntax.tree.node import Name, Node, Path


class NamedType(Node, frozen=True):
    """A dtype name, a generic, an alias, struct, enum or block, with its arguments: `bf16`, `T`, `Linear<H, H, T>`."""

    path: Path
    #: None when no `<...>` was written.
    args: tuple[Arg, ...] | None


class TensorType(Node, frozen=True):
    """`Tensor[*S, H; T]`; the element is a `NamedType`."""

    dims: tuple[Expression | PackRef, ...]
    dtype: NamedType


class TupleType(Node, frozen=True):
    """`(A, B)`."""

    elements: tuple[Type, ...]


class ArrayType(Node, frozen=True):
    """`[Block<..>; N]`."""

    element: Type
    length: Expression


class OptionalType(Node, frozen=True):
    """`T?`."""

    inner: Type


Type = NamedType | TensorType | TupleType | ArrayType | OptionalType


class PackRef(Node, frozen=True):
    """`*S` where a list of dimensions or indices is written."""

    name: Name


class ShapeArg(Node, frozen=True):
    """`[A, *S]` as a generic argument."""

    dims: tuple[Expression | PackRef, ...]


#: A generic argument.  What parses as a type is a type (`B` and `bf16` are `NamedType`), else an expression or a shape.
Arg = Type | Expression | ShapeArg


class GenericParam(Node, frozen=True):
    """`N: Dim`, `*S: Shape`, `T: Float = bf16`.  `kind` is the word after the colon."""

    name: Name
    pack: bool
    kind: Name
    default: Arg | None


class Constraint(Node, frozen=True):
    """One relation of a `where` clause; `relation` is `==`, `!=`, `<`, `<=`, `>` or `>=`."""

    relation: str
    left: Expression
    right: Expression
