"""Reading the files a command was given.

In: paths.  Out: dumps; what is wrong with a file, or could be read in several ways, is said on stderr.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from linnet_core.errors import UsageError

if TYPE_CHECKING:
    from linnet_ge.formats.files import Opened
    from linnet_ge.model import Dump, Problem


def read_dump(file: str) -> Opened:
    """The dump at `file`, with its problems and doubts said; raises as `open_dump` does."""
    from linnet_core.cli.output import say
    from linnet_ge.formats.files import open_dump

    opened = open_dump(file)
    for note in opened.dump.notes:
        say(f"linnet: {note}")
    return opened


def problems_of(opened: Opened) -> tuple[Problem, ...]:
    """What is wrong with the file; doubts about names, which a whole file may give, are not."""
    return opened.dump.notes if opened.readable is None else opened.readable.problems


def graphs_with(dump: Dump, node: str, graph: str | None, file: str) -> list[tuple[str, str]]:
    """The graphs that have a node of this name, as `GRAPH, NODE`: a readable dump's `ret_1` means the node it is an output of.

    Raises `UsageError`, which names what is near, where there is none.
    """
    from linnet_core.text.near import did_you_mean

    if graph is not None and graph not in dump.by_name:
        hint = did_you_mean(graph, list(dump.by_name)) or "`linnet ge summary` lists them"
        raise UsageError(f"{file}: there is no graph `{graph}`; {hint}")
    found = [(one.name, node) for one in dump.by_name.values() if graph in (None, one.name) and node in one.by_name]
    if not found:
        near = did_you_mean(node, [name for one in dump.by_name.values() if graph in (None, one.name) for name in one.by_name])
        raise UsageError(f"{file}: there is no node `{node}`{f' in graph `{graph}`' if graph else ''}{f'; {near}' if near else ''}")
    return found


def print_json(document: Any, schema: str, indent: bool) -> None:
    """A document of this package on stdout, held against its schema."""
    from linnet_core.cli.output import write_document
    from linnet_core.cli.schema import add_plugin_schemas

    add_plugin_schemas()
    write_document(document, schema, indent=indent)
