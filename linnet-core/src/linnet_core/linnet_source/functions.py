"""Functions, methods, ops, entries and kernels, with their headers.

In: a function of Core IR.  Out: its text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.ir.uses import Uses, uses_of
from linnet_core.linnet_source.body import Body
from linnet_core.linnet_source.names import Names

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from linnet_core.check.program import Generic
    from linnet_core.ir.module import Function, Module, Region, Value
    from linnet_core.linnet_source.constants import Constants
    from linnet_core.linnet_source.spelling import Spelling
    from linnet_core.shapes import Constraint

_KINDS = {"any": "DType", "numeric": "Numeric", "integer": "Integer", "float": "Float"}


def function_text(function: Function, name: str, module: Module, spelling: Spelling, constants: Constants) -> str:
    """The function under a name of its own."""
    generics = generics_text(function.generics, spelling)
    params = function.body.args[function.block is not None :]
    outputs = () if function.launch is None else params[len(params) - function.launch.outputs :]
    params = params[: len(params) - len(outputs)]
    head = f"{public(function.public)}{function.kind} {name}{generics}({_values(params, spelling)})"
    if function.results:
        head += f" -> {spelling.type(function.results[0])}"
    if outputs:
        results = _values(outputs, spelling)
        head += f" -> {results}" if len(outputs) == 1 else f" -> ({results})"
    head += _launch(function) + _kernel(function, spelling) + where_text(function.constraints)
    uses = uses_of([region for region in (function.body, function.grad) if region is not None])
    names = Names(_names(function))
    text = f"{head} {{\n{_body(function.body, function, names, uses, module, spelling, constants)}\n}}"
    if function.grad is not None:
        result, gradient = function.grad.args[-2:]
        inner = _body(function.grad, function, names, uses, module, spelling, constants)
        text += f" grad({result.name}, {gradient.name}) {{\n{inner}\n}}"
    return text


def _body(region: Region, function: Function, names: Names, uses: Uses, module: Module, spelling: Spelling, constants: Constants) -> str:
    scope = names.inner({})
    for at, arg in enumerate(region.args):
        name = "" if at == 0 and function.block is not None else arg.name
        scope.bind(arg, name)
    scope.holder.pop("", None)
    body = Body(module, spelling, uses, scope, constants)
    pieces, _ = body.statements(region)
    names.leave(scope)
    body.flush()
    end = [f"return {pieces[0].text}"] if pieces else ["return"]
    return "\n".join([*body.lines, *([] if function.launch is not None else end)])


def _names(function: Function) -> set[str]:
    """Every name its values and generics have."""
    found = {generic.name for generic in function.generics}
    pending = [region for region in (function.body, function.grad) if region is not None]
    while pending:
        region = pending.pop()
        found.update(arg.name for arg in region.args)
        for op in region.ops:
            found.update(result.name for result in op.results)
            if op.kind in ("comprehension", "reduce"):
                found.update(index.name for index in op.attrs["indices"])
            pending.extend(op.regions)
    return found


def local_names(functions: Iterable[Function]) -> set[str]:
    """Every name the values and generics of functions have."""
    return set().union(*(_names(function) for function in functions))


def public(is_public: bool) -> str:
    """`pub `, or nothing."""
    return "pub " if is_public else ""


def _values(values: Sequence[Value], spelling: Spelling) -> str:
    return ", ".join(f"{value.name}: {spelling.type(value.type)}" for value in values)


def _launch(function: Function) -> str:
    """` grid(N) warps(4) stages(2)`."""
    launch = function.launch
    if launch is None:
        return ""
    hints = "".join(f" {name}({count})" for name, count in (("warps", launch.warps), ("stages", launch.stages)) if count)
    return f" grid({', '.join(map(str, launch.grid))}){hints}"


def _kernel(function: Function, spelling: Spelling) -> str:
    use = function.kernel
    return "" if use is None else f" kernel {spelling.item_name(use.name)}{spelling.args(use.args)}"


def generics_text(generics: Sequence[Generic], spelling: Spelling) -> str:
    """`<N: Dim, *S: Shape, T: Float = bf16>`, or nothing."""
    return f"<{', '.join(_generic(generic, spelling) for generic in generics)}>" if generics else ""


def _generic(generic: Generic, spelling: Spelling) -> str:
    default = "" if generic.default is None else f" = {spelling.arg(generic.default)}"
    if generic.kind == "shape":
        return f"*{generic.name}: Shape{default}"
    kind = "Dim" if generic.kind == "dim" else _KINDS[generic.bound or "any"]
    return f"{generic.name}: {kind}{default}"


def where_text(constraints: Sequence[Constraint]) -> str:
    """` where N > 0, H % N == 0`, or nothing."""
    return f" where {', '.join(map(str, constraints))}" if constraints else ""
