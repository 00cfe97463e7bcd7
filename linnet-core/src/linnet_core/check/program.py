"""The checked program: declarations and typed bodies, every name resolved and every literal given its dtype.

In: `check.py` makes it from a loaded package.  Out: what `ir/lower*.py` reads; it holds no syntax.  Declarations refer to each
other by name (`module::Item`, `module::Block.method`), so a program is plain data without cycles.

Meaning of the typed tree: statements run in order; every expression has a `type` with its shapes proved; contextual literals
and compile-time integers are already `Literal` or `DimValue` of a definite dtype; call arguments stand in parameter order with
defaults filled in; broadcasting between operands is implicit (the result's type says to what).
"""

from __future__ import annotations

from functools import cached_property
from typing import Literal as Lit

from msgspec import Struct, field

from linnet_core.check.types import Args, DType, DTypeClass, GenericArg, Type
from linnet_core.shapes import Constraint, Dim, Shape, Unit
from linnet_core.text.span import Span

# ---------------------------------------------------------------------------------------------------------- declarations


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


class Substitution(Struct, frozen=True):
    """What a call gives its callee's generics (the function's own), by generic id; values are in the caller's terms."""

    dims: dict[int, Dim] = field(default_factory=dict)
    packs: dict[int, Shape] = field(default_factory=dict)
    dtypes: dict[int, DType] = field(default_factory=dict)


# ----------------------------------------------------------------------------------------------------------- expressions


class Expr(Struct, frozen=True):
    """Base of typed expressions."""

    type: Type
    span: Span


class Literal(Expr, frozen=True):
    """A number or bool of a definite scalar dtype (which may be a dtype generic).

    `text` is the decimal spelling of a float, kept so that a narrow dtype rounds once.
    """

    value: int | float | bool
    text: str | None = None


class DimValue(Expr, frozen=True):
    """A compile-time integer used as a scalar value; `type` is the scalar it became (i64 without context)."""

    dim: Dim


class LocalRef(Expr, frozen=True):
    """A local's present value."""

    local: Local


class SelfRef(Expr, frozen=True):
    """The receiver of the method being checked; only as `receiver` of the nodes below."""


class MemberRef(Expr, frozen=True):
    """A `param`, `buffer` (a value, optional for an optional param) or `sub` of a block; `state` is `StateRead`."""

    receiver: Expr
    member: str


class StateRead(Expr, frozen=True):
    """The present value of a state member of `receiver` (own or a child's)."""

    receiver: Expr
    member: str


class ArrayGet(Expr, frozen=True):
    """An element of an array of blocks at a compile-time position."""

    array: Expr
    position: Dim


class ConstRef(Expr, frozen=True):
    """A module constant (`module::NAME`), already at its definite dtype."""

    const: str


class EnumValue(Expr, frozen=True):
    """`Pooling.Mean`."""

    variant: str


class Unary(Expr, frozen=True):
    """Elementwise; `kind` as the Core IR spells it."""

    kind: Lit["not", "neg", "exp", "log", "sqrt", "rsqrt", "sin", "cos", "tanh", "abs"]
    operand: Expr


class Binary(Expr, frozen=True):
    """Elementwise with implicit broadcasting; `and`/`or` are the scalar `&&`/`||`."""

    kind: Lit["add", "sub", "mul", "div", "rem", "min", "max", "and", "or", "bitand", "bitor", "bitxor", "shl", "shr"]
    left: Expr
    right: Expr


class Compare(Expr, frozen=True):
    """Elementwise comparison, bool result."""

    kind: Lit["eq", "ne", "lt", "le", "gt", "ge"]
    left: Expr
    right: Expr


class Select(Expr, frozen=True):
    """`select(condition, on_true, on_false)`."""

    condition: Expr
    on_true: Expr
    on_false: Expr


class Cast(Expr, frozen=True):
    """To the dtype of `type`."""

    operand: Expr


class Reshape(Expr, frozen=True):
    """To the shape of `type`."""

    operand: Expr


class BroadcastTo(Expr, frozen=True):
    """To the shape of `type`."""

    operand: Expr


class Permute(Expr, frozen=True):
    """Result axis i is operand axis `axes[i]`."""

    operand: Expr
    axes: tuple[int, ...]


class Concat(Expr, frozen=True):
    """Along `axis`; a negative axis counts from the back and stays as written."""

    parts: tuple[Expr, ...]
    axis: int


class Cumsum(Expr, frozen=True):
    """Running sum along `axis`; a negative axis counts from the back and stays as written."""

    operand: Expr
    axis: int


class Iota(Expr, frozen=True):
    """`0 .. length-1`; the length is `type`'s only axis."""


class Fill(Expr, frozen=True):
    """A tensor of `type` holding one scalar."""

    value: Expr


