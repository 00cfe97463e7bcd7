"""Kernels: signatures, launch and writes.  Bodies are not checked yet.

In: `KernelInfo`s.  Out: the same with generics, parameters and results.  E2127 for a rule of kernels broken, E2123 for a grid
that is not known at compile time; E2190 for a kernel with nothing else wrong in the whole program.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.context import BodyContext
from linnet_core.check.generics import check_name, declare_generics
from linnet_core.check.program import Local
from linnet_core.check.resolve_dims import resolve_dim
from linnet_core.check.resolve_types import resolve_type
from linnet_core.check.scopes import NO_FACTS
from linnet_core.check.show_types import quote
from linnet_core.check.types import ErrorType, ScalarType, TensorType
from linnet_core.check.where import resolve_where
from linnet_core.shapes import Pack
from linnet_core.syntax import tree
from linnet_core.text.diagnostic import Label
from linnet_core.text.near import listed

if TYPE_CHECKING:
    from linnet_core.check.environment import Checker, KernelInfo
    from linnet_core.check.types import Type
    from linnet_core.text.span import Span

#: Sizes a grid may have.
MOST_GRID_SIZES = 3
_ATOMIC_DTYPES = ("f32", "i32", "u32", "i64", "u64")


def check_kernel(info: KernelInfo, checker: Checker) -> None:
    """Resolve a kernel's header and check what does not need the types of its body."""
    ctx = BodyContext(checker, info.module, NO_FACTS)
    ctx.push()
    info.generics = declare_generics(info.syntax.generics, ctx)
    resolve_where(info.syntax.where, ctx)
    named: dict[str, Span] = {}
    info.params = tuple(_declare(param, named, ctx, result=False) for param in info.syntax.params)
    _check_grid(info.syntax, ctx)
    info.results = tuple(_declare(param, named, ctx, result=True) for param in info.syntax.results)
    _check_hints(info.syntax, checker)
    _check_writes(info, checker)


def refuse_bodies(kernels: list[KernelInfo], checker: Checker) -> None:
    """E2190 at each kernel's name."""
    for info in kernels:
        checker.diagnostics.report("E2190", f"kernel `{info.syntax.name.text}`: kernels are not implemented yet", info.syntax.name.span)


def _declare(param: tree.Param, named: dict[str, Span], ctx: BodyContext, *, result: bool) -> Local:
    report = ctx.checker.diagnostics.report
    name = param.name
    check_name(name, ctx)
    if name.text in named:
        related = (Label(named[name.text], "the first"),)
        report("E1205", f"two parameters or results are named `{name.text}`", name.span, label="the second", related=related)
    named.setdefault(name.text, name.span)
    type = resolve_type(param.type, ctx)
    wrong = _why_not(type, result=result)
    if wrong is not None:
        report("E2127", f"`{name.text}` {wrong}, not {quote(type)}", param.type.span)
    return ctx.declare(name.text, type, name.span, lint=False)


def _why_not(type: Type, *, result: bool) -> str | None:
    """What a kernel's parameter or result has to be, when `type` is not that."""
    if isinstance(type, ErrorType) or (isinstance(type, ScalarType) and not result):
        return None
    if not isinstance(type, TensorType):
        return "is a result of a kernel, so a tensor" if result else "is a parameter of a kernel, so a tensor or a scalar"
    return "is a tensor in memory, so its rank is known" if any(isinstance(unit, Pack) for unit in type.shape) else None


def _check_grid(node: tree.Kernel, ctx: BodyContext) -> None:
    for size in node.grid:
        resolve_dim(size, ctx, extent=True)
    if len(node.grid) > MOST_GRID_SIZES:
        message = f"a grid has at most {MOST_GRID_SIZES} sizes, and this one has {len(node.grid)}"
        ctx.checker.diagnostics.report("E2127", message, node.grid[MOST_GRID_SIZES].span)


def _check_hints(node: tree.Kernel, checker: Checker) -> None:
    seen: set[str] = set()
    for hint in node.hints:
        value = hint.value.value if isinstance(hint.value, tree.IntLiteral) else None
        if value is None or value < 1:
            message = f"`{hint.name}` takes a positive integer literal"
        elif hint.name == "warps" and value & (value - 1):
            message = f"`warps` takes a power of two, and {value} is none"
        elif hint.name in seen:
            message = f"`{hint.name}` is given twice"
        else:
            seen.add(hint.name)
            continue
        checker.diagnostics.report("E2127", message, hint.span)


def _check_writes(info: KernelInfo, checker: Checker) -> None:
    """Each result takes one kind of write, and atomics write certain dtypes; a kernel returns nothing."""
    results = {local.name: local for local in info.results}
    first: dict[str, tree.Store] = {}
    waiting = list(reversed(info.syntax.body))
    while waiting:
        statement = waiting.pop()
        if isinstance(statement, tree.Return):
            checker.diagnostics.report("E2127", "a kernel returns nothing: it stores its results", statement.span)
        elif isinstance(statement, tree.StaticFor | tree.While | tree.For):
            waiting.extend(reversed(statement.body))
        elif isinstance(statement, tree.Store):
            _check_write(statement, results, first, checker)


def _check_write(node: tree.Store, results: dict[str, Local], first: dict[str, tree.Store], checker: Checker) -> None:
    report = checker.diagnostics.report
    target = node.target
    if not isinstance(target, tree.Index) or not isinstance(target.base, tree.Ref) or target.base.name not in results:
        report("E2127", f"`{node.kind}` writes elements of a result: `{node.kind}(result[i], value)`", target.span)
        return
    local = results[target.base.name]
    before = first.setdefault(local.name, node)
    if before.kind != node.kind:
        message = f"`{local.name}` is written by both `{before.kind}` and `{node.kind}`, and a result takes one kind of write"
        report("E2127", message, node.span, related=(Label(before.span, "the first kind"),))
    elif node.kind != "store" and isinstance(local.type, TensorType) and not _takes_atomics(local.type, node.kind):
        report("E2127", f"`{node.kind}` does not write {local.type.dtype}", node.span, help=f"it writes {listed(_ATOMIC_DTYPES)}")


def _takes_atomics(type: TensorType, kind: str) -> bool:
    return type.dtype in _ATOMIC_DTYPES or (kind == "atomic_add" and type.dtype == "f16")
