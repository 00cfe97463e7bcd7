"""`linnet graph`: one entry as the calls the exporter makes to a target.

In: a model and sizes.  Out: the graph document, or with `--dump` the graph in a plugin's format, with `--replay` the source the same calls
give on a fresh target, with `--slices` that of ranges of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from linnet_core.cli import options as shared
from linnet_core.cli.export import export_to, prepare, target_plugin
from linnet_core.cli.options import Common, export_command
from linnet_core.errors import DocumentError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from linnet_core.graph.slice_request import Slice
    from linnet_core.plugins.dump_format import DumpFormat
    from linnet_core.plugins.target import TargetPlugin

#: The target whose calls are recorded unless another is named.
DEFAULT_TARGET = "torch"

TargetName = Annotated[
    str | None,
    typer.Option("--target", metavar="NAME", help=f"The target whose calls are recorded (default: {DEFAULT_TARGET}, or --dump's own)."),
]
Replay = Annotated[bool, typer.Option("--replay", help="Make the same calls on a fresh target and print its source.")]

Dump = Annotated[str | None, typer.Option("--dump", metavar="FORMAT", help="Print the graph in a dump format, whose options are added.")]

Slices = Annotated[
    str | None, typer.Option("--slices", metavar="FILE", help="Print the source of the ranges of steps FILE (- for stdin) lists, as JSON.")
]


def command(name: str, arguments: list[str]) -> Callable[..., None]:
    """`linnet graph` with the options of the target and of the dump format that `arguments` name."""
    from linnet_core.plugins.manager import find_target

    dump = shared.named_option(arguments, "--dump")
    format = None if dump is None else _format(dump)
    named = shared.named_option(arguments, "--target")
    plugin = _target_of(format) if named is None else None
    return export_command(_graph, plugin or find_target(named or DEFAULT_TARGET), format)


def _format(name: str) -> DumpFormat:
    from linnet_core.cli.dump import found_format

    return found_format(name)


def _target_of(format: DumpFormat | None) -> TargetPlugin | None:
    """The target that a dump format brings."""
    return None if format is None else format.target


def named_target(arguments: list[str], default: str) -> str:
    """The value of `--target`, seen before the options are parsed, because it decides which options there are."""
    found = shared.named_option(arguments, "--target")
    return default if found is None else found


def _graph(
    common: Common,
    own: dict[str, Any],
    target: TargetName = None,
    replay: Replay = False,
    slices: Slices = None,
    dump: Dump = None,
    indent: shared.Indent = False,
    no_validate: shared.NoValidate = False,
    output: shared.Output = None,
) -> None:
    """Print one entry under bound sizes, as the calls the exporter makes to a target."""
    from linnet_core.cli.output import write, write_document
    from linnet_core.graph.encode import document, encode

    if dump is not None and (replay or slices is not None):
        raise UsageError("--dump prints the graph and --replay and --slices source: give one of them")
    shown = None if dump is None else _format(dump)
    own_target = _target_of(shown) if target is None else None
    plugin = own_target or target_plugin(target or DEFAULT_TARGET, DEFAULT_TARGET)
    request = None if slices is None else _request(slices, common, replay)
    exported = export_to(plugin, *prepare(common), _of_target(plugin, own))
    if request is not None:
        from linnet_core.graph.slices import sources

        printed = {"sources": sources(exported.recording.graph, request, exported.make)}
        write_document(printed, "sources-1", output, indent=indent, validate=not no_validate)
        return
    if shown is not None:
        from linnet_core.cli.dump import dump_text

        write(dump_text(shown, document(exported.recording.graph), own), output)
        return
    encoded = encode(exported.recording.graph)
    if replay:
        from linnet_core.graph.decode import decode
        from linnet_core.graph.replay import replay as replay_calls

        fresh = exported.make()
        replay_calls(decode(encoded), fresh)
        write(fresh.source(), output)
        return
    write_document(encoded, "graph-1", output, indent=indent, validate=not no_validate)


def _of_target(plugin: TargetPlugin, own: dict[str, Any]) -> dict[str, Any]:
    """The options of the target alone."""
    names = {option.name for option in plugin.options}
    return {name: value for name, value in own.items() if name in names}


def _request(file: str, common: Common, replay: bool) -> tuple[Slice, ...]:
    """The ranges that a file lists."""
    from linnet_core.cli.validate import read_document
    from linnet_core.graph.slice_request import read_request

    if replay:
        raise UsageError("--replay prints all steps and --slices some: give one of them")
    if file == common.path == "-":
        raise UsageError("the program and the slices cannot both come from stdin")
    try:
        return read_request(read_document(file))
    except DocumentError as error:
        raise DocumentError(f"{file}: {error}") from None
