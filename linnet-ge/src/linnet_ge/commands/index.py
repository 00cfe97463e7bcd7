"""`linnet ge index`: a folder of dumps in the order of their stages.

In: a folder.  Out: a table with a row a stage, or with `--json` the document `ge-index-1`; with `--trace NODE` also what became of a node
from stage to stage.  The exit status is 1 where a file could not be read, or not wholly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from linnet_core.cli.options import Indent
from linnet_core.errors import LinnetError, UsageError

if TYPE_CHECKING:
    from linnet_ge.commands.tables import Page
    from linnet_ge.model import Dump
    from linnet_ge.tools.folder import Folder, Stage
    from linnet_ge.tools.index import Contents
    from linnet_ge.tools.trace import Step

Directory = Annotated[str, typer.Argument(metavar="DIR", help="A folder of dumps; the folders in it are searched, too.")]
Trace = Annotated[str | None, typer.Option("--trace", metavar="NODE", help="Say which stages changed this node, and how.")]
Names = Annotated[bool, typer.Option("--names", help="Look at the names of files only.")]
Json = Annotated[bool, typer.Option("--json", help="Print the index as JSON, schema ge-index-1.")]

_FORMATS = ("readable", "proto", "onnx")


def command(directory: Directory, *, trace: Trace = None, names: Names = False, json: Json = False, indent: Indent = False) -> None:
    """List a folder of dumps in the order of their stages, the formats of one stage together."""
    from linnet_ge.commands.tables import Page
    from linnet_ge.commands.writing import print_json
    from linnet_ge.tools.folder import folder

    found = folder(directory)
    if not found.stages:
        raise LinnetError(f"{directory}: there are no dumps here")
    read = {} if names else _read(found)
    steps = None if trace is None else _trace(found, trace)
    if json:
        print_json(document(found, read, trace, steps), "ge-index-1", indent)
    else:
        page = Page()
        show(page, found, read)
        if trace is not None and steps is not None:
            show_trace(page, trace, steps)
        page.print()
    if any(one.error is not None or one.problems for one in read.values()) or any(step.status == "unread" for step in steps or ()):
        raise typer.Exit(1)


def _read(found: Folder) -> dict[str, Contents]:
    """What the files hold, by path."""
    from linnet_core.cli.output import say
    from linnet_ge.commands.progress import progress
    from linnet_ge.tools.index import contents

    files = [file for stage in found.stages for file in stage.files]
    read: dict[str, Contents] = {}
    with progress(len(files), "reading dumps") as done:
        for file in files:
            read[file.path] = contents(file)
            done()
    for one in read.values():
        if one.error is not None:
            say(f"linnet: {one.error}")
    return read


def _trace(found: Folder, node: str) -> list[Step]:
    """The steps of the node, graph after graph; `UsageError` where no stage has it."""
    from linnet_ge.commands.progress import progress
    from linnet_ge.tools.trace import trace

    groups: dict[tuple[str, int | None], list[Stage]] = {}
    for stage in found.stages:
        groups.setdefault((stage.folder, stage.graph_id), []).append(stage)
    steps: list[Step] = []
    with progress(len(found.stages), f"looking for {node!a}") as done:

        def read(path: str) -> Dump | None:
            dump = _dump(path)
            done()
            return dump

        for stages in groups.values():
            group = list(trace(stages, node, read))
            if any(step.node is not None for step in group):
                steps += group
    if not steps:
        hint = "; readable dumps put the `%` before names" if node.startswith("%") else ""
        raise UsageError(f"{found.path}: no dump here has a node `{node}`{hint}")
    return steps


def _dump(path: str) -> Dump | None:
    from linnet_ge.formats.files import open_dump

    try:
        return open_dump(path).dump
    except LinnetError:
        return None


def document(found: Folder, read: dict[str, Contents], node: str | None, steps: list[Step] | None) -> dict[str, Any]:
    """The index as `ge-index-1` has it."""
    numbers = {id(stage): at for at, stage in enumerate(found.stages)}
    stages = [
        {
            "folder": stage.folder,
            "graph_id": stage.graph_id,
            "stage": stage.stage,
            "occurrence": stage.occurrence,
            "files": [_file(file.path, file.kind, file.number, file.bytes, read.get(file.path)) for file in stage.files],
        }
        for stage in found.stages
    ]
    traced = None if steps is None else {"node": node, "steps": [_step(step, numbers[id(step.stage)]) for step in steps]}
    return {"version": 1, "format": "ge-index", "directory": found.path, "stages": stages, "others": found.others, "trace": traced}


def _file(path: str, kind: str, number: int | None, size: int, held: Contents | None) -> dict[str, Any]:
    contents = None
    if held is not None and held.error is None:
        types = [{"type": name, "count": count} for name, count in held.types]
        contents = {"graphs": held.graphs, "nodes": held.nodes, "types": types, "problems": held.problems}
    return {"file": path, "kind": kind, "number": number, "bytes": size, "contents": contents, "error": held and held.error}


def _step(step: Step, stage: int) -> dict[str, Any]:
    from msgspec import to_builtins

    values = to_builtins(step)
    return {**{key: values[key] for key in ("file", "status", "graph", "node", "type", "changes")}, "stage": stage}


def show(page: Page, found: Folder, read: dict[str, Contents]) -> None:
    """A row a stage; the numbers of its files by format; what the first that could be read holds."""
    from linnet_ge.commands.tables import Column, counted

    page.line(f"{found.path}: {counted(len(found.stages), 'stage')}, {counted(sum(len(s.files) for s in found.stages), 'file')}", "bold")
    several = len({stage.folder for stage in found.stages}) > 1
    identified = any(stage.graph_id is not None for stage in found.stages)
    columns = [Column("stage"), *(Column(kind, right=True) for kind in _FORMATS)]
    columns += [Column("graphs", right=True), Column("nodes", right=True), Column("types")] if read else []
    columns = [*([Column("folder")] if several else []), *([Column("graph", right=True)] if identified else []), *columns]
    rows = []
    for stage in found.stages:
        numbers = {file.kind: "yes" if file.number is None else str(file.number) for file in stage.files}
        name = stage.stage if stage.occurrence == 1 else f"{stage.stage} ({stage.occurrence})"
        row = [name, *(numbers.get(kind, "") for kind in _FORMATS), *(_held(stage, read) if read else ())]
        graph = "" if stage.graph_id is None else str(stage.graph_id)
        rows.append([*([stage.folder] if several else []), *([graph] if identified else []), *row])
    page.table(columns, rows, indent=2)
    if found.others:
        page.line(f"  {counted(found.others, 'other file')}")


def _held(stage: Stage, read: dict[str, Contents]) -> tuple[str, str, str]:
    """Graphs, nodes and the most frequent types of a stage; of the readable dump, which has no NetOutput, only where there is no other."""
    good = [read[file.path] for file in stage.files if read[file.path].error is None]
    if not good:
        return "", "", "(could not be read)"
    held = next((one for one in good if one.file.kind != "readable"), good[0])
    types = ", ".join(f"{name} {count}" for name, count in held.types[:3]) + (", ..." if len(held.types) > 3 else "")
    return str(held.graphs), str(held.nodes), types + (" (damaged)" if any(one.problems for one in good) else "")


def show_trace(page: Page, node: str, steps: list[Step]) -> None:
    """What became of the node, stage after stage, and which stage first changed it."""
    page.line()
    page.line(f"node {node}", "bold")
    for step in steps:
        graph = f" in graph {step.graph}" if step.graph is not None else ""
        words = {
            "first": f"first seen{graph}: {step.type}",
            "same": "the same" if step.node == node else f"the same, as {step.node}",
            "changed": f"changed{graph}",
            "removed": f"removed{graph}",
            "absent": "not there",
            "unread": "could not be read",
        }[step.status]
        page.line(f"  {_stage_name(step)}: {words}", "yellow" if step.status in ("changed", "removed", "first") else "")
        for change in step.changes:
            page.line(f"      {change}")
    first = next((step for step in steps if step.status in ("changed", "removed")), None)
    page.line("  no stage changed it" if first is None else f"  first {first.status} in {_stage_name(first)} ({first.file})", "bold")


def _stage_name(step: Step) -> str:
    stage = step.stage
    graph = f"graph {stage.graph_id} " if stage.graph_id is not None else ""
    folder = "" if stage.folder == "." else f"{stage.folder} "
    return f"{folder}{graph}{stage.stage}" + (f" ({stage.occurrence})" if stage.occurrence > 1 else "")
