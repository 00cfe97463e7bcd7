"""The part of a dump around a node, in the format it came in.

In: a file that was read, the part of a graph.  Out: text.  The graphs that kept nodes run stay whole, as far as the file says which these
are.
"""

from __future__ import annotations

from linnet_ge.formats.files import Opened
from linnet_ge.model import Dump, Edge, Graph, Node, Output, Value
from linnet_ge.readable.names import result_name
from linnet_ge.tools.neighbourhood import Boundary, Part


def extract(opened: Opened, part: Part) -> str:
    """The text of the part."""
    if opened.document is not None:
        from linnet_ge.tools.extract_proto import extracted

        return extracted(opened, opened.document, part)
    return _readable(opened.dump, part, opened.file)


def _readable(dump: Dump, part: Part, file: str) -> str:
    """A readable dump; one of the emitter's first version stays without names of inputs."""
    from linnet_ge.readable.dump_text import dump_text

    nodes = [*map(_data, part.boundary.values()), *(_kept(part, part.graph.nodes[at]) for at in part.kept)]
    named = len(part.results) > 1
    results = [Output(Edge(result_name(at) if named else None, name, output, at)) for at, (name, output) in enumerate(part.results)]
    graph = Graph(part.graph.name, nodes, tuple(results), part.graph.line)
    others = [one for one in run_by(dump, part) if one.name != graph.name]
    edges = [edge for node in nodes for edge in node.inputs]
    positional = bool(edges) and all(edge.parameter is None for edge in edges)
    return dump_text(Dump(dump.kind, (graph, *others)), positional=positional, file=file)


def _data(one: Boundary) -> Node:
    return Node(one.name, "Data", attributes={"index": Value("int", one.index)})


def _kept(part: Part, node: Node) -> Node:
    from msgspec.structs import replace

    return replace(node, inputs=tuple(map(part.moved, node.inputs)))


def run_by(dump: Dump, part: Part) -> list[Graph]:
    """The graphs that kept nodes run, and those these run, each once, in the order of the file."""
    found: set[str] = set()
    waiting = [link.graph for at in part.kept for link in part.graph.nodes[at].subgraphs]
    while waiting:
        name = waiting.pop()
        if name in found or name not in dump.by_name:
            continue
        found.add(name)
        waiting += [link.graph for node in dump.by_name[name].nodes for link in node.subgraphs]
    return [graph for graph in dump.by_name.values() if graph.name in found]
