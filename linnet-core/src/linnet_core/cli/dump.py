"""`linnet dump`: a graph document in a dump format of a plugin; and what `linnet graph --dump` shares with it.

In: a graph document as `linnet graph` prints it, a format and its options.  Out: the format's text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from linnet_core.cli import options as shared
from linnet_core.errors import DocumentError, LinnetError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from linnet_core.plugins.dump_format import DumpFormat

FormatName = Annotated[str, typer.Option("--format", metavar="NAME", help="The dump format, whose options are added.")]
Document = Annotated[str, typer.Argument(metavar="GRAPH", help="A graph document; `-` reads stdin.")]


def command(name: str, arguments: list[str]) -> Callable[..., None]:
    """`linnet dump` with the options of the format that `arguments` name."""
    named = shared.named_option(arguments, "--format")
    if named is None:
        return shared.with_options(_dump, (), "")
    return shared.with_options(_dump, found_format(named).options, f"dump format `{named}`")


def _dump(own: dict[str, Any], path: Document, format: FormatName, output: shared.Output = None) -> None:
    """Print a graph document in a plugin's dump format."""
    from linnet_core.cli.output import write
    from linnet_core.cli.validate import read_document
    from linnet_core.schema.validate import parse

    made = found_format(format)
    document = read_document(path)
    try:
        write(dump_text(made, parse(document), own), output)
    except DocumentError as error:
        raise DocumentError(f"{path}: {error}") from None


def found_format(name: str) -> DumpFormat:
    """The installed format of that name that can be written; `UsageError` saying which there are."""
    from linnet_core.plugins.manager import dump_formats

    formats = dump_formats()
    known = ", ".join(name for name, made in formats.items() if made.write is not None) or "none"
    if name not in formats:
        raise UsageError(f"there is no dump format `{name}`. Installed: {known}")
    if formats[name].write is None:
        raise UsageError(f"the dump format `{name}` is only read. Those that are written: {known}")
    return formats[name]


def dump_text(format: DumpFormat, document: Any, options: Mapping[str, Any]) -> str:
    """The text of a graph document, given as Python values; what a plugin raises names its format."""
    from linnet_core.plugins.guard import is_for_people

    assert format.write is not None
    own = {option.name: options.get(option.name, option.default) for option in format.options}
    try:
        text = format.write(document, own)
    except Exception as error:  # a plugin may raise anything; a user sees which one failed, in a line
        if is_for_people(error):
            raise
        raise LinnetError(" ".join(f"the dump format `{format.name}` failed: {type(error).__name__}: {error}".split())) from error
    if not isinstance(text, str):
        raise LinnetError(f"the dump format `{format.name}` failed: it gave {type(text).__name__}, not text")
    return text
