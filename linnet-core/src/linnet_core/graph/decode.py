"""Reading a graph document.

In: JSON, from anyone.  Out: the `Graph` it says, or `DocumentError` that names the node (counted as in `nodes[3].body[0]`) and the field.
Reading is strict: every key known, every number of its kind (no bool, no 1.0 where an integer stands), every id made before it is
used and where that is still there, every first result of the type its node gives it, and every region of the types its node gives it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec import structs as msgspec_structs

from linnet_core.errors import DocumentError
from linnet_core.graph import decode_fields as fields
from linnet_core.graph.calls import (
    CALLS,
    CallHeader,
    EndCustomGradient,
    EnumArgument,
    Finish,
    NativeCall,
    Operand,
    WhileCondition,
)
from linnet_core.graph.decode_scopes import Scopes
from linnet_core.graph.leaves import Leaves
from linnet_core.graph.nodes import MAX_CALL_DEPTH, VERSION, CallNode, Graph, Node, Region, attribute_names
from linnet_core.graph.region_types import REGIONS, argument_types, result_types
from linnet_core.graph.rules import SPREADS, broken_rule, spreads
from linnet_core.schema.fields import list_at, object_at, typed_at
from linnet_core.schema.validate import parse

if TYPE_CHECKING:
    from collections.abc import Callable

    from linnet_core.graph.calls import Call, ResultType
    from linnet_core.graph.nodes import Role, ValueInfo

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
    optional = ("declined",) * call.may_decline + ("regions",) * (call in REGIONS)
    optional += ("gradients",) * (call is Finish)
    return _Kind(call, ("op", *names, "operands", "results"), optional, tuple((name, types[name]) for name in names))


class _Reader:
    """Reads nodes.  A fault is raised with its place inside the node; `nodes` puts the node before it."""

    def __init__(self, values: tuple[ValueInfo, ...]) -> None:
        self.values = values
        self.scopes = Scopes(values)
        self.leaves = Leaves()
        #: How many regions are open.
        self.regions = 0
        self.finished = 0
        self.kinds: dict[str, _Kind] = {}
        #: The position of the node that is read, and how many brackets were open before the nodes it stands among.
        self.at = 0
        self.depth = 0

    def check_whole(self, nodes: tuple[Node | CallNode, ...]) -> None:
        """What only the end shows: values nothing makes, no `finish` or one too many."""
        missing = self.scopes.never_made()
        if missing is not None:
            raise DocumentError(f"values[{missing}]: no node makes this value")
        if not nodes or not _is_finish(nodes[-1]):
            raise DocumentError("nodes: the last one is not `finish`")
        if self.finished != 1:
            raise DocumentError(f"nodes: {self.finished} of them are `finish`; one is due")

    def nodes(self, entries: Any, place: str, depth: int) -> tuple[Node | CallNode, ...]:
        if depth > MAX_CALL_DEPTH:
            raise DocumentError(f"{place}: calls are nested more than {MAX_CALL_DEPTH} deep")
        found: list[Node | CallNode] = []
        around, self.depth = self.depth, self.scopes.depth()
        for at, entry in enumerate(list_at(entries, place)):
            self.at = at
            try:
                if not isinstance(entry, dict):
                    raise DocumentError("op: a node is an object")
                found.append(self.call(entry, depth) if entry.get("op") == "call" else self.node(entry, depth))
            except DocumentError as fault:
                raise DocumentError(f"{place}[{at}].{fault}") from None
        unclosed = self.scopes.unclosed(self.depth)
        if unclosed is not None:
            raise DocumentError(f"{place}[{unclosed.at}].op: this {unclosed.call.op} is not closed among the same nodes")
        self.depth = around
        return tuple(found)

    def node(self, entry: dict[str, Any], depth: int) -> Node:
        kind = self.kind(entry.get("op"))
        object_at(entry, "", kind.keys, kind.optional)
        call = self.call_value(kind, entry)
        regions: tuple[Region, ...] = ()
        if "regions" in entry:
            given = list_at(entry["regions"], "regions")
            regions = tuple([self.region(region, f"regions[{at}]", call, depth) for at, region in enumerate(given)])
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
        if kind.call is WhileCondition:
            attributes["carried"] = self.scopes.condition(self.depth)
        call = kind.call(operands=operands, **attributes)
        problem = _broken_view(call, entry["operands"]) or broken_rule(call)
        if problem is not None:
            raise DocumentError(problem)
        self.leaves.take(call, inside=self.regions > 0)
        self.scopes.follow(call, self.at, self.depth)
        self.finished += isinstance(call, Finish)
        return call

    def operand(self, entry: Any, at: int, place: str = "operands") -> Operand | None:
        if type(entry) is int:
            return self.scopes.operand_of(entry, f"{place}[{at}]")
        if entry is None:
            return None
        place = f"{place}[{at}]"
        if not isinstance(entry, dict):
            raise DocumentError(f"{place}: {entry!r} is no value's id")
        body = object_at(entry, place, _VIEW_KEYS)
        known = self.scopes.operand_of(body["value"], f"{place}.value")
        shape, dtype = fields.shape(body["shape"], f"{place}.shape"), fields.dtype(body["dtype"], f"{place}.dtype")
        if dtype != known.dtype or not spreads(known.shape, shape):
            raise DocumentError(f"{place}: value {known.value} is {known.dtype} {list(known.shape)}, no {dtype} {list(shape)}")
        return Operand(known.value, shape, dtype)

    def results(self, call: Call, entry: Any, *, declined: bool) -> tuple[int, ...]:
        ids = typed_at(entry, "results", tuple[int, ...])
        try:
            types = () if declined else call.result_types()
        except (IndexError, AssertionError, ValueError):
            raise DocumentError(f"results: the operands of this {call.op} do not fit its attributes") from None
        if len(ids) != len(types):
            raise DocumentError(f"results: {'a declined' if declined else 'this'} {call.op} has {len(types)} results, not {len(ids)}")
        if isinstance(call, EndCustomGradient) and 0 <= ids[0] < len(self.values):
            self.scopes.end_gradient(hides=self.scopes.known(ids[0]) is None)
        for id, type in zip(ids, types, strict=True):
            if not 0 <= id < len(self.values):
                raise DocumentError(f"results: {id} is no value's id")
            known = self.scopes.known(id)
            if known is None:
                self.scopes.make(id, type)
            elif (known.shape, known.dtype) != (type.shape, type.dtype):
                raise DocumentError(f"results: value {id} is {known.dtype} {list(known.shape)}, and this {call.op} gives another type")
        return ids

    def region(self, entry: Any, place: str, call: Call, depth: int) -> Region:
        """A region of `call`: what it is given and makes is there inside it alone."""
        body = object_at(entry, place, _REGION_KEYS)
        role = body["role"]
        if role not in REGIONS[type(call)]:
            raise DocumentError(f"{place}.role: {role!r} is none of {', '.join(REGIONS[type(call)])}")
        self.scopes.enter()
        arguments = self.region_arguments(body["arguments"], f"{place}.arguments", argument_types(role, call))
        self.regions += 1
        nodes = self.nodes(body["nodes"], f"{place}.nodes", depth + 1)
        self.regions -= 1
        results = self.region_results(body["results"], f"{place}.results", role, call)
        self.scopes.leave()
        return Region(role, arguments, nodes, results)

    def region_arguments(self, entry: Any, place: str, due: tuple[ResultType, ...]) -> tuple[int, ...]:
        ids = typed_at(entry, place, tuple[int, ...])
        if len(ids) != len(due):
            raise DocumentError(f"{place}: {len(due)} arguments are due, not {len(ids)}")
        made: set[int] = set()
        for at, (id, type) in enumerate(zip(ids, due, strict=True)):
            if not 0 <= id < len(self.values):
                raise DocumentError(f"{place}[{at}]: {id} is no value's id")
            if id in made:
                raise DocumentError(f"{place}[{at}]: value {id} stands there twice")
            if self.scopes.known(id) is None:
                self.scopes.make(id, type, f"{place}[{at}]")
                made.add(id)
        return ids

    def region_results(self, entry: Any, place: str, role: Role, call: Call) -> tuple[int | None, ...]:
        ids, due = self.optional_ids(entry, place), result_types(role, call)
        if len(ids) != len(due):
            raise DocumentError(f"{place}: {len(due)} results are due, not {len(ids)}")
        for at, (id, type) in enumerate(zip(ids, due, strict=True)):
            if id is None:
                if role == "body":
                    raise DocumentError(f"{place}[{at}]: a body gives every result")
                continue
            given = self.values[id]
            if (given.shape, given.dtype) != (type.shape, type.dtype):
                raise DocumentError(
                    f"{place}[{at}]: value {id} is {given.dtype} {list(given.shape)}; {type.dtype} {list(type.shape)} is due"
                )
        return ids

    def optional_ids(self, entry: Any, place: str) -> tuple[int | None, ...]:
        ids = list_at(entry, place)
        for at, id in enumerate(ids):
            if id is not None:
                self.scopes.operand_of(id, f"{place}[{at}]")
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


def _broken_view(call: Call, entries: Any) -> str | None:
    """What is wrong with operands that a call sees otherwise than they are: a target spreads them, to another that is whole."""
    viewed = [type(entry) is dict for entry in entries]
    if not any(viewed):
        return None
    if not isinstance(call, SPREADS):
        return f"operands: a {call.op} sees a value as it is"
    return "operands: every one is spread, and none has the shape" if all(viewed) else None


def _is_finish(node: Node | CallNode) -> bool:
    return isinstance(node, Node) and isinstance(node.call, Finish)


def _count(least: int, most: int | None) -> str:
    if most is None:
        return f"at least {least} operands"
    return f"{least} to {most} operands" if least != most else f"{least} operands"
