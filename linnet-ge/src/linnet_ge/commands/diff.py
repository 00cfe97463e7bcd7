"""`linnet ge diff`: how two dumps differ, whatever their formats.

In: two files.  Out: one line a difference, or with `--json` the document `ge-diff-1`.  The exit status is 0 where they are the same as
far as both formats show, 1 where they differ, 2 where a file cannot be read or is no dump.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from linnet_core.cli.options import Indent
from linnet_core.errors import LinnetError, UsageError

if TYPE_CHECKING:
    from linnet_ge.commands.tables import Page
    from linnet_ge.formats.files import Opened
    from linnet_ge.tools.diff import Difference, GraphDifference, NodeDifference

First = Annotated[str, typer.Argument(metavar="A", help="A dump of any format; `-` reads stdin.")]
Second = Annotated[str, typer.Argument(metavar="B", help="Another, of the same format or another one.")]
Json = Annotated[bool, typer.Option("--json", help="Print the differences as JSON, schema ge-diff-1.")]
Ignore = Annotated[
    list[str], typer.Option("--ignore", metavar="PATTERN", help="Leave out attributes, such as `_*` for private ones; repeatable.")
]
Renamed = Annotated[bool, typer.Option("--renamed/--no-renamed", help="Show nodes that have another name and differ in nothing else.")]


def command(
    first: First,
    second: Second,
    *,
    ignore: Ignore = [],  # noqa: B006  # typer copies it
    renamed: Renamed = True,
    json: Json = False,
    indent: Indent = False,
) -> None:
    """Say how two dumps differ: nodes added, removed, renamed or retyped, and what changed of the others."""
    from linnet_ge.commands.reading import read_dump
    from linnet_ge.commands.writing import print_json
    from linnet_ge.tools.diff import diff

    if first == second == "-":
        raise UsageError("only one of two files can be stdin")
    try:
        one, other = read_dump(first), read_dump(second)
    except UsageError:
        raise
    except LinnetError as error:
        raise UsageError(str(error)) from None
    found = diff(one.dump, other.dump, tuple(ignore))
    if json:
        print_json(document(one, other, found), "ge-diff-1", indent)
    else:
        show(one, other, found, renamed=renamed)
    if not found.same:
        raise typer.Exit(1)


def document(one: Opened, other: Opened, found: Difference) -> dict[str, Any]:
    """The differences as `ge-diff-1` has them."""
    from msgspec import to_builtins

    return {
        "version": 1,
        "format": "ge-diff",
        "a": {"file": one.file, "kind": one.dump.kind, "problems": to_builtins(one.dump.notes)},
        "b": {"file": other.file, "kind": other.dump.kind, "problems": to_builtins(other.dump.notes)},
        "same": found.same,
        "counts": [{"what": what, "count": count} for what, count in found.counts],
        "not_compared": list(found.not_compared),
        "graphs": to_builtins(found.graphs),
    }


def show(one: Opened, other: Opened, found: Difference, *, renamed: bool = True) -> None:
    """The differences as lines: `-` removed, `+` added, `~` changed, nodes that are only `renamed` if this is asked for."""
    from linnet_ge.commands.tables import Page

    page = Page()
    if not found.same:
        page.line(f"--- {one.file} ({one.dump.kind})", "red")
        page.line(f"+++ {other.file} ({other.dump.kind})", "green")
    for graph in found.graphs:
        _graph(page, graph, renamed)
    words = ", ".join(f"{what} {count}" for what, count in found.counts)
    alone = sum(graph.a is None or graph.b is None for graph in found.graphs)
    if alone:
        words += f"{', ' if words else ''}whole graphs {alone}"
    page.line(words or ("no difference" if found.same else "graphs renamed"), "bold")
    if found.not_compared:
        page.line(f"not compared: {'; '.join(found.not_compared)}", "dim")
    page.print()


def _graph(page: Page, graph: GraphDifference, renamed: bool) -> None:
    if graph.a is None or graph.b is None:
        page.line(f"- graph {graph.a}" if graph.b is None else f"+ graph {graph.b}", "red" if graph.b is None else "green")
        return
    shown = [node for node in graph.nodes if renamed or node.what != ("renamed",)]
    if not (renamed or shown or graph.results or graph.a != graph.b):
        return
    page.line(f"graph {graph.a}" if graph.a == graph.b else f"graph {graph.a} -> {graph.b}", "bold")
    for node in shown:
        _node(page, node)
    for change in graph.results:
        page.line(f"  ~ {change}", "yellow")


def _node(page: Page, node: NodeDifference) -> None:
    if node.a is None or node.b is None:
        place = node.a or node.b
        assert place is not None
        words = f"{place.name}  {place.type}"
        page.line(f"  - {words}" if node.b is None else f"  + {words}", "red" if node.b is None else "green")
        return
    name = node.a.name if node.a.name == node.b.name else f"{node.a.name} -> {node.b.name}"
    kind = node.a.type if node.a.type == node.b.type else f"{node.a.type} -> {node.b.type}"
    page.line(f"  ~ {name}  {kind}", "yellow")
    for change in node.changes:
        if change.what not in ("renamed", "retyped"):
            page.line(f"      {change}")
