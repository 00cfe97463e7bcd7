"""`linnet ge read`: readable dumps, what they hold, or their text in one spelling.

In: files, `-` for stdin.  Out: one line a file; with `--json` the document `ge-readable-1`; with `--canonical` or `--style` text.  What is
wrong with a file is said on stderr, and the exit status is 1 where something is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from linnet_core.cli.options import Indent
from linnet_core.errors import DocumentError, LinnetError, UsageError

if TYPE_CHECKING:
    from linnet_ge.readable.records import Readable

Files = Annotated[list[str], typer.Argument(metavar="FILE...", help="Readable dumps; `-` reads stdin.")]
Json = Annotated[bool, typer.Option("--json", help="Print everything as JSON, schema ge-readable-1.")]
Canonical = Annotated[bool, typer.Option("--canonical", help="Print the dump in the emitter's spelling.")]
Style = Annotated[
    Literal["exact", "canonical", "document"] | None,
    typer.Option("--style", help="Print the dump as it was read, as the emitter spells it, or as the format's description does."),
]


def command(files: Files, *, json: Json = False, canonical: Canonical = False, style: Style = None, indent: Indent = False) -> None:
    """Read readable dumps of any version, whole or cut off; say what they hold and what is wrong with them."""
    from linnet_core.cli.output import say, write
    from linnet_core.text.cells import show_inline
    from linnet_ge.readable.view import doubts

    if canonical:
        if style not in (None, "canonical"):
            raise UsageError(f"`--canonical` and `--style {style}` contradict one another")
        style = "canonical"
    if json and style is not None:
        raise UsageError("`--json` prints a document, `--canonical` and `--style` print text: one of them at a time")
    read: list[Readable] = []
    failed = False
    for file in files:
        try:
            read.append(read_file(file))
        except UsageError:
            raise
        except LinnetError as error:
            failed = True
            say(f"linnet: {error}")
            continue
        for problem in (*read[-1].problems, *doubts(read[-1])):
            say(f"linnet: {problem}")
        if style is not None:
            write(_text(read[-1], style))
        elif not json:
            write(f"{show_inline(file)}: {_summary(read[-1])}\n")
    if json:
        _print_document(read, indent)
    if failed or any(one.problems for one in read):
        raise typer.Exit(1)


def read_file(file: str) -> Readable:
    """The records of a readable dump; `DocumentError` where the file is none, and says which kind it is."""
    from linnet_ge.readable.scan import scan
    from linnet_ge.text.file import read_bytes, text_of
    from linnet_ge.text.sniff import HEAD, sniff

    data = read_bytes(file)
    text = text_of(data, file)
    kind = sniff(data[:HEAD])
    if kind in ("proto", "graph", "onnx"):
        raise DocumentError(f"{file}:1: this is protobuf text ({kind}) and no readable dump; `linnet ge convert` reads it")
    return scan(text, file)


def _print_document(read: list[Readable], indent: bool) -> None:
    from linnet_core.cli.output import write_document
    from linnet_core.cli.schema import add_plugin_schemas
    from linnet_ge.readable.document import document

    add_plugin_schemas()
    write_document(document(read), "ge-readable-1", indent=indent)


def _text(readable: Readable, style: Literal["exact", "canonical", "document"]) -> bytes:
    from linnet_ge.readable.write import canonical, exact
    from linnet_ge.text.file import bytes_of

    return bytes_of(exact(readable) if style == "exact" else canonical(readable, style))


def _summary(readable: Readable) -> str:
    """`2 graphs, 9 nodes, 2 elements`."""
    nodes = sum(len(graph.node_records) for graph in readable.graphs)
    elements = sum(len(graph.elements) for graph in readable.graphs)
    counts = ((len(readable.graphs), "graph"), (nodes, "node"), (elements, "element"))
    return ", ".join(f"{count} {word}{'' if count == 1 else 's'}" for count, word in counts if count or word != "element")
