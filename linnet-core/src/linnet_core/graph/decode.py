"""Reading a graph document.

In: JSON, from anyone.  Out: the `Graph` it says, or `DocumentError` that names the node (counted as in `nodes[3].body[0]`) and the field.
Reading is strict: every key known, every number of its kind (no bool, no 1.0 where an integer stands), every id made before it is
used, every first result of the type its node gives it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec import structs as msgspec_structs

from linnet_core.errors import DocumentError
from linnet_core.graph import decode_fields as fields
from linnet_core.graph.calls import (
    CALLS,
    BeginCounted,
    BeginWhile,
    CallHeader,
    EndCounted,
    EndCustomGradient,
    EndWhile,
    EnumArgument,
    Finish,
    LaunchKernel,
    NativeCall,
    Operand,
    ResultType,
    WhileCondition,
)
from linnet_core.graph.nodes import MAX_CALL_DEPTH, ROLES, VERSION, CallNode, Graph, Node, Region, attribute_names
from linnet_core.graph.rules import broken_rule
from linnet_core.schema.fields import list_at, object_at, typed_at
from linnet_core.schema.validate import parse

if TYPE_CHECKING:
    from collections.abc import Callable

    from linnet_core.graph.calls import Call
    from linnet_core.graph.nodes import ValueInfo

_CALL_KEYS = ("op", "callee", "semantic", "path", "generics", "arguments", "body", "results")
_REGION_KEYS = ("role", "arguments", "nodes", "results")
_VIEW_KEYS = ("value", "shape", "dtype")
#: Attributes that are held to more than their type.
_READERS: dict[str, Callable[[Any, str], Any]] = {"literal": fields.literal, "shape": fields.shape, "dtype": fields.dtype}
#: How deep tuples may stand in one another in the arguments of a call.
MAX_TUPLE_DEPTH = 64


def decode(text: bytes | str) -> Graph:
    """Read a document from JSON."""
    return from_document(parse(text))


def from_document(document: Any) -> Graph:
    """Read a document from Python values, as a JSON reader gives them."""
    try:
        return _read(document)
    except RecursionError:
        raise DocumentError("the document is nested too deeply to be read") from None


def _read(document: Any) -> Graph:
    body = object_at(document, "", ("version", "target", "values", "nodes"))
    version = typed_at(body["version"], "version", int)
    if version != VERSION:
        raise DocumentError(f"version: this is graph version {version}; {VERSION} is read here")
    target = typed_at(body["target"], "target", str)
    values = tuple([fields.value(entry, id) for id, entry in enumerate(list_at(body["values"], "values"))])
    reader = _Reader(values)
    nodes = reader.nodes(body["nodes"], "nodes", 0)
    reader.check_whole(nodes)
    return Graph(version, target, values, nodes)


class _Kind(Struct, frozen=True):
    """What reading needs to know of a node kind."""

    call: type[Call]
    keys: tuple[str, ...]
    optional: tuple[str, ...]
    #: Name and type of each attribute, in order.
    attributes: tuple[tuple[str, Any], ...]


def _kind(call: type[Call]) -> _Kind:
    types = {field.name: field.type for field in msgspec_structs.fields(call)}
    names = attribute_names(call)
    optional = ("declined",) * call.may_decline + ("regions",) * (call in (EndCustomGradient, LaunchKernel))
    optional += ("gradients",) * (call is Finish)
    return _Kind(call, ("op", *names, "operands", "results"), optional, tuple((name, types[name]) for name in names))


class _Reader:
    """Reads nodes; knows which values are made so far, as operands, and the types of the loops that are open.

    A fault is raised with its place inside the node; `nodes` puts the node before it.
    """

    def __init__(self, values: tuple[ValueInfo, ...]) -> None:
        self.values = values
        self.made: list[Operand | None] = [None] * len(values)
        #: The loops that are open: what began them, and the types they carry.
        self.loops: list[tuple[str, tuple[ResultType, ...]]] = []
        self.finished = 0
        self.kinds: dict[str, _Kind] = {}

    def check_whole(self, nodes: tuple[Node | CallNode, ...]) -> None:
        """What only the end shows: brackets that stay open, values nothing makes, no `finish` or one too many."""
        if self.loops:
            raise DocumentError(f"nodes: a {self.loops[-1][0]} is not closed")
        if None in self.made:
            raise DocumentError(f"values[{self.made.index(None)}]: no node makes this value")
        if not nodes or not _is_finish(nodes[-1]):
            raise DocumentError("nodes: the last one is not `finish`")
        if self.finished != 1:
            raise DocumentError(f"nodes: {self.finished} of them are `finish`; one is due")

    def nodes(self, entries: Any, place: str, depth: int) -> tuple[Node | CallNode, ...]:
        if depth > MAX_CALL_DEPTH:
            raise DocumentError(f"{place}: calls are nested more than {MAX_CALL_DEPTH} deep")
        found: list[Node | CallNode] = []
        for at, entry in enumerate(list_at(entries, place)):
            try:
                if not isinstance(entry, dict):
                    raise DocumentError("op: a node is an object")
                found.append(self.call(entry, depth) if entry.get("op") == "call" else self.node(entry, depth))
            except DocumentError as fault:
                raise DocumentError(f"{place}[{at}].{fault}") from None
        return tuple(found)

    def node(self, entry: dict[str, Any], depth: int) -> Node:
        kind = self.kind(entry.get("op"))
        object_at(entry, "", kind.keys, kind.optional)
        call = self.call_value(kind, entry)
        regions: tuple[Region, ...] = ()
        if "regions" in entry:
            given = list_at(entry["regions"], "regions")
            regions = tuple([self.region(region, f"regions[{at}]", depth) for at, region in enumerate(given)])
        declined = "declined" in entry
        if declined and entry["declined"] is not True:
            raise DocumentError("declined: only true is written")
        return Node(call, self.results(call, entry["results"], declined=declined), declined, regions)

    def kind(self, op: Any) -> _Kind:
        found = self.kinds.get(op) if isinstance(op, str) else None
        if found is None:
            if not isinstance(op, str) or op not in CALLS:
                raise DocumentError(f"op: {op!r} is no node kind")
            found = self.kinds[op] = _kind(CALLS[op])
        return found

    def call_value(self, kind: _Kind, entry: dict[str, Any]) -> Call:
        operands = tuple([self.operand(part, at) for at, part in enumerate(list_at(entry["operands"], "operands"))])
        least, most = kind.call.operand_count
        if len(operands) < least or (most is not None and len(operands) > most):
            raise DocumentError(f"operands: {entry['op']} takes {_count(least, most)}, not {len(operands)}")
        if None in operands and kind.call is not NativeCall:
            raise DocumentError("operands: only a native_call has absent operands")
        attributes: dict[str, Any] = {}
        for name, type in kind.attributes:
            value = entry[name]
            attributes[name] = _READERS[name](value, name) if name in _READERS else typed_at(value, name, type)
        if "gradients" in entry:
            attributes["gradients"] = typed_at(entry["gradients"], "gradients", tuple[str, ...])
            if not attributes["gradients"]:
                raise DocumentError("gradients: none are not written")
        call = self.in_loop(kind.call, operands, attributes)
        problem = broken_rule(call)
        if problem is not None:
            raise DocumentError(problem)
        return call

    def in_loop(self, kind: type[Call], operands: tuple[Operand | None, ...], attributes: dict[str, Any]) -> Call:
        """The call; what a loop carries is noted where it begins, and looked up where it goes on."""
        if kind is WhileCondition:
            if not self.loops or self.loops[-1][0] != "begin_while":
                raise DocumentError("op: while_condition outside begin_while and end_while")
            attributes["carried"] = self.loops[-1][1]
        call = kind(operands=operands, **attributes)
        if kind is BeginWhile or kind is BeginCounted:
            self.loops.append((call.op, tuple(ResultType(o.shape, o.dtype) for o in operands if o is not None)))
        elif kind is EndWhile or kind is EndCounted:
            begun = "begin_while" if kind is EndWhile else "begin_counted"
            if not self.loops or self.loops.pop() != (begun, call.result_types()):
                raise DocumentError(f"operands: {call.op} does not carry what its {begun} carried")
        elif kind is Finish:
            self.finished += 1
        return call

    def operand(self, entry: Any, at: int, place: str = "operands") -> Operand | None:
        if type(entry) is int:
            return self.operand_of(entry, f"{place}[{at}]")
        if entry is None:
            return None
        place = f"{place}[{at}]"
        if not isinstance(entry, dict):
            raise DocumentError(f"{place}: {entry!r} is no value's id")
        body = object_at(entry, place, _VIEW_KEYS)
        known = self.operand_of(body["value"], f"{place}.value")
        return Operand(known.value, fields.shape(body["shape"], f"{place}.shape"), fields.dtype(body["dtype"], f"{place}.dtype"))

    def operand_of(self, id: Any, place: str) -> Operand:
        """The value as it was made."""
        if type(id) is not int or not 0 <= id < len(self.values):
            raise DocumentError(f"{place}: {id!r} is no value's id")
        found = self.made[id]
        if found is None:
            raise DocumentError(f"{place}: value {id} is used before a node makes it")
        return found

    def results(self, call: Call, entry: Any, *, declined: bool) -> tuple[int, ...]:
        ids = typed_at(entry, "results", tuple[int, ...])
        try:
            types = () if declined else call.result_types()
        except (IndexError, AssertionError, ValueError):
            raise DocumentError(f"results: the operands of this {call.op} do not fit its attributes") from None
        if len(ids) != len(types):
            raise DocumentError(f"results: {'a declined' if declined else 'this'} {call.op} has {len(types)} results, not {len(ids)}")
        for id, type in zip(ids, types, strict=True):
            if not 0 <= id < len(self.values):
                raise DocumentError(f"results: {id} is no value's id")
            known = self.made[id]
            if known is None:
                self.make(id, type)
            elif (known.shape, known.dtype) != (type.shape, type.dtype):
                raise DocumentError(f"results: value {id} is {known.dtype} {list(known.shape)}, and this {call.op} gives another type")
        return ids

    def make(self, id: int, type: ResultType) -> None:
        """Note that a node makes this value, of this type."""
        info = self.values[id]
        if info.shape != type.shape or info.dtype != type.dtype:
            declared, given = f"{info.dtype} {list(info.shape)}", f"{type.dtype} {list(type.shape)}"
            raise DocumentError(f"results: value {id} is {declared}, but its node gives {given}")
        self.made[id] = Operand(id, info.shape, info.dtype)

    def region(self, entry: Any, place: str, depth: int) -> Region:
        body = object_at(entry, place, _REGION_KEYS)
        if body["role"] not in ROLES:
            raise DocumentError(f"{place}.role: {body['role']!r} is none of {', '.join(ROLES)}")
        arguments = typed_at(body["arguments"], f"{place}.arguments", tuple[int, ...])
        for id in arguments:
            if not 0 <= id < len(self.values):
                raise DocumentError(f"{place}.arguments: {id} is no value's id")
            self.made[id] = Operand(id, self.values[id].shape, self.values[id].dtype)
        nodes = self.nodes(body["nodes"], f"{place}.nodes", depth + 1)
        return Region(body["role"], arguments, nodes, self.optional_ids(body["results"], f"{place}.results"))

    def optional_ids(self, entry: Any, place: str) -> tuple[int | None, ...]:
        ids = list_at(entry, place)
        for at, id in enumerate(ids):
            if id is not None:
                self.operand_of(id, f"{place}[{at}]")
        return tuple(ids)

    def call(self, entry: dict[str, Any], depth: int) -> CallNode:
        body = object_at(entry, "", _CALL_KEYS)
        semantic = typed_at(body["semantic"], "semantic", int)
        if semantic not in (0, 1):
            raise DocumentError(f"semantic: {semantic} is neither 0 nor 1")
        header = CallHeader(
            callee=typed_at(body["callee"], "callee", str),
            semantic=semantic,
            path=typed_at(body["path"], "path", str | None),
            generics=fields.generics(body["generics"], "generics"),
            arguments=tuple(self.arguments(body["arguments"], "arguments")),
        )
        nodes = self.nodes(body["body"], "body", depth + 1)
        return CallNode(header, nodes, self.optional_ids(body["results"], "results"))

    def arguments(self, entry: Any, place: str, depth: int = 0) -> list[Any]:
        if depth > MAX_TUPLE_DEPTH:
            raise DocumentError(f"{place}: tuples are nested more than {MAX_TUPLE_DEPTH} deep")
        found: list[Any] = []
        for at, part in enumerate(list_at(entry, place)):
            if isinstance(part, list):
                found.append(tuple(self.arguments(part, f"{place}[{at}]", depth + 1)))
            elif isinstance(part, dict) and "enum" in part:
                body = object_at(part, f"{place}[{at}]", ("enum",))
                found.append(EnumArgument(typed_at(body["enum"], f"{place}[{at}].enum", str)))
            else:
                found.append(self.operand(part, at, place))
        return found


def _is_finish(node: Node | CallNode) -> bool:
    return isinstance(node, Node) and isinstance(node.call, Finish)


def _count(least: int, most: int | None) -> str:
    if most is None:
        return f"at least {least} operands"
    return f"{least} to {most} operands" if least != most else f"{least} operands"
