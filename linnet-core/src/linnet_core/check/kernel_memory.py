"""What only kernels say: `program_id`, `load`, and the statements that write.

In: their syntax, in the body of a kernel.  Out: `ProgramId`, `Load` and `Store`.  E2127 where a rule of kernels is broken (or the
words stand outside one), E2204 for too many or too few indices, E2209 for a position provably outside its axis, E2123 for an axis
that is not known at compile time, E3104 for a load in index notation; a value of another type than its place is what `mismatch.py`
says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from linnet_core.check.arguments import match_arguments
from linnet_core.check.coerce import fit, settle
from linnet_core.check.compile_time import dim_of, failed, is_failed
from linnet_core.check.expressions import check_expression
from linnet_core.check.mismatch import report_mismatch
from linnet_core.check.names import lookup
from linnet_core.check.positions import check_inside, report_negative
from linnet_core.check.prelude_arguments import bind_arguments, takes_no_generics
from linnet_core.check.program import Expr, Load, Local, ProgramId, Stmt, Store
from linnet_core.check.show_types import quote
from linnet_core.check.types import BOOL, ErrorType, ScalarType, TensorType, Type, is_in_class, shape_of, tensor_or_scalar
from linnet_core.shapes import Constraint, Dim, equal_shapes, refute, show_shape
from linnet_core.syntax import tree
from linnet_core.text.diagnostic import Label
from linnet_core.text.near import listed

if TYPE_CHECKING:
    from linnet_core.check.context import BodyContext
    from linnet_core.shapes import Shape
    from linnet_core.text.span import Span

#: What every atomic write takes; `atomic_add` takes f16 as well.
ATOMIC_DTYPES = ("f32", "i32", "u32", "i64", "u64")
_ATOMICS = {"store": None, "atomic_add": "add", "atomic_max": "max", "atomic_min": "min"}


class _Place:
    """Elements in memory: the tensor, a typed index an axis, and the type of what is read or written there."""

    def __init__(self, memory: Local, indices: tuple[Expr, ...]) -> None:
        self.memory = memory
        self.indices = indices
        assert isinstance(memory.type, TensorType)
        shape = tuple(unit for index in indices for unit in shape_of(index.type) or ())
        self.type = tensor_or_scalar(shape, memory.type.dtype)

    @property
    def shape(self) -> Shape:
        return shape_of(self.type) or ()

    @property
    def element(self) -> ScalarType:
        return ScalarType(self.type.dtype)


# --------------------------------------------------------------------------------------------------------------- reading


def check_program_id(name: str, node: tree.Call, ctx: BodyContext, expected: Type | None) -> Expr:
    """`program_id(axis)`: an i32 scalar."""
    if ctx.kernel is None:
        return _outside(name, node, ctx)
    bound = bind_arguments(name, node, ("axis",), ctx) if takes_no_generics(name, node, ctx) else None
    argument = None if bound is None else check_expression(bound[0], ctx)
    if argument is None or is_failed(argument):
        return failed(node.span)
    axis, sizes = dim_of(argument), min(len(ctx.kernel.syntax.grid), 3)
    if axis is None:
        message = f"the axis of `program_id` is known at compile time, and this is {quote(argument.type)}"
        ctx.checker.diagnostics.report("E2123", message, argument.span, label="at run time", help=_axes(sizes))
    elif axis.value is None or not 0 <= axis.value < sizes:
        message = f"the grid of `{ctx.kernel.syntax.name.text}` has {sizes} size{'s' * (sizes > 1)} and no axis {axis}"
        ctx.checker.diagnostics.report("E2127", message, argument.span, label="no such axis", help=_axes(sizes))
    else:
        return ProgramId(ScalarType("i32"), node.span, axis.value)
    return failed(node.span)


def _axes(sizes: int) -> str:
    return f"write {' or '.join(f'`program_id({axis})`' for axis in range(sizes))}"


def check_load(name: str, node: tree.Call, ctx: BodyContext, expected: Type | None) -> Expr:
    """`load(x[i, j], mask, other)`: a tile, or a scalar when every index is one."""
    if ctx.kernel is None:
        return _outside(name, node, ctx)
    if ctx.in_index_notation:
        help = "load the tile first, `let tile = load(...)`, and index it here"
        ctx.checker.diagnostics.report(
            "E3104", "`load` stands in index notation", node.span, label="takes whole tiles of positions", help=help
        )
        return failed(node.span)
    if not takes_no_generics(name, node, ctx):
        return failed(node.span)
    bound = match_arguments(node, ("place", "mask", "other"), (False, True, True), "`load`", ctx)
    if bound is None or bound[0] is None:
        return failed(node.span)
    masked, filled = bound[1], bound[2]
    place = _place(bound[0].value, "load", ctx, masked=masked is not None)
    mask = None if masked is None else check_expression(masked.value, ctx)
    other = None if filled is None else check_expression(filled.value, ctx, place.type if place is not None else None)
    if masked is None and filled is not None:
        ctx.checker.diagnostics.report("E2102", "`other` of `load` needs a mask", filled.span, help="it stands where the mask is false")
        return failed(node.span)
    if place is None or not _is_mask(mask, place, ctx):
        return failed(node.span)
    if other is not None:
        other = _as_element(other, place, ctx, "`other`")
        if is_failed(other):
            return failed(node.span)
    return Load(place.type, node.span, place.memory, place.indices, mask, other)


def _outside(name: str, node: tree.Call, ctx: BodyContext) -> Expr:
    help = "index the tensor itself: `x[i]`" if name == "load" else "a position is `iota(N)`, or the variable of a loop"
    ctx.checker.diagnostics.report(
        "E2127", f"`{name}` is called outside a kernel", node.span, label="only in the body of a kernel", help=help
    )
    return failed(node.span)


# --------------------------------------------------------------------------------------------------------------- writing


def check_store(node: tree.Store, ctx: BodyContext) -> list[Stmt]:
    """`store(y[i, j], value, mask)` and the atomic writes."""
    report = ctx.checker.diagnostics.report
    if ctx.kernel is None:
        help = "a function gives its result with `return`; a `var` and a `state` are assigned with `=`"
        report("E2127", f"`{node.kind}` stands outside a kernel", node.span, label="only in the body of a kernel", help=help)
        return []
    place = _place(node.target, node.kind, ctx, masked=node.mask is not None)
    mask = None if node.mask is None else check_expression(node.mask, ctx)
    value = check_expression(node.value, ctx, place.type if place is not None else None)
    if place is None or is_failed(value):
        return []
    if not _may_write(node, place, ctx):
        return []
    value = _as_element(value, place, ctx, f"the value of `{node.kind}`")
    if is_failed(value) or not _is_mask(mask, place, ctx):
        return []
    return [Store(node.span, place.memory, place.indices, value, mask, _ATOMICS[node.kind])]  # type: ignore[arg-type]  # a word of the table


def _may_write(node: tree.Store, place: _Place, ctx: BodyContext) -> bool:
    """Whether the result takes this kind of write: one kind a result, and certain dtypes for atomics."""
    assert ctx.kernel is not None
    report, name = ctx.checker.diagnostics.report, place.memory.name
    before = ctx.kernel.writes.setdefault(name, node)
    if before.kind != node.kind:
        message = f"`{name}` is written by both `{before.kind}` and `{node.kind}`, and a result takes one kind of write"
        help = f"write `{before.kind}` here, or give the kernel another result"
        report("E2127", message, node.span, label="another kind", related=(Label(before.span, "the first kind"),), help=help)
        return False
    dtypes = (*ATOMIC_DTYPES, "f16") if node.kind == "atomic_add" else ATOMIC_DTYPES
    if node.kind != "store" and place.type.dtype not in dtypes:
        help = f"it writes {listed(dtypes)}"
        report(
            "E2127", f"`{node.kind}` does not write {place.type.dtype}", node.span, label=f"`{name}` is of {place.type.dtype}", help=help
        )
        return False
    return True


# ------------------------------------------------------------------------------------------------------- places and masks


def _place(node: tree.Expression, what: str, ctx: BodyContext, *, masked: bool) -> _Place | None:
    """The elements that `what` (`load`, `store` and so on) reads or writes; None when it was reported."""
    base = node.base if isinstance(node, tree.Index) else node
    name = base.name if isinstance(base, tree.Ref) else None
    entity = None if name is None else lookup(name, ctx, base.span, help="name a parameter or a result of the kernel")
    if (name is not None and entity is None) or isinstance(getattr(entity, "type", None), ErrorType):
        return None
    if not isinstance(entity, Local) or entity.id not in ctx.memory:
        return _no_memory(node, name, what, ctx)
    if what != "load" and ctx.kernel is not None and entity not in ctx.kernel.results:
        message, results = f"`{entity.name}` is a parameter, and a kernel writes its results", _results(ctx)
        ctx.checker.diagnostics.report("E2127", message, base.span, label="is only read", help=f"write {results}")
        return None
    if not isinstance(node, tree.Index):
        return _whole(entity, node.span, what, ctx)
    return _indexed(entity, node, what, ctx, masked)


def _no_memory(node: tree.Expression, name: str | None, what: str, ctx: BodyContext) -> None:
    """E2127: what is read or written is no tensor in memory."""
    shown = f"`{name}`" if name is not None else "this"
    if what == "load":
        message = f"`load` reads a tensor in memory, and {shown} is none"
        help = (
            f"a tile is indexed itself: `{node.span.brief}`"
            if isinstance(node, tree.Index)
            else "it reads `load(x[i])` of a tensor parameter `x`"
        )
    else:
        message, help = f"`{what}` writes elements of a result, and {shown} is none", f"write {_results(ctx)}"
    ctx.checker.diagnostics.report("E2127", message, node.span, label="not in memory" if what == "load" else "no result", help=help)


def _results(ctx: BodyContext) -> str:
    """The kernel's results as they are written to."""
    names = [local.name for local in ctx.kernel.results] if ctx.kernel is not None else []
    return f"{' or '.join(f'`store({name}[i], value)`' for name in names)}"


