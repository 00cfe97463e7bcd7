"""What is wrong with the nodes of one graph, in any format.

In: a graph, and the line where its results stand.  Out: `Finding` values: names, edges, cycles, indices of inputs.
"""

from __future__ import annotations

from collections.abc import Iterator

from linnet_ge.ir.roles import INPUTS, RESULTS, results_node
from linnet_ge.model import Edge, Graph, Node
from linnet_ge.readable.names import is_fallback_graph, is_fallback_input
from linnet_ge.tools.cycles import cycles
from linnet_ge.tools.findings import Finding
from linnet_ge.tools.wording import path_words

#: Loops of frames: what these give is taken in the next round.
_NEXT_ROUND = frozenset({"NextIteration", "RefNextIteration"})
#: Nodes that do something even if nothing takes what they give, or that a pass leaves behind.
_SINKS = INPUTS | {RESULTS, "End", "Assign", "NoOp", "Send", "Recv", "Print", "Assert"}


def nodes(graph: Graph, results_line: int | None) -> Iterator[Finding]:
    """The findings."""
    found = list(graph.nodes)
    places: dict[str, int] = {}
    for at, node in enumerate(found):
        places.setdefault(node.name, at)
    yield from _namesakes(graph, found, places)
    yield from _edges(graph, found, places, results_line)
    yield from _cycles(graph, found, places)
    yield from _indices(graph, found)
    yield from _fallbacks(graph, found)


def _namesakes(graph: Graph, found: list[Node], places: dict[str, int]) -> Iterator[Finding]:
    same: dict[str, list[int]] = {}
    for at, node in enumerate(found):
        if places[node.name] != at:
            same.setdefault(node.name, [places[node.name]]).append(at)
    for name, several in same.items():
        lines = ", ".join(str(found[at].line) for at in several[:3]) + (", ..." if len(several) > 3 else "")
        yield Finding("G201", found[several[1]].line, graph.name, name, f"{len(several)} nodes have this name (lines {lines})")


def _edges(graph: Graph, found: list[Node], places: dict[str, int], results_line: int | None) -> Iterator[Finding]:
    """Names nothing gives, outputs a node does not have, nodes nothing takes."""
    taken: set[str] = set()
    for node in found:
        for edge in node.inputs:
            taken.add(edge.node)
            finding = _edge(graph, found, places, edge, node.name, node.line)
            if finding is not None:
                yield finding
        for name in node.control_inputs:
            taken.add(name)
            if name not in places:
                yield Finding("G202", node.line, graph.name, node.name, f"it waits for `{name}`, which no node of the graph is")
    is_told = results_node(found) is not None  # of an edge into that node
    for output in graph.outputs:
        taken.add(output.edge.node)
        finding = _edge(graph, found, places, output.edge, None, results_line)
        if finding is not None and not is_told:
            yield finding
    for node in found if graph.outputs else ():
        if node.name not in taken and node.output_count and node.type not in _SINKS:
            yield Finding("G205", node.line, graph.name, node.name, "nothing takes what it gives")


def _edge(graph: Graph, found: list[Node], places: dict[str, int], edge: Edge, name: str | None, line: int | None) -> Finding | None:
    """What is wrong with where an edge comes from."""
    slot = f"input `{edge.parameter}`" if edge.parameter is not None else f"input {edge.position}"
    what = f"result {edge.position}" if name is None else slot
    at = places.get(edge.node)
    if at is None:
        return Finding("G202", line, graph.name, name, f"{what} comes from `{edge.node}`, which no node of the graph is")
    count = found[at].output_count
    if edge.output >= count:
        outputs = "no output" if count == 0 else "1 output" if count == 1 else f"{count} outputs"
        return Finding("G203", line, graph.name, name, f"{what} takes output {edge.output} of `{edge.node}`, which has {outputs}")
    return None


def _cycles(graph: Graph, found: list[Node], places: dict[str, int]) -> Iterator[Finding]:
    """Cycles of data and control edges, apart from those of loops made of frames."""
    before: list[list[int]] = []
    for at, node in enumerate(found):
        names = (*(edge.node for edge in node.inputs), *node.control_inputs) if places[node.name] == at else ()
        sources = (places.get(name, -1) for name in names)
        before.append([source for source in sources if source >= 0 and found[source].type not in _NEXT_ROUND])
    for way in cycles(before):
        path = tuple(found[at].name for at in reversed(way))
        yield Finding("G204", found[way[0]].line, graph.name, found[way[0]].name, f"nodes lead to themselves: {path_words(path)}", path)


def _indices(graph: Graph, found: list[Node]) -> Iterator[Finding]:
    """Indices of inputs that are there twice, or missing between others; without any index there is nothing to say."""
    inputs = [node for node in found if node.type in INPUTS]
    if not any("index" in node.attributes for node in inputs):
        return
    seen: dict[int, str] = {}
    for node in inputs:
        index = node.attributes["index"].value if "index" in node.attributes else 0
        if not isinstance(index, int):
            continue
        if index in seen:
            yield Finding("G501", node.line, graph.name, node.name, f"its index {index} is also that of `{seen[index]}`")
        seen.setdefault(index, node.name)
    missing = _missing(sorted(seen))
    if missing:
        yield Finding("G501", inputs[0].line, graph.name, None, f"of the inputs' indices {missing} are missing")


def _missing(indices: list[int]) -> str:
    """The gaps of a sorted list of indices: `0, 3-5`."""
    gaps: list[str] = []
    expected = 0
    for index in indices:
        if index > expected:
            gaps.append(str(expected) if index == expected + 1 else f"{expected}-{index - 1}")
        expected = max(expected, index + 1)
    return ", ".join(gaps[:10]) + (", ..." if len(gaps) > 10 else "")


def _fallbacks(graph: Graph, found: list[Node]) -> Iterator[Finding]:
    """Names the emitter makes where the operation's registration does not fit the node."""
    for node in found:
        inputs = [edge.parameter for edge in node.inputs if edge.parameter is not None and is_fallback_input(edge.parameter)]
        links = [link.ir_name for link in node.subgraphs if link.ir_name is not None and is_fallback_graph(link.ir_name)]
        if inputs or links:
            words = ", ".join(f"`{name}`" for name in (*inputs[:3], *links[:3]))
            yield Finding("G601", node.line, graph.name, node.name, f"the emitter knew no name and printed {words}")
