"""`linnet explain`: which library calls stand for the ops of an entry, and why.

In: a model and the options of the target's own command.  Out: every call of an op that has library calls, with all of them and the
target's answer.  With sizes it is the export's own; without, the calls the entries reach, and the generics the answers depend on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer
from msgspec import Struct

from linnet_core.cli import options as shared
from linnet_core.cli.export import export_to, prepare, target_plugin
from linnet_core.cli.graph import DEFAULT_TARGET, named_target
from linnet_core.cli.options import Common, export_command
from linnet_core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from linnet_core.graph.explained import Candidate, ExplainedCall
    from linnet_core.graph.explained_kernels import ExplainedKernel
    from linnet_core.graph.export import ExportRequest
    from linnet_core.ir.module import Function, Module
    from linnet_core.ir.roots import Entry
    from linnet_core.plugins.target import TargetPlugin


TargetName = Annotated[str, typer.Option("--target", metavar="NAME", help="The target that is asked.")]


class _Explained(Struct, frozen=True):
    """The calls, of `entry` at `generics`; without these the calls of all `entries`, undecided."""

    entries: tuple[str, ...]
    generics: dict[str, Any] | None
    calls: list[ExplainedCall]
    kernels: Sequence[ExplainedKernel] = ()


def command(name: str, arguments: list[str]) -> Callable[..., None]:
    """`linnet explain` with the options of the target that `arguments` name."""
    from linnet_core.plugins.manager import find_target

    return export_command(_explain, find_target(named_target(arguments, DEFAULT_TARGET)))


def _explain(
    common: Common,
    own: dict[str, Any],
    target: TargetName = DEFAULT_TARGET,
    json: shared.Json = False,
    indent: shared.Indent = False,
    output: shared.Output = None,
) -> None:
    """Say of each library call whether the target takes it, and why."""
    from linnet_core.cli.output import write, write_document
    from linnet_core.graph.explained import explain_document

    plugin = target_plugin(target, DEFAULT_TARGET)
    # Without a name, all entries of the file may be meant.
    module, request = prepare(common, whole=common.root is None and common.entry is None)
    found = _decided_or_possible(plugin, module, request, own)
    if json:
        header = {
            "target": plugin.name,
            "numerics": request.numerics,
            "module": module.name,
            "entries": list(found.entries),
            "generics": found.generics,
        }
        write_document(explain_document(found.calls, header, found.kernels), "explain-1", output, indent=indent)
        return
    write(_text(plugin.name, request.numerics, found), output)


def _decided_or_possible(plugin: TargetPlugin, module: Module, request: ExportRequest, own: dict[str, Any]) -> _Explained:
    """What an export decides where the sizes are known; else what it would have to decide."""
    from linnet_core.graph.explained import decided, possible
    from linnet_core.graph.explained_kernels import decided_kernels

    entry = _sized_entry(module, request)
    if entry is not None:
        recording = export_to(plugin, module, request, own).recording
        calls = decided(module, recording.decisions, request.numerics)
        return _Explained((_shown(entry.function),), _generics(entry, request), calls, decided_kernels(recording.kernels))
    entries = _entries(module, request)
    calls = possible(module, entries, request.numerics, library=request.library)
    return _Explained(tuple(_shown(function) for function in entries), None, calls)


def _sized_entry(module: Module, request: ExportRequest) -> Entry | None:
    """The entry that is exported: the one asked for, with sizes; or the only one, where all its generics have defaults."""
    from linnet_core.ir.roots import find_entry

    asked = bool(request.bindings or request.preset)
    try:
        entry = find_entry(module, request.root, request.entry)
    except UsageError:
        if asked or request.root is not None or request.entry is not None:
            raise
        return None
    return entry if asked or all(generic.default is not None for generic in entry.generics) else None


def _entries(module: Module, request: ExportRequest) -> list[Function]:
    """The entries meant: the one asked for, else all of the file; of a file without any, all its functions."""
    from linnet_core.ir.entries import entries_by_block
    from linnet_core.ir.roots import find_entry

    if request.root is not None or request.entry is not None:
        return [find_entry(module, request.root, request.entry).function]
    entries = [function for found in entries_by_block(module).values() for function in found.values()]
    return entries or [function for function in module.functions.values() if function.name.startswith(f"{module.name}::")]


def _shown(function: Function) -> str:
    """`Model.decode`: the name without the module."""
    return function.name.rpartition("::")[2]


def _generics(entry: Entry, request: ExportRequest) -> dict[str, Any]:
    """What each generic of the entry stands for."""
    from linnet_core.graph.bind import bind

    bound = bind(entry.generics, request.bindings, request.preset, entry=entry.name, span=entry.function.span)
    values = {generic.name: bound.value(generic) for generic in entry.generics}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}


def _text(target: str, numerics: str, found: _Explained) -> str:
    """A line on what is explained, a paragraph a call, a line that sums up."""
    sizes = "" if found.generics is None else "".join(f", {name} = {_value(value)}" for name, value in found.generics.items())
    what = "entry" if len(found.entries) == 1 else "entries"
    lines = [f"{what} {', '.join(found.entries) or '(none)'} on {target} under `{numerics}`{sizes}", ""]
    for call in found.calls:
        lines += [*_paragraph(call), ""]
    for kernel in found.kernels:
        lines += [*_kernel_paragraph(kernel), ""]
    total = sum(call.count for call in found.calls)
    if found.generics is None:
        lines.append(f"{total} {_calls(total)} of ops that have library calls; --bind or --preset gives the target's answers")
    else:
        taken = sum(call.count for call in found.calls if call.chosen is not None)
        lines.append(f"{total} {_calls(total)} of ops that have library calls: {taken} by a library call, {total - taken} by the op's body")
    return "\n".join(lines) + "\n"


def _value(value: Any) -> str:
    return f"[{', '.join(map(str, value))}]" if isinstance(value, list) else str(value)


def _calls(count: int) -> str:
    return "call" if count == 1 else "calls"


def _paragraph(call: ExplainedCall) -> Sequence[str]:
    """The place, the op, what was chosen, and every candidate."""
    times = "" if call.count == 1 else f" ({call.count} times)"
    head = f"{_place(call)}{call.op} in {call.caller}{times}"
    if call.chosen is not None:
        outcome = f"  -> {call.chosen}"
    elif any(candidate.answer == "open" for candidate in call.candidates):
        generics = ", ".join(call.depends_on)
        outcome = f"  -> decided by the target; it depends on {generics}" if generics else "  -> decided by the target; alike at all sizes"
    else:
        outcome = f"  -> the body: {call.reason}"
    width = max((len(candidate.implementation) for candidate in call.candidates), default=0)
    return [head, outcome, *(_candidate_line(candidate, width) for candidate in call.candidates)]


def _kernel_paragraph(kernel: ExplainedKernel) -> Sequence[str]:
    """The place, the op, and what became of its kernel."""
    times = "" if kernel.count == 1 else f" ({kernel.count} times)"
    outcome = "launched" if kernel.reason is None else f"not launched: {kernel.reason}"
    return [f"{_place(kernel)}{kernel.op}{times}", f"  -> kernel {kernel.kernel} {outcome}"]


def _place(call: ExplainedCall | ExplainedKernel) -> str:
    if call.span is None:
        return ""
    at = call.span.source.position(call.span.start)
    return f"{call.span.source.path}:{at.line}:{at.column}: "


def _candidate_line(candidate: Candidate, width: int) -> str:
    requirements = "; ".join(candidate.requirements)
    why = f": {candidate.reason}" if candidate.reason else ""
    text = f"     {candidate.answer:<12}  {candidate.implementation:<{width}}  {candidate.legality}"
    return f"{text}{f' ({requirements})' if requirements else ''}{why}"