def _whole(memory: Local, span: Span, what: str, ctx: BodyContext) -> None:
    """E2127: the tensor stands without its indices."""
    rank = len(memory.type.shape) if isinstance(memory.type, TensorType) else 1
    place = f"{memory.name}[{', '.join('ijklmnpq'[:rank])}]"
    help = f"index every axis: `{what}({place}{'' if what == 'load' else ', value'})`"
    ctx.checker.diagnostics.report(
        "E2127", f"`{what}` takes elements of `{memory.name}`, not the whole tensor", span, label="without indices", help=help
    )


def _indexed(memory: Local, node: tree.Index, what: str, ctx: BodyContext, masked: bool) -> _Place | None:
    assert isinstance(memory.type, TensorType)
    shape = cast("tuple[Dim, ...]", memory.type.shape)
    found = [_index(component, ctx) for component in node.components]
    if not all(isinstance(component, tree.At) for component in node.components):
        return None
    if len(found) != len(shape):
        axes = "1 axis" if len(shape) == 1 else f"{len(shape)} axes"
        count = f"{len(found)} {'index' if len(found) == 1 else 'indices'}"
        help = f"`{what}` takes one integer scalar or tile an axis"
        ctx.checker.diagnostics.report(
            "E2204", f"{count} for {axes}", node.span, label=f"`{memory.name}` is {show_shape(shape)}", help=help
        )
        return None
    if any(index is None for index in found):
        return None
    indices = tuple(index for index in found if index is not None)
    inside = [_may_lie_inside(index, extent, ctx, masked) for index, extent in zip(indices, shape, strict=True)]
    if not all(inside):
        return None
    return _Place(memory, tuple(settle(index, ctx) for index in indices))


