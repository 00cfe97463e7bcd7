"""A view -> a readable dump, as the emitter prints it.

In: `linnet_ge.model.Dump`, whatever it was made from.  Out: text.  Elements are numbered `ret`, `ret_1`, ... per graph, users are counted,
graphs are printed depth first, each once.  What a readable dump cannot show (types, shapes, control edges, bytes) is left out.

Where an edge or a graph has no name in the operation's table, all of the node fall back to `_input_N`, `_graph_N`, as the emitter does.
"""

from __future__ import annotations

from collections import Counter

from linnet_core.errors import DocumentError
from linnet_ge.model import MOST_OUTPUTS, Dump, Edge, Graph, Node, Problem, Value
from linnet_ge.readable.names import element_name, fallback_graph, fallback_input, result_name
from linnet_ge.readable.order import depth_first
from linnet_ge.readable.record_text import Style, element_text, header_text, is_apart, node_text, references_text, return_text
from linnet_ge.readable.values import value_text

_Key = tuple[str, int]


def dump_text(
    dump: Dump, style: Style = "canonical", *, all_graphs: bool = False, positional: bool = False, file: str | None = None
) -> str:
    """The text of the dump's main graph and of every graph it runs; with `all_graphs` also of those that no node names.

    `positional` leaves the names of inputs and results out, as the emitter's first version did.  Raises `DocumentError`, which names the
    `file` that the dump was made from, where a node claims more outputs than there can be.
    """
    graphs = depth_first(dump.by_name.values() if all_graphs else dump.graphs[:1], lambda graph: _named(dump, graph))
    for graph in graphs:
        _hold_outputs(graph, file)
    return "\n".join(_graph_text(graph, dump.kind == "readable", style, positional) for graph in graphs)


def _named(dump: Dump, graph: Graph) -> list[Graph]:
    """The graphs that the nodes of a graph run, as far as there are any."""
    return [dump.by_name[link.graph] for node in graph.nodes for link in node.subgraphs if link.graph in dump.by_name]


def _hold_outputs(graph: Graph, file: str | None) -> None:
    for node in graph.nodes:
        if node.output_count > MOST_OUTPUTS:
            words = f"it says that it has {node.output_count} outputs; more than {MOST_OUTPUTS} are not printed"
            raise DocumentError(str(Problem(file, node.line, node.name, words)))


def _outputs(node: Node) -> range:
    """The numbers of the outputs that have a name of their own."""
    return range(node.output_count if node.output_count > 1 else 0)


def _graph_text(graph: Graph, keeps_raw: bool, style: Style, positional: bool) -> str:
    names = element_names(graph)
    users = Counter((edge.node, edge.output) for node in graph.nodes for edge in node.inputs)
    users.update((output.edge.node, output.edge.output) for output in graph.outputs)
    lines = [header_text(graph.name)]
    for node in graph.nodes:
        inputs, attributes = _inputs(node, names, positional), _attributes(node, keeps_raw)
        lines.append("  " + node_text(node.name, node.output_count, node.type, inputs, attributes))
        lines += ["  " + element_text(names[node.name, at], users[node.name, at], node.name, at, style) for at in _outputs(node)]
    results = [_reference(output.edge, names) for output in graph.outputs]
    if results:
        if is_apart(len(results), style):
            lines.append("")
        named = len(results) > 1 and not positional
        told = references_text((result_name(at) if named else None, result) for at, result in enumerate(results))
        lines.append("  " + return_text(told))
    return "\n".join(lines) + "\n"


def element_names(graph: Graph) -> dict[_Key, str]:
    """What the outputs of nodes with several are called: one count a graph, in the order of the nodes."""
    names: dict[_Key, str] = {}
    count = 0
    for node in graph.nodes:
        for at in _outputs(node):
            names.setdefault((node.name, at), element_name(count))
            count += 1
    return names


def _reference(edge: Edge, names: dict[_Key, str]) -> str:
    return names.get((edge.node, edge.output), edge.node)


def _inputs(node: Node, names: dict[_Key, str], positional: bool) -> str | None:
    if not node.inputs:
        return None
    falls_back = any(edge.parameter is None for edge in node.inputs)
    return references_text(
        (None if positional else fallback_input(edge.position) if falls_back else edge.parameter, _reference(edge, names))
        for edge in node.inputs
    )


def _attributes(node: Node, keeps_raw: bool) -> str | None:
    falls_back = any(link.ir_name is None for link in node.subgraphs)
    items = [f"{fallback_graph(at) if falls_back else link.ir_name}: %{link.graph}" for at, link in enumerate(node.subgraphs)]
    for key, value in node.attributes.items():
        text = value_text(value if keeps_raw else Value(value.kind, value.value))
        if text is not None:
            items.append(f"{key}: {text}")
    return ", ".join(items) if items else None
