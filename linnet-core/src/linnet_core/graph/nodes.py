"""The graph document as values: nodes nested in calls, and the tensors they made.

In: what `record.py` kept or `decode.py` read.  Out: `Graph`, which `encode.py` prints, `replay.py` emits again and planners read.
A node holds its call with ids for operands; all else a document says of a node is in the call's own struct.
"""

from __future__ import annotations

from typing import Literal, get_args

from msgspec import Struct

from linnet_core.graph.calls import Call, CallHeader
from linnet_core.graph.calls.values import Shape

#: The version of the format.
VERSION = 1
#: How deep calls may be nested in one another, in a document and in an export.
MAX_CALL_DEPTH = 256
#: The most devices: a graph says their number, and whoever runs it makes a list of them.
MAX_SLOTS = 65_536

Role = Literal["pullback", "body"]
ROLES: tuple[str, ...] = get_args(Role)


class ValueInfo(Struct, frozen=True):
    """A tensor a call made: the name the target gave it, its shape and dtype.  Its id is its position in `Graph.values`."""

    name: str
    shape: Shape
    dtype: str


class Region(Struct, frozen=True):
    """What a target made of a callback: `arguments` are ids the callback was given names for, `results` ids or None."""

    role: Role
    arguments: tuple[int, ...]
    nodes: tuple[Node | CallNode, ...]
    results: tuple[int | None, ...]


class Node(Struct, frozen=True):
    """One call to the target.  The operands of `call` hold ids.  A declined node has no results."""

    call: Call
    results: tuple[int, ...]
    declined: bool = False
    regions: tuple[Region, ...] = ()


class CallNode(Struct, frozen=True):
    """The nodes of one function, op or method call.  Operands in the header hold ids; a result is None for an absent optional."""

    header: CallHeader
    body: tuple[Node | CallNode, ...]
    results: tuple[int | None, ...]


class Graph(Struct, frozen=True):
    """One entry under one binding, as the calls made to `target`."""

    version: int
    target: str
    values: tuple[ValueInfo, ...]
    nodes: tuple[Node | CallNode, ...]


def attribute_names(kind: type[Call]) -> tuple[str, ...]:
    """The attributes of a kind in the order of the document.

    `operands` follow them; `carried` is derived, not written; `gradients` stand last, where there are any.
    """
    return tuple(name for name in kind.__struct_fields__ if name not in ("operands", "carried", "gradients"))


def flat_nodes(nodes: tuple[Node | CallNode, ...]) -> list[Node]:
    """Every node but `call`, in order, those in call bodies included and those in regions not."""
    found: list[Node] = []
    stack = [iter(nodes)]
    while stack:
        for node in stack[-1]:
            if isinstance(node, CallNode):
                stack.append(iter(node.body))
                break
            found.append(node)
        else:
            stack.pop()
    return found
