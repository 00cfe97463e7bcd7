"""`linnet ge read`: dumps, what they hold, or the text of readable ones in one spelling.

In: files, `-` for stdin.  Out: one line a file; with `--json` the document `ge-readable-1`, or `ge-dump-1` where a file is protobuf text;
with `--canonical` or `--style` text.  What is wrong with a file is said on stderr, and the exit status is 1 where something is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from linnet_core.cli.options import Indent
from linnet_core.errors import DocumentError, LinnetError, UsageError

if TYPE_CHECKING:
    from linnet_ge.formats.files import Opened

Files = Annotated[list[str], typer.Argument(metavar="FILE...", help="Dumps; `-` reads stdin.")]
Json = Annotated[bool, typer.Option("--json", help="Print everything as JSON: ge-readable-1, or ge-dump-1 where a file is protobuf text.")]
Canonical = Annotated[bool, typer.Option("--canonical", help="Print a readable dump in the emitter's spelling.")]
Style = Annotated[
    Literal["exact", "canonical", "document"] | None,
    typer.Option("--style", help="Print a readable dump as it was read, as the emitter spells it, or as the format's description does."),
]


def command(files: Files, *, json: Json = False, canonical: Canonical = False, style: Style = None, indent: Indent = False) -> None:
    """Read dumps of any format and version, whole or cut off; say what they hold and what is wrong with them."""
    from linnet_core.cli.output import say, write
    from linnet_core.text.cells import show_inline
    from linnet_ge.commands.reading import read_dump
    from linnet_ge.commands.writing import write_text

    if canonical:
        if style not in (None, "canonical"):
            raise UsageError(f"`--canonical` and `--style {style}` contradict one another")
        style = "canonical"
    if json and style is not None:
        raise UsageError("`--json` prints a document, `--canonical` and `--style` print text: one of them at a time")
    read: list[Opened] = []
    failed = False
    for file in files:
        try:
            opened = read_dump(file, say_doubts=True)
            if style is not None:
                write_text(_text(opened, style))
        except UsageError:
            raise
        except LinnetError as error:
            failed = True
            say(f"linnet: {error}")
            continue
        failed = failed or bool(opened.problems)
        if json:
            read.append(opened)
        elif style is None:
            write(f"{show_inline(file)}: {_summary(opened)}\n")
    if json:
        _print_document(read, indent)
    if failed:
        raise typer.Exit(1)


def _print_document(read: list[Opened], indent: bool) -> None:
    """All files in one document: the exact one where all are readable, else the common one."""
    from linnet_ge.commands.writing import print_json
    from linnet_ge.ir.operations import attribute_keys
    from linnet_ge.readable.document import document

    readable = [opened.readable for opened in read if opened.readable is not None]
    if len(readable) == len(read):
        print_json(document(readable, attribute_keys), "ge-readable-1", indent)
        return
    from linnet_ge.commands.writing import write_common

    write_common(read, indent=indent)


def _text(opened: Opened, style: Literal["exact", "canonical", "document"]) -> bytes:
    from linnet_ge.readable.write import canonical, exact
    from linnet_ge.text.file import bytes_of

    if opened.readable is None:
        raise DocumentError(
            f"{opened.file}:1: this is protobuf text ({opened.kind}) and no readable dump; `linnet ge convert --to readable` makes one"
        )
    return bytes_of(exact(opened.readable) if style == "exact" else canonical(opened.readable, style))


def _summary(opened: Opened) -> str:
    """`2 graphs, 9 nodes, 2 elements`, of protobuf text `onnx, 2 graphs, 9 nodes`."""
    from linnet_ge.commands.tables import counted

    dump = opened.dump
    readable = opened.readable
    elements = sum(len(graph.elements) for graph in readable.graphs) if readable is not None else 0
    counts = ((len(dump.graphs), "graph"), (sum(len(graph.nodes) for graph in dump.graphs), "node"), (elements, "element"))
    told = [counted(count, word) for count, word in counts if count or word != "element"]
    return ", ".join(told if readable is not None else [dump.kind, *told])
