"""The kernel an op names.

In: an op's header.  Out: `KernelUse` with the kernel's generics bound from the op's: those written in `<...>`, then what the op's
parameters and results tell, then defaults.  E1208 for what is no kernel, E2110 for a generic that nothing tells, E2126 where
parameters or results of the two differ.  The kernel's `where` need not hold here: where it does not for the bound sizes, the op's
body runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.describe import describe
from linnet_core.check.environment import KernelInfo
from linnet_core.check.names import lookup
from linnet_core.check.program import KernelUse, Substitution
from linnet_core.check.resolve_args import check_class, resolve_explicit_args
from linnet_core.check.same_type import same_type
from linnet_core.check.show_types import quote, show_arg
from linnet_core.check.solving import Origin, Solver
from linnet_core.check.substitute import bind, substitute_arg, substitute_type
from linnet_core.check.types import DTypeArg, ErrorType, TupleType
from linnet_core.syntax import tree
from linnet_core.text.diagnostic import Label

if TYPE_CHECKING:
    from linnet_core.check.context import BodyContext
    from linnet_core.check.environment import Entity, FunctionInfo
    from linnet_core.check.types import Type


def check_kernel_use(info: FunctionInfo, ctx: BodyContext) -> KernelUse | None:
    """The kernel with its arguments; None when there is no clause or it was refused."""
    use = info.syntax.kernel
    if use is None:
        return None
    report = ctx.checker.diagnostics.report
    if info.kind != "op":
        message = f"only an op names a kernel, and `{info.syntax.name.text}` is declared `{info.kind}`"
        report("E2126", message, use.span, help=f"declare it `op {info.syntax.name.text}`, or take the clause out")
        return None
    kernel = lookup(use.name.text, ctx, use.name.span, help=f"declare it: `kernel {use.name.text}(...) -> ... grid(...) {{ ... }}`")
    if kernel is None:
        return None
    if not isinstance(kernel, KernelInfo):
        return _no_kernel(kernel, use, ctx)
    explicit = resolve_explicit_args(use.args, kernel.generics, ctx, f"kernel `{use.name.text}`")
    if explicit is None or any(isinstance(local.type, ErrorType) for local in (*kernel.params, *kernel.results)):
        return None
    names = _parameters_differ(info, kernel)
    if names is not None:
        return _report_difference(*names, info, kernel, ctx)
    solver = Solver(kernel.generics, ctx.facts, Substitution())
    solver.give(explicit)
    pairs = _pairs(info, kernel)
    for what, given, declared in pairs:
        solver.match(declared, given, Origin(what, use.span))
    solver.solve()
    if not solver.misaligned and not _complete(solver, use, ctx):
        return None
    for what, given, declared in pairs:
        wanted = substitute_type(declared, solver.given)
        if not isinstance(given, ErrorType) and not same_type(given, wanted, ctx.facts):
            said = f"its {what} is {quote(wanted)}, and the op's is {quote(given)}"
            return _report_difference(said, f"give {what} one type in both: {quote(wanted)} here", info, kernel, ctx)
    return KernelUse(kernel.qualified, tuple(value for value in map(solver.value, kernel.generics) if value is not None))


def _no_kernel(found: Entity, use: tree.KernelUse, ctx: BodyContext) -> None:
    help = f"declare it with `kernel {use.name.text}(...) -> ... grid(...)`, or take the clause out"
    ctx.checker.diagnostics.report("E1208", f"`{use.name.text}` is {describe(found)}, not a kernel", use.name.span, help=help)


def _report_difference(what: str, help: str, info: FunctionInfo, kernel: KernelInfo, ctx: BodyContext) -> None:
    """E2126 at the clause."""
    assert info.syntax.kernel is not None
    names = kernel.syntax.name.text, info.syntax.name.text
    ctx.checker.diagnostics.report(
        "E2126",
        f"kernel `{names[0]}` does not match `{names[1]}`: {what}",
        info.syntax.kernel.span,
        label="has other parameters or results",
        related=(Label(kernel.syntax.name.span, "declared here"),),
        help=help,
    )


def _parameters_differ(info: FunctionInfo, kernel: KernelInfo) -> tuple[str, str] | None:
    """The first difference that shows without the types, with its help: how many parameters and results there are, and the
    parameters' names."""
    if len(info.params) != len(kernel.params):
        said = f"it takes {_count(len(kernel.params), 'parameter')}, and the op {len(info.params)}"
        return said, f"an op has its kernel's parameters: {', '.join(f'`{local.name}`' for local in kernel.params) or 'none'}"
    for own, declared in zip(info.params, kernel.params, strict=True):
        if own.name != declared.name:
            said = f"its parameter `{declared.name}` stands where the op has `{own.name}`"
            return said, f"an op has its kernel's parameters, by name and in order: name it `{declared.name}`"
    results = len(_results(info.result))
    if len(kernel.results) != results and not isinstance(info.result, ErrorType):
        said = f"it has {_count(len(kernel.results), 'result')}, and the op {results}"
        return said, f"an op returns its kernel's results: {', '.join(f'`{local.name}`' for local in kernel.results)}"
    return None


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _results(result: Type) -> tuple[Type, ...]:
    return result.elements if isinstance(result, TupleType) else (result,)


def _pairs(info: FunctionInfo, kernel: KernelInfo) -> list[tuple[str, Type, Type]]:
    """Parameters and results: what each is called, its type in the op, and in the kernel's own terms."""
    pairs = [(f"`{own.name}`", own.type, declared.type) for own, declared in zip(info.params, kernel.params, strict=True)]
    results = zip(_results(info.result), kernel.results, strict=False)
    return pairs + [(f"result `{declared.name}`", own, declared.type) for own, declared in results]


def _complete(solver: Solver, use: tree.KernelUse, ctx: BodyContext) -> bool:
    """Fill defaults; E2110 for generics that nothing tells, E2112 for an inferred dtype outside its class."""
    missing: list[str] = []
    good = True
    for generic in solver.generics:
        value = solver.value(generic)
        if value is None and generic.default is not None:
            bind(solver.given, generic, substitute_arg(generic.default, solver.given))
        elif value is None:
            missing.append(generic.name)
        elif isinstance(value, DTypeArg) and generic.id in solver.origins:
            good = check_class(value.dtype, generic, use.span, ctx) and good
    if missing:
        known = {generic.name: solver.value(generic) for generic in solver.generics}
        written = ", ".join(name if value is None else show_arg(value) for name, value in known.items())
        ctx.checker.diagnostics.report(
            "E2110",
            f"{' and '.join(f'`{name}`' for name in missing)} of kernel `{use.name.text}` cannot be inferred",
            use.span,
            label="no parameter or result tells",
            help=f"write it: `kernel {use.name.text}<{written}>`, with a number or a generic of the op for {missing[0]}",
        )
    return good and not missing
