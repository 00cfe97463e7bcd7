"""What is wrong with a dump.

In: a file that was read.  Out: `Finding` values by line; `linnet_ge.tools.findings` says what their codes mean.

A graph with a place that could not be read is not blamed for what may stand there: names without a node and counts that do not fit are one
finding then.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from linnet_ge.model import Graph, Problem
from linnet_ge.text.collector import paused_collector
from linnet_ge.tools.findings import RULES, Finding
from linnet_ge.tools.lint_bodies import bodies
from linnet_ge.tools.lint_elements import elements
from linnet_ge.tools.lint_graphs import graphs
from linnet_ge.tools.lint_nodes import nodes

if TYPE_CHECKING:
    from linnet_ge.formats.files import Opened

#: Rules that what is missing from a damaged graph would break.
_OF_WHOLE_GRAPHS = frozenset({"G202", "G203", "G205", "G301", "G302", "G303", "G501"})
#: Without other signs that a last graph is cut off, more findings than these are one.
_FEW = 5


def lint(opened: Opened) -> tuple[Finding, ...]:
    """All findings, by line, then by code; those of the whole file first."""
    damage = opened.problems
    said = frozenset(problem.line for problem in damage if problem.line is not None)
    with paused_collector():
        found = [*_reading(opened, frozenset(damage)), *graphs(opened.dump, whole=not damage)]
        for at, graph in enumerate(opened.dump.graphs):
            found += _gathered(
                graph, list(_graph(opened, at, graph, said)), damaged=_is_damaged(opened, at, damage), last=_is_last(opened, at)
            )
    return tuple(sorted(found, key=lambda one: (one.line or 0, one.code)))


def _reading(opened: Opened, damage: frozenset[Problem]) -> Iterator[Finding]:
    """What the reader met: damage, and what could be read in several ways."""
    for note in opened.dump.notes:
        words = note.message if note.expected is None else f"{note.message}; expected {note.expected}"
        yield Finding("G101" if note in damage else "G102", note.line, None, note.node, words)


def _graph(opened: Opened, at: int, graph: Graph, said: Collection[int]) -> Iterator[Finding]:
    """The findings in one graph; `said` are the lines of which damage has been said."""
    if opened.readable is None:
        yield from nodes(graph, graph.line)
        return
    record = opened.readable.graphs[at]
    yield from nodes(graph, record.line if record.returned is None else record.returned.line)
    yield from elements(record, graph.name)
    if _is_last(opened, at) and not opened.problems:
        message = "the graph has no `return`: it has no results, or the file ends too early"
        yield Finding("G103", record.records[-1].line if record.records else record.line, graph.name, None, message)
    if opened.bodies is not None:
        yield from bodies(opened.bodies, record, graph.name, said)


def _is_damaged(opened: Opened, at: int, damage: tuple[Problem, ...]) -> bool:
    """Whether something could not be read between the first line of a graph and that of the next."""
    graphs = opened.dump.graphs
    first = (graphs[at].line or 0) if at else 0
    end = graphs[at + 1].line if at + 1 < len(graphs) else None
    return any(problem.line is None or (first <= problem.line and (end is None or problem.line < end)) for problem in damage)


def _is_last(opened: Opened, at: int) -> bool:
    """Whether a graph ends a readable dump without a `return`, as one does that is cut off between two lines."""
    return opened.readable is not None and at == len(opened.readable.graphs) - 1 and opened.readable.graphs[at].returned is None


def _gathered(graph: Graph, found: list[Finding], *, damaged: bool, last: bool) -> list[Finding]:
    """The findings in a graph; those that damage explains become one."""
    explained = [one for one in found if one.code in _OF_WHOLE_GRAPHS and one.severity == "problem"]
    if not explained or not (damaged or (last and len(explained) > _FEW)):
        return found
    counts = Counter(one.code for one in explained)
    words = "; ".join(f"{RULES[code][1]} ({count} time{'' if count == 1 else 's'})" for code, count in sorted(counts.items()))
    first = min(explained, key=lambda one: one.line or 0)
    message = f"a part of the graph is missing: {words}"
    return [one for one in found if one.code not in _OF_WHOLE_GRAPHS] + [Finding("G101", first.line, graph.name, None, message)]
