"""A target around a target, which keeps every call.

In: calls.  Out: the names the inner target answers, unchanged; and the `Graph` of the calls.  Values are numbered in the order they
were made; a name the target gave before stands for the value it stood for then, so a shared expression or a no-op shows the same id.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from linnet_core.errors import InternalError, LinnetError
from linnet_core.graph.calls import CallHeader, Operand
from linnet_core.graph.nodes import VERSION, CallNode, Graph, Node, Region, ValueInfo
from linnet_core.graph.region_types import argument_types
from linnet_core.graph.target import Capabilities, Declined

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from linnet_core.graph.calls import Call, ResultType
    from linnet_core.graph.target import RegionCallback, Target


class Decline(Struct, frozen=True):
    """A call the target declined and why, for people: the reason is not in the document."""

    call: Call
    reason: str


class Recorder:
    """Records what passes through to `target`."""

    name: str
    capabilities: Capabilities

    def __init__(self, target: Target) -> None:
        self.target = target
        self.name = target.name
        self.capabilities = target.capabilities
        self.declines: list[Decline] = []
        self._values: list[ValueInfo] = []
        self._ids: dict[str | int, int] = {}
        self._operands: dict[Operand | None, Operand] = {}
        self._nodes: list[Node | CallNode] = []
        self._open: list[tuple[CallHeader, list[Node | CallNode]]] = []

    def emit(self, call: Call, regions: Mapping[str, RegionCallback] | None = None) -> tuple[str, ...] | Declined:
        """Pass the call on and keep it."""
        kept: list[Region] = []
        wrapped = {role: self._recording(role, call, run, kept) for role, run in regions.items()} if regions else None
        answer = self.target.emit(call, wrapped)
        operands = call.operands
        with_ids = replace(call, operands=self._recorded(operands)) if operands else call
        if not isinstance(answer, tuple) and isinstance(answer, Declined):  # the first is quick to tell, and most answers are names
            self.declines.append(Decline(call, answer.reason))
            self._nodes.append(Node(with_ids, (), True, tuple(kept)))
            return answer
        self._nodes.append(Node(with_ids, self._results(call, answer), False, tuple(kept)))
        return answer

    def begin_call(self, header: CallHeader) -> None:
        """Open a `call` node."""
        arguments = tuple([self._argument(argument) for argument in header.arguments])
        self._open.append((replace(header, arguments=arguments), self._nodes))
        self._nodes = []
        self.target.begin_call(header)

    def end_call(self, results: Sequence[Operand | None]) -> None:
        """Close the `call` node opened last."""
        if not self._open:
            raise InternalError("end_call without begin_call")
        header, outer = self._open.pop()
        outer.append(CallNode(header, tuple(self._nodes), tuple([self._id(result) for result in results])))
        self._nodes = outer
        self.target.end_call([self._defined(result) for result in results])

    def source(self) -> str:
        """The inner target's text."""
        return self.target.source()

    def graph(self) -> Graph:
        """Everything recorded; asked after `finish`."""
        if self._open:
            raise InternalError("a call is still open")
        return Graph(VERSION, self.name, tuple(self._values), tuple(self._nodes))

    def _recorded(self, operands: tuple[Operand | None, ...]) -> tuple[Operand | None, ...]:
        known = self._operands
        return tuple([known.get(operand) or self._operand(operand) for operand in operands])  # most were operands before

    def _operand(self, operand: Operand | None) -> Operand | None:
        if operand is None:
            return None
        known = self._operands.get(operand)
        if known is None:
            id = self._ids.get(operand.value)
            if id is None:
                raise InternalError(f"`{operand.value}` is used before the target gave it")
            known = self._operands[operand] = Operand(id, operand.shape, operand.dtype)
        return known

    def _id(self, operand: Operand | None) -> int | None:
        return None if operand is None else self._ids[operand.value]

    def _defined(self, operand: Operand | None) -> Operand | None:
        """The operand with the value's own type, which is all that a document keeps of a call's result."""
        if operand is None:
            return None
        info = self._values[self._ids[operand.value]]
        return Operand(operand.value, info.shape, info.dtype)

    def _results(self, call: Call, names: tuple[str, ...]) -> tuple[int, ...]:
        ids = self._ids
        if not isinstance(names, tuple):
            raise LinnetError(f"the target `{self.name}` answered {type(names).__name__} to `{call.op}`, not a tuple of names")
        if len(names) == 1 and isinstance(names[0], str) and names[0] in ids:
            return (ids[names[0]],)
        types = call.result_types()
        if len(types) != len(names):
            raise LinnetError(f"the target `{self.name}` answered {len(names)} names to `{call.op}`, for {len(types)} results")
        return tuple([self._value(name, type) for name, type in zip(names, types, strict=True)])

    def _value(self, name: str, type: ResultType | Operand) -> int:
        if not isinstance(name, str):
            raise LinnetError(f"the target `{self.name}` answered {name!r} as a name, which is no text")
        id = self._ids.get(name)
        if id is None:
            id = self._ids[name] = len(self._values)
            self._values.append(ValueInfo(name, type.shape, type.dtype))
        return id

    def _argument(self, argument: Any) -> Any:
        match argument:
            case Operand():
                return self._operand(argument)
            case tuple():
                return tuple([self._argument(part) for part in argument])
            case _:
                return argument

    def _recording(self, role: str, call: Call, run: RegionCallback, kept: list[Region]) -> RegionCallback:
        """`run`, with what it emits kept as a region.  Names given inside are forgotten after it: another region may use them again."""

        def recorded(names: Sequence[str]) -> Sequence[str | None]:
            outer_nodes, outer_ids = self._nodes, dict(self._ids)
            self._nodes = []
            self._operands.clear()
            arguments = tuple(self._value(n, t) for n, t in zip(names, argument_types(role, call), strict=True))
            results = run(names)
            ids = tuple(None if name is None else self._ids[name] for name in results)
            kept.append(Region(role, arguments, tuple(self._nodes), ids))  # type: ignore[arg-type]  # `role` is one of the words a target's callbacks have
            self._nodes, self._ids = outer_nodes, outer_ids
            self._operands.clear()
            return results

        return recorded