def _index(component: tree.Component, ctx: BodyContext) -> Expr | None:
    """One index: an integer scalar, an integer tile, or a compile-time integer; None when it was reported."""
    report = ctx.checker.diagnostics.report
    if not isinstance(component, tree.At):
        help = "make a tile of positions: `iota<i32>(N)`, moved by an addition"
        report(
            "E2127", "an index in memory is an integer scalar or an integer tile, not a range", component.span, label="a range", help=help
        )
        return None
    index = check_expression(component.value, ctx)
    if is_failed(index):
        return None
    if dim_of(index) is not None:
        return index
    if isinstance(index.type, ScalarType | TensorType) and is_in_class(index.type.dtype, "integer"):
        return index
    has_dtype = isinstance(index.type, ScalarType | TensorType)
    help = f"convert it: `cast<i32>({index.span.brief})`" if has_dtype else "write an integer, or a tile of them: `iota<i32>(N)`"
    message = f"an index in memory is an integer scalar or an integer tile, and this is {quote(index.type)}"
    report("E2127", message, component.span, label="an integer is due", help=help)
    return None


def _may_lie_inside(index: Expr, extent: Dim, ctx: BodyContext, masked: bool) -> bool:
    """Whether a compile-time position is not provably outside its axis; with a mask, which may be false there, only not negative."""
    position = dim_of(index)
    if position is None:
        return True
    if not masked:
        return check_inside(position, extent, index.span, ctx)
    if not refute(Constraint(">=", position, Dim.constant(0)), ctx.facts):
        return True
    report_negative(position, extent, "index", index.span, ctx)
    return False


