"""What a plugin author imports: the hook marker and the value types the hooks give.

In: nothing of the other rooms (a leaf; graph types are named for type checkers only).  Out: `hookimpl`, `TargetPlugin`, `DumpFormat`,
`CommandGroup`, `SchemaFile`, `Option`.

A package registers a module of hook implementations under the entry-point group `linnet`; the entry point's name is the
name of its target, dump format or command group:

    [project.entry-points.linnet]
    torch = "linnet_torch.hooks"
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from linnet_core.plugins.commands import CommandGroup
    from linnet_core.plugins.dump_format import DumpFormat
    from linnet_core.plugins.hookspecs import hookimpl
    from linnet_core.plugins.options import Option
    from linnet_core.plugins.project import PROJECT
    from linnet_core.plugins.schemas import SchemaFile
    from linnet_core.plugins.target import TargetPlugin

#: Version of the hooks; it grows when a hook or a field is added.
INTERFACE = 1

__all__ = ["INTERFACE", "PROJECT", "CommandGroup", "DumpFormat", "Option", "SchemaFile", "TargetPlugin", "hookimpl"]

#: The module of this room each name comes from, imported at first use: listing plugins needs neither pluggy nor msgspec.
HOMES = {
    "CommandGroup": "commands",
    "DumpFormat": "dump_format",
    "Option": "options",
    "PROJECT": "project",
    "SchemaFile": "schemas",
    "TargetPlugin": "target",
    "hookimpl": "hookspecs",
}


def __getattr__(name: str) -> Any:
    """The public name, from its module."""
    home = HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{home}"), name)
