"""Blocks and calls: the receiver, members, states, elements of arrays, functions, ops and methods.

In: typed expressions.  Out: `RULES` (see `lower_body.py`).
"""

from __future__ import annotations

from linnet_core.check import program as p
from linnet_core.check.types import I64, BlockType, UnitType
from linnet_core.errors import InternalError
from linnet_core.ir.lower_body import Body, Rule, Steps, each
from linnet_core.ir.module import Value
from linnet_core.ir.ops import CANONICAL


def lower_self(body: Body, node: p.SelfRef) -> Value:
    """The receiver of this method."""
    if body.receiver is None:
        raise InternalError("a receiver outside a method")
    return body.receiver


def lower_member(body: Body, node: p.MemberRef) -> Steps:
    """A parameter, buffer or child of a block."""
    receiver: Value = yield node.receiver
    kind = "block.sub" if _member(body, receiver, node.member).kind == "sub" else "block.param"
    return body.emit(kind, (receiver,), node.type, node.span, {"name": node.member})


def _member(body: Body, receiver: Value, name: str) -> p.Member:
    if not isinstance(receiver.type, BlockType):
        raise InternalError(f"member `{name}` of {receiver.type}")
    block = body.program.blocks[f"{receiver.type.module}::{receiver.type.name}"]
    member = block.by_name.get(name)
    if member is None:
        raise InternalError(f"block `{block.key}` has no member `{name}`")
    return member


def lower_state_read(body: Body, node: p.StateRead) -> Steps:
    """A state's present value."""
    receiver = yield node.receiver
    return body.emit("state.read", (receiver,), node.type, node.span, {"name": node.member})


def lower_array_get(body: Body, node: p.ArrayGet) -> Steps:
    """An element of an array of blocks."""
    array = yield node.array
    position = body.emit("const.dim", (), I64, node.span, {"value": node.position})
    return body.emit("array.get", (array, position), node.type, node.span)


def lower_call(body: Body, node: p.Call) -> Steps:
    """A call; the receiver of a method is the first operand.  A call without a result gives None."""
    operands: list[Value] = yield each(node.args if node.receiver is None else (node.receiver, *node.args))
    attrs = {"callee": node.callee, "substitution": node.substitution, "generics": node.generics}
    kind = "call"
    if body.program.functions[node.callee].kind == "op":
        kind = "semantic.call"
        attrs["selected"] = CANONICAL
    if isinstance(node.type, UnitType):
        body.emit_many(kind, operands, (), node.span, attrs)
        return None
    return body.emit(kind, operands, node.type, node.span, attrs)


RULES: dict[type, Rule] = {
    p.SelfRef: lower_self,
    p.MemberRef: lower_member,
    p.StateRead: lower_state_read,
    p.ArrayGet: lower_array_get,
    p.Call: lower_call,
}
