"""Options that several commands share, and a target's own options as parameters of a command.

In: `Option` values of plugins.  Out: annotated types for Typer and functions with a made signature, under which diagnostics are JSON
where that is asked for.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Annotated, Any

import typer
from msgspec import Struct

from linnet_core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from linnet_core.plugins.dump_format import DumpFormat
    from linnet_core.plugins.options import Option
    from linnet_core.plugins.target import TargetPlugin

Std = Annotated[str | None, typer.Option("--std", metavar="DIR", help="The standard library to use.")]
Output = Annotated[str | None, typer.Option("-o", "--output", metavar="FILE", help="Write to FILE instead of stdout.")]
Indent = Annotated[bool, typer.Option("--indent", help="Indent the JSON for people.")]
NoValidate = Annotated[bool, typer.Option("--no-validate", help="Do not check the document against its schema first.")]
Model = Annotated[str, typer.Argument(metavar="PATH", help="A .linnet file, - for stdin, or a directory with linnet.toml.")]
Root = Annotated[str | None, typer.Option("--root", metavar="BLOCK", help="The root block (default: the one with entries).")]
Entry = Annotated[str | None, typer.Option("--entry", metavar="NAME", help="The entry (default: the only one).")]
Bind = Annotated[
    list[str] | None,
    typer.Option("--bind", metavar="NAME=VALUE", help="Bind a generic: an integer, a dtype, or sizes by commas for a pack. Repeatable."),
]
Preset = Annotated[str | None, typer.Option("--preset", metavar="NAME", help="Default bindings from [presets.NAME] of linnet.toml.")]
NumericsOption = Annotated[
    str, typer.Option("--numerics", metavar="exact|equivalent|fast", help="Which rewrites and library calls are allowed.")
]
Optionals = Annotated[
    str | None,
    typer.Option("--optionals", metavar="present|absent", help="Whether optional parameters and blocks are there (default: absent)."),
]
Absent = Annotated[list[str] | None, typer.Option("--absent", metavar="PATH", help="An optional that is not there after all. Repeatable.")]
NoLibrary = Annotated[bool, typer.Option("--no-library", help="Take no library call; export every op's body.")]
Place = Annotated[
    list[str] | None,
    typer.Option("--place", metavar="BLOCK=SLOT", help="Put a block and all below it on a slot of devices. Repeatable."),
]
Offload = Annotated[
    list[str] | None,
    typer.Option("--offload", metavar="BLOCK", help="Keep a block's parameters on the host, but for the time of its call. Repeatable."),
]
FullyShard = Annotated[
    list[str] | None,
    typer.Option("--fully-shard", metavar="BLOCK", help="Keep a block's parameters in parts, but for the time of its call. Repeatable."),
]
Grad = Annotated[
    bool,
    typer.Option(
        "--grad",
        help="Give the gradients of the entry's result, one float: of the float parameters, or outside a block of the float inputs.",
    ),
]
Remat = Annotated[
    list[str] | None,
    typer.Option("--remat", metavar="BLOCK", help="Let a backward pass compute a block again instead of keeping its values. Repeatable."),
]
Json = Annotated[bool, typer.Option("--json", help="Print the report as JSON on stdout, or what is wrong where that ends the command.")]
Failures = Annotated[bool, typer.Option("--json", help="Print what is wrong as JSON on stdout.")]
NoOptimize = Annotated[bool, typer.Option("--no-optimize", help="Skip the passes over the Core IR.")]


def bindings(texts: Iterable[str]) -> dict[str, str]:
    """`--bind` options as a mapping; a later one of a name wins."""
    found: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise UsageError(f"--bind takes NAME=VALUE, not `{text}`")
        found[name.strip()] = value
    return found


def slots(texts: Iterable[str]) -> dict[str, int]:
    """`--place` options as a mapping; a later one of a block wins."""
    found: dict[str, int] = {}
    for text in texts:
        path, equals, slot = text.rpartition("=")
        path, slot = path.strip(), slot.strip()
        if not equals or not path:
            raise UsageError(f"--place takes BLOCK=SLOT, not `{text}`")
        if not (slot.isascii() and slot.removeprefix("-").isdigit() and len(slot) < 10):
            raise UsageError(f"--place {text}: a slot is a small integer: the position of a device in a list")
        found[path] = int(slot)
    return found


def one_of(value: str, choices: Sequence[str], flag: str) -> str:
    """`value`, which must be one of `choices`; `UsageError` otherwise."""
    if value not in choices:
        raise UsageError(f"{flag} takes {', '.join(choices[:-1])} or {choices[-1]}, not `{value}`")
    return value


class Common(Struct, frozen=True, kw_only=True):
    """The options every export takes, as given on the command line."""

    path: str
    root: str | None
    entry: str | None
    bind: tuple[str, ...]
    preset: str | None
    numerics: str
    optionals: str | None
    absent: tuple[str, ...]
    place: tuple[str, ...]
    offload: tuple[str, ...]
    fully_shard: tuple[str, ...]
    grad: bool
    remat: tuple[str, ...]
    no_library: bool
    no_optimize: bool
    std: str | None
    json: bool


def _common(
    path: Model,
    *,
    root: Root = None,
    entry: Entry = None,
    bind: Bind = None,
    preset: Preset = None,
    numerics: NumericsOption = "equivalent",
    optionals: Optionals = None,
    absent: Absent = None,
    place: Place = None,
    offload: Offload = None,
    fully_shard: FullyShard = None,
    grad: Grad = False,
    remat: Remat = None,
    no_library: NoLibrary = False,
    no_optimize: NoOptimize = False,
    std: Std = None,
    json: Failures = False,
) -> Common:
    """The one place that lists the common options; commands get them from here."""
    return Common(
        path=path,
        root=root,
        entry=entry,
        bind=tuple(bind or ()),
        preset=preset,
        numerics=numerics,
        optionals=optionals,
        absent=tuple(absent or ()),
        place=tuple(place or ()),
        offload=tuple(offload or ()),
        fully_shard=tuple(fully_shard or ()),
        grad=grad,
        remat=tuple(remat or ()),
        no_library=no_library,
        no_optimize=no_optimize,
        std=std,
        json=json,
    )


def named_option(arguments: list[str], flag: str) -> str | None:
    """The last value of an option, seen before the options are parsed, because it decides which options there are."""
    named = None
    for position, word in enumerate(arguments):
        if word == "--":
            break
        if word == flag and position + 1 < len(arguments):
            named = arguments[position + 1]
        elif word.startswith(f"{flag}="):
            named = word.partition("=")[2]
    return named


def export_command(function: Callable[..., None], plugin: TargetPlugin | None, dump: DumpFormat | None = None) -> Callable[..., None]:
    """A command of `function(common, own, **rest)`: the common options, the parameters of `function` after `own`, one per option of the
    target, and one per option of a dump format, which `function` finds in `own`, too.

    What the target says under a flag that is spoken for is left out, and said in a line.  With `--json`, what is wrong with a program is
    printed as JSON.
    """
    from linnet_core.cli.output import failures_as_json

    shared = inspect.signature(_common, eval_str=True).parameters
    rest = list(inspect.signature(function, eval_str=True).parameters.values())[2:]
    replaced = {p.name for p in rest}
    fixed = [*(p for p in shared.values() if p.name not in replaced), *rest]
    added = _without_clashes(plugin, fixed) if plugin is not None else []
    if dump is not None:
        taken = [inspect.Parameter(o.name, inspect.Parameter.KEYWORD_ONLY, annotation=_annotation(o)) for o in added]
        added += _kept(dump.options, f"dump format `{dump.name}`", [*fixed, *taken])

    def command(**given: Any) -> None:
        own = {o.name: _check(o, given.pop(o.name)) for o in added}
        common = _common(**{name: given.pop(name) if name not in replaced else given[name] for name in shared})
        with failures_as_json(common.json):
            function(common, own, **given)

    annotated = [inspect.Parameter(o.name, inspect.Parameter.KEYWORD_ONLY, default=_default(o), annotation=_annotation(o)) for o in added]
    made = [*(p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in fixed), *annotated]
    command.__signature__ = inspect.Signature(made)
    command.__annotations__ = {p.name: p.annotation for p in made}
    command.__doc__ = function.__doc__
    return command


def with_options(function: Callable[..., None], options: Sequence[Option], owner: str) -> Callable[..., None]:
    """A command of `function(own, **rest)`: the parameters of `function` after `own`, then one per option of a plugin's.

    `owner` names the plugin's part where an option clashes with the command's own and is left out.
    """
    fixed = list(inspect.signature(function, eval_str=True).parameters.values())[1:]
    added = _kept(options, owner, fixed)

    def command(**given: Any) -> None:
        own = {o.name: _check(o, given.pop(o.name)) for o in added}
        function(own, **given)

    annotated = [inspect.Parameter(o.name, inspect.Parameter.KEYWORD_ONLY, default=_default(o), annotation=_annotation(o)) for o in added]
    made = [*(p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in fixed), *annotated]
    command.__signature__ = inspect.Signature(made)
    command.__annotations__ = {p.name: p.annotation for p in made}
    command.__doc__ = function.__doc__
    return command


def _without_clashes(plugin: TargetPlugin, fixed: Sequence[inspect.Parameter]) -> list[Option]:
    """The options of a target; one that has a name or a flag of the command itself, or of another, is said to be left out."""
    return _kept(plugin.options, f"target `{plugin.name}`", fixed)


def _kept(options: Sequence[Option], owner: str, fixed: Sequence[inspect.Parameter]) -> list[Option]:
    from linnet_core.cli.output import say

    names = {p.name for p in fixed}
    flags = {"--help", "-h", *(flag for p in fixed for flag in _declared(p.annotation))}
    kept: list[Option] = []
    for option in options:
        own = _flags(option)
        taken = [flag for flag in own if flag in flags]
        if taken or option.name in names:
            flag = taken[0] if taken else option.flag
            say(f"linnet: the option `{option.name}` of the {owner} is left out: this command has a `{flag}` already")
            continue
        names.add(option.name)
        flags.update(own)
        kept.append(option)
    return kept


def _declared(annotation: Any) -> list[str]:
    """The flags in an annotation of ours; Typer keeps the first of them as the default until it reads the signature."""
    return [word for made in annotation.__metadata__ for word in (made.default, *(made.param_decls or ())) if isinstance(word, str)]


def _flags(option: Option) -> list[str]:
    """How an option is spelled; a bool has a second flag that says no."""
    return [option.flag, *([f"--no-{option.flag[2:]}"] if option.type == "bool" else [])]


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
        return Annotated[bool, typer.Option("/".join(_flags(option)), help=option.help)]
    return Annotated[kinds[option.type], typer.Option(option.flag, help=option.help, metavar=metavar)]
