"""The kernel an op names.

In: an op's header.  Out: `KernelUse` with the kernel's generics bound.  E1208 and E2126 for what is no kernel.  Kernel bodies
themselves are not checked yet: E2190 at each kernel.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.describe import describe
from linnet_core.check.environment import KernelInfo
from linnet_core.check.names import lookup

if TYPE_CHECKING:
    from linnet_core.check.context import BodyContext
    from linnet_core.check.environment import Checker, FunctionInfo
    from linnet_core.check.program import KernelUse


def check_kernel_use(info: FunctionInfo, ctx: BodyContext) -> KernelUse | None:
    """None when there is no clause; a clause can only be refused as long as kernels are not checked."""
    use = info.syntax.kernel
    if use is None:
        return None
    report = ctx.checker.diagnostics.report
    if info.kind != "op":
        report("E2126", f"only an op names a kernel, and `{info.syntax.name.text}` is declared `{info.kind}`", use.span)
        return None
    entity = lookup(use.name.text, ctx, use.name.span)
    if entity is not None and not isinstance(entity, KernelInfo):
        report("E1208", f"`{use.name.text}` is {describe(entity)}, not a kernel", use.name.span)
    return None


def refuse_kernel(info: KernelInfo, checker: Checker) -> None:
    """E2190 at a kernel's name."""
    checker.diagnostics.report("E2190", f"kernel `{info.syntax.name.text}`: kernels are not implemented yet", info.syntax.name.span)
