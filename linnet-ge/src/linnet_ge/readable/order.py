"""The order in which the emitter prints graphs: each before those its nodes name, each once.

In: graphs, and which of them one names.  Out: the graphs in order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

G = TypeVar("G")


def depth_first(roots: Iterable[G], named: Callable[[G], Sequence[G]]) -> list[G]:
    """Each root, followed by what it names in the order of the names, each followed by its own; what was there before is left out."""
    found: dict[int, G] = {}
    for root in roots:
        waiting = [root]
        while waiting:
            graph = waiting.pop()
            if id(graph) not in found:
                found[id(graph)] = graph
                waiting.extend(reversed(named(graph)))
    return list(found.values())
