"""Reading a graph document.

In: JSON, from anyone.  Out: the `Graph` it says, or `DocumentError` that names the node (counted as in `nodes[3].body[0]`) and the field.
Reading is strict: every key known, every number of its kind (no bool, no 1.0 where an integer stands), every id made before it is
used, every first result of the type its node gives it.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from msgspec import UNSET, ValidationError, convert
from msgspec import structs as msgspec_structs

from linnet_core.errors import DocumentError, InternalError
from linnet_core.graph.calls import (
    CALLS,
    BeginWhile,
    CallHeader,
    EndCustomGradient,
    EndWhile,
    EnumArgument,
    LaunchKernel,
    Literal,
    NativeCall,
    Operand,
    ResultType,
    WhileCondition,
)
from linnet_core.graph.nodes import MAX_CALL_DEPTH, ROLES, VERSION, CallNode, Graph, Node, Region, ValueInfo, attribute_names
from linnet_core.schema.validate import parse

if TYPE_CHECKING:
    from linnet_core.graph.calls import Call

_CALL_KEYS = ("op", "callee", "semantic", "path", "generics", "arguments", "body", "results")
#: How deep tuples may stand in one another in the arguments of a call.
_MAX_TUPLE_DEPTH = 64
_REGION_KEYS = ("role", "arguments", "nodes", "results")
_NON_FINITE = {"inf": float("inf"), "-inf": float("-inf"), "nan": float("nan")}
_LITERAL_TYPES: dict[str, type] = {"integer": int, "boolean": bool, "real": float}


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
    body = _object(document, ("version", "target", "values", "nodes"), "the document")
    version = _typed(body["version"], int, "version")
    if version != VERSION:
        raise DocumentError(f"version: this is graph version {version}; {VERSION} is read here")
    target = _typed(body["target"], str, "target")
    values = tuple(_value(entry, id) for id, entry in enumerate(_list(body["values"], "values")))
    reader = _Reader(values)
    nodes = reader.nodes(body["nodes"], "nodes", 0)
    if reader.loops:
        raise DocumentError("nodes: a begin_while is not closed by end_while")
    return Graph(version, target, values, nodes)


def _value(entry: Any, id: int) -> ValueInfo:
    place = f"values[{id}]"
    body = _object(entry, ("id", "name", "shape", "dtype"), place)
    if _typed(body["id"], int, f"{place}.id") != id:
        raise DocumentError(f"{place}.id: {body['id']} is not the position {id}")
    return ValueInfo(_typed(body["name"], str, f"{place}.name"), _shape(body["shape"], place), _typed(body["dtype"], str, f"{place}.dtype"))


class _Reader:
    """Reads nodes; knows which values are made so far and the loops that are open."""

    def __init__(self, values: tuple[ValueInfo, ...]) -> None:
        self.values = values
        self.made = [False] * len(values)
        self.loops: list[tuple[ResultType, ...]] = []

    def nodes(self, entries: Any, place: str, depth: int) -> tuple[Node | CallNode, ...]:
        if depth > MAX_CALL_DEPTH:
            raise DocumentError(f"{place}: calls are nested more than {MAX_CALL_DEPTH} deep")
        found: list[Node | CallNode] = []
        for at, entry in enumerate(_list(entries, place)):
            if not isinstance(entry, dict):
                raise DocumentError(f"{place}[{at}]: a node is an object")
            read = self.call if entry.get("op") == "call" else self.node
            found.append(read(entry, f"{place}[{at}]", depth))
        return tuple(found)

    def node(self, entry: dict[str, Any], place: str, depth: int) -> Node:
        op = entry.get("op")
        kind = CALLS.get(op) if isinstance(op, str) else None
        if kind is None:
            raise DocumentError(f"{place}.op: {op!r} is no node kind")
        optional = (*(("declined",) if kind.may_decline else ()), *(("regions",) if kind in (EndCustomGradient, LaunchKernel) else ()))
        _object(entry, ("op", *attribute_names(kind), "operands", "results"), place, optional)
        call = self.call_value(kind, entry, place)
        regions = tuple(
            self.region(region, f"{place}.regions[{at}]", depth) for at, region in enumerate(_list(entry.get("regions", ()), place))
        )
        declined = entry.get("declined", UNSET)
        if declined not in (UNSET, True):
            raise DocumentError(f"{place}.declined: only true is written")
        results = self.results(call, entry["results"], f"{place}.results", declined=declined is True)
        return Node(call, results, declined is True, regions)

    def call_value(self, kind: type[Call], entry: dict[str, Any], place: str) -> Call:
        operands = tuple(self.operand(operand, f"{place}.operands[{at}]") for at, operand in enumerate(_list(entry["operands"], place)))
        least, most = kind.operand_count
        if len(operands) < least or (most is not None and len(operands) > most):
            raise DocumentError(f"{place}.operands: {entry['op']} takes {_count(least, most)}, not {len(operands)}")
        if kind is not NativeCall and None in operands:
            raise DocumentError(f"{place}.operands: only a native_call has absent operands")
        attributes = {name: self.attribute(name, type, entry[name], f"{place}.{name}") for name, type in _attribute_types(kind)}
        if kind is WhileCondition:
            if not self.loops:
                raise DocumentError(f"{place}: while_condition outside begin_while and end_while")
            attributes["carried"] = self.loops[-1]
        call = kind(operands=operands, **attributes)
        if isinstance(call, BeginWhile):
            self.loops.append(call.result_types())
        elif isinstance(call, EndWhile) and (not self.loops or self.loops.pop() != call.result_types()):
            raise DocumentError(f"{place}: end_while does not carry what its begin_while carried")
        return call

    def attribute(self, name: str, type: Any, value: Any, place: str) -> Any:
        if name == "literal":
            return _literal(value, place)
        return _typed(value, type, place)

    def operand(self, entry: Any, place: str) -> Operand | None:
        if entry is None:
            return None
        if isinstance(entry, dict):
            body = _object(entry, ("value", "shape", "dtype"), place)
            return Operand(self.id(body["value"], f"{place}.value"), _shape(body["shape"], place), _typed(body["dtype"], str, place))
        id = self.id(entry, place)
        info = self.values[id]
        return Operand(id, info.shape, info.dtype)

    def id(self, entry: Any, place: str) -> int:
        if type(entry) is not int or not 0 <= entry < len(self.values):
            raise DocumentError(f"{place}: {entry!r} is no value's id")
        if not self.made[entry]:
            raise DocumentError(f"{place}: value {entry} is used before a node makes it")
        return entry

    def results(self, call: Call, entry: Any, place: str, *, declined: bool) -> tuple[int, ...]:
        ids = _typed(entry, tuple[int, ...], place)
        try:
            types = () if declined else call.result_types()
        except (InternalError, IndexError, AssertionError, ValueError):
            raise DocumentError(f"{place}: the operands of this {call.op} do not fit its attributes") from None
        if len(ids) != len(types):
            raise DocumentError(f"{place}: {'a declined' if declined else 'this'} {call.op} has {len(types)} results, not {len(ids)}")
        for id, type in zip(ids, types, strict=True):
            self.make(id, type, place)
        return ids

    def make(self, id: int, type: ResultType | Operand, place: str) -> None:
        """Note that a node makes (or answers again) this value."""
        if not 0 <= id < len(self.values):
            raise DocumentError(f"{place}: {id} is no value's id")
        info = self.values[id]
        if not self.made[id] and (info.shape != type.shape or info.dtype != type.dtype):
            raise DocumentError(
                f"{place}: value {id} is {info.dtype} {list(info.shape)}, but its node gives {type.dtype} {list(type.shape)}"
            )
        self.made[id] = True

    def region(self, entry: Any, place: str, depth: int) -> Region:
        body = _object(entry, _REGION_KEYS, place)
        if body["role"] not in ROLES:
            raise DocumentError(f"{place}.role: {body['role']!r} is none of {', '.join(ROLES)}")
        arguments = _typed(body["arguments"], tuple[int, ...], f"{place}.arguments")
        for id in arguments:
            if not 0 <= id < len(self.values):
                raise DocumentError(f"{place}.arguments: {id} is no value's id")
            self.made[id] = True
        nodes = self.nodes(body["nodes"], f"{place}.nodes", depth + 1)
        return Region(body["role"], arguments, nodes, self.optional_ids(body["results"], f"{place}.results"))

    def optional_ids(self, entry: Any, place: str) -> tuple[int | None, ...]:
        return tuple(None if id is None else self.id(id, f"{place}[{at}]") for at, id in enumerate(_list(entry, place)))

    def call(self, entry: dict[str, Any], place: str, depth: int) -> CallNode:
        body = _object(entry, _CALL_KEYS, place)
        semantic = _typed(body["semantic"], int, f"{place}.semantic")
        if semantic not in (0, 1):
            raise DocumentError(f"{place}.semantic: {semantic} is neither 0 nor 1")
        header = CallHeader(
            callee=_typed(body["callee"], str, f"{place}.callee"),
            semantic=semantic,
            path=_typed(body["path"], str | None, f"{place}.path"),
            generics=_generics(body["generics"], f"{place}.generics"),
            arguments=tuple(self.arguments(body["arguments"], f"{place}.arguments")),
        )
        nodes = self.nodes(body["body"], f"{place}.body", depth + 1)
        return CallNode(header, nodes, self.optional_ids(body["results"], f"{place}.results"))

    def arguments(self, entry: Any, place: str, depth: int = 0) -> list[Any]:
        if depth > _MAX_TUPLE_DEPTH:
            raise DocumentError(f"{place}: tuples are nested more than {_MAX_TUPLE_DEPTH} deep")
        found: list[Any] = []
        for at, part in enumerate(_list(entry, place)):
            if isinstance(part, list):
                found.append(tuple(self.arguments(part, f"{place}[{at}]", depth + 1)))
            elif isinstance(part, dict) and "enum" in part:
                found.append(EnumArgument(_typed(_object(part, ("enum",), place)["enum"], str, f"{place}[{at}]")))
            else:
                found.append(self.operand(part, f"{place}[{at}]"))
        return found


@cache
def _attribute_types(kind: type[Call]) -> tuple[tuple[str, Any], ...]:
    """Name and type of each attribute of a kind, in order."""
    types = {field.name: field.type for field in msgspec_structs.fields(kind)}
    return tuple((name, types[name]) for name in attribute_names(kind))


def _object(entry: Any, required: tuple[str, ...], place: str, optional: tuple[str, ...] = ()) -> dict[str, Any]:
    if not isinstance(entry, dict):
        raise DocumentError(f"{place}: an object is due")
    for key in required:
        if key not in entry:
            raise DocumentError(f"{place}.{key}: missing")
    if len(entry) > len(required):
        for key in entry:
            if key not in required and key not in optional:
                raise DocumentError(f"{place}.{key}: no such field")
    return entry


def _list(entry: Any, place: str) -> list[Any] | tuple[Any, ...]:
    if not isinstance(entry, list | tuple):
        raise DocumentError(f"{place}: a list is due")
    return entry


def _typed(entry: Any, type: Any, place: str) -> Any:
    if isinstance(entry, str) and not entry.isascii() and any("\ud800" <= letter <= "\udfff" for letter in entry):
        raise DocumentError(f"{place}: half of a surrogate pair is no text")
    try:
        return convert(entry, type)
    except ValidationError as error:
        raise DocumentError(f"{place}: {_lower(str(error))}") from None


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def _shape(entry: Any, place: str) -> tuple[int, ...]:
    shape = _typed(entry, tuple[int, ...], f"{place}.shape")
    if any(size < 0 for size in shape):
        raise DocumentError(f"{place}.shape: a size is negative")
    return shape


def _literal(entry: Any, place: str) -> Literal:
    body = _object(entry, ("kind", "value"), place)
    kind, value = body["kind"], body["value"]
    if kind in ("lowest", "highest"):
        if value is not None:
            raise DocumentError(f"{place}.value: a {kind} literal has no value")
        return Literal(kind)
    if kind not in _LITERAL_TYPES:
        raise DocumentError(f"{place}.kind: {kind!r} is no kind of literal")
    if kind == "real" and isinstance(value, str):
        if value not in _NON_FINITE:
            raise DocumentError(f"{place}.value: {value!r} is no number")
        return Literal(kind, _NON_FINITE[value])
    return Literal(kind, _typed(value, _LITERAL_TYPES[kind], f"{place}.value"))


def _generics(entry: Any, place: str) -> dict[str, Any]:
    if not isinstance(entry, dict):
        raise DocumentError(f"{place}: an object is due")
    return {name: _typed(value, int | str | tuple[int, ...], f"{place}.{name}") for name, value in entry.items()}


def _count(least: int, most: int | None) -> str:
    if most is None:
        return f"at least {least} operands"
    return f"{least} to {most} operands" if least != most else f"{least} operands"
