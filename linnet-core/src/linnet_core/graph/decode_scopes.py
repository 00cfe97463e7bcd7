"""What may be used where a reader of a graph document stands: the values that are made, and the brackets that are open.

In: the calls of a document in order.  Out: the operand an id stands for, or `DocumentError` that names the field.  What a loop, a
recomputed block or an op's own gradient opens ends among the same nodes; what a loop or a region made is gone behind it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from linnet_core.errors import DocumentError
from linnet_core.graph.calls import (
    BeginCounted,
    BeginCustomGradient,
    BeginRemat,
    BeginWhile,
    EndCounted,
    EndCustomGradient,
    EndRemat,
    EndWhile,
    Operand,
    ResultType,
)

if TYPE_CHECKING:
    from linnet_core.graph.calls import Call
    from linnet_core.graph.nodes import ValueInfo

_LOOPS = (BeginWhile, BeginCounted)
_OPENERS = (*_LOOPS, BeginRemat, BeginCustomGradient)
#: What closes a bracket, and what opens it.
_CLOSERS: dict[type, type] = {EndWhile: BeginWhile, EndCounted: BeginCounted, EndRemat: BeginRemat, EndCustomGradient: BeginCustomGradient}


class Bracket(Struct):
    """What is open: the call that opened it and its position, and whether a `while` has had its condition."""

    call: Call
    at: int
    has_condition: bool = False

    def carried(self) -> tuple[ResultType, ...]:
        """The types a loop carries."""
        return tuple([ResultType(operand.shape, operand.dtype) for operand in self.call.operands if operand is not None])


class Scopes:
    """The values that are made so far, as operands, and the brackets that are open."""

    def __init__(self, values: tuple[ValueInfo, ...]) -> None:
        self._values = values
        self._here: list[Operand | None] = [None] * len(values)
        self._made = bytearray(len(values))
        self._order: list[int] = []
        self._marks: list[int] = []
        self._open: list[Bracket] = []

    def operand_of(self, id: Any, place: str) -> Operand:
        """The value as it was made."""
        if type(id) is not int or not 0 <= id < len(self._values):
            raise DocumentError(f"{place}: {id!r} is no value's id")
        found = self._here[id]
        if found is None:
            made = "is used outside the loop or region that makes it" if self._made[id] else "is used before a node makes it"
            raise DocumentError(f"{place}: value {id} {made}")
        return found

    def known(self, id: int) -> Operand | None:
        """The value as it was made; None where it is not there."""
        return self._here[id]

    def make(self, id: int, type: ResultType, place: str = "results") -> None:
        """Note that a value is made here, of this type."""
        info = self._values[id]
        if info.shape != type.shape or info.dtype != type.dtype:
            declared, given = f"{info.dtype} {list(info.shape)}", f"{type.dtype} {list(type.shape)}"
            raise DocumentError(f"{place}: value {id} is {declared}, but its node gives {given}")
        if self._made[id]:
            raise DocumentError(f"{place}: value {id} is made in a loop or region before")
        self._here[id] = Operand(id, info.shape, info.dtype)
        self._made[id] = 1
        self._order.append(id)

    def never_made(self) -> int | None:
        """The first value that no node makes."""
        found = self._made.find(0)
        return None if found < 0 else found

    def enter(self) -> None:
        """What is made from here on is gone at `leave`."""
        self._marks.append(len(self._order))

    def leave(self) -> None:
        """Forget what was made since `enter`."""
        mark = self._marks.pop()
        for id in self._order[mark:]:
            self._here[id] = None
        del self._order[mark:]

    def depth(self) -> int:
        """How many brackets are open."""
        return len(self._open)

    def unclosed(self, depth: int) -> Bracket | None:
        """What is open where nodes end, other than the `depth` brackets that were open before them."""
        return self._innermost(depth)

    def condition(self, depth: int) -> tuple[ResultType, ...]:
        """What the loop carries whose condition stands here."""
        innermost = self._innermost(depth)
        if innermost is None or not isinstance(innermost.call, BeginWhile) or innermost.has_condition:
            raise DocumentError("op: while_condition outside begin_while and end_while, or a second one")
        innermost.has_condition = True
        return innermost.carried()

    def follow(self, call: Call, at: int, depth: int) -> None:
        """Open or close a bracket with the call at a position; `depth` of them were open before the nodes that `call` stands among."""
        if isinstance(call, _OPENERS):
            self._open.append(Bracket(call, at))
            if not isinstance(call, BeginRemat):
                self.enter()
        elif type(call) in _CLOSERS:
            self._close(call, depth)

    def end_gradient(self, *, hides: bool) -> None:
        """A custom gradient has ended; it hides what was made in it where its result has a name of its own."""
        if hides:
            self.leave()
        else:
            self._marks.pop()

    def _close(self, call: Call, depth: int) -> None:
        opened = self._innermost(depth)
        begin = _CLOSERS[type(call)]
        if opened is None or type(opened.call) is not begin:
            raise DocumentError(f"op: {call.op} does not close a {begin.__struct_config__.tag} among the same nodes")
        if isinstance(call, EndCustomGradient) and call.operands[: call.arguments] != opened.call.operands:
            raise DocumentError("operands: those of begin_custom_gradient are due, and then the result")
        if isinstance(call, EndWhile | EndCounted):
            if call.result_types() != opened.carried():
                raise DocumentError(f"operands: {call.op} does not carry what its {opened.call.op} carried")
            if isinstance(call, EndWhile) and not opened.has_condition:
                raise DocumentError("op: end_while without a while_condition before it")
            self.leave()
        self._open.pop()

    def _innermost(self, depth: int) -> Bracket | None:
        return self._open[-1] if len(self._open) > depth else None
