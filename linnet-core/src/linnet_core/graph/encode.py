"""Writing the graph document.

In: a `Graph`.  Out: JSON, or the same as Python values.  Every node has its keys in the order of the format: `op`, the attributes in
the order of their struct, `operands`, `results`, then `declined` and `regions` where there are any.
"""

from __future__ import annotations

from math import isfinite
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from msgspec import Raw
from msgspec import json as fast_json

from linnet_core.graph.calls import KINDS, CallHeader, Constant, EnumArgument, Finish, LaunchKernel, Operand
from linnet_core.graph.nodes import CallNode, Graph, Node, Region, attribute_names

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from linnet_core.graph.calls import Call, KernelProgram, Literal
    from linnet_core.graph.nodes import ValueInfo


def encode(graph: Graph, *, indent: int = 0) -> bytes:
    """The document as UTF-8 JSON, compact unless `indent` is given, without a final newline."""
    text = fast_json.encode(_Writer(graph).document())
    return fast_json.format(text, indent=indent) if indent else text


def document(graph: Graph) -> dict[str, Any]:
    """The document as Python values, as a JSON reader gives them."""
    return fast_json.decode(encode(graph))


def _attributes(kind: type[Call]) -> Callable[[Call], dict[str, Any]]:
    """A function that gives `op` and the attributes of a call of this kind."""
    op = str(kind.__struct_config__.tag)
    names = attribute_names(kind)
    if not names:
        return lambda call: {"op": op}
    get = attrgetter(*names)
    if len(names) == 1:
        name = names[0]
        return lambda call: {"op": op, name: get(call)}
    keys = ("op", *names)
    return lambda call: dict(zip(keys, (op, *get(call)), strict=True))


def _spelled(kind: type[Call], name: str, spell: Callable[[Any], dict[str, Any]]) -> Callable[[Call], dict[str, Any]]:
    """The same for a kind whose attribute `name` is no JSON value: `spell` makes it one."""
    others = _attributes(kind)

    def attributes(call: Call) -> dict[str, Any]:
        written = others(call)
        written[name] = spell(getattr(call, name))
        return written

    return attributes


def _literal(literal: Literal) -> dict[str, Any]:
    """Reals are spelled by `repr`, which reads back to the same number; JSON has no infinities and no NaN, so they are strings."""
    value: Any = literal.value
    if isinstance(value, float):
        value = Raw(repr(value).encode()) if isfinite(value) else repr(value)
    return {"kind": literal.kind, "value": value}


def _program(program: KernelProgram) -> dict[str, Any]:
    return {"parameters": program.parameters, "body": program.body, "atomics": program.atomics}


#: By kind.
_ATTRIBUTES = {
    **{kind: _attributes(kind) for kind in KINDS},
    Constant: _spelled(Constant, "literal", _literal),
    LaunchKernel: _spelled(LaunchKernel, "program", _program),
}


class _Writer:
    """Turns nodes into dicts."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.values = graph.values

    def document(self) -> dict[str, Any]:
        return {
            "version": self.graph.version,
            "target": self.graph.target,
            "values": [_value(id, info) for id, info in enumerate(self.values)],
            # each becomes JSON by itself, so that the dicts of one are given up before those of the next are made
            "nodes": [Raw(fast_json.encode(one)) for node in self.graph.nodes for one in self.nodes((node,))],
        }

    def nodes(self, nodes: Sequence[Node | CallNode]) -> list[dict[str, Any]]:
        written: list[dict[str, Any]] = []
        for node in nodes:  # no comprehension: each call nested in another would cost one more frame
            written.append(self.call(node) if isinstance(node, CallNode) else self.node(node))  # noqa: PERF401
        return written

    def node(self, node: Node) -> dict[str, Any]:
        call = node.call
        written = _ATTRIBUTES[type(call)](call)
        written["operands"] = [self.operand(operand) for operand in call.operands]
        written["results"] = node.results
        if node.declined:
            written["declined"] = True
        if isinstance(call, Finish) and call.gradients:
            written["gradients"] = call.gradients
        if node.regions:
            written["regions"] = [self.region(region) for region in node.regions]
        return written

    def operand(self, operand: Operand | None) -> Any:
        if operand is None:
            return None
        id = operand.value
        info = self.values[id]  # type: ignore[index]  # a recorded operand is named by its id
        if operand.shape == info.shape and operand.dtype == info.dtype:
            return id
        return {"value": id, "shape": operand.shape, "dtype": operand.dtype}

    def region(self, region: Region) -> dict[str, Any]:
        return {
            "role": region.role,
            "arguments": region.arguments,
            "nodes": self.nodes(region.nodes),
            "results": region.results,
        }

    def call(self, node: CallNode) -> dict[str, Any]:
        header: CallHeader = node.header
        return {
            "op": "call",
            "callee": header.callee,
            "semantic": header.semantic,
            "path": header.path,
            "generics": header.generics,
            "arguments": [self.argument(argument) for argument in header.arguments],
            "body": self.nodes(node.body),
            "results": node.results,
        }

    def argument(self, argument: Any) -> Any:
        match argument:
            case Operand():
                return self.operand(argument)
            case tuple():
                return [self.argument(part) for part in argument]
            case EnumArgument():
                return {"enum": argument.enum}
            case _:
                return argument


def _value(id: int, info: ValueInfo) -> dict[str, Any]:
    return {"id": id, "name": info.name, "shape": info.shape, "dtype": info.dtype}
