"""Hook implementations of linnet-ge: the commands `linnet ge`."""

from __future__ import annotations

from linnet_core.plugins import CommandGroup, hookimpl


@hookimpl
def linnet_commands() -> list[CommandGroup]:
    """`linnet ge ...`."""
    from linnet_ge.commands import app

    return [CommandGroup(name="ge", app=app)]
