"""The commands below `linnet ge`, by name.

In: a command line.  Out: `app`.  A command is the function `command` of its module, with Typer annotations; the module is imported when the
command is run, and `linnet ge --help` lists them from the table below.
"""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup

from linnet_core.errors import UsageError

#: Commands in the order `--help` lists them, each a module of `linnet_ge.commands`: one-line help.
COMMANDS: dict[str, str] = {
    "read": "Read dumps; print what they hold, JSON, or one spelling.",
    "convert": "Convert a dump to a readable dump, JSON, DOT text or a drawing.",
    "summary": "Count what a dump holds: graphs, nodes, types, casts, constants.",
    "diff": "Say how two dumps differ, whatever their formats.",
    "index": "List a folder of dumps by stage; follow a node.",
    "lint": "Check dumps: names, edges, counts of users, cycles, graphs.",
    "extract": "Print the part of a dump around a node, in the same format.",
    "explain": "Explain a node: producers, consumers, types, shapes, attributes.",
}


class LazyGroup(TyperGroup):
    """A group whose commands are imported when they are asked for."""

    def list_commands(self, ctx: Any) -> list[str]:
        """The commands in the order of `COMMANDS`."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """A stand-in with the name and its one-line help, for listings; None for an unknown name."""
        from linnet_core.cli.app import stub

        return stub(cmd_name, COMMANDS[cmd_name]) if cmd_name in COMMANDS else None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that is run, imported now."""
        import importlib

        from linnet_core.cli.app import build
        from linnet_core.text.near import did_you_mean

        name = args[0]
        if name not in COMMANDS:
            hint = did_you_mean(name, self.list_commands(ctx)) or "`linnet ge --help` lists them"
            raise UsageError(f"there is no command `ge {name}`; {hint}")
        function = importlib.import_module(f"linnet_ge.commands.{name}").command
        return name, build(name, function, COMMANDS[name]), args[1:]


app = typer.Typer(
    cls=LazyGroup,
    add_completion=False,
    rich_markup_mode=None,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def ge() -> None:
    """The Graph Engine's graph dumps: read, write, compare."""
