"""The steps of a graph by number: which makes a value, which belong together, which writes a state.

In: a `Graph`.  Out: `Steps`.  The steps are all nodes but `call`, in order, those inside `call` bodies included and those inside
regions not.  The document shows no writes of states, only what each holds in the end; a state counts as written where its final value
is made, or at its `state` node if that comes later, since that node reads what was there before the call.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import chain
from typing import TYPE_CHECKING

from msgspec import Struct

from linnet_core.errors import DocumentError
from linnet_core.graph.calls import (
    BeginCounted,
    BeginCustomGradient,
    BeginRemat,
    BeginWhile,
    EnablePlacement,
    EndCounted,
    EndCustomGradient,
    EndRemat,
    EndWhile,
    Finish,
    Input,
    LaunchKernel,
    Operand,
    Parameter,
    SetSlot,
    State,
    Transfer,
    WhileCondition,
    WhileInitialCondition,
)
from linnet_core.graph.exchanges import exchanges
from linnet_core.graph.nodes import CallNode, Node, Region, flat_nodes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from linnet_core.graph.calls import Call
    from linnet_core.graph.nodes import Graph

#: What opens a loop, and what closes one.
LOOPS = (BeginWhile, BeginCounted)
LOOP_ENDS = (EndWhile, EndCounted)
_OPENERS = (*LOOPS, BeginRemat, BeginCustomGradient)
_CLOSERS = (*LOOP_ENDS, EndRemat, EndCustomGradient)
#: What a range of steps takes from outside.
LEAVES = (Input, Parameter, State)
_NEVER_CONSTANT = (*LEAVES, *_OPENERS, *_CLOSERS, WhileCondition, Transfer, LaunchKernel, Finish)


class Pair(Struct, frozen=True):
    """Steps that belong together: what opens a loop, a recomputed block or a custom gradient, and what closes it."""

    begin: int
    end: int


class StateHistory(Struct, frozen=True):
    """One state: the value before the call (None: never read), the value after it (None: never written), and the step that writes."""

    before: int | None
    after: int | None
    written: int | None

    def held_at(self, step: int) -> int | None:
        """The value it has before `step`; None for one before the call that no node reads."""
        return self.after if self.written is not None and self.written < step else self.before


class Steps:
    """What is known of the steps of a graph."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.nodes: list[Node] = flat_nodes(graph.nodes)
        #: The first step that makes a value; values made inside regions are in `in_region` instead, with the step that holds the region.
        self.maker: dict[int, int] = {}
        self.in_region: dict[int, int] = {}
        #: The innermost loop around the step that makes a value, by its first step: after the loop the value is gone.
        self.in_loop: dict[int, int] = {}
        #: The outermost custom gradient around the step that makes a value, by its first step, where it is printed apart.
        self.in_gradient: dict[int, int] = {}
        self.pairs: list[Pair] = []
        #: Where the slot changes, and to which.
        self._slots = [(at, node.call.slot) for at, node in enumerate(self.nodes) if isinstance(node.call, SetSlot)]
        #: Values that depend on no input, parameter or state.
        self.constant: set[int] = set()
        self.finish: Finish = Finish(module="", block="", entry="", returns=0, states=())
        self._number()
        self.states = self._states()

    def _number(self) -> None:
        opened: list[int] = []
        loops: list[int] = []
        gradients: list[tuple[int, int]] = []
        made: list[int] = []
        condition: int | None = None
        for at, node in enumerate(self.nodes):
            call = node.call
            if isinstance(call, WhileInitialCondition):
                condition = at
            elif isinstance(call, _OPENERS):
                opened.append(at if condition is None else condition)
                condition = None
                if isinstance(call, LOOPS):
                    loops.append(at)
                elif isinstance(call, BeginCustomGradient):
                    gradients.append((at, len(made)))
            elif isinstance(call, _CLOSERS):
                if not opened:
                    raise DocumentError(f"step {at}: this {call.op} closes nothing")
                self.pairs.append(Pair(opened.pop(), at))
                if isinstance(call, LOOP_ENDS):
                    loops.pop()
                elif isinstance(call, EndCustomGradient):
                    self._hide(node, *gradients.pop(), made)
            elif isinstance(call, Finish):
                self.finish = call
            made += [id for id in node.results if id not in self.maker]
            self._made(at, node, loops)
        self.pairs.sort(key=lambda pair: pair.begin)

    def _hide(self, end: Node, begin: int, count: int, made: list[int]) -> None:
        """Note what was made in a custom gradient; where its result is that of the body, nothing is hidden."""
        if not any(id in self.maker for id in end.results):
            self.in_gradient.update(dict.fromkeys(made[count:], begin))

    def _made(self, at: int, node: Node, loops: list[int]) -> None:
        for id in reads(node):
            if id not in self.maker:
                raise DocumentError(f"step {at}: this {node.call.op} reads value {id}, which only a region before it makes")
        for id in node.results:
            if id not in self.maker:
                self.maker[id] = at
                if loops:
                    self.in_loop[id] = loops[-1]
        for region in node.regions:
            for id in _made_inside(region):
                self.in_region.setdefault(id, at)
        if self._is_constant(node):
            self.constant.update(node.results)

    def _is_constant(self, node: Node) -> bool:
        """Whether the results depend on constants only; what belongs to a pair, a device or a callback cannot be made again alone."""
        if node.declined or node.regions or isinstance(node.call, _NEVER_CONSTANT) or exchanges(node.call):
            return False
        return all(operand is None or operand.value in self.constant for operand in node.call.operands)

    def _states(self) -> dict[str, StateHistory]:
        finish = self.finish
        after = {path: _id(operand) for path, operand in zip(finish.states, finish.operands[finish.returns :], strict=True)}
        read = {node.call.path: at for at, node in enumerate(self.nodes) if isinstance(node.call, State)}
        found: dict[str, StateHistory] = {}
        for path in [*read, *(path for path in after if path not in read)]:
            before = self.nodes[read[path]].results[0] if path in read else None
            written = max(self.maker[after[path]], read.get(path, 0)) if path in after else None
            found[path] = StateHistory(before, after.get(path), written)
        return found

    def around(self, boundary: int) -> Pair | None:
        """The outermost pair that has `boundary`, the place before the step of that number, between its ends."""
        return next((pair for pair in self.pairs if pair.begin < boundary <= pair.end), None)

    def body(self, begin: int) -> list[Node]:
        """The steps between the ends of the loop that the step `begin` opens."""
        return self.nodes[begin + 1 : min(pair.end for pair in self.pairs if pair.end > begin and pair.begin <= begin)]

    def placed(self, start: int) -> list[Node]:
        """The last `enable_placement` and the last `set_slot` before `start`, where there are any."""
        found: dict[type[Call], Node] = {}
        for node in self.nodes[:start]:
            if isinstance(node.call, EnablePlacement | SetSlot):
                found[type(node.call)] = node
        return [found[kind] for kind in (EnablePlacement, SetSlot) if kind in found]

    def with_constants(self, ids: Iterable[int], start: int) -> list[Node]:
        """The steps that make values of `constant` again, in order, with those their operands need, each on the slot where it was made.

        Behind them calls run on the slot of step `start`.
        """
        wanted: set[int] = set()
        pending = [self.maker[id] for id in ids]
        while pending:
            at = pending.pop()
            if at not in wanted:
                wanted.add(at)
                pending += [self.maker[id] for id in reads(self.nodes[at])]
        found: list[Node] = []
        slot = self._slot_before(start)
        for at in sorted(wanted):
            found += [*_set(slot, self._slot_before(at)), self.nodes[at]]
            slot = self._slot_before(at)
        return [*found, *_set(slot, self._slot_before(start))]

    def _slot_before(self, at: int) -> int:
        """Where step `at` runs."""
        last = bisect_left(self._slots, (at,))
        return self._slots[last - 1][1] if last else 0


