"""What is wrong with the counts of users and the `get_element` lines of a readable dump.

In: a graph's records.  Out: `Finding` values.

`[#users=N]` of a node is how many outputs it has; each of several has a `get_element` line, whose `[#users=M]` is how often it is taken.
Outputs are called `ret`, `ret_1`, ... in the order of the graph.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from linnet_ge.readable.names import element_name
from linnet_ge.readable.records import ElementRecord, GraphRecord, NodeRecord, ReturnRecord
from linnet_ge.tools.findings import Finding


def elements(record: GraphRecord, graph: str) -> Iterator[Finding]:
    """The findings; nodes that share their name are left to the rule for names, and numbers mean nothing where such nodes have elements."""
    several = frozenset(name for name, count in Counter(node.name for node in record.node_records).items() if count > 1)
    uses: Counter[str] = Counter()
    for one in record.records:
        if isinstance(one, NodeRecord | ReturnRecord):
            uses.update(one.references)
    own: dict[str, list[ElementRecord]] = {}
    number = 0
    several_have = not several.isdisjoint(one.node for one in record.records if isinstance(one, ElementRecord))
    for one in record.records:
        if not isinstance(one, ElementRecord):
            continue
        own.setdefault(one.node, []).append(one)
        if several_have:
            continue
        yield from _element(record, graph, one, element_name(number), uses[one.name])
        number += 1
    for node in record.node_records:
        if node.name not in several:
            yield from _node(graph, node, own.get(node.name, []))
            if node.users > 1 and uses[node.name] and node.name not in record.elements:
                message = f"`{node.name}` is taken itself, {uses[node.name]} times, and has {node.users} outputs"
                yield Finding("G203", node.line, graph, node.name, message)


def _element(record: GraphRecord, graph: str, one: ElementRecord, name: str, uses: int) -> Iterator[Finding]:
    if one.node not in record.nodes:
        yield Finding("G202", one.line, graph, one.name, f"it is an output of `{one.node}`, which no node of the graph is")
    if one.name != name:
        yield Finding("G303", one.line, graph, one.name, f"the emitter would call it `{name}`")
    elif one.users != uses:
        yield Finding(
            "G302", one.line, graph, one.name, f"its count of users is {one.users}, and it is taken {uses} time{'' if uses == 1 else 's'}"
        )


def _node(graph: str, node: NodeRecord, own: list[ElementRecord]) -> Iterator[Finding]:
    wanted = node.users if node.users > 1 else 0
    if len(own) != wanted:
        message = f"its count of outputs is {node.users}, and {len(own)} `get_element` lines follow"
        yield Finding("G301", node.line, graph, node.name, message)
    elif any(one.index != at for at, one in enumerate(own)):
        numbers = ", ".join(str(one.index) for one in own[:8])
        yield Finding("G303", own[0].line, graph, node.name, f"its outputs stand in the order {numbers}")
