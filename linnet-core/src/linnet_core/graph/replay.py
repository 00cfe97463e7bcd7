"""Making the calls of a graph again.

In: a `Graph` and a fresh target.  Out: nothing; the target has taken every call and its `source()` is what a direct export to it
prints.  The target must be the kind the graph was recorded from: a call it declines though the document says it was taken (or the
other way round) is a `DocumentError`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from linnet_core.errors import DocumentError
from linnet_core.graph.calls import LaunchKernel, Operand
from linnet_core.graph.nodes import CallNode, Graph, Node
from linnet_core.graph.target import Declined

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from linnet_core.graph.calls import Call, CallHeader
    from linnet_core.graph.nodes import Region
    from linnet_core.graph.target import RegionCallback, Target


def replay(graph: Graph, target: Target) -> None:
    """Emit every call of `graph` to `target`."""
    Replay(graph, target, whole=True).run(graph.nodes)


class Replay:
    """Emits nodes of a graph to a target, all or some of them; `names` are those the target gave so far, by id.

    Where the graph is emitted `whole`, a value that two nodes give must be one to the target, too.
    """

    def __init__(self, graph: Graph, target: Target, *, whole: bool = False) -> None:
        self.graph = graph
        self.target = target
        self.names: dict[int, str] = {}
        self._whole = whole
        #: Whether a fault that is on its way says its place already.
        self._placed = False

    def run(self, nodes: Sequence[Node | CallNode]) -> None:
        """Emit nodes in order.  Calls are kept on a list of our own, so nesting costs no stack."""
        stack: list[tuple[Iterator[Node | CallNode], CallNode | None]] = [(iter(nodes), None)]
        while stack:
            walk, inside = stack[-1]
            node = next(walk, None)
            if isinstance(node, CallNode):
                self.target.begin_call(self._header(node.header))
                stack.append((iter(node.body), node))
            elif node is not None:
                try:
                    self.emit(node)
                except DocumentError as fault:
                    if self._placed:
                        raise
                    self._placed = True
                    raise DocumentError(f"{_place(self.graph, node)}{fault}") from None
            else:
                stack.pop()
                if inside is not None:
                    self.target.end_call([None if id is None else self._defined(id) for id in inside.results])

    def emit(self, node: Node) -> None:
        """Emit one node."""
        call = node.call
        if call.operands:
            call = replace(call, operands=tuple(self._operand(operand) for operand in call.operands))
        regions = {region.role: self._callback(region) for region in reversed(node.regions)} or None
        answer = self.target.emit(call, regions)
        if isinstance(answer, Declined):
            if not node.declined:
                if isinstance(call, LaunchKernel):
                    raise DocumentError(f"{answer.reason} ({self.target.name} declines a launch_kernel which the document says was taken)")
                raise DocumentError(f"op: {self.target.name} declines a {call.op} which the document says was taken: {answer.reason}")
            return
        if node.declined:
            raise DocumentError(f"declined: {self.target.name} takes a {call.op} which the document says was declined")
        for id, name in zip(node.results, answer, strict=True):
            if self.names.setdefault(id, name) != name and self._whole:
                raise DocumentError(f"results: to {self.target.name} this is another value than value {id}, which is made before")

    def give(self, id: int, call: Call) -> None:
        """Emit a call of one result that stands for the value `id`, whatever made it in the graph."""
        (self.names[id],) = self.emit_call(call)

    def emit_call(self, call: Call) -> tuple[str, ...]:
        """Emit a call that is in no graph, may not be declined and has the target's names for operands."""
        answer = self.target.emit(call)
        if isinstance(answer, Declined):
            raise DocumentError(f"{self.target.name} declines a {call.op}, which may not be declined: {answer.reason}")
        return answer

    def _callback(self, region: Region) -> RegionCallback:
        def run(names: Sequence[str]) -> Sequence[str | None]:
            outer = dict(self.names)
            self.names.update(zip(region.arguments, names, strict=True))
            self.run(region.nodes)
            results = [None if id is None else self.names[id] for id in region.results]
            self.names = outer
            return results

        return run

    def _operand(self, operand: Operand | None) -> Operand | None:
        if operand is None:
            return None
        return Operand(self.name(operand.value), operand.shape, operand.dtype)

    def _defined(self, id: int) -> Operand:
        info = self.graph.values[id]
        return Operand(self.name(id), info.shape, info.dtype)

    def name(self, id: str | int) -> str:
        """The target's name of a value."""
        found = self.names.get(id)  # type: ignore[arg-type]  # an operand of a graph is named by its id
        if found is None:
            raise DocumentError(f"value {id} is used before a node makes it")
        return found

    def _header(self, header: CallHeader) -> CallHeader:
        return replace(header, arguments=tuple(self._argument(argument) for argument in header.arguments))

    def _argument(self, argument: Any) -> Any:
        match argument:
            case Operand():
                return self._operand(argument)
            case tuple():
                return tuple(self._argument(part) for part in argument)
            case _:
                return argument


def _place(graph: Graph, node: Node) -> str:
    """Where a node stands in the document: `nodes[2].body[0].`; nothing for one that is in no graph."""
    waiting = [("nodes", graph.nodes)]
    while waiting:
        place, level = waiting.pop()
        for at, candidate in enumerate(level):
            if candidate is node:
                return f"{place}[{at}]."
            if isinstance(candidate, CallNode):
                waiting.append((f"{place}[{at}].body", candidate.body))
            else:
                waiting += [(f"{place}[{at}].regions[{n}].nodes", region.nodes) for n, region in enumerate(candidate.regions)]
    return ""
