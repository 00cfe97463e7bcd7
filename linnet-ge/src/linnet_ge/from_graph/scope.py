"""One graph of the Graph Engine in the making.

In: operations by type with their inputs and the attributes that differ from the defaults.  Out: `linnet_ge.model.Graph`, in which every
node has the inputs, outputs and attributes that the table says, in its order.  Nodes that nothing leads to a result are left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from linnet_core.errors import InternalError
from linnet_ge.ir.dtypes import SERIAL
from linnet_ge.ir.operations import Operation, input_names, operation
from linnet_ge.model import Edge, Graph, Link, Node, Output, TensorInfo, Value
from linnet_ge.readable.names import is_element_name, result_name

#: What ends or divides a record; nothing in a dump is escaped.
_AWKWARD = re.compile(r"[\x00-\x1f\x7f]|\[(?=#?users=)|(?<=attrs = )\{")

Inputs = Mapping[str, "Source | Sequence[Source]"]


class Source(Struct, frozen=True):
    """One output of a node: what it is read by, and its type."""

    node: str
    output: int
    shape: tuple[int, ...]
    dtype: str


class Scope:
    """Nodes of one graph, in the order they were added; `Data` nodes come first whenever they are added."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._data: list[Node] = []
        self._nodes: list[Node] = []
        self._names: set[str] = set()
        self._count = 0

    def data(self, name: str, index: int, shape: tuple[int, ...], dtype: str) -> Source:
        """Input number `index` of the graph."""
        attributes = {"index": Value("int", index)}
        unique = self._unique(name)
        self._data.append(Node(unique, "Data", 1, attributes=attributes, outputs=(_info(shape, dtype),)))
        return Source(unique, 0, shape, dtype)

    def weight(self, name: str, shape: tuple[int, ...], dtype: str) -> Source:
        """A constant whose value is not known here: it has no `value`."""
        unique = self._unique(name)
        self._data.append(Node(unique, "Const", 1, outputs=(_info(shape, dtype),)))
        return Source(unique, 0, shape, dtype)

    def add(self, type: str, inputs: Inputs, shape: tuple[int, ...], dtype: str, /, **attributes: Any) -> Source:
        """A node whose first output is read."""
        return self.add_node(type, inputs, [(shape, dtype)], attributes)[0]

    def add_node(
        self,
        type: str,
        inputs: Inputs,
        results: Sequence[tuple[tuple[int, ...], str]],
        attributes: Mapping[str, Any] | None = None,
        subgraphs: Sequence[Link] = (),
    ) -> list[Source]:
        """A node; of outputs beyond `results` nothing is known.  Raises `InternalError` for what the table does not have."""
        known = operation(type)
        if known is None:
            raise InternalError(f"the table of operations has no {type}")
        unique = self.next_name(type)
        self._count += 1
        outputs = output_count(known, len(results))
        infos = [_info(*result) for result in results] + [None] * (outputs - len(results))
        made = Node(
            name=self._unique(unique),
            type=type,
            output_count=outputs,
            inputs=_edges(known, inputs),
            attributes=_attributes(known, attributes or {}),
            subgraphs=tuple(subgraphs),
            outputs=tuple(infos),
        )
        self._nodes.append(made)
        return [Source(made.name, at, shape, dtype) for at, (shape, dtype) in enumerate(results)]

    def next_name(self, type: str) -> str:
        """What the next node of that type will be called, unless the name is taken."""
        return f"{type}_{self._count}"

    def finished(self, results: Sequence[Source]) -> Graph:
        """The graph with these results."""
        outputs = tuple([Output(_edge(result_name(at) if len(results) > 1 else None, r, at)) for at, r in enumerate(results)])
        needed = self._needed(results)
        kept = [n for n in self._data if n.type == "Data" or n.name in needed] + [n for n in self._nodes if n.name in needed]
        return Graph(self.name, tuple(kept), outputs)

    def _needed(self, results: Sequence[Source]) -> set[str]:
        """The nodes that lead to a result: inputs stand before what reads them."""
        needed = {result.node for result in results}
        for node in reversed(self._nodes):
            if node.name in needed:
                needed.update(edge.node for edge in node.inputs)
        return needed

    def _unique(self, name: str) -> str:
        plain = plain_name(name)
        found, number = plain, 1
        while found in self._names or is_element_name(found):
            found, number = f"{plain}_{number}_", number + 1
        self._names.add(found)
        return found


def plain_name(name: str) -> str:
    """A name without what ends or divides a record, which stands for `_`; an empty one is `_`."""
    return _AWKWARD.sub("_", name) or "_"


def output_count(known: Operation, results: int) -> int:
    """How many outputs a node has: those of the table, or of a dynamic output as many as are given."""
    if any(parameter.kind == "dynamic" for parameter in known.outputs):
        return results
    return len(known.outputs)


def _info(shape: tuple[int, ...], dtype: str) -> TensorInfo:
    return TensorInfo(SERIAL[dtype], shape)


def _edge(parameter: str | None, source: Source, position: int) -> Edge:
    return Edge(parameter, source.node, source.output, position)


def _edges(known: Operation, inputs: Inputs) -> tuple[Edge, ...]:
    given = {name: (one,) if isinstance(one, Source) else tuple(one) for name, one in inputs.items()}
    missing = [p.name for p in known.inputs if p.kind == "required" and p.name not in given]
    extra = given.keys() - {p.name for p in known.inputs}
    if missing or extra:
        raise InternalError(f"{known.type} has not the inputs {sorted([*missing, *extra])}")
    names = input_names(known, {p.name: len(given.get(p.name, ())) for p in known.inputs})
    sources = [source for p in known.inputs for source in given.get(p.name, ())]
    return tuple([_edge(printed, source, at) for at, ((_, printed), source) in enumerate(zip(names, sources, strict=True))])


def _attributes(known: Operation, given: Mapping[str, Any]) -> dict[str, Value]:
    """All attributes of the operation: defaults are set by whoever builds a node, and printed."""
    found: dict[str, Value] = {}
    for rule in known.attributes:
        if rule.key in given:
            found[rule.key] = Value(rule.kind, given[rule.key])
        elif rule.default is not None:
            found[rule.key] = rule.default
        else:
            raise InternalError(f"{known.type} needs the attribute {rule.key}")
    extra = given.keys() - found.keys()
    if extra:
        raise InternalError(f"{known.type} has no attributes {sorted(extra)}")
    return found
