"""What is wrong with the graphs of a dump: their names, and which runs which.

In: a view.  Out: `Finding` values.  GE's copy of ONNX does not say which node runs which graph; there only names are looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from linnet_ge.ir.operations import first_member
from linnet_ge.ir.roles import INPUTS
from linnet_ge.model import Dump, Graph, Link, Node
from linnet_ge.tools.cycles import cycles
from linnet_ge.tools.findings import Finding
from linnet_ge.tools.wording import path_words

#: Graphs whose results are those of the node that runs them.
_BODY = re.compile(r"body|then_branch|else_branch|f|branches\d+")
#: The inputs that a node hands on, with their numbers.
_HANDED_ON = re.compile(r"(?:input|args)_(\d+)")


def graphs(dump: Dump, *, whole: bool) -> Iterator[Finding]:
    """The findings; in a file that is not `whole` all graphs that are missing are one."""
    places: dict[str, int] = {}
    for at, graph in enumerate(dump.graphs):
        if places.setdefault(graph.name, at) != at:
            message = f"the graph of line {dump.graphs[places[graph.name]].line} has this name, too"
            yield Finding("G404", graph.line, graph.name, None, message)
    runs, absent = _runs(dump, places)
    yield from _absent(absent, whole)
    for way in cycles(runs):
        path = tuple(dump.graphs[at].name for at in way)
        yield Finding("G403", dump.graphs[way[0]].line, path[0], None, f"graphs run themselves: {path_words(path)}", path)
    if dump.kind != "onnx" and whole:
        reached = _reached(runs)
        for at, graph in enumerate(dump.graphs):
            if at not in reached and places[graph.name] == at:
                yield Finding("G402", graph.line, graph.name, None, "no node that the main graph leads to runs this graph")
        yield from _wiring(dump)


def _runs(dump: Dump, places: dict[str, int]) -> tuple[list[list[int]], list[tuple[str, Node, str]]]:
    """For each graph those its nodes run, each once; what is named and has no body, with the graph and node that names it."""
    runs: list[list[int]] = []
    absent: list[tuple[str, Node, str]] = []
    for graph in dump.graphs:
        named: dict[int, None] = {}
        for node in graph.nodes:
            for link in node.subgraphs:
                at = places.get(link.graph)
                if at is None:
                    absent.append((graph.name, node, link.graph))
                else:
                    named[at] = None
        runs.append(list(named))
    return runs, absent


def _absent(absent: list[tuple[str, Node, str]], whole: bool) -> Iterator[Finding]:
    if absent and not whole:
        names = list(dict.fromkeys(name for _, _, name in absent))
        shown = ", ".join(f"`{name}`" for name in names[:3]) + (", ..." if len(names) > 3 else "")
        graph, node, _ = absent[0]
        word = "graph has" if len(names) == 1 else "graphs have"
        yield Finding("G401", node.line, graph, node.name, f"{len(names)} {word} no body in what is left of the file: {shown}")
        return
    for graph, node, name in absent:
        yield Finding("G401", node.line, graph, node.name, f"it runs the graph `{name}`, which has no body in this file")


def _wiring(dump: Dump) -> Iterator[Finding]:
    """Graphs with other results, or other inputs, than the node has that runs them."""
    for graph in dump.graphs:
        for node in graph.nodes:
            for link in node.subgraphs:
                run = dump.by_name.get(link.graph) if link.graph != graph.name else None
                words = None if run is None else (_results(node, link, run) or _inputs(node, link, run))
                if words is not None:
                    yield Finding("G405", node.line, graph.name, node.name, words)


def _results(node: Node, link: Link, run: Graph) -> str | None:
    name, count = link.ir_name or "", len(run.outputs)
    wanted = 1 if name == "cond" else node.output_count if _BODY.fullmatch(name) else count
    if count == wanted:
        return None
    return f"`{run.name}`, its `{name}`, has {count} {'result' if count == 1 else 'results'}; there should be {wanted}"


def _inputs(node: Node, link: Link, run: Graph) -> str | None:
    """What is wrong with the inputs of the graph; nothing can be said of a node whose inputs have other names."""
    numbers = [_HANDED_ON.fullmatch(edge.parameter or "") for edge in node.inputs]
    handed_on = {int(number[1]) for number in numbers if number is not None}
    if not handed_on:
        return None
    handed_on.update(range(first_member(node.type)))  # the number of the round
    values = [one.attributes["index"].value for one in run.nodes if one.type in INPUTS and "index" in one.attributes]
    more = sorted(value for value in values if isinstance(value, int) and value not in handed_on)
    if not more:
        return None
    return f"`{run.name}`, its `{link.ir_name or ''}`, has an input of index {more[0]}, which no input of the node is"


def _reached(runs: list[list[int]]) -> set[int]:
    """The graphs that the main graph leads to."""
    reached = {0}
    waiting = [0]
    while waiting:
        for other in runs[waiting.pop()] if runs else ():
            if other not in reached:
                reached.add(other)
                waiting.append(other)
    return reached
