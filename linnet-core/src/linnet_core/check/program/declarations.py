"""Checked declarations: generics, members, structs, enums, blocks, functions, modules, and the program of them.

In: nothing.  Out: the values; keys are `module::Item` and `module::Block.method`.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING
from typing import Literal as Lit

from msgspec import Struct, field

from linnet_core.check.types import Args, DType, DTypeClass, GenericArg, Type
from linnet_core.shapes import Constraint, Dim, Shape
from linnet_core.text.span import Span

if TYPE_CHECKING:
    from linnet_core.check.program.expressions import Expr
    from linnet_core.check.program.statements import Stmt


class Generic(Struct, frozen=True):
    """A generic parameter.  `id` is unique in the program and is what dims, packs and dtype variables refer to."""

    name: str
    kind: Lit["dim", "shape", "dtype"]
    id: int
    bound: DTypeClass | None = None
    default: GenericArg | None = None


class Local(Struct, frozen=True):
    """A value with a name: a parameter, `let`, `var`, pattern or loop variable.  `id` is unique in its function."""

    id: int
    name: str
    type: Type
    mutable: bool = False


class Param(Struct, frozen=True):
    """A parameter.  `default` refers to the generics of its own function; callers receive it substituted."""

    local: Local
    default: Expr | None = None

    @property
    def type(self) -> Type:
        """The declared type."""
        return self.local.type


class Member(Struct, frozen=True):
    """A member of a block.  A `sub` has a block, array or optional block type; a `param` may be optional."""

    name: str
    kind: Lit["param", "buffer", "state", "sub"]
    type: Type
    #: None in a program read back from a plan.
    span: Span | None = None


class Field(Struct, frozen=True):
    """A field of a struct."""

    name: str
    type: Type


class Struct_(Struct, frozen=True, dict=True):
    """A struct declaration."""

    name: str
    module: str
    public: bool
    generics: tuple[Generic, ...]
    fields: tuple[Field, ...]

    @cached_property
    def types(self) -> tuple[Type, ...]:
        """The types of the fields, in order."""
        return tuple(field.type for field in self.fields)


class Enum_(Struct, frozen=True):
    """An enum declaration."""

    name: str
    module: str
    public: bool
    generics: tuple[Generic, ...]
    variants: tuple[str, ...]


class Const(Struct, frozen=True):
    """A module-level constant.  `contextual` marks an untyped numeric declaration; its `value` then has i64 or f64."""

    name: str
    module: str
    public: bool
    type: Type
    contextual: bool
    value: Expr


class Block(Struct, frozen=True, dict=True):
    """A block declaration; its methods are functions whose `block` is `key`."""

    name: str
    module: str
    public: bool
    generics: tuple[Generic, ...]
    constraints: tuple[Constraint, ...]
    members: tuple[Member, ...]
    #: None in a program read back from a plan.
    span: Span | None = None

    @property
    def key(self) -> str:
        """`module::Name`, what `Program.blocks` is keyed by."""
        return f"{self.module}::{self.name}"

    @cached_property
    def by_name(self) -> dict[str, Member]:
        """Its members; every use of one is looked up here."""
        return {member.name: member for member in reversed(self.members)}


class Grad(Struct, frozen=True):
    """The `grad(y, dy)` clause of an op."""

    result: Local
    gradient: Local
    body: tuple[Stmt, ...]


class KernelUse(Struct, frozen=True):
    """The kernel an op names, with the kernel's generics bound from the op's."""

    kernel: str
    args: Args


class Launch(Struct, frozen=True):
    """How a kernel runs: its results, which are tensors in memory, one to three sizes of the grid, and hints (0 where unset)."""

    outputs: tuple[Local, ...]
    grid: tuple[Dim, ...]
    warps: int = 0
    stages: int = 0


class Function(Struct, frozen=True):
    """A checked `fn`, `op`, `entry` or `kernel`.

    `name` is qualified: `module::name`, or `module::Block.method` for a method.  `generics` are its own; a method's block
    has its own.  `states` are the paths it reads or writes relative to its block, `[*]` for array elements, sorted.
    A kernel has a `launch` and no result; its tensor parameters are memory.
    """

    name: str
    module: str
    kind: Lit["fn", "op", "entry", "kernel"]
    block: str | None
    public: bool
    generics: tuple[Generic, ...]
    constraints: tuple[Constraint, ...]
    params: tuple[Param, ...]
    result: Type
    states: tuple[str, ...]
    body: tuple[Stmt, ...]
    span: Span
    grad: Grad | None = None
    kernel: KernelUse | None = None
    launch: Launch | None = None


class Module(Struct, frozen=True):
    """One checked module: its items in the order declared.  A block's methods follow the block in `functions`."""

    name: str
    path: str
    constants: tuple[Const, ...]
    structs: tuple[Struct_, ...]
    enums: tuple[Enum_, ...]
    blocks: tuple[Block, ...]
    functions: tuple[Function, ...]


class Program(Struct, frozen=True):
    """All modules reachable from the root file, in load order; the root module is the last."""

    modules: tuple[Module, ...]
    blocks: dict[str, Block] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)
    structs: dict[str, Struct_] = field(default_factory=dict)
    enums: dict[str, Enum_] = field(default_factory=dict)
    constants: dict[str, Const] = field(default_factory=dict)

    @property
    def root(self) -> Module:
        """The module of the file that was asked for."""
        return self.modules[-1]

    @property
    def name(self) -> str:
        """The module path of that file."""
        return self.root.name


class Substitution(Struct, frozen=True):
    """What a call gives its callee's generics (the function's own), by generic id; values are in the caller's terms."""

    dims: dict[int, Dim] = field(default_factory=dict)
    packs: dict[int, Shape] = field(default_factory=dict)
    dtypes: dict[int, DType] = field(default_factory=dict)