def _is_mask(mask: Expr | None, place: _Place, ctx: BodyContext) -> bool:
    """Whether a mask is a bool scalar, or a bool tile of the place's shape (E2127)."""
    if mask is None:
        return True
    if is_failed(mask):
        return False
    wanted = tensor_or_scalar(place.shape, BOOL)
    if not isinstance(mask.type, ScalarType | TensorType) or mask.type.dtype != BOOL:
        message = f"a mask is a bool scalar or {quote(wanted)}, and this is {quote(mask.type)}"
        ctx.checker.diagnostics.report("E2127", message, mask.span, label="a bool is due", help="compare something: `at < N`")
        return False
    if isinstance(mask.type, ScalarType) or equal_shapes(mask.type.shape, place.shape, ctx.facts):
        return True
    if len(mask.type.shape) == len(place.shape):
        report_mismatch(mask, wanted, ctx, what="the mask", code="E2127")
        return False
    indices = ", ".join("ijklmnpq"[: len(place.shape)])
    help = f"make one of that shape: `let mask[{indices}] = ...`" if indices else "take one element of it, or a scalar bool"
    message = f"the mask is {quote(mask.type)}, and {quote(wanted)} is due"
    ctx.checker.diagnostics.report("E2127", message, mask.span, label=f"masks {show_shape(place.shape)}", help=help)
    return False


def _as_element(value: Expr, place: _Place, ctx: BodyContext, what: str) -> Expr:
    """A value of the place's type, or one scalar for all of its elements."""
    return fit(value, place.type if isinstance(value.type, TensorType) else place.element, ctx, what=what)


def refuse_memory(local: Local, span: Span, ctx: BodyContext) -> Expr:
    """E2127 for a tensor in memory where a value (or a variable) is due."""
    is_result = ctx.kernel is not None and local in ctx.kernel.results
    verb, use = ("written", f"store({local.name}[i], value)") if is_result else ("read", f"load({local.name}[i])")
    message = f"`{local.name}` is a tensor in memory, {verb} element by element"
    ctx.checker.diagnostics.report("E2127", message, span, label="is no value", help=f"{'write' if is_result else 'read'} it with `{use}`")
    return failed(span)
