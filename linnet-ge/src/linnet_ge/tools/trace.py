"""What became of a node from stage to stage.

In: dumps in the order of their stages, the name of a node.  Out: `Step` values, one a stage and graph that has the node.  A node is
followed through other names where its structure says that it is the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Literal

from msgspec import Struct

from linnet_ge.model import Dump
from linnet_ge.text.collector import paused_collector
from linnet_ge.tools.comparable import Terms
from linnet_ge.tools.diff import Change, compare, names_of
from linnet_ge.tools.folder import File, Stage
from linnet_ge.tools.graph_pairs import GraphPair, graph_pairs

#: `absent`: not there yet, or no more; `unread`: the file is no dump.
Status = Literal["absent", "first", "same", "changed", "removed", "unread"]


class Step(Struct, frozen=True):
    """What a stage has of the node: the graph and name it has there, how it differs from the stage before."""

    stage: Stage
    file: str
    status: Status
    graph: str | None = None
    node: str | None = None
    type: str | None = None
    changes: tuple[Change, ...] = ()


def chosen(stages: Iterable[Stage]) -> list[File]:
    """One file a stage: that of the format which most stages have, and which says most."""
    stages = list(stages)
    kinds = [file.kind for stage in stages for file in stage.files]
    order = sorted(("proto", "onnx", "readable"), key=lambda kind: -kinds.count(kind))
    return [min(stage.files, key=lambda file: order.index(file.kind)) for stage in stages]


def trace(stages: Iterable[Stage], node: str, read: Callable[[str], Dump | None]) -> Iterator[Step]:
    """The steps of the node through stages of one graph; `read` gives None for what is no dump."""
    stages = list(stages)
    before: Dump | None = None
    known: list[tuple[int, int]] = []
    for stage, file in zip(stages, chosen(stages), strict=True):
        dump = read(file.path)
        if dump is None:
            yield Step(stage, file.path, "unread")
            continue
        with paused_collector():
            steps, known = _stage(before, dump, known, node)
        before = dump
        yield from (Step(stage, file.path, *step) for step in steps)


_Found = tuple[Status, str | None, str | None, str | None, tuple[Change, ...]]


def _stage(before: Dump | None, dump: Dump, known: list[tuple[int, int]], name: str) -> tuple[list[_Found], list[tuple[int, int]]]:
    """What one stage has of the nodes that are followed (graph and place in the dump before), and where they are now."""
    steps: list[_Found] = []
    now: list[tuple[int, int]] = []
    if before is not None and known:
        terms = Terms(before, dump)
        pairs = graph_pairs(before, dump, terms)
        names = {pair.a.name: pair.b.name for pair in pairs if pair.a is not None and pair.b is not None}
        for graph, place in known:
            step, at = _followed(before, dump, pairs, terms, names, graph, place)
            steps.append(step)
            now += [at] if at is not None else []
    followed = set(now)
    for at, graph in enumerate(dump.graphs):
        for place, node in enumerate(graph.nodes):
            if node.name == name and (at, place) not in followed:
                now.append((at, place))
                steps.append(("first", graph.name, node.name, node.type, ()))
                break
    return steps or [("absent", None, None, None, ())], now


def _followed(
    before: Dump, dump: Dump, pairs: list[GraphPair], terms: Terms, graphs: dict[str, str], graph: int, place: int
) -> tuple[_Found, tuple[int, int] | None]:
    """What became of one node."""
    node = before.graphs[graph].nodes[place]
    pair = next((pair for pair in pairs if pair.a is before.graphs[graph]), None)
    gone: _Found = ("removed", before.graphs[graph].name, node.name, node.type, ())
    if pair is None or pair.b is None or pair.sides is None:
        return gone, None
    found, left, right = pair.sides
    at = next((at for at, one in enumerate(left.nodes) if one is node), None)
    partner = left.partner[at] if at is not None else None
    if partner is None:
        return gone, None
    other, names = right.nodes[partner], names_of(found, left, right)
    changes = compare(node, other, terms, names, graphs)
    number = next(at for at, one in enumerate(dump.graphs) if one is pair.b)
    position = next(at for at, one in enumerate(dump.graphs[number].nodes) if one is other)
    return ("changed" if changes else "same", pair.b.name, other.name, other.type, changes), (number, position)
