"""A readable dump as records that keep how they are spelled.

In: what `scan.py` finds.  Out: frozen values.  A record says what it holds in fields; `spelling` is its text where that is not the
canonical one, `gap` the text between the record before and this one (line ends, indentation, whatever stands around). Both are None in
canonical text, which is written from the fields.
"""

from __future__ import annotations

from functools import cached_property

from msgspec import Struct

from linnet_ge.model import Problem


class NodeRecord(Struct, frozen=True, gc=False):
    """`%NAME : [#users=N] = Node[type=TYPE] (inputs = (...), attrs = {...})`.

    `inputs` and `attributes` are the text inside their brackets, None where the part is missing.  `references` are the names after `%`
    of the inputs, in order, told apart by the names of the graph; `doubtful` says that they can be told apart in several ways.
    """

    line: int
    name: str
    users: int
    type: str
    inputs: str | None
    attributes: str | None
    references: tuple[str, ...] = ()
    doubtful: bool = False
    gap: str | None = None
    spelling: str | None = None


class ElementRecord(Struct, frozen=True, gc=False):
    """`%NAME : [#users=N] = get_element[node=%NODE](INDEX)`: one output of a node with several."""

    line: int
    name: str
    users: int
    node: str
    index: int
    gap: str | None = None
    spelling: str | None = None


class ReturnRecord(Struct, frozen=True, gc=False):
    """`return (...)`: `outputs` is the text inside, `references` the names in it."""

    line: int
    outputs: str
    references: tuple[str, ...] = ()
    doubtful: bool = False
    gap: str | None = None
    spelling: str | None = None


Record = NodeRecord | ElementRecord | ReturnRecord


class GraphRecord(Struct, frozen=True, dict=True):
    """`graph("NAME"):` and the records below it.  `name` is None where records stand before any such line."""

    line: int
    name: str | None
    records: tuple[Record, ...]
    gap: str | None = None
    spelling: str | None = None

    @cached_property
    def node_records(self) -> tuple[NodeRecord, ...]:
        """The nodes, in order."""
        return tuple(r for r in self.records if type(r) is NodeRecord)

    @cached_property
    def nodes(self) -> dict[str, NodeRecord]:
        """The nodes by name, the first of each."""
        found: dict[str, NodeRecord] = {}
        for record in self.node_records:
            found.setdefault(record.name, record)
        return found

    @cached_property
    def elements(self) -> dict[str, ElementRecord]:
        """The `get_element` records by name, the first of each."""
        found: dict[str, ElementRecord] = {}
        for record in self.records:
            if type(record) is ElementRecord:
                found.setdefault(record.name, record)
        return found

    def source_of(self, name: str) -> tuple[str, int, bool]:
        """What a reference to `name` means: a node, the number of its output, and whether a node and an element have the name.

        The element is taken where both have it.
        """
        element = self.elements.get(name)
        return (name, 0, False) if element is None else (element.node, element.index, name in self.nodes)

    @cached_property
    def returned(self) -> ReturnRecord | None:
        """The last `return`; None where there is none."""
        return next((r for r in reversed(self.records) if type(r) is ReturnRecord), None)


class Readable(Struct, frozen=True, dict=True):
    """A readable dump: its graphs in the order of the file, the text after the last record, what is wrong or in doubt.

    `newline` is the line end that most lines have; it is what a `gap` of None is made of.
    """

    file: str
    graphs: tuple[GraphRecord, ...]
    newline: str
    tail: str | None
    problems: tuple[Problem, ...] = ()

    @cached_property
    def graph_names(self) -> frozenset[str]:
        """The names of all graphs with a body here."""
        return frozenset(g.name for g in self.graphs if g.name is not None)
