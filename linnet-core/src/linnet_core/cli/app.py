"""The command line: its commands by name, and the only place that turns errors into an exit status.

In: `sys.argv`.  Out: an exit status: 0 fine, 1 found in a file, 2 usage, 130 interrupted, 141 the reader of a pipe went away.
Commands are imported when they are run; `--help` lists them from the table below and plugins from their metadata, importing neither.
"""

from __future__ import annotations

import gc
import os
import sys
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from linnet_core.cli.output import PIPE_CLOSED, abandon_streams, prepare_streams, say, show_diagnostics
from linnet_core.errors import InternalError, LinnetError, SourceError, UsageError

if TYPE_CHECKING:
    from linnet_core.plugins.metadata import Listed

#: Commands in the order `--help` lists them: module of `linnet_core.cli`, one-line help.
COMMANDS: dict[str, tuple[str, str]] = {
    "check": ("check", "Check programs; print what is wrong."),
    "lint": ("check", "Check programs; a warning counts as an error."),
    "fmt": ("fmt", "Rewrite files in the one style."),
    "init": ("init", "Make a new package."),
    "plan": ("plan", "Print the root block as a symbolic JSON plan."),
    "emit": ("emit", "Print Linnet source from a plan."),
    "graph": ("graph", "Print one entry under bound sizes as JSON calls."),
    "dump": ("dump", "Print a graph document in a plugin's dump format."),
    "run": ("run", "Run an entry on NumPy arrays and summarise its results."),
    "explain": ("explain", "Say which library calls an entry takes, and why."),
    "inspect": ("inspect", "Show a file's parameters, tokens, syntax tree or Core IR."),
    "validate": ("validate", "Check JSON documents against their schemas."),
    "schema": ("schema", "Print a JSON Schema, or list them."),
    "plugins": ("plugins", "Show the installed plugins."),
}
#: One-line helps of the plugins of this package, whose own summary speaks of the language.
OWN_PLUGINS = {"numpy": "Print NumPy source of a Linnet entry."}


class LazyGroup(TyperGroup):
    """A group whose commands are imported when they are asked for."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Our commands in the order of `COMMANDS`, then plugins by name."""
        from linnet_core.plugins.metadata import listed

        return [*COMMANDS, *(name for name, entry in listed().items() if name not in COMMANDS and not entry.disabled)]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """A stand-in with the name and its one-line help, for listings; None for an unknown name."""
        if cmd_name in COMMANDS:
            return stub(cmd_name, COMMANDS[cmd_name][1])
        from linnet_core.plugins.metadata import listed

        entry = listed().get(cmd_name)
        return None if entry is None or entry.disabled else stub(cmd_name, _summary(entry))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that is run, imported now."""
        name = args[0]
        found = _command(name, args[1:]) if name in COMMANDS else _plugin_command(name)
        if found is None:
            from linnet_core.text.near import did_you_mean

            raise UsageError(f"there is no command `{name}`; {did_you_mean(name, self.list_commands(ctx)) or '`linnet --help` lists them'}")
        return name, found, args[1:]


def _summary(entry: Listed) -> str:
    """What a plugin's distribution says of itself, and its name; nothing is imported to know more."""
    own = OWN_PLUGINS.get(entry.name) if entry.distribution == "linnet-core" else None
    said = "".join(c for c in " ".join((own or entry.summary).split()) if c.isprintable()).removesuffix(".")
    return f"{said} ({entry.distribution})." if said else f"From {entry.distribution}."


def stub(name: str, summary: str) -> Any:
    """A command that is only listed, under its one-line help: what groups answer before the module of a command is imported."""
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command(name, help=summary)(lambda: None)
    return typer.main.get_command(app)


def _command(name: str, arguments: list[str]) -> Any:
    import importlib

    module, summary = COMMANDS[name]
    return build(name, importlib.import_module(f"linnet_core.cli.{module}").command(name, arguments), summary)


def build(name: str, function: Any, summary: str | None = None) -> Any:
    """A command object from a plain function with Typer annotations."""
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command(name, help=function.__doc__ or summary, context_settings={"help_option_names": ["-h", "--help"]})(function)
    return typer.main.get_command(app)


