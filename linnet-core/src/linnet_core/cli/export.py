"""One entry under bound sizes, sent to a target: what `graph`, `run` and every target's own command share.

In: the common options and the target's own.  Out: an `Exported`: the recording and the target that holds its source.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from msgspec import Struct

from linnet_core.cli import options as shared
from linnet_core.cli.options import Common, bindings, export_command, one_of, slots
from linnet_core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from linnet_core.check.program import Program
    from linnet_core.graph.export import ExportRequest, Recording
    from linnet_core.graph.target import Target
    from linnet_core.ir.library_calls import Numerics
    from linnet_core.ir.module import Module
    from linnet_core.plugins.target import TargetPlugin

NUMERICS = ("exact", "equivalent", "fast")


class Exported(Struct, frozen=True, eq=False):
    """The result of an export; `make` gives a fresh target with the same options."""

    target: Target
    recording: Recording
    make: Callable[[], Target]


def target_plugin(name: str, default: str | None = None) -> TargetPlugin:
    """The installed target of that name; `UsageError` saying what to install and which targets are there.

    `default` is what `--target` is where it is not given: who gave none is told where the name comes from.
    """
    from linnet_core.plugins.manager import find_target, target_names
    from linnet_core.plugins.metadata import listed

    found = find_target(name)
    if found is None:
        known = ", ".join(target_names()) or "none"
        if name in listed():
            raise UsageError(f"the plugin `{name}` gives no target that can be used. Installed: {known}")
        if name == default:
            raise UsageError(
                f"the target `{name}`, the default of `--target`, is not installed; `pip install linnet-{name}` brings it."
                f" Installed: {known}"
            )
        raise UsageError(
            f"the target `{name}` is not installed; `pip install linnet-{name}` brings it if it is one of ours. Installed: {known}"
        )
    return found


def prepare(common: Common, *, whole: bool = False) -> tuple[Module, ExportRequest]:
    """Load and check the model, lower the entry that is asked for or, if `whole`, everything; what to export.

    Every failure is a `LinnetError`.
    """
    return prepare_program(common, whole=whole)[1:]


def prepare_program(common: Common, *, whole: bool = False) -> tuple[Program, Module, ExportRequest]:
    """As `prepare`, with the checked program."""
    from linnet_core.check.load_program import load_program
    from linnet_core.graph.export import ExportRequest
    from linnet_core.ir.lowered import lowered
    from linnet_core.modules.presets import preset

    numerics = cast("Numerics", one_of(common.numerics, NUMERICS, "--numerics"))
    optionals = one_of("absent" if common.optionals is None else common.optionals, ("present", "absent"), "--optionals")
    package, program = load_program(common.path, common.std, whole=False)
    request = ExportRequest(
        root=common.root,
        entry=common.entry,
        bindings=bindings(common.bind),
        preset=preset(package, common.preset),
        optionals=optionals == "present",
        absent=frozenset(common.absent),
        place=slots(common.place),
        offload=common.offload,
        fully_shard=common.fully_shard,
        remat=common.remat,
        numerics=numerics,
        library=not common.no_library,
        gradient=common.grad,
    )
    entry = None if whole else _entry_name(program, common)
    return program, lowered(program, numerics, optimize=not common.no_optimize, entry=entry), request


def _entry_name(program: Program, common: Common) -> str | None:
    """The qualified name of the entry that is asked for; None where no single one is, which whoever exports it refuses."""
    from linnet_core.ir.roots import chosen_entry

    try:
        return chosen_entry(program, common.root, common.entry)[0].name
    except UsageError:
        return None


def export_to(plugin: TargetPlugin, module: Module, request: ExportRequest, own: dict[str, Any]) -> Exported:
    """Send the entry to a fresh target of `plugin`."""
    from linnet_core.graph.export import export
    from linnet_core.plugins.guard import GuardedTarget, blaming

    refuse_together(request, own)

    def make() -> Target:
        with blaming(plugin.name):
            return GuardedTarget(plugin.name, plugin.make({"numerics": request.numerics, **own}))

    target = make()
    return Exported(target, export(module, request, target), make)


#: What decides where or when a parameter is read, by the field of the request that asks for it.
_MOVING = {"place": "--place", "offload": "--offload", "fully_shard": "--fully-shard", "gradient": "--grad"}


def refuse_together(request: ExportRequest, own: Mapping[str, Any]) -> None:
    """`UsageError` for `--prepare` beside an option that prepared weights would defeat: they stand on one device and have no gradient."""
    if not own.get("prepare"):
        return
    given = next((flag for field, flag in _MOVING.items() if getattr(request, field, None)), None)
    if given is not None:
        raise UsageError(f"--prepare and {given} exclude each other: give one of them")


def target_command(plugin: TargetPlugin) -> Callable[..., None]:
    """`linnet NAME`: print the target's source of one entry."""

    def command(common: Common, own: dict[str, Any], output: shared.Output = None) -> None:
        from linnet_core.cli.output import write

        module, request = prepare(common)
        write(export_to(plugin, module, request, own).target.source(), output)

    command.__doc__ = f"Print the source of one entry: {plugin.summary}."
    return export_command(command, plugin)
