"""The Core IR: functions of regions of operations over typed SSA values, with symbolic dimensions.

In: nothing.  Out: the values that lowering makes, passes rewrite, the plan prints and the evaluator walks.  The operation kinds
are the table of `ops.py`.  Declarations of blocks, structs, enums and generics are the checker's own values.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct, field

from linnet_core.check.program import Block, Enum_, Generic, Struct_
from linnet_core.check.types import Args, Type
from linnet_core.shapes import Constraint, Dim, Shape
from linnet_core.text.span import Span


class Value(Struct, frozen=True, eq=False):
    """An SSA value, compared by identity.  `id` is unique in its function; `name` is the program's own, or ''."""

    id: int
    name: str
    type: Type


class IndexDomain(Struct, frozen=True):
    """An index of a comprehension or reduction: its name and the units it ranges over (one dim for a plain index)."""

    name: str
    domain: Shape


class Op(Struct, frozen=True, eq=False):
    """One operation.  `attrs` holds what the row of `ops.py` for `kind` names, with hashable values."""

    kind: str
    operands: tuple[Value, ...] = ()
    results: tuple[Value, ...] = ()
    attrs: dict[str, Any] = field(default_factory=dict)
    regions: tuple[Region, ...] = ()
    #: The source words this operation came from; None when it was read from a plan.
    span: Span | None = None


class Region(Struct, frozen=True, eq=False):
    """Arguments and operations; the last operation is `return` or `yield`."""

    args: tuple[Value, ...]
    ops: tuple[Op, ...]


class KernelUse(Struct, frozen=True):
    """The kernel an op may launch, with its generics."""

    name: str
    args: Args


class Launch(Struct, frozen=True):
    """How a kernel runs: how many of its last arguments are results, one to three sizes of the grid, hints (0 where unset)."""

    outputs: int
    grid: tuple[Dim, ...]
    warps: int = 0
    stages: int = 0


class Function(Struct, frozen=True, eq=False):
    """A lowered `fn`, `op`, `entry` or `kernel`; a method's first region argument is the block itself, named `self`.

    A kernel has a `launch`; its arguments are its parameters and then its results, and the tensors among them are memory.
    """

    name: str
    kind: Literal["fn", "op", "entry", "kernel"]
    #: `module::Block` for a method.
    block: str | None
    public: bool
    generics: tuple[Generic, ...]
    constraints: tuple[Constraint, ...]
    results: tuple[Type, ...]
    states: tuple[str, ...]
    body: Region
    span: Span | None = None
    grad: Region | None = None
    kernel: KernelUse | None = None
    launch: Launch | None = None


class Constant(Struct, frozen=True, eq=False):
    """A module constant: a region without arguments that yields its value.  `name` is `module::NAME`."""

    name: str
    public: bool
    type: Type
    contextual: bool
    body: Region


class Module(Struct, frozen=True, eq=False):
    """Everything reachable from a root file, in load order.  `name` is the root file's module path."""

    name: str
    #: Keyed `module::Name`.
    blocks: dict[str, Block]
    #: Keyed by qualified name.
    functions: dict[str, Function]
    constants: dict[str, Constant]
    structs: dict[str, Struct_] = field(default_factory=dict)
    enums: dict[str, Enum_] = field(default_factory=dict)
