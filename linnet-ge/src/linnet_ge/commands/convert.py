"""`linnet ge convert`: a dump of any format as a readable dump, JSON, DOT text or a drawing.

In: a file, `-` for stdin.  Out: text on stdout or in a file; on stderr what the result does not say of the file, counted or one by one.
The exit status is 1 where something is wrong with the file; what could be read is converted all the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from linnet_core.cli.options import Indent, Output
from linnet_core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from linnet_ge.convert.lost import Lost
    from linnet_ge.formats.files import Opened

Form = Literal["readable", "json", "dot", "svg"]

File = Annotated[str, typer.Argument(metavar="FILE", help="A dump of any format; `-` reads stdin.")]
To = Annotated[Form, typer.Option("--to", help="A readable dump, the JSON document ge-dump-1, DOT text, or a drawing.")]
Graph = Annotated[str | None, typer.Option("--graph", metavar="NAME", help="dot, svg: draw this graph alone.")]
MaxNodes = Annotated[int | None, typer.Option("--max-nodes", metavar="N", min=1, help="svg: draw up to N boxes (default: 2000).")]
Losses = Annotated[
    Literal["none", "counts", "all"],
    typer.Option("--lost", help="Say on stderr how much of what is lost, each thing with its line, or nothing of it."),
]


def command(
    file: File,
    *,
    to: To,
    output: Output = None,
    graph: Graph = None,
    max_nodes: MaxNodes = None,
    lost: Losses = "counts",
    indent: Indent = False,
) -> None:
    """Convert a dump of any format; say what the result does not keep."""
    from linnet_ge.commands.reading import read_dump
    from linnet_ge.commands.writing import write_common, write_text

    if graph is not None and to not in ("dot", "svg"):
        raise UsageError("`--graph` chooses what is drawn, with `--to dot` or `--to svg`")
    if max_nodes is not None and to != "svg":
        raise UsageError("`--max-nodes` is for `--to svg`")
    if indent and to != "json":
        raise UsageError("`--indent` is for `--to json`")
    opened = read_dump(file)
    if to == "json":
        from linnet_ge.convert.document import lost as losses_of

        write_common([opened], output, indent=indent)
        losses: Iterable[Lost] = losses_of(opened)
    else:
        text, losses = _converted(opened, to, graph, max_nodes)
        write_text(text, output)
    _tell(losses, opened.file, to, lost)
    if opened.problems:
        raise typer.Exit(1)


def _converted(opened: Opened, to: Form, graph: str | None, max_nodes: int | None) -> tuple[bytes, Iterable[Lost]]:
    """The result, and what it does not keep."""
    from linnet_ge.text.file import bytes_of

    if to == "readable":
        from linnet_ge.convert import readable

        return bytes_of(readable.readable_text(opened)), readable.lost(opened)
    from linnet_ge.convert import drawn

    graphs = drawn.chosen(opened.dump, graph)
    if to == "svg":
        from linnet_ge.convert.svg import MOST_BOXES, hold

        # before a large dump is drawn
        hold([(one.name, len(one.nodes)) for one in graphs], max_nodes or MOST_BOXES)
    drawings = drawn.drawings(opened.dump, graphs)
    if to == "dot":
        from linnet_ge.convert.dot import dot_text

        return dot_text(drawings).encode(), drawn.lost(opened, graphs)
    from linnet_ge.convert.svg import MOST_BOXES, svg_text

    return svg_text(drawings, max_nodes or MOST_BOXES).encode(), drawn.lost(opened, graphs)


def _tell(losses: Iterable[Lost], file: str, to: Form, how: Literal["none", "counts", "all"]) -> None:
    from linnet_core.cli.output import say
    from linnet_ge.convert.lost import counts, one_by_one

    if how == "none":
        return
    if how == "all":
        for line in one_by_one(losses, file):
            say(f"linnet: lost: {line}")
        return
    told = list(counts(losses))
    if told:
        say(f"linnet: {file}: --to {to} does not keep (`--lost all` says each with its line):")
    for line in told:
        say(f"  {line}")