def _plugin_command(name: str) -> Any:
    """The command of a plugin: its target as `linnet NAME`, or the Typer app it gives; None when there is no such plugin."""
    from linnet_core.plugins.manager import load
    from linnet_core.plugins.metadata import DISABLE_VARIABLE, listed

    loaded = load(name)
    if loaded is None:
        if name not in listed():
            return None
        say(f"linnet: the plugin `{name}` is switched off by {DISABLE_VARIABLE}")
        raise SystemExit(2)
    if loaded.problem is not None:
        say(f"linnet: `{name}` cannot be used, because its plugin failed")
        raise SystemExit(2)
    if loaded.targets:
        from linnet_core.cli.export import target_command

        return build(name, target_command(loaded.targets[0]))
    if loaded.commands:
        return typer.main.get_command(loaded.commands[0].app)
    say(f"linnet: the plugin `{name}` of {loaded.listed.distribution} has no command")
    raise SystemExit(2)


def _version(value: bool) -> None:
    if value:
        from importlib.metadata import version

        print(f"linnet {version('linnet-core')}")
        raise typer.Exit


app = typer.Typer(
    cls=LazyGroup,
    add_completion=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def linnet(
    version: Annotated[bool, typer.Option("--version", "-V", callback=_version, is_eager=True, help="Print the version.")] = False,
) -> None:
    """Linnet: check, plan, export and run typed tensor programs."""


def main() -> NoReturn:
    """Run the command line and exit."""
    prepare_streams()
    status = run(sys.argv[1:])
    gc.freeze()  # the process ends: the interpreter need not look for cycles in what the system takes back
    sys.exit(status)


def run(arguments: list[str]) -> int:
    """Run one command; its exit status.  Without one, the help is printed, and that is a usage error."""
    try:
        status = typer.main.get_command(app).main(arguments or ["--help"], prog_name="linnet", standalone_mode=False)
        sys.stdout.flush()
    except BaseException as error:
        return _status(error)
    return (status if isinstance(status, int) else 0) if arguments else 2


def _status(error: BaseException) -> int:
    """Say what went wrong; the exit status."""
    match error:
        case SourceError():
            show_diagnostics(error.diagnostics)
            return error.status
        case InternalError():
            return _internal(str(error), error)
        case LinnetError():
            say(f"linnet: {error}")
            return error.status
        case KeyboardInterrupt():
            return 130
        case BrokenPipeError():
            abandon_streams()
            return PIPE_CLOSED
        case SystemExit():
            return _exit_status(error)
        case RecursionError():
            say("linnet: the program is nested too deeply for this command")
            return 1
        case MemoryError():
            say("linnet: out of memory")
            return 1
        case FileNotFoundError() if _is_lost():
            say("linnet: the current directory does not exist any more")
            return 2
        case OSError():
            say(f"linnet: {error.filename or 'input or output'}: {error.strerror or error}")
            abandon_streams()
            return 1
    message, code = getattr(error, "format_message", None), getattr(error, "exit_code", None)
    if callable(message) and isinstance(code, int) and type(error).__name__ == "NoArgsIsHelpError":
        try:
            print(message(), flush=True)  # a plugin's group without a command, as `linnet` alone
        except OSError as unread:
            return _status(unread)
        return code
    if callable(message) and isinstance(code, int):  # a usage error of the command-line library, whose own name is private
        say(f"linnet: {_one_line(str(message()))}{_help_of(error)}")
        return code
    return _internal(f"{type(error).__name__}: {error}", error)


def _is_lost() -> bool:
    """Whether the directory the command was started in is gone."""
    try:
        os.getcwd()
    except FileNotFoundError:
        return True
    return False


def _one_line(message: str) -> str:
    """The library's message as ours are written."""
    text = " ".join(message.split()).removesuffix(".")
    return text[:1].lower() + text[1:]


def _help_of(error: BaseException) -> str:
    """Where the options of the command that failed are listed."""
    path = getattr(getattr(error, "ctx", None), "command_path", None)
    return f"; `{path} --help` lists what it takes" if path else ""


def _exit_status(error: SystemExit) -> int:
    """The status of a `SystemExit`; the library answers 1 when the reader of a pipe went away while it printed help."""
    if type(sys.stdout).__name__ == "PacifyFlushWrapper":
        return PIPE_CLOSED
    return error.code if isinstance(error.code, int) else int(error.code is not None)


def _internal(message: str, error: BaseException) -> int:
    """A fault of ours: said in one line; the traceback is shown to whoever sets LINNET_TRACEBACK."""
    if os.environ.get("LINNET_TRACEBACK"):
        import traceback

        traceback.print_exception(error)
    say(f"linnet: internal error, a fault of linnet and not of the program: {' '.join(message.split())}")
    return 1
