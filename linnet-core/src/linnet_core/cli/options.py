"""Options that several commands share, and a target's own options as parameters of a command.

In: `Option` values of plugins.  Out: annotated types for Typer and functions with a made signature.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Annotated, Any

import typer

from linnet_core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from linnet_core.plugins.options import Option

Std = Annotated[str | None, typer.Option("--std", metavar="DIR", help="The standard library to use.")]
Output = Annotated[str | None, typer.Option("-o", "--output", metavar="FILE", help="Write to FILE instead of stdout.")]
Indent = Annotated[bool, typer.Option("--indent", help="Indent the JSON for people.")]
NoValidate = Annotated[bool, typer.Option("--no-validate", help="Do not check the document against its schema first.")]
Model = Annotated[str, typer.Argument(metavar="PATH", help="A .linnet file, or a directory with linnet.toml.")]
Root = Annotated[str | None, typer.Option("--root", metavar="BLOCK", help="The root block (default: the one with entries).")]
Entry = Annotated[str | None, typer.Option("--entry", metavar="NAME", help="The entry (default: the only one).")]
Bind = Annotated[
    list[str] | None,
    typer.Option("--bind", metavar="NAME=VALUE", help="Bind a generic: an integer, a dtype, or sizes by commas for a pack. Repeatable."),
]
Preset = Annotated[str | None, typer.Option("--preset", metavar="NAME", help="Default bindings from [presets.NAME] of linnet.toml.")]
NumericsOption = Annotated[str, typer.Option("--numerics", metavar="exact|equivalent|fast", help="Which rewrites and library calls are allowed.")]
Optionals = Annotated[str, typer.Option("--optionals", metavar="present|absent", help="Whether optional parameters and blocks are there.")]
Absent = Annotated[list[str] | None, typer.Option("--absent", metavar="PATH", help="An optional that is not there after all. Repeatable.")]
NoLibrary = Annotated[bool, typer.Option("--no-library", help="Take no library call; export every op's body.")]
NoOptimize = Annotated[bool, typer.Option("--no-optimize", help="Skip the passes over the Core IR.")]


def one_of(value: str, choices: Sequence[str], flag: str) -> str:
    """`value`, which must be one of `choices`; `UsageError` otherwise."""
    if value not in choices:
        raise UsageError(f"{flag} takes {', '.join(choices[:-1])} or {choices[-1]}, not `{value}`")
    return value


def with_options(function: Callable[..., None], options: Sequence[Option]) -> Callable[..., None]:
    """A command that takes the parameters of `function` and one per option, and passes the options as the dict `own`.

    `function` must have a parameter `own`.
    """
    signature = inspect.signature(function, eval_str=True)
    parameters = [p for p in signature.parameters.values() if p.name != "own"]
    taken = {p.name for p in parameters}
    added = [o for o in options if o.name not in taken]

    def command(**given: Any) -> None:
        own = {o.name: _check(o, given.pop(o.name)) for o in added}
        function(**given, own=own)

    annotated = [inspect.Parameter(o.name, inspect.Parameter.KEYWORD_ONLY, default=_default(o), annotation=_annotation(o)) for o in added]
    made = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in parameters] + annotated
    command.__signature__ = signature.replace(parameters=made)  # type: ignore[attr-defined]
    command.__annotations__ = {p.name: p.annotation for p in made}
    command.__doc__ = function.__doc__
    return command


def _default(option: Option) -> Any:
    return None if option.type == "strs" else option.default


def _check(option: Option, value: Any) -> Any:
    if option.choices and value is not None:
        for word in value if isinstance(value, list) else [value]:
            one_of(word, option.choices, option.flag)
    return tuple(value or ()) if option.type == "strs" else value


def _annotation(option: Option) -> Any:
    kinds: dict[str, Any] = {"bool": bool, "int": int | None, "str": str | None, "strs": list[str] | None}
    metavar = "|".join(option.choices) or None
    if option.type == "bool":
        return Annotated[bool, typer.Option(f"{option.flag}/--no-{option.flag[2:]}", help=option.help)]
    return Annotated[kinds[option.type], typer.Option(option.flag, help=option.help, metavar=metavar)]
