"""The kernel an op names.

In: an op's header.  Out: `KernelUse` with the kernel's generics bound from the op's.  E1208 for what is no kernel, E2126 where
parameters or results of the two differ.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.describe import describe
from linnet_core.check.environment import KernelInfo
from linnet_core.check.names import lookup
from linnet_core.check.program import KernelUse
from linnet_core.check.resolve_args import resolve_args
from linnet_core.check.same_type import same_type
from linnet_core.check.show_types import quote
from linnet_core.check.substitute import substitute_type, substitution_of
from linnet_core.check.types import ErrorType, TupleType

if TYPE_CHECKING:
    from linnet_core.check.context import BodyContext
    from linnet_core.check.environment import FunctionInfo
    from linnet_core.check.types import Type


def check_kernel_use(info: FunctionInfo, ctx: BodyContext) -> KernelUse | None:
    """The kernel with its arguments; None when there is no clause or it was refused."""
    use = info.syntax.kernel
    if use is None:
        return None
    report = ctx.checker.diagnostics.report
    if info.kind != "op":
        report("E2126", f"only an op names a kernel, and `{info.syntax.name.text}` is declared `{info.kind}`", use.span)
        return None
    kernel = lookup(use.name.text, ctx, use.name.span)
    if kernel is None:
        return None
    if not isinstance(kernel, KernelInfo):
        report("E1208", f"`{use.name.text}` is {describe(kernel)}, not a kernel", use.name.span)
        return None
    args = resolve_args(use.args, kernel.generics, ctx, use.span, f"kernel `{use.name.text}`")
    if args is None:
        return None
    by = substitution_of(kernel.generics, args)
    wanted = [(local.name, substitute_type(local.type, by)) for local in kernel.params]
    given = [(local.name, local.type) for local in info.params]
    results = [substitute_type(local.type, by) for local in kernel.results]
    wrong = _parameters_differ(given, wanted, ctx) or _results_differ(info.result, results, ctx)
    if wrong is not None:
        report("E2126", f"kernel `{use.name.text}` does not match `{info.syntax.name.text}`: {wrong}", use.span)
        return None
    return KernelUse(kernel.qualified, args)


def _parameters_differ(given: list[tuple[str, Type]], wanted: list[tuple[str, Type]], ctx: BodyContext) -> str | None:
    """The first difference between the op's parameters and the kernel's."""
    if len(given) != len(wanted):
        return f"it takes {len(wanted)} parameters, and the op {len(given)}"
    for (op_name, op_type), (kernel_name, kernel_type) in zip(given, wanted, strict=True):
        if op_name != kernel_name:
            return f"its parameter `{kernel_name}` stands where the op has `{op_name}`"
        if not _same(op_type, kernel_type, ctx):
            return f"its `{kernel_name}` is {quote(kernel_type)}, and the op's is {quote(op_type)}"
    return None


def _results_differ(result: Type, wanted: list[Type], ctx: BodyContext) -> str | None:
    """The first difference between the op's results and the kernel's."""
    given = list(result.elements) if isinstance(result, TupleType) else [result]
    if len(given) != len(wanted):
        return f"it has {len(wanted)} results, and the op {len(given)}"
    for op_type, kernel_type in zip(given, wanted, strict=True):
        if not _same(op_type, kernel_type, ctx):
            return f"it gives {quote(kernel_type)}, and the op {quote(op_type)}"
    return None


def _same(a: Type, b: Type, ctx: BodyContext) -> bool:
    return isinstance(a, ErrorType) or isinstance(b, ErrorType) or same_type(a, b, ctx.facts)
