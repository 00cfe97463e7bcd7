"""What is wrong with the attributes, inputs and results of a readable dump, whatever they mean.

In: a graph's records, their parsed bodies, the lines of which damage has been said.  Out: `Finding` values.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

from linnet_ge.readable.bodies import Bodies
from linnet_ge.readable.names import result_name
from linnet_ge.readable.records import GraphRecord, NodeRecord, ReturnRecord
from linnet_ge.tools.findings import Finding

_NAME = re.compile(r"\w+")


def bodies(parsed: Bodies, record: GraphRecord, graph: str, said: Collection[int]) -> Iterator[Finding]:
    """The findings; lines of `said` are left out."""
    for one in record.records:
        if one.line in said:
            continue
        if isinstance(one, ReturnRecord):
            names = [reference.parameter for reference in parsed.inputs(record, one)[0]]
            if not _are_results(names):
                yield Finding("G104", one.line, graph, None, "results are not `output_0`, `output_1`, ... in order")
        elif isinstance(one, NodeRecord):
            for words in (*_node(one), *_inputs(parsed, record, one), *_attributes(parsed, one)):
                yield Finding("G104", one.line, graph, one.name, words)


def _are_results(names: list[str | None]) -> bool:
    """Whether results are called as any version of the emitter does: one has no name, several have all or none."""
    return not any(name is not None for name in names) or (len(names) > 1 and names == [result_name(at) for at in range(len(names))])


def _node(record: NodeRecord) -> Iterator[str]:
    if not record.name:
        yield "it has no name"
    if not record.type:
        yield "it has no type"


def _inputs(parsed: Bodies, graph: GraphRecord, record: NodeRecord) -> Iterator[str]:
    if not record.inputs:
        return
    names = [reference.parameter for reference in parsed.inputs(graph, record)[0]]
    told = [name for name in names if name is not None]
    if told and len(told) < len(names):
        yield f"of {len(names)} inputs {len(names) - len(told)} stand without a name"
    yield from (f"an input is called `{name}`" for name in told if not _NAME.fullmatch(name))
    yield from (f"{count} inputs are called `{name}`" for name, count in _repeated(told))


def _attributes(parsed: Bodies, record: NodeRecord) -> Iterator[str]:
    if record.attributes is None:
        return
    found = parsed.attributes(record)
    if not found:
        yield "its attributes are empty"
    for attribute in found:
        if attribute.value.kind == "unknown":
            raw = attribute.value.raw or ""
            place = f"the value of `{attribute.key}`" if attribute.key else "an attribute"
            yield f"{place} is none that the emitter prints: `{raw[:60]}{'...' if len(raw) > 60 else ''}`"
    yield from (f"{count} attributes are called `{key}`" for key, count in _repeated(a.key for a in found if a.key))


def _repeated(names: Iterable[str]) -> list[tuple[str, int]]:
    """The names that are there more than once, with how often, in the order of their first places."""
    counts: dict[str, int] = {}
    for name in names:
        counts[name] = counts.get(name, 0) + 1
    return [(name, count) for name, count in counts.items() if count > 1]
