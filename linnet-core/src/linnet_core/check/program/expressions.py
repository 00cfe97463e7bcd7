"""Typed expressions: every one has its type, its shapes proved.

In: nothing.  Out: the values.  Contextual literals and compile-time integers are already `Literal` or `DimValue` of a definite dtype.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from typing import Literal as Lit

from msgspec import Struct

from linnet_core.check.program.declarations import Local, Substitution
from linnet_core.check.types import Args, Type
from linnet_core.shapes import Dim, Shape, Unit
from linnet_core.text.span import Span

if TYPE_CHECKING:
    from linnet_core.check.program.statements import For


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
