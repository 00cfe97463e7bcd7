"""`linnet plugins`: what is installed, what each plugin gives, and what is wrong with it.

In: entry-point metadata.  Out: a line a plugin on stdout, or JSON.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from linnet_core.cli import options as shared

if TYPE_CHECKING:
    from collections.abc import Callable

    from linnet_core.plugins.status import Status

Json = Annotated[bool, typer.Option("--json", help="Print the plugins as JSON.")]


def command(name: str, arguments: list[str]) -> Callable[..., None]:
    """`linnet plugins`."""
    return _plugins


def _plugins(*, json: Json = False, indent: shared.Indent = False) -> None:
    """Show the installed plugins and what each gives."""
    from linnet_core.cli.output import write, write_document
    from linnet_core.plugins.status import plugins_document, statuses

    if json:
        write_document(plugins_document(), "plugins-1", indent=indent)
        return
    for status in statuses():
        write(_line(status) + "\n")


def _line(status: Status) -> str:
    """`torch  linnet-torch 0.1.0  target torch`."""
    kinds = (("target", status.targets), ("dump format", status.dump_formats), ("commands", status.commands), ("schema", status.schemas))
    given = "; ".join(f"{kind} {', '.join(names)}" for kind, names in kinds if names)
    what = {"ok": given or "gives nothing", "disabled": "switched off", "failed": f"failed: {status.problem}"}[status.state]
    shadowed = f" (hides the same name of {', '.join(status.shadowed)})" if status.shadowed else ""
    return f"{status.name:<12} {status.distribution} {status.version}  {what}{shadowed}"
