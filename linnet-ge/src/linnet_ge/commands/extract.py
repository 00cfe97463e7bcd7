"""`linnet ge extract`: the part of a dump around a node.

In: a dump of any format, a node, how many edges to go.  Out: a dump of the same format, on stdout or in a file.  The exit status is 1 where
something is wrong with the file; what could be read is taken all the same.
"""

from __future__ import annotations

from typing import Annotated

import typer

from linnet_core.cli.options import Output
from linnet_core.errors import UsageError

File = Annotated[str, typer.Argument(metavar="FILE", help="A dump of any format; `-` reads stdin.")]
Around = Annotated[str, typer.Option("--around", metavar="NODE", help="The node in the middle.")]
Hops = Annotated[int, typer.Option("--hops", metavar="N", min=0, help="How many edges to go from it, in either direction.")]
InGraph = Annotated[str | None, typer.Option("--graph", metavar="NAME", help="The graph, where several have a node of that name.")]


def command(file: File, *, around: Around, hops: Hops = 1, graph: InGraph = None, output: Output = None) -> None:
    """Print the part of a dump around a node; what it takes from elsewhere comes from Data nodes, but constants."""
    from linnet_core.cli.output import say
    from linnet_core.text.near import listed
    from linnet_ge.commands.reading import read_dump
    from linnet_ge.commands.tables import counted
    from linnet_ge.commands.writing import write_text
    from linnet_ge.text.collector import paused_collector
    from linnet_ge.text.file import bytes_of
    from linnet_ge.tools.extract import extract
    from linnet_ge.tools.named import places_of
    from linnet_ge.tools.neighbourhood import neighbourhood

    opened = read_dump(file)
    found = places_of(opened, around, graph)
    if len(found) > 1 and graph is None:
        names = listed(one.name for one, _ in found[:5]) + (", ..." if len(found) > 5 else "")
        raise UsageError(f"{file}: {len(found)} graphs have a node `{around}`: {names}; choose one with `--graph`")
    with paused_collector():
        part = neighbourhood(*found[0], hops)
        text = extract(opened, part)
    write_text(bytes_of(text), output)
    if part.boundary:
        say(f"linnet: {counted(len(part.kept), 'node')} kept, {counted(len(part.boundary), 'input')} made for what comes from elsewhere")
    if opened.problems:
        raise typer.Exit(1)