def _set(now: int, due: int) -> list[Node]:
    """The step that goes from one slot to another."""
    return [] if now == due else [Node(SetSlot(slot=due), ())]


def reads(node: Node) -> list[int]:
    """The ids a step reads, in order, those its regions read from outside themselves included."""
    found = [_id(operand) for operand in node.call.operands if operand is not None]
    for region in node.regions:
        found += _read_from_outside(region)
    return found


def _made_inside(region: Region) -> Iterator[int]:
    yield from region.arguments
    for node in flat_nodes(region.nodes):
        yield from node.results
        for inner in node.regions:
            yield from _made_inside(inner)


def _read_from_outside(region: Region) -> list[int]:
    made = set(_made_inside(region))
    read = [*chain.from_iterable(reads(node) for node in flat_nodes(region.nodes)), *_named_by_calls(region.nodes)]
    return [id for id in (*read, *region.results) if id is not None and id not in made]


def _named_by_calls(nodes: Sequence[Node | CallNode]) -> Iterator[int]:
    """The ids among the arguments and results of `call` nodes."""
    pending = [node for node in nodes if isinstance(node, CallNode)]
    while pending:
        call = pending.pop()
        pending += [node for node in call.body if isinstance(node, CallNode)]
        yield from (id for id in call.results if id is not None)
        arguments: list[Any] = list(call.header.arguments)
        while arguments:
            argument = arguments.pop()
            if isinstance(argument, tuple):
                arguments += argument
            elif isinstance(argument, Operand):
                yield _id(argument)


def _id(operand: Operand | None) -> int:
    assert operand is not None
    assert isinstance(operand.value, int)
    return operand.value
