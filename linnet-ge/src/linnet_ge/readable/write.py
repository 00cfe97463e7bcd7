"""A readable dump that was read -> text: the bytes it came from, or one spelling for all.

In: `Readable`.  Out: text.  `exact` gives what was read; `canonical` one of the styles of `record_text.py`.
"""

from __future__ import annotations

from linnet_ge.readable.order import depth_first
from linnet_ge.readable.record_text import Style, header_text, is_apart, record_text
from linnet_ge.readable.records import GraphRecord, Readable, ReturnRecord


def exact(readable: Readable) -> str:
    """The text that was read."""
    newline = readable.newline
    before_node, before_return = newline + "  ", newline + newline + "  "
    parts: list[str] = []
    for number, graph in enumerate(readable.graphs):
        parts.append((2 * newline if number else "") if graph.gap is None else graph.gap)
        parts.append(header_text(graph.name or "") if graph.spelling is None else graph.spelling)
        for record in graph.records:
            if record.gap is not None:
                parts.append(record.gap)
            else:
                parts.append(before_return if type(record) is ReturnRecord else before_node)
            parts.append(record_text(record) if record.spelling is None else record.spelling)
    parts.append(newline if readable.tail is None else readable.tail)
    return "".join(parts)


def canonical(readable: Readable, style: Style = "canonical") -> str:
    """The same records in the emitter's spelling, without other text; graphs depth first, each once, then those that none names."""
    parts: list[str] = []
    for graph in ordered(readable):
        parts.append("" if not parts else "\n")
        parts.append(header_text(graph.name or "") + "\n")
        for record in graph.records:
            if isinstance(record, ReturnRecord) and is_apart(len(record.references), style):
                parts.append("\n")
            parts.append(f"  {record_text(record, style)}\n")
    return "".join(parts)


def ordered(readable: Readable) -> list[GraphRecord]:
    """The graphs in the emitter's order; those that none names in that of the file."""
    from linnet_ge.readable.bodies import Bodies

    bodies = Bodies(readable)
    by_name: dict[str | None, GraphRecord] = {}
    for graph in readable.graphs:
        by_name.setdefault(graph.name, graph)
    return depth_first(readable.graphs, lambda graph: [by_name[name] for name in bodies.graphs_of(graph) if name in by_name])
