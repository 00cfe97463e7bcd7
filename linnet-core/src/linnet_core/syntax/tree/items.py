"""Syntax of a file and its items.

In: tokens, through `parse_items.py`.  Out: `File`, the root of the tree.
"""

from __future__ import annotations

from typing import Literal

from linnet_core.syntax.tokens import Comment
from linnet_core.syntax.tree.expressions import Expression
from linnet_core.syntax.tree.node import Name, Node, Path
from linnet_core.syntax.tree.statements import Statement
from linnet_core.syntax.tree.types import Arg, Constraint, GenericParam, Type
from linnet_core.text.span import Span

Body = tuple[Statement, ...]


class File(Node, frozen=True):
    """One module: `module a.b`, its imports and items.  `name` is None when the `module` line is missing or broken.

    `comments` are all of the file in order, documentation comments among them; their offsets say what they stand before.
    """

    name: Path | None
    uses: tuple[Use, ...]
    items: tuple[Item, ...]
    comments: tuple[Comment, ...] = ()


class Use(Node, frozen=True):
    """`use std.nn.linear::{Linear, linear as project}`; `names` is None for `use a.b` (the module itself)."""

    path: Path
    names: tuple[UseName, ...] | None


class UseName(Node, frozen=True):
    """`x` or `x as y` after `::`."""

    name: Name
    alias: Name | None


class Const(Node, frozen=True):
    """`const X: i64 = 1`."""

    public: bool
    name: Name
    type: Type | None
    value: Expression


class Alias(Node, frozen=True):
    """`type Row<N: Dim> = Tensor[N; f32]`."""

    public: bool
    name: Name
    generics: tuple[GenericParam, ...]
    type: Type


class FieldDecl(Node, frozen=True):
    """`mean: Tensor[N; f32]` in a struct."""

    name: Name
    type: Type


class StructDecl(Node, frozen=True):
    """`struct Moments<N: Dim> { mean: ..., scale: ... }`."""

    public: bool
    name: Name
    generics: tuple[GenericParam, ...]
    fields: tuple[FieldDecl, ...]


class EnumDecl(Node, frozen=True):
    """`enum Pooling { Mean, Max }`."""

    public: bool
    name: Name
    generics: tuple[GenericParam, ...]
    variants: tuple[Name, ...]


class Param(Node, frozen=True):
    """`x: type = default`."""

    name: Name
    type: Type
    default: Expression | None


class Grad(Node, frozen=True):
    """`grad(y, dy) { ... }`."""

    result: Name
    gradient: Name
    body: Body


class KernelUse(Node, frozen=True):
    """`kernel name<args>` in an op's header."""

    name: Name
    args: tuple[Arg, ...] | None


class Function(Node, frozen=True):
    """A `fn`, `op` or `entry`, at module level or in a block.  `body_span` covers the braces.

    `grad` and `kernel` parse after every kind and belong to ops only.
    """

    public: bool
    kind: Literal["fn", "op", "entry"]
    name: Name
    generics: tuple[GenericParam, ...]
    params: tuple[Param, ...]
    result: Type | None
    where: tuple[Constraint, ...]
    body: Body
    body_span: Span
    grad: Grad | None
    kernel: KernelUse | None


class KernelHint(Node, frozen=True):
    """`warps(4)` or `stages(2)`."""

    name: Literal["warps", "stages"]
    value: Expression


class Kernel(Node, frozen=True):
    """`kernel k<..>(x: ...) -> y: ... grid(n) warps(4) where ... { }`."""

    public: bool
    name: Name
    generics: tuple[GenericParam, ...]
    params: tuple[Param, ...]
    results: tuple[Param, ...]
    grid: tuple[Expression, ...]
    hints: tuple[KernelHint, ...]
    where: tuple[Constraint, ...]
    body: Body


class Member(Node, frozen=True):
    """`param`, `buffer`, `state` or `sub` of a block."""

    kind: Literal["param", "buffer", "state", "sub"]
    name: Name
    type: Type
    value: Expression | None


class Block(Node, frozen=True):
    """`block Name<generics> where ... { members and items }`, in the order written."""

    public: bool
    name: Name
    generics: tuple[GenericParam, ...]
    where: tuple[Constraint, ...]
    members: tuple[Member, ...]
    items: tuple[Item, ...]


Item = Const | Alias | StructDecl | EnumDecl | Function | Kernel | Block
