"""The bodies of nodes, parsed when they are asked for.

In: `Readable`, a record of it.  Out: its inputs as references, its attributes as values, the graphs it names.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from linnet_core.errors import DocumentError
from linnet_ge.readable.attributes import Attribute, attributes
from linnet_ge.readable.records import GraphRecord, NodeRecord, Readable, ReturnRecord
from linnet_ge.readable.references import Known, Reference, references

#: How many texts are remembered with what they were parsed to: nodes of one type mostly have the same attributes.
REMEMBERED = 4096
_SHORT = 256
#: A line with more references is refused: there is no such node, and each would be a value of its own.
MOST_REFERENCES = 1 << 20

#: The attributes that an operation of a type is known to have; None for an unknown type.
KeysOf = Callable[[str], Collection[str] | None]


class Bodies:
    """The parsed bodies of one file's nodes."""

    def __init__(self, readable: Readable, keys_of: KeysOf | None = None) -> None:
        self._file = readable.file
        self._graphs = readable.graph_names
        self._keys_of = keys_of
        self._attributes: dict[tuple[str, str], tuple[Attribute, ...]] = {}
        self._known: dict[int, Known] = {}

    def attributes(self, record: NodeRecord) -> tuple[Attribute, ...]:
        """The attributes of a node, graphs among them, in order."""
        text = record.attributes
        if text is None:
            return ()
        key = (record.type, text) if self._keys_of is not None else ("", text)
        found = self._attributes.get(key)
        if found is None:
            keys = self._keys_of(record.type) if self._keys_of is not None else None
            found = attributes(text, self._graphs, keys)
            if len(text) < _SHORT and len(self._attributes) < REMEMBERED:
                self._attributes[key] = found
        return found

    def inputs(self, graph: GraphRecord, record: NodeRecord | ReturnRecord) -> tuple[list[Reference], str]:
        """The references of a record with their parameters, and the rest of the text that is none.

        Raises `DocumentError` where they are too many.
        """
        text = record.outputs if isinstance(record, ReturnRecord) else record.inputs
        if not text:
            return [], ""
        if len(record.references) > MOST_REFERENCES:
            words = f"{self._file}:{record.line}: {len(record.references)} references in one line"
            raise DocumentError(f"{words}; more than {MOST_REFERENCES} are not told apart")
        known = self._known.get(id(graph))
        if known is None:
            known = self._known[id(graph)] = Known.of(graph.nodes.keys() | graph.elements.keys())
        return references(text, known)

    def graphs_of(self, graph: GraphRecord) -> list[str]:
        """The names of the graphs that the nodes of `graph` run, in order."""
        named: list[str] = []
        for record in graph.node_records:
            if record.attributes is not None and ": %" in record.attributes:
                named += [a.value.value for a in self.attributes(record) if a.value.kind == "graph"]
        return named
