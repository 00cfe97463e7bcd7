"""One entry under bound sizes, sent to a target: what `graph`, `run` and every target's own command share.

In: the common options and the target's own.  Out: an `Exported`: the recording and the target that holds its source.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from linnet_core.cli import options as shared
from linnet_core.cli.options import one_of, with_options
from linnet_core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from linnet_core.graph.export import Recording
    from linnet_core.graph.target import Target
    from linnet_core.plugins.target import TargetPlugin

NUMERICS = ("exact", "equivalent", "fast")


class Exported(Struct, eq=False):
    """The result of an export."""

    plugin: TargetPlugin
    target: Target
    recording: Recording
    make: Callable[[], Target]


class Common(Struct, frozen=True, kw_only=True):
    """The options every export takes, as given."""

    path: str
    root: str | None
    entry: str | None
    bind: list[str] | None
    preset: str | None
    numerics: str
    optionals: str
    absent: list[str] | None
    no_library: bool
    no_optimize: bool
    std: str | None


def target_plugin(name: str) -> TargetPlugin:
    """The installed target of that name; `UsageError` saying what to install and which targets are there."""
    from linnet_core.plugins.manager import find_target, target_names

    found = find_target(name)
    if found is None:
        known = ", ".join(target_names()) or "none"
        raise UsageError(f"the target `{name}` is not installed; `pip install linnet-{name}` brings it if it is one of ours. Installed: {known}")
    return found


def export_entry(plugin: TargetPlugin, common: Common, own: dict[str, Any]) -> Exported:
    """Load, check, lower and export; every failure is a `LinnetError`."""
    from linnet_core.cli.program import bindings, load_program, lowered, preset
    from linnet_core.graph.export import ExportRequest, export

    numerics = one_of(common.numerics, NUMERICS, "--numerics")
    optionals = one_of(common.optionals, ("present", "absent"), "--optionals")
    package, program = load_program(common.path, common.std)
    request = ExportRequest(
        root=common.root,
        entry=common.entry,
        bindings=bindings(common.bind),
        preset=preset(package, common.preset),
        optionals=optionals == "present",
        absent=frozenset(common.absent or ()),
        numerics=numerics,
        library=not common.no_library,
    )
    module = lowered(program, numerics, optimize=not common.no_optimize)

    def make() -> Target:
        return plugin.make({"numerics": numerics, **own})

    target = make()
    return Exported(plugin, target, export(module, request, target), make)


def target_command(plugin: TargetPlugin) -> Callable[..., None]:
    """`linnet NAME`: print the target's source of one entry."""

    def command(
        path: shared.Model,
        *,
        root: shared.Root = None,
        entry: shared.Entry = None,
        bind: shared.Bind = None,
        preset: shared.Preset = None,
        numerics: shared.NumericsOption = "equivalent",
        optionals: shared.Optionals = "absent",
        absent: shared.Absent = None,
        no_library: shared.NoLibrary = False,
        no_optimize: shared.NoOptimize = False,
        std: shared.Std = None,
        output: shared.Output = None,
        own: Any = None,
    ) -> None:
        from linnet_core.cli.output import write

        common = Common(
            path=path,
            root=root,
            entry=entry,
            bind=bind,
            preset=preset,
            numerics=numerics,
            optionals=optionals,
            absent=absent,
            no_library=no_library,
            no_optimize=no_optimize,
            std=std,
        )
        write(export_entry(plugin, common, own).target.source(), output)

    command.__doc__ = f"Print the source of one entry: {plugin.summary}."
    return with_options(command, plugin.options)
