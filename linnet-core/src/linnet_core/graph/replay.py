"""Making the calls of a graph again.

In: a `Graph` and a fresh target.  Out: nothing; the target has taken every call and its `source()` is what a direct export to it
prints.  The target must be the kind the graph was recorded from: a call it declines though the document says it was taken (or the
other way round) is a `DocumentError`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from linnet_core.errors import DocumentError
from linnet_core.graph.calls import Operand
from linnet_core.graph.nodes import CallNode, Graph, Node
from linnet_core.graph.target import Declined

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from linnet_core.graph.calls import CallHeader
    from linnet_core.graph.nodes import Region
    from linnet_core.graph.target import RegionCallback, Target


def replay(graph: Graph, target: Target) -> None:
    """Emit every call of `graph` to `target`."""
    _Replay(graph, target).run(graph.nodes)


class _Replay:
    """The names the target gave so far, by id."""

    def __init__(self, graph: Graph, target: Target) -> None:
        self.graph = graph
        self.target = target
        self.names: dict[int, str] = {}

    def run(self, nodes: Sequence[Node | CallNode]) -> None:
        """Emit nodes in order.  Calls are kept on a list of our own, so nesting costs no stack."""
        stack: list[tuple[Iterator[Node | CallNode], CallNode | None]] = [(iter(nodes), None)]
        while stack:
            walk, inside = stack[-1]
            node = next(walk, None)
            if isinstance(node, CallNode):
                self.target.begin_call(self.header(node.header))
                stack.append((iter(node.body), node))
            elif node is not None:
                self.emit(node)
            else:
                stack.pop()
                if inside is not None:
                    self.target.end_call([None if id is None else self.defined(id) for id in inside.results])

    def emit(self, node: Node) -> None:
        call = node.call
        if call.operands:
            call = replace(call, operands=tuple(self.operand(operand) for operand in call.operands))
        regions = {region.role: self.callback(region) for region in reversed(node.regions)} or None
        answer = self.target.emit(call, regions)
        if isinstance(answer, Declined):
            if not node.declined:
                raise DocumentError(f"{self.target.name} declines a {call.op} which the document says was taken: {answer.reason}")
            return
        if node.declined:
            raise DocumentError(f"{self.target.name} takes a {call.op} which the document says was declined")
        for id, name in zip(node.results, answer, strict=True):
            self.names.setdefault(id, name)

    def callback(self, region: Region) -> RegionCallback:
        def run(names: Sequence[str]) -> Sequence[str | None]:
            outer = dict(self.names)
            self.names.update(zip(region.arguments, names, strict=True))
            self.run(region.nodes)
            results = [None if id is None else self.names[id] for id in region.results]
            self.names = outer
            return results

        return run

    def operand(self, operand: Operand | None) -> Operand | None:
        if operand is None:
            return None
        return Operand(self.name(operand.value), operand.shape, operand.dtype)

    def defined(self, id: int) -> Operand:
        info = self.graph.values[id]
        return Operand(self.name(id), info.shape, info.dtype)

    def name(self, id: str | int) -> str:
        found = self.names.get(id)  # type: ignore[arg-type]  # an operand of a graph is named by its id
        if found is None:
            raise DocumentError(f"value {id} is used before a node makes it")
        return found

    def header(self, header: CallHeader) -> CallHeader:
        return replace(header, arguments=tuple(self.argument(argument) for argument in header.arguments))

    def argument(self, argument: Any) -> Any:
        match argument:
            case Operand():
                return self.operand(argument)
            case tuple():
                return tuple(self.argument(part) for part in argument)
            case _:
                return argument