class SliceAxis(Struct, frozen=True):
    """One axis of a static slice.  `squeeze` drops the axis (then `stop` is `start + 1`); `step` is at least 1."""

    start: Dim
    stop: Dim
    step: int = 1
    squeeze: bool = False


class WholeAxes(Struct, frozen=True):
    """A unit of the operand's declared shape taken whole (also a pack, whatever it binds)."""

    unit: Unit


class Slice(Expr, frozen=True):
    """A slice with compile-time positions only; one entry per unit of the operand's declared shape."""

    operand: Expr
    axes: tuple[SliceAxis | WholeAxes, ...]


class RuntimeIndex(Struct, frozen=True):
    """A run-time integer position in one axis, which is dropped."""

    index: Expr


class Gather(Expr, frozen=True):
    """An index expression outside index notation with at least one run-time position: those axes are dropped, the rest is
    sliced as in `Slice`.  One entry per unit of the operand's declared shape."""

    operand: Expr
    axes: tuple[SliceAxis | WholeAxes | RuntimeIndex, ...]


class IndexVar(Struct, frozen=True):
    """An index of index notation: `id` unique in its function; `domain` is one dim, or a pack's units for `*s`."""

    id: int
    name: str
    domain: Shape
    pack: bool


class IndexRef(Struct, frozen=True):
    """A use of an index at an axis (or, for a pack index, at all axes of a pack)."""

    index: IndexVar


class Element(Expr, frozen=True):
    """`x[i, *s, n]` inside index notation: one scalar.  Every axis of `base` is covered in order; an `Expr` is a computed
    position (a run-time integer scalar, or a compile-time `DimValue`/`Literal` of i64)."""

    base: Expr
    positions: tuple[IndexRef | Expr, ...]


class Comprehension(Expr, frozen=True):
    """`let y[i, *s] = body`: `type` is the tensor over the indices, `body` a scalar."""

    indices: tuple[IndexVar, ...]
    body: Expr


class Reduce(Expr, frozen=True):
    """`sum[k] body`; a scalar."""

    kind: Lit["sum", "prod", "max", "min", "any", "all"]
    indices: tuple[IndexVar, ...]
    body: Expr


class MakeTuple(Expr, frozen=True):
    """A tuple."""

    elements: tuple[Expr, ...]


class MakeStruct(Expr, frozen=True):
    """A struct value, fields in declaration order."""

    fields: tuple[Expr, ...]


class GetField(Expr, frozen=True):
    """Field `position` of a struct, or element `position` of a tuple (patterns)."""

    base: Expr
    position: int


class MakeSome(Expr, frozen=True):
    """`some(x)`."""

    value: Expr


class MakeNone(Expr, frozen=True):
    """`none` of the optional type `type`."""


class MatchOptional(Expr, frozen=True):
    """`binding` is None when the some-arm binds nothing.  A `some` pattern that is a tuple arrives as `binding` plus
    `Bind` wrappers in `some`.  A wildcard arm is duplicated into the arm it stands for."""

    subject: Expr
    binding: Local | None
    some: Expr
    none: Expr


class Bind(Expr, frozen=True):
    """`local` is `value` inside `body` (patterns inside arms); the expression's value is `body`'s."""

    local: Local
    value: Expr
    body: Expr


class MatchEnum(Expr, frozen=True):
    """Arms in the order written; `_` is the catch-all and last."""

    subject: Expr
    variants: tuple[str, ...]
    arms: tuple[Expr, ...]


class If(Expr, frozen=True):
    """A scalar condition."""

    condition: Expr
    then: Expr
    otherwise: Expr


class Call(Expr, frozen=True):
    """A call of a function, op, entry or method by qualified name.

    `receiver` is the block value of a method (`SelfRef` for a sibling), else None.  `args` stand in parameter order.
    `generics` are the callee's own generics in declaration order, as in `substitution`; a method's block generics are in
    the receiver's type.
    """

    callee: str
    receiver: Expr | None
    args: tuple[Expr, ...]
    generics: Args
    substitution: Substitution


class ProgramId(Expr, frozen=True):
    """The position of the running program along one size of the kernel's grid; an i32 scalar."""

    axis: int


class Load(Expr, frozen=True):
    """Elements of a tensor in memory: an integer scalar or tile an axis, each tile adding its axes to the result in order.

    Where the mask is false nothing is read and the element is `other`, or zero.
    """

    memory: Local
    indices: tuple[Expr, ...]
    mask: Expr | None
    other: Expr | None


class Scan(Expr, frozen=True):
    """A `for` whose yielded values are stacked; `type` is the stacked type."""

    loop: For
    yielded: Expr


# ------------------------------------------------------------------------------------------------------------ statements


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
