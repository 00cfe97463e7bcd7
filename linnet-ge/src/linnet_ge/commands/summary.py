"""`linnet ge summary`: what a dump holds, counted.

In: a dump of any format, `-` for stdin.  Out: tables, or with `--json` the document `ge-summary-1`.  The exit status is 1 where something
is wrong with the file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from linnet_core.cli.options import Indent

if TYPE_CHECKING:
    from linnet_ge.commands.tables import Page
    from linnet_ge.formats.files import Opened
    from linnet_ge.tools.summary import Change, Summary

File = Annotated[str, typer.Argument(metavar="FILE", help="A dump of any format; `-` reads stdin.")]
Json = Annotated[bool, typer.Option("--json", help="Print the counts as JSON, schema ge-summary-1.")]
#: As many nodes with dynamic shapes are listed for people.
LISTED = 20
#: As many graphs are.
MOST_GRAPHS = 200


def command(file: File, *, json: Json = False, indent: Indent = False) -> None:
    """Count a dump's graphs, nodes, types of operations, casts, dynamic shapes and constants."""
    from linnet_ge.commands.reading import read_dump
    from linnet_ge.commands.writing import print_json
    from linnet_ge.tools.summary import summary

    opened = read_dump(file)
    found = summary(opened.dump)
    if json:
        print_json(document(opened, found), "ge-summary-1", indent)
    else:
        show(opened, found)
    if opened.problems:
        raise typer.Exit(1)


def document(opened: Opened, found: Summary) -> dict[str, Any]:
    """The counts as `ge-summary-1` has them."""
    from msgspec import to_builtins

    return {
        "version": 1,
        "format": "ge-summary",
        "file": opened.file,
        "kind": opened.dump.kind,
        "nodes": found.nodes,
        **to_builtins(found, builtin_types=()),
        "types": [{"type": name, "count": count} for name, count in found.types],
        "dtypes": None if found.dtypes is None else [{"dtype": name, "count": count} for name, count in found.dtypes],
        "problems": [to_builtins(note) for note in opened.dump.notes],
    }


def show(opened: Opened, found: Summary) -> None:
    """The counts as tables."""
    from linnet_ge.commands.tables import Column, Page, byte_words, counted

    page = Page()
    words = [opened.dump.kind, counted(len(found.graphs), "graph"), counted(found.nodes, "node")]
    page.line(f"{opened.file}: {', '.join(words)}", "bold")
    titles = [Column("graph"), *(Column(title, right=True) for title in ("nodes", "results", "edges", "control"))]
    page.table(titles, [(g.name, g.nodes, g.results, g.edges, g.control_edges) for g in found.graphs[:MOST_GRAPHS]], indent=2)
    if len(found.graphs) > MOST_GRAPHS:
        page.line(f"  and {len(found.graphs) - MOST_GRAPHS} more (`--json` has all)")
    page.line()
    page.table([Column("type"), Column("nodes", right=True)], found.types, indent=2)
    _changes(page, "cast", found.casts)
    _changes(page, "layout", found.layouts)
    if found.dtypes:
        page.line()
        page.table([Column("dtype"), Column("outputs", right=True)], found.dtypes, indent=2)
    constants = found.constants
    page.line()
    size = byte_words(constants.bytes)
    if constants.unknown:
        size = "of unknown size" if constants.unknown == constants.count else f"{size}, {constants.unknown} of unknown size"
    page.line(f"  constants: {constants.count} ({size})")
    _dynamic(page, found)
    page.print()


def _changes(page: Page, title: str, changes: tuple[Change, ...]) -> None:
    from linnet_ge.commands.tables import Column

    if changes:
        page.line()
        rows = [(f"{change.source or '?'} -> {change.target or '?'}", change.count) for change in changes]
        page.table([Column(title), Column("nodes", right=True)], rows, indent=2)


def _dynamic(page: Page, found: Summary) -> None:
    from linnet_ge.commands.tables import Column
    from linnet_ge.tools.wording import shape_words

    if found.dynamic is None:
        page.line("  dynamic shapes: this file says nothing of shapes")
        return
    page.line(f"  dynamic shapes: {len(found.dynamic)}")
    rows = [(one.node, one.type, " ".join(map(shape_words, one.shapes)), one.graph) for one in found.dynamic[:LISTED]]
    page.table([Column("node"), Column("type"), Column("shapes"), Column("graph")], rows, indent=4)
    if len(found.dynamic) > LISTED:
        page.line(f"    and {len(found.dynamic) - LISTED} more (`--json` has all)")
