"""What can be compared between two dumps: a thing that one format cannot show is no difference.

In: two views.  Out: `Terms`, which say whether two values are one, which attributes both could show, and in words what is left out.

A readable dump prints attributes of the operation's registration only, drops empty ones, and has six decimals of a float; a dump of the
ONNX copy leaves out dtypes, bytes and messages, and has integers for flags.  Neither tells which graphs a node runs as GE's protobuf text
does.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fnmatch import translate
from typing import Any

from linnet_ge.formats.naming import ir_attributes
from linnet_ge.ir.operations import operation
from linnet_ge.ir.roles import INPUTS, RESULTS, VALUED
from linnet_ge.model import Dump, Edge, Node, Value
from linnet_ge.readable.names import is_fallback_input
from linnet_ge.readable.values import value_text

#: Fields of protobuf text that number nodes or repeat their edges: they differ wherever something stands before a node.
BOOKKEEPING = frozenset({"id", "src_name", "src_index", "dst_name", "dst_index"})
#: Kinds of values that GE's copy of ONNX holds, and which of them it tells apart.
_IN_ONNX = {"int": "int", "bool": "int", "list_int": "list_int", "list_bool": "list_int"}
_IN_ONNX |= {kind: kind for kind in ("float", "string", "list_float", "list_string")}


class Terms:
    """The terms on which two dumps are compared; `ignore` are patterns (`*`, `?`) of attributes to leave out."""

    def __init__(self, one: Dump, other: Dump, ignore: tuple[str, ...] = ()) -> None:
        kinds = {one.kind, other.kind}
        self.same_kind = len(kinds) == 1
        self.readable = "readable" in kinds
        self.both_readable = kinds == {"readable"}
        self.onnx = "onnx" in kinds
        self._left_readable = one.kind == "readable"
        #: Whether inputs have names on both sides.
        self.parameters = _has_parameters(one) and _has_parameters(other)
        #: Whether both say which graphs a node runs, and what it calls them.
        self.links = not self.onnx and not _first_version(one) and not _first_version(other)
        self.ignored: Callable[[str], object] = _matcher(ignore)
        self.ignore = ignore
        self._weights = _holds_weights(one) and _holds_weights(other)

    def left_out(self) -> list[str]:
        """What is not compared, in words."""
        found: list[str] = []
        if self.readable:
            found += ["control edges", "dtypes, shapes and layouts"]
        if self.readable and not self.same_kind:
            found += [
                "the node NetOutput",
                "attributes that readable dumps do not print",
                "digits of floats after the sixth decimal",
                "values of tensors between the first and last three",
            ]
        if self.onnx and not self.same_kind:
            found += ["attributes that only one of the files has", "how many outputs nodes have"]
        if not self.readable:
            found.append("numbers of nodes and repeated edges (id, src_name, src_index, dst_name, dst_index)")
        if not self.parameters:
            found.append("names of inputs")
        if not self.links:
            found.append("which graphs nodes run")
        if not self.readable and not self._weights:
            found.append("values of constants that one file leaves out")
        if self.ignore:
            found.append("attributes " + ", ".join(self.ignore))
        return found

    def keeps(self, node: Node) -> bool:
        """Whether both formats have a line for the node."""
        return self.both_readable or not self.readable or node.type != RESULTS

    def trait(self, node: Node) -> Any:
        """What tells a node from others of its type and inputs, for finding nodes that were renamed."""
        if self.same_kind:
            return tuple((key, _raw(value)) for key, value in node.attributes.items() if not self._skips(key))
        index = node.attributes.get("index") if node.type in INPUTS else None
        return None if index is None else index.value

    def parameter(self, edge: Edge) -> str | None:
        """The name of an input, where both sides have names for inputs and this one is no fallback."""
        if not self.parameters or edge.parameter is None or is_fallback_input(edge.parameter):
            return None
        return edge.parameter

    def attributes(self, one: Node, other: Node) -> list[tuple[str, Value | None, Value | None]]:
        """The attributes that differ, in the order of the first node, then of the second."""
        found: list[tuple[str, Value | None, Value | None]] = []
        for key in (*one.attributes, *(key for key in other.attributes if key not in one.attributes)):
            a, b = one.attributes.get(key), other.attributes.get(key)
            if not self._skips(key) and not self._same(key, a, b, one, other):
                found.append((key, a, b))
        return found

    def _skips(self, key: str) -> bool:
        return (not self.readable and key.removeprefix(".") in BOOKKEEPING) or bool(self.ignored(key))

    def _same(self, key: str, a: Value | None, b: Value | None, one: Node, other: Node) -> bool:
        """Whether two values are one, as far as both formats show them; None is an attribute that is not there."""
        if self.same_kind:
            if a is None or b is None:
                return key == "value" and not self.readable and not self._weights
            return equal(a, b)
        if self.onnx and (a is None or b is None):
            return True
        if not self.readable:
            return _same_in_onnx(a, b)
        return _same_as_printed(key, a, b, other) if self._left_readable else _same_as_printed(key, b, a, one)


def equal(one: Value, other: Value) -> bool:
    """Whether two values of one format are the same: by how they are spelled, or by what they are."""
    if one.raw is not None and one.raw == other.raw:
        return True
    if one.kind != other.kind or one.kind in ("message", "unknown"):
        return False
    if one.kind == "tensor":
        return one.value == other.value
    return repr(one.value) == repr(other.value)  # a nan is the nan it was


def _raw(value: Value) -> str:
    return value.raw if value.raw is not None else repr(value.value)


def _same_as_printed(key: str, printed: Value | None, full: Value | None, node: Node) -> bool:
    """Whether what a readable dump prints, or leaves out, fits what another format holds in `node`."""
    if full is None:
        return printed is None or key == "value"  # files without weights leave out the values of constants
    text = value_text(Value(full.kind, full.value))
    if text is None:
        return True
    if printed is None:
        return not _is_printed(key, node)
    return text == (printed.raw if printed.kind == "unknown" else value_text(Value(printed.kind, printed.value)))


def _is_printed(key: str, node: Node) -> bool:
    """Whether a readable dump would print this attribute: the file says which are registered, or else the table does."""
    told = ir_attributes(node.attributes)
    if told is not None:
        return key in told
    known = operation(node.type)
    return known is not None and any(rule.key == key and not rule.newer for rule in known.attributes)


def _same_in_onnx(a: Value | None, b: Value | None) -> bool:
    if a is None or b is None or a.kind not in _IN_ONNX or _IN_ONNX[a.kind] != _IN_ONNX.get(b.kind):
        return True
    return _plain(a) == _plain(b)


def _plain(value: Value) -> str:
    """The value with flags as integers."""
    match value.kind:
        case "bool":
            return repr(int(value.value))
        case "list_bool":
            return repr(tuple(map(int, value.value)))
    return repr(value.value)


def _has_parameters(dump: Dump) -> bool:
    """Whether inputs have names; true where there are no inputs."""
    edges = False
    for graph in dump.graphs:
        for node in graph.nodes:
            edges = edges or bool(node.inputs)
            if any(edge.parameter is not None for edge in node.inputs):
                return True
    return not edges


def _first_version(dump: Dump) -> bool:
    """Whether a dump is one of the emitter's first version, which says nothing of graphs that nodes run."""
    return dump.kind == "readable" and not _has_parameters(dump)


def _holds_weights(dump: Dump) -> bool:
    """Whether constants have values here; true where there are none."""
    constants = [node for graph in dump.graphs for node in graph.nodes if node.type in VALUED]
    return not constants or any("value" in node.attributes for node in constants)


def _matcher(patterns: tuple[str, ...]) -> Callable[[str], object]:
    """A function that tells whether one of the patterns fits."""
    if not patterns:
        return lambda key: False
    return re.compile("|".join(translate(pattern) for pattern in patterns)).match
