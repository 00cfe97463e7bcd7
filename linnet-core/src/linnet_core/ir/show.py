"""Core IR as text, for people.

In: a module or a function.  Out: one line an operation, regions indented:

    entry main::Model.decode(%0 self: Model, %1 x: Tensor[N; f32]) -> Tensor[N; f32]
        %2 = add %1, %1 : Tensor[N; f32]
        return %2
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from linnet_core.check.program import SliceAxis, Substitution, WholeAxes
from linnet_core.check.show_types import show as show_type
from linnet_core.check.types import DimArg, DTypeArg, ShapeArg
from linnet_core.ir.module import IndexDomain
from linnet_core.shapes import show_shape, show_unit

if TYPE_CHECKING:
    from collections.abc import Iterable

    from linnet_core.ir.module import Function, Launch, Module, Op, Region, Value

_INDENT = "    "


def show(module: Module) -> str:
    """The whole module."""
    lines = [f"module {module.name}"]
    for constant in module.constants.values():
        lines += ["", f"const {constant.name}: {show_type(constant.type)}", *_region(constant.body, _INDENT)]
    for function in module.functions.values():
        lines += ["", *function_lines(function)]
    return "\n".join(lines) + "\n"


def function_lines(function: Function) -> list[str]:
    """One function, its gradient after it."""
    generics = ", ".join(f"*{g.name}" if g.kind == "shape" else g.name for g in function.generics)
    args = function.body.args if function.launch is None else function.body.args[: -function.launch.outputs]
    head = f"{function.kind} {function.name}{f'<{generics}>' if generics else ''}({_values(args)})"
    if function.results:
        head += " -> " + ", ".join(map(show_type, function.results))
    if function.launch is not None:
        head += _launch(function.launch, function.body.args[len(args) :])
    if function.kernel is not None:
        head += f" kernel {function.kernel.name}" + (f"<{', '.join(map(_attr, function.kernel.args))}>" if function.kernel.args else "")
    if function.constraints:
        head += " where " + ", ".join(map(str, function.constraints))
    lines = [head, *_region(function.body, _INDENT)]
    if function.grad is not None:
        lines += [f"grad({_values(function.grad.args)})", *_region(function.grad, _INDENT)]
    return lines


def _launch(launch: Launch, results: Iterable[Value]) -> str:
    """` -> (%2 y: Tensor[N; f32]) grid(N) warps(4)`."""
    hints = [f" {name}({value})" for name, value in (("warps", launch.warps), ("stages", launch.stages)) if value]
    return f" -> ({_values(results)}) grid({', '.join(map(str, launch.grid))}){''.join(hints)}"


def _values(values: Iterable[Value]) -> str:
    return ", ".join(f"{_name(value)}: {show_type(value.type)}" for value in values)


def _name(value: Value) -> str:
    return f"%{value.id} {value.name}" if value.name else f"%{value.id}"


def _region(region: Region, indent: str) -> list[str]:
    lines: list[str] = []
    for op in region.ops:
        lines.append(indent + _op(op))
        for inner in op.regions:
            args = f"({_values(inner.args)}) " if inner.args else ""
            lines.append(f"{indent}{args}{{")
            lines += _region(inner, indent + _INDENT)
            lines.append(indent + "}")
    return lines


def _op(op: Op) -> str:
    """`%3 y = add %1, %2 [attributes] : type`."""
    results = ", ".join(map(_name, op.results))
    text = f"{results} = {op.kind}" if results else op.kind
    if op.operands:
        text += " " + ", ".join(f"%{value.id}" for value in op.operands)
    attrs = ", ".join(f"{name} = {_attr(value)}" for name, value in op.attrs.items() if not isinstance(value, Substitution))
    if attrs:
        text += f" [{attrs}]"
    return f"{text} : {', '.join(show_type(value.type) for value in op.results)}" if op.results else text


def _attr(value: Any) -> str:
    """An attribute as text; `substitution` is left out, since `generics` says the same."""
    match value:
        case tuple():
            return f"({', '.join(map(_attr, value))})"
        case SliceAxis(squeeze=True):
            return str(value.start)
        case SliceAxis():
            return f"{value.start}:{value.stop}" + ("" if value.step == 1 else f":{value.step}")
        case WholeAxes():
            return show_unit(value.unit)
        case IndexDomain():
            return f"{value.name} in {show_shape(value.domain)}"
        case DimArg():
            return str(value.dim)
        case ShapeArg():
            return show_shape(value.shape)
        case DTypeArg():
            return str(value.dtype)
        case _:
            return str(value)
