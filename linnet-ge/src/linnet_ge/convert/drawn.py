"""What a drawing shows of a dump: boxes and lines, with texts that nothing can end too early.

In: `Opened`, the name of a graph or None.  Out: `Drawing` values, one a graph, for `dot.py` and `svg.py`.

Boxes are numbered: names of a file are only ever text.  A source that the graph has no node for is a box of its own, marked as missing.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from linnet_core.errors import UsageError
from linnet_core.text.cells import show_inline
from linnet_ge.convert.attributes import Shown, lost_attributes
from linnet_ge.convert.lost import Lost, of_fields
from linnet_ge.convert.readable import lost_infos
from linnet_ge.formats.files import Opened
from linnet_ge.formats.rest import rest_of
from linnet_ge.ir.roles import CONSTANTS, INPUTS, RESULTS, results_node
from linnet_ge.model import Dump, Edge, Graph, Node, TensorInfo, Value
from linnet_ge.readable.values import value_text

#: So many characters of a name, of a type, of the text of a value are shown.
NAME, TYPE, VALUE = 48, 32, 200
#: So many outputs of a node are shown with dtype and shape.
OUTPUTS = 3
#: What the results of a graph are drawn as.
RETURN = "return"
#: How types that are no computation look; PlaceHolder and End stand at the borders of a partition.
_LOOKS = {
    **dict.fromkeys((*INPUTS, "PlaceHolder"), "data"),
    **dict.fromkeys((*CONSTANTS, "Variable"), "constant"),
    **dict.fromkeys((RESULTS, "End"), RETURN),
}


class Box(Struct, frozen=True, gc=False):
    """A node.  `lines` are its name, its type, its outputs, the value of a constant.

    `look` is `node`, `data`, `constant`, `control`, `return` or `missing`.

    `told` is what it says when it is pointed at.
    """

    lines: tuple[str, ...]
    look: str
    told: str


class Line(Struct, frozen=True, gc=False):
    """From a box to a box, by number.  `control` lines carry no data."""

    source: int
    target: int
    text: str
    control: bool = False


class Drawing(Struct, frozen=True):
    """A graph; `runs` are the boxes that run other graphs, with what they call them and the number of the drawing (None: not there)."""

    name: str
    boxes: tuple[Box, ...]
    lines: tuple[Line, ...]
    runs: tuple[tuple[int, str, int | None], ...]


def chosen(dump: Dump, name: str | None) -> list[Graph]:
    """The graphs that are drawn: all, or the one of that name.  `UsageError` where there is none."""
    if name is None:
        return list(dump.graphs)
    if name not in dump.by_name:
        from linnet_core.text.near import did_you_mean

        hint = did_you_mean(name, [graph.name for graph in dump.graphs])
        raise UsageError(f"there is no graph `{name}`{f'; {hint}' if hint else ''}")
    return [dump.by_name[name]]


def drawings(dump: Dump, graphs: list[Graph]) -> Iterator[Drawing]:
    """A drawing of each graph."""
    numbers: dict[str, int] = {}
    for number, graph in enumerate(graphs):
        numbers.setdefault(graph.name, number)
    keeps_raw = dump.kind == "readable"
    for graph in graphs:
        yield _drawing(graph, numbers, keeps_raw)


def lost(opened: Opened, graphs: list[Graph]) -> Iterator[Lost]:
    """What the drawings of these graphs do not show."""
    kept = {id(graph) for graph in graphs}
    document = opened.document
    rest = rest_of(document, opened.dump.kind) if document is not None else None
    yield from of_fields(rest.fields if rest is not None else (), "model", None)
    for number, graph in enumerate(opened.dump.graphs):
        if id(graph) not in kept:
            continue
        if rest is not None:
            yield from of_fields(rest.graphs[number].fields, "graphs", None)
        further = rest.graphs[number].nodes() if rest is not None else iter(())
        for node in graph.nodes:
            yield from lost_infos(node, ("layout", "origin_shape", "origin_layout"))
            yield from lost_infos(node, ("dtype", "shape"), OUTPUTS)
            yield from lost_attributes(node) if rest is not None else ()
            yield from (
                Lost(node.line, node.name, "values", f"{key} (cut)") for key, text in _texts(node, rest is None) if len(text) > VALUE
            )
            yield from of_fields(next(further, ()), "nodes", node.name)


def _drawing(graph: Graph, numbers: dict[str, int], keeps_raw: bool) -> Drawing:
    boxes: list[Box] = []
    places: dict[str, int] = {}
    for node in graph.nodes:
        places.setdefault(node.name, len(boxes))
        boxes.append(_box(node, keeps_raw))
    named = list(graph.nodes)
    lines: list[Line] = []

    def source_of(name: str) -> int:
        if name not in places:
            places[name] = len(boxes)
            boxes.append(Box((shortened(name, NAME), "missing"), "missing", show_inline(name)))
        return places[name]

    for target, node in enumerate(named):
        lines += [Line(source_of(edge.node), target, _edge_text(edge, graph)) for edge in node.inputs]
        lines += [Line(source_of(name), target, "", True) for name in node.control_inputs]
    if graph.outputs and results_node(named) is None:
        boxes.append(Box((RETURN,), RETURN, ""))
        target = len(boxes) - 1
        lines += [Line(source_of(output.edge.node), target, _edge_text(output.edge, graph)) for output in graph.outputs]
    runs = tuple(
        (at, shortened(f"{link.ir_name or 'graph'}: {link.graph}", NAME), numbers.get(link.graph))
        for at, node in enumerate(named)
        for link in node.subgraphs
    )
    return Drawing(shortened(graph.name, NAME), tuple(boxes), tuple(lines), runs)


def _box(node: Node, keeps_raw: bool) -> Box:
    look = "control" if node.subgraphs else _LOOKS.get(node.type, "node")
    texts = dict(_texts(node, keeps_raw))
    attributes = [f"{key}: {shortened(text, VALUE)}" for key, text in texts.items()]
    told = "\n".join([show_inline(node.name), show_inline(node.type), *map(show_inline, attributes)])
    infos = [_info_text(info) for info in node.outputs[:OUTPUTS] if info is not None]
    lines = [shortened(node.name, NAME), shortened(node.type, TYPE), shortened(" ".join(infos), NAME)]
    lines += [shortened(texts.get("value", ""), TYPE)] if look == "constant" else []
    return Box(tuple(line for line in lines if line) or ("?",), look, told)


def _texts(node: Node, keeps_raw: bool) -> Iterator[tuple[str, str]]:
    """The attributes a readable dump shows, as text."""
    for key, value in (node.attributes if keeps_raw else Shown(node)).items():
        text = value_text(value if keeps_raw else Value(value.kind, value.value))
        if text is not None:
            yield key, text


def _edge_text(edge: Edge, graph: Graph) -> str:
    """The parameter, and which output where there are several."""
    source = graph.by_name.get(edge.node)
    words = [shortened(edge.parameter, TYPE)] if edge.parameter else []
    if source is not None and source.output_count > 1:
        words.append(f"#{edge.output}")
    return " ".join(words)


def _info_text(info: TensorInfo) -> str:
    shape = "" if info.shape is None else "[" + ",".join(map(str, info.shape)) + "]"
    return show_inline((info.dtype or "").removeprefix("DT_").lower() + shape)


def shortened(text: str, most: int) -> str:
    """A text as a label shows it: on one line, what does not print escaped, cut in the middle, where most names differ least."""
    if len(text) > most:
        text = text[: most // 3] + "\u2026" + text[-(most - most // 3 - 1) :]
    return show_inline(text)
