"""Kernels: signatures, how they are launched, and bodies.

In: `KernelInfo`s with their syntax.  Out: the same with generics, facts, parameters, results and launch, then with a checked body.
E2127 for a rule of kernels broken, E2123 for a grid that is not known at compile time; what stands in a body is `statements.py` and
`kernel_memory.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.context import BodyContext
from linnet_core.check.describe import RENAME
from linnet_core.check.effects import effects_of
from linnet_core.check.generics import check_name, declare_generics
from linnet_core.check.program import Function, Launch, Local, Param
from linnet_core.check.resolve_dims import resolve_dim
from linnet_core.check.resolve_types import resolve_type
from linnet_core.check.scopes import NO_FACTS
from linnet_core.check.show_types import quote
from linnet_core.check.types import ERROR, UNIT, ErrorType, ScalarType, TensorType
from linnet_core.check.where import resolve_where
from linnet_core.shapes import Pack
from linnet_core.syntax import tree
from linnet_core.syntax.literals import LARGEST
from linnet_core.text.diagnostic import Label

if TYPE_CHECKING:
    from linnet_core.check.context import LocalUse
    from linnet_core.check.environment import Checker, KernelInfo
    from linnet_core.check.types import Type
    from linnet_core.shapes import Dim
    from linnet_core.text.span import Span

#: Sizes a grid may have.
MOST_GRID_SIZES = 3


def check_kernel(info: KernelInfo, checker: Checker) -> None:
    """Resolve a kernel's header."""
    ctx = BodyContext(checker, info.module, NO_FACTS, kernel=info)
    ctx.push()
    info.generics = declare_generics(info.syntax.generics, ctx)
    info.constraints = resolve_where(info.syntax.where, ctx)
    info.facts, info.broken = ctx.facts, ctx.broken
    named: dict[str, Span] = {}
    info.params = tuple(_declare(param, named, ctx, result=False) for param in info.syntax.params)
    grid = _check_grid(info.syntax, ctx)
    info.results = tuple(_declare(param, named, ctx, result=True) for param in info.syntax.results)
    hints = _check_hints(info.syntax, checker)
    if grid is not None and hints is not None:
        info.launch = Launch(info.results, grid, hints.get("warps", 0), hints.get("stages", 0))


def check_kernel_body(info: KernelInfo, checker: Checker) -> list[LocalUse]:
    """Check a kernel's statements; `info.function` and `info.effects` are set when its header was right.

    Returns the locals with their uses, for the lints.  As for functions, nothing is checked under a `where` that was reported.
    """
    from linnet_core.check.statements import check_body

    if info.broken:
        return []
    ctx = _body_context(info, checker)
    body = check_body(info.syntax.body, ctx, ERROR)
    if info.launch is not None:
        info.function = Function(
            name=info.qualified,
            module=info.module.name,
            kind="kernel",
            block=None,
            public=info.syntax.public,
            generics=info.generics,
            constraints=info.constraints,
            params=tuple(map(Param, info.params)),
            result=UNIT,
            states=(),
            body=body,
            span=info.syntax.name.span,
            launch=info.launch,
        )
        info.effects = effects_of(info.function)
    return ctx.locals


def _body_context(info: KernelInfo, checker: Checker) -> BodyContext:
    """Where the statements stand: parameters and results are the locals of the outermost scope, its tensors no values."""
    ctx = BodyContext(checker, info.module, info.facts, kernel=info, generics={generic.name: generic for generic in info.generics})
    ctx.push()
    for local, param in zip((*info.params, *info.results), (*info.syntax.params, *info.syntax.results), strict=True):
        ctx.declare(local.name, local.type, param.name.span, lint=False, origin="a parameter")
    ctx.memory = frozenset(local.id for local in (*info.params, *info.results) if isinstance(local.type, TensorType))
    return ctx


def _declare(param: tree.Param, named: dict[str, Span], ctx: BodyContext, *, result: bool) -> Local:
    """The local of a parameter or result; its type is ERROR where it was refused."""
    report = ctx.checker.diagnostics.report
    name = param.name
    check_name(name, ctx)
    if name.text in named and name.text != "_":
        related = (Label(named[name.text], "the first"),)
        report("E1205", f"two parameters or results are named `{name.text}`", name.span, label="the second", related=related, help=RENAME)
    named.setdefault(name.text, name.span)
    type = resolve_type(param.type, ctx)
    wrong = _why_not(type, result=result)
    if wrong is not None:
        what, help = wrong
        report(
            "E2127",
            f"`{name.text}` {what}, not {quote(type)}",
            param.type.span,
            label="no kernel takes this" if not result else "no kernel writes this",
            help=help,
        )
        type = ERROR
    if param.default is not None:
        help = f"give `{name.text}` a default in the op that names the kernel"
        report("E2127", "a parameter of a kernel has no default", param.default.span, label="a default", help=help)
    return ctx.declare(name.text, type, name.span, lint=False)


def _why_not(type: Type, *, result: bool) -> tuple[str, str] | None:
    """What a kernel's parameter or result has to be and how it becomes that, when `type` is not that."""
    if isinstance(type, ErrorType) or (isinstance(type, ScalarType) and not result):
        return None
    if not isinstance(type, TensorType):
        if result:
            return "is a result of a kernel, so a tensor", f"one number is a tensor of one element: `Tensor[1; {_dtype(type)}]`"
        return "is a parameter of a kernel, so a tensor or a scalar", "give the kernel its parts as parameters of their own"
    if any(isinstance(unit, Pack) for unit in type.shape):
        return "is a tensor in memory, so its rank is known", "write a `Dim` for each axis"
    return None


def _dtype(type: Type) -> str:
    return str(type.dtype) if isinstance(type, ScalarType) else "f32"


def _check_grid(node: tree.Kernel, ctx: BodyContext) -> tuple[Dim, ...] | None:
    """The sizes of the grid; None when one was reported."""
    sizes = [resolve_dim(size, ctx, extent=True) for size in node.grid]
    if len(node.grid) > MOST_GRID_SIZES:
        message = f"a grid has at most {MOST_GRID_SIZES} sizes, and this one has {len(node.grid)}"
        help = "make one size of two by their product, and take it apart with `/` and `%`"
        ctx.checker.diagnostics.report("E2127", message, node.grid[MOST_GRID_SIZES].span, label="one too many", help=help)
        return None
    known = tuple(size for size in sizes if size is not None)
    return known if len(known) == len(sizes) else None


def _check_hints(node: tree.Kernel, checker: Checker) -> dict[str, int] | None:
    """`warps` and `stages` by name, where they are given; None when one was reported."""
    seen: dict[str, int] = {}
    good = True
    for hint in node.hints:
        value = hint.value.value if isinstance(hint.value, tree.IntLiteral) else None
        if value is None or value < 1:
            message, label, help = f"`{hint.name}` takes a positive integer literal", "not one", f"write a number: `{hint.name}(4)`"
        elif hint.name == "warps" and value & (value - 1):
            nearest = 1 << (value.bit_length() - 1)
            above = f" or `warps({2 * nearest})`" if 2 * nearest <= LARGEST else ""
            message, label, help = (
                f"`warps` takes a power of two, and {value} is none",
                "no power of two",
                f"write `warps({nearest})`{above}",
            )
        elif hint.name in seen:
            message, label, help = f"`{hint.name}` is given twice", "again", "leave one of them out"
        else:
            seen[hint.name] = value
            continue
        checker.diagnostics.report("E2127", message, hint.span, label=label, help=help)
        good = False
    return seen if good else None
