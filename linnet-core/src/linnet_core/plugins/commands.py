"""What `linnet_commands()` gives: commands under the plugin's name (`linnet ge ...`).

In: a plugin's values.  Out: `CommandGroup`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

if TYPE_CHECKING:
    from typer import Typer
else:
    Typer = Any  #: for `help`, which looks types up, without importing a command line


class CommandGroup(Struct, frozen=True):
    """A Typer app to mount under `name`, which must be the entry point's name."""

    name: str
    app: Typer

    def fault(self) -> str | None:
        """What breaks the contract, for people; None when nothing does."""
        import typer

        return None if isinstance(self.app, typer.Typer) else f"`app` of the commands `{self.name}` is {self.app!r}, not a typer.Typer"
