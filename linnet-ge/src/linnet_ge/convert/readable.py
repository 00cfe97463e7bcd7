"""A dump of any format as a readable dump, as the emitter would print it.

In: `Opened`.  Out: text; what is left out.  Outputs are counted by the descriptors, inputs are called as the view calls them, NetOutput
becomes `return`.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from linnet_ge.convert.attributes import Shown, lost_attributes
from linnet_ge.convert.lost import Lost, of_fields
from linnet_ge.formats.files import Opened
from linnet_ge.formats.rest import Rest, rest_of
from linnet_ge.ir.roles import RESULTS, results_node
from linnet_ge.model import Dump, Graph, Node
from linnet_ge.readable.dump_text import dump_text

#: What the view says of an output and a readable dump does not.
_INFO = ("dtype", "shape", "layout", "origin_shape", "origin_layout")


def readable_text(opened: Opened) -> str:
    """The readable dump; one that is readable already in the emitter's spelling."""
    if opened.readable is not None:
        from linnet_ge.readable.write import canonical

        return canonical(opened.readable)
    return dump_text(shown(opened.dump), all_graphs=True, file=opened.file)


def shown(dump: Dump) -> Dump:
    """The dump with the nodes and attributes that a readable dump shows."""
    return replace(dump, graphs=tuple(_graph(graph) for graph in dump.graphs)) if dump.kind != "readable" else dump


def _graph(graph: Graph) -> Graph:
    nodes = tuple(replace(node, attributes=Shown(node)) for node in graph.nodes if node.type != RESULTS)
    return Graph(graph.name, nodes, graph.outputs, graph.line)


def lost(opened: Opened) -> Iterator[Lost]:
    """What a readable dump does not say of the file; nothing where it is one."""
    if opened.document is None:
        return
    rest = rest_of(opened.document, opened.dump.kind)
    yield from lost_of_file(rest, opened.dump)
    for graph, left in zip(opened.dump.graphs, rest.graphs, strict=True):
        if opened.dump.by_name[graph.name] is not graph:
            yield Lost(graph.line, None, "graphs", "another of the same name")
            continue
        for node, fields in zip(graph.nodes, left.nodes(), strict=True):
            yield from _of_node(node)
            yield from of_fields(fields, "nodes", node.name)


def lost_of_file(rest: Rest, dump: Dump) -> Iterator[Lost]:
    """The further fields of the model and of its graphs."""
    yield from of_fields(rest.fields, "model", None)
    for graph, left in zip(dump.graphs, rest.graphs, strict=True):
        # without a NetOutput the outputs of the graph are what the view returns
        said = "" if results_node(graph.nodes) is not None else "output"
        yield from (one for one in of_fields(left.fields, "graphs", None) if one.field != said)


def _of_node(node: Node) -> Iterator[Lost]:
    if node.type == RESULTS:
        yield Lost(node.line, node.name, "nodes", "name of NetOutput")
    elif "\n" in node.name or "\r" in node.name:
        yield Lost(node.line, node.name, "nodes", "line end in a name: it cannot be read back")
    for _ in node.control_inputs:
        yield Lost(node.line, node.name, "edges", "control")
    yield from lost_infos(node, _INFO)
    yield from lost_attributes(node)


def lost_infos(node: Node, fields: tuple[str, ...], start: int = 0) -> Iterator[Lost]:
    """What is known of the outputs of a node from number `start` on, of those fields."""
    for info in node.outputs[start:]:
        for field in fields if info is not None else ():
            if getattr(info, field) is not None:
                yield Lost(node.line, node.name, "output_desc", field)
