"""The hooks, one function each.  A plugin implements those it needs, marked with `hookimpl`.

In: nothing.  Out: lists of frozen values, each checked when it is used.  Signatures only grow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pluggy

from linnet_core.plugins.project import PROJECT

if TYPE_CHECKING:
    from linnet_core.plugins.commands import CommandGroup
    from linnet_core.plugins.dump_format import DumpFormat
    from linnet_core.plugins.schemas import SchemaFile
    from linnet_core.plugins.target import TargetPlugin

hookspec = pluggy.HookspecMarker(PROJECT)
#: Marks an implementation: `from linnet_core.plugins import hookimpl`.
hookimpl = pluggy.HookimplMarker(PROJECT)


@hookspec
def linnet_targets() -> list[TargetPlugin]:  # pyright: ignore[reportReturnType]  # a specification has no body
    """Targets this plugin offers.

    Example:

        @hookimpl
        def linnet_targets():
            return [TargetPlugin(name="mine", summary="prints mine", suffix=".txt", make=lambda options: MyTarget())]
    """


@hookspec
def linnet_dump_formats() -> list[DumpFormat]:  # pyright: ignore[reportReturnType]  # a specification has no body
    """Dump formats this plugin reads or writes.

    Example:

        @hookimpl
        def linnet_dump_formats():
            return [DumpFormat(name="mine", summary="my text", suffixes=(".mine",), sniff=lambda head: head.startswith(b"mine"), read=read)]
    """


@hookspec
def linnet_commands() -> list[CommandGroup]:  # pyright: ignore[reportReturnType]  # a specification has no body
    """Commands under the plugin's name.

    Example:

        @hookimpl
        def linnet_commands():
            return [CommandGroup(name="mine", app=app)]
    """


@hookspec
def linnet_schemas() -> list[SchemaFile]:  # pyright: ignore[reportReturnType]  # a specification has no body
    """Further JSON Schemas.

    Example:

        @hookimpl
        def linnet_schemas():
            return [SchemaFile(name="mine-1", text=TEXT)]
    """
