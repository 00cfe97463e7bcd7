"""`linnet ge explain`: what is known of one node.

In: a dump of any format, a node.  Out: where its inputs come from, who takes its outputs, types, shapes, attributes and their defaults; for
each graph that has a node of this name; with `--json` as the document `ge-explain-1`.  The exit status is 1 where something is wrong with
the file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from linnet_core.cli.options import Indent

if TYPE_CHECKING:
    from linnet_ge.commands.tables import Page
    from linnet_ge.formats.files import Opened
    from linnet_ge.model import TensorInfo
    from linnet_ge.tools.explain import Explanation, Given, Setting

File = Annotated[str, typer.Argument(metavar="FILE", help="A dump of any format; `-` reads stdin.")]
Node = Annotated[str, typer.Argument(metavar="NODE", help="The name of a node, or of one of its outputs (`ret_1`).")]
InGraph = Annotated[str | None, typer.Option("--graph", metavar="NAME", help="Look in this graph only.")]
Json = Annotated[bool, typer.Option("--json", help="Print all of it as JSON, schema ge-explain-1.")]
#: As many graphs that have the node are shown, and as many that take an output.
MOST_GRAPHS = 20
MOST_USES = 50
#: Longer values are cut.
LONGEST = 120

_STATES = {
    "set": "",
    "default": "the default",
    "unset": "not set: the default",
    "required": "not set, and has no default",
    "other": "not in the table",
}


def command(file: File, node: Node, *, graph: InGraph = None, json: Json = False, indent: Indent = False) -> None:
    """Explain a node: producers, consumers, types, shapes, attributes, and what its operation calls them."""
    from linnet_ge.commands.reading import read_dump
    from linnet_ge.commands.tables import Page
    from linnet_ge.commands.writing import print_json
    from linnet_ge.tools.explain import explain
    from linnet_ge.tools.named import elements_of, places_of

    opened = read_dump(file)
    found = places_of(opened, node, graph)
    chosen = found if json else found[:MOST_GRAPHS]
    told = (explain(opened.dump, one, place, elements_of(opened, one, one.nodes[place].name)) for one, place in chosen)
    if json:
        print_json(document(opened, list(map(_node_document, told))), "ge-explain-1", indent)
    else:
        page = Page()
        for number, one in enumerate(told):
            if number:
                page.line()
            show(page, one)
        if len(found) > MOST_GRAPHS:
            page.line(f"and {len(found) - MOST_GRAPHS} more graphs have a node of this name; `--graph` chooses one")
        page.print()
    if opened.problems:
        raise typer.Exit(1)


def document(opened: Opened, nodes: list[dict[str, Any]]) -> dict[str, Any]:
    """The explanations as `ge-explain-1` has them."""
    from msgspec import to_builtins

    problems = [to_builtins(note) for note in opened.dump.notes]
    return {"version": 1, "format": "ge-explain", "file": opened.file, "kind": opened.dump.kind, "nodes": nodes, "problems": problems}


def _node_document(told: Explanation) -> dict[str, Any]:
    from msgspec import to_builtins

    inputs = [{("node" if key == "source" else key): value for key, value in to_builtins(one).items()} for one in told.inputs]
    return {
        "graph": told.graph,
        "name": told.node.name,
        "type": told.node.type,
        "line": told.node.line,
        "known": told.known,
        "inputs": inputs,
        "unconnected": list(told.unconnected),
        "waits_for": list(told.node.control_inputs),
        "outputs": [to_builtins(one) for one in told.outputs],
        "waited_for_by": list(told.waiting),
        "attributes": [to_builtins(one) for one in told.settings],
        "graphs": [to_builtins(one) for one in told.runs],
    }


def show(page: Page, told: Explanation) -> None:
    """One node."""
    from linnet_ge.commands.tables import Column, counted
    from linnet_ge.tools.wording import output_words

    node = told.node
    line = f", line {node.line}" if node.line is not None else ""
    page.line(f"{node.name}: {node.type}, in graph {told.graph}{line}", "bold")
    if not told.known:
        page.line(f"  the table of operations has no {node.type}")
    page.line(f"  {counted(len(told.inputs), 'input')}")
    rows = [
        (one.name, f"<- {output_words(one.source, one.output)}", one.type or "(no such node)", _info(one.info), one.form or "")
        for one in told.inputs
    ]
    page.table([Column()] * 5, rows, indent=4)
    if told.unconnected:
        page.line(f"    not connected: {', '.join(told.unconnected)}")
    if node.control_inputs:
        page.line(f"    waits for: {', '.join(node.control_inputs)}")
    page.line(f"  {counted(max(node.output_count, len(told.outputs)), 'output')}")
    for given in told.outputs:
        _given(page, given)
    if told.waiting:
        page.line(f"    waited for by: {', '.join(told.waiting[:MOST_USES])}")
    if told.settings:
        page.line("  attributes")
        page.table([Column()] * 3, (_setting(one, told.known) for one in told.settings), indent=4)
    if told.runs:
        page.line("  graphs")
        sizes = [(run.name or "", run.graph, "(no body)" if run.nodes is None else counted(run.nodes, "node")) for run in told.runs]
        page.table([Column()] * 3, sizes, indent=4)


def _given(page: Page, given: Given) -> None:
    from linnet_ge.commands.tables import Column

    words = " ".join(
        word for word in (str(given.number), given.name or "", f"({given.element})" if given.element else "", _info(given.info)) if word
    )
    page.line(f"    {words}" if given.uses else f"    {words}  (nothing takes it)")
    rows = [
        (f"-> result {use.input}", "", "") if use.node is None else (f"-> {use.node}", use.type or "", f"input {use.input}")
        for use in given.uses[:MOST_USES]
    ]
    page.table([Column()] * 3, rows, indent=6)
    if len(given.uses) > MOST_USES:
        page.line(f"      and {len(given.uses) - MOST_USES} more")


def _setting(one: Setting, known: bool) -> tuple[str, str, str]:
    """Its key, its value, what the table says of it, if that is `known`."""
    value = one.value if one.value is not None else "(empty)" if one.state == "unset" else ""
    private = one.state == "other" and one.key.startswith(("_", "."))
    value = value if len(value) <= LONGEST else f"{value[:LONGEST]}... (`linnet ge read --json` has all)"
    return one.key, " ".join(value.split("\n")), "private" if private else _STATES[one.state] if known else ""


def _info(info: TensorInfo | None) -> str:
    """`DT_FLOAT [1, 2] ND (was [2] NCHW)`, as far as it is known."""
    from linnet_ge.tools.wording import shape_words

    if info is None:
        return ""
    words = [info.dtype or "", shape_words(info.shape) if info.shape is not None else "", info.layout or ""]
    origin = [
        shape_words(info.origin_shape) if info.origin_shape is not None and info.origin_shape != info.shape else "",
        info.origin_layout or "" if info.origin_layout != info.layout else "",
    ]
    if any(origin):
        words.append(f"(was {' '.join(word for word in origin if word)})")
    return " ".join(word for word in words if word)
