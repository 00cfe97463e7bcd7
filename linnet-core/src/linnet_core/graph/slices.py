"""Ranges of a graph's steps as entries of their own.

In: a `Graph`, the ranges, and fresh targets of the kind it was recorded from.  Out: the source of each range, or `DocumentError` that
names the slice and the value.  The source of a range depends on the graph and on that range, not on the others of the request.

What a step reads from outside its range is one of the inputs it lists; a parameter, or what a state holds before the range, which become
the entry's own; or a value that depends on constants only, which is made again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.errors import DocumentError
from linnet_core.graph.calls import Finish, Input, Operand, Parameter, State
from linnet_core.graph.replay import Replay
from linnet_core.graph.step_numbers import LEAVES, LOOP_ENDS, LOOPS, Steps, reads

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from linnet_core.graph.nodes import Graph, Node
    from linnet_core.graph.slice_request import Slice
    from linnet_core.graph.step_numbers import Pair
    from linnet_core.graph.target import Target


def sources(graph: Graph, slices: Sequence[Slice], make: Callable[[], Target]) -> list[str]:
    """The source of each slice, in order; `make` gives a fresh target.  All are checked before anything is emitted."""
    steps = Steps(graph)
    checked = [_Range(steps, one) for one in slices]
    return [_source(one, make()) for one in checked]


class _Range:
    """One slice that was checked: its steps, and what they take from outside."""

    def __init__(self, steps: Steps, slice: Slice) -> None:
        self.steps = steps
        self.slice = slice
        self.where = f"slice `{slice.name}`"
        #: Ids of the parameters and states that become the entry's own (with the path of the state that holds the value before the range).
        self.parameters: set[int] = set()
        self.states: dict[int, str] = {}
        #: Ids of the constants that are made again.
        self.constants: set[int] = set()
        self._held = {state.held_at(slice.start): path for path, state in reversed(steps.states.items())}
        self._inputs = frozenset(slice.inputs)
        self._made: set[int] = set()
        self._check_steps()
        self._check_inputs()
        self._check_reads()
        self._check_outputs()
        self._check_states()

    def ordered(self) -> list[Node]:
        """The steps that are emitted: what comes from outside, what was declined and `finish` are not.

        A step of a loop may make again what a step before the range made, and steps behind the loop read it: it is put before the loop.
        """
        known = {*self.slice.inputs, *self.parameters, *self.states, *self.constants}
        found: list[Node] = []
        loops = 0
        for at in range(self.slice.start, self.slice.stop):
            node = self.steps.nodes[at]
            if not _is_emitted(node):
                continue
            if isinstance(node.call, LOOP_ENDS):
                loops -= 1
            elif isinstance(node.call, LOOPS):
                if not loops:
                    found += self._made_before(self.steps.body(at), known)
                loops += 1
            found.append(node)
            if not loops:
                known.update(node.results)
        return found

    def _made_before(self, body: Sequence[Node], known: set[int]) -> Iterator[Node]:
        """The steps of a loop whose results are of before the range; `known` grows by them."""
        for node in body:
            if not known.issuperset(node.results) and all(self.steps.maker[id] < self.slice.start for id in node.results):
                known.update(node.results)
                yield node

    def _check_steps(self) -> None:
        start, stop, count = self.slice.start, self.slice.stop, len(self.steps.nodes)
        if start >= stop:
            raise self._wrong(f"start {start} and stop {stop} leave no step between them")
        if stop > count:
            raise self._wrong(f"stop {stop} lies beyond the {count} steps of this graph")
        for word, boundary in (("start", start), ("stop", stop)):
            pair = self.steps.around(boundary)
            if pair is not None:
                raise self._wrong(f"{word} {boundary} lies inside {self._shown(pair)}, which stay together")

    def _check_inputs(self) -> None:
        for id in self.slice.inputs:
            self._check_reachable("input", id)
            maker = self.steps.maker[id]
            if maker >= self.slice.start and not isinstance(self.steps.nodes[maker].call, LEAVES):
                raise self._wrong(f"input {id} is made by {self._step(maker)}, not before the range")
            if id in self.steps.constant:
                self.constants.add(id)

    def _check_reads(self) -> None:
        for at in range(self.slice.start, self.slice.stop):
            node = self.steps.nodes[at]
            if not _is_emitted(node):
                continue
            for id in reads(node):
                self._take(id, f"{self._step(at)} reads value {id}")
            self._made.update(node.results)

    def _check_outputs(self) -> None:
        for id in self.slice.outputs:
            self._check_reachable("output", id)
            self._take(id, f"value {id} is an output")

    def _check_states(self) -> None:
        listed = dict(self.slice.states)
        for path, id in listed.items():
            self._check_reachable(f"state `{path}`: value", id)
            history = self.steps.states.get(path)
            if history is None:
                raise self._wrong(f"state `{path}`: this entry neither reads nor writes it")
            held = history.held_at(self.slice.stop)
            if held is None:
                raise self._wrong(f"state `{path}`: it becomes value {history.after} at step {history.written}, behind the range")
            if id != held:
                raise self._wrong(f"state `{path}`: it is value {held} after step {self.slice.stop - 1}, not value {id}")
            self._take(id, f"state `{path}` is value {id}")
        for path, history in self.steps.states.items():
            written = history.written
            if written is not None and self.slice.start <= written < self.slice.stop and path not in listed:
                raise self._wrong(f"state `{path}` becomes value {history.after} at step {written}; `states` has to list it")

    def _check_reachable(self, word: str, id: int) -> None:
        """That there is such a value, and that it is not hidden in a loop or a region."""
        steps, count = self.steps, len(self.steps.graph.values)
        if id >= count:
            raise self._wrong(f"{word} {id} is no value's id: this graph has {count} values")
        if id in steps.in_loop:
            raise self._wrong(f"{word} {id} lives only inside the loop that {self._step(steps.in_loop[id])} opens")
        if id in steps.in_gradient:
            raise self._wrong(f"{word} {id} lives only inside the custom gradient that {self._step(steps.in_gradient[id])} opens")
        if id not in steps.maker:
            raise self._wrong(f"{word} {id} lives only inside a region of {self._step(steps.in_region[id])}")

    def _take(self, id: int, reader: str) -> None:
        """Find where a value that is read comes from, and note it if it is from outside."""
        steps = self.steps
        if id in steps.constant and id not in self._made:
            self.constants.add(id)
        elif id not in self._made and id not in self._inputs:
            maker = steps.maker[id]
            call = steps.nodes[maker].call
            if isinstance(call, Parameter):
                self.parameters.add(id)
            elif id in self._held and not isinstance(call, Input):
                self.states[id] = self._held[id]
            elif maker >= self.slice.stop:
                raise self._wrong(f"{reader}, which {self._step(maker)} makes behind the range")
            else:
                raise self._wrong(f"{reader}, {self._origin(maker)}; `inputs` has to list it")

    def _origin(self, maker: int) -> str:
        call = self.steps.nodes[maker].call
        match call:
            case Input():
                return f"the entry's input `{call.name}`"
            case State():
                return f"what state `{call.path}` was before step {self.steps.states[call.path].written} wrote it"
            case _:
                return f"which {self._step(maker)} makes outside the range"

    def _step(self, at: int) -> str:
        return f"step {at} ({self.steps.nodes[at].call.op})"

    def _shown(self, pair: Pair) -> str:
        return f"{self._step(pair.begin)} and {self._step(pair.end)}"

    def _wrong(self, problem: str) -> DocumentError:
        return DocumentError(f"{self.where}: {problem}")


def _is_emitted(node: Node) -> bool:
    return not node.declined and not isinstance(node.call, (*LEAVES, Finish))


def _source(one: _Range, target: Target) -> str:
    """Emit a range as an entry."""
    steps, slice = one.steps, one.slice
    machine = Replay(steps.graph, target)
    try:
        machine.run(steps.placed(slice.start))
        _emit_inputs(one, machine)
        for id in sorted(one.parameters):
            machine.emit(steps.nodes[steps.maker[id]])
        for id, path in sorted(one.states.items()):
            info = steps.graph.values[id]
            machine.give(id, State(path=path, shape=info.shape, dtype=info.dtype))
        machine.run([*steps.with_constants(sorted(one.constants), slice.start), *one.ordered()])
        machine.emit_call(_finish(one, machine))
    except DocumentError as error:
        raise DocumentError(f"{one.where}: {error}") from None
    return target.source()


def _emit_inputs(one: _Range, machine: Replay) -> None:
    """An `input` for each id, in order: the entry's own under the name of its argument, others under the target's name of the value.

    A constant that is listed is an input as any other, but the steps read the one that is made again: what a target makes of a call
    depends on the numbers it knows, and on the masks it sees being made.
    """
    graph = one.steps.graph
    taken: set[str] = set()
    for id in one.slice.inputs:
        info, call = graph.values[id], one.steps.nodes[one.steps.maker[id]].call
        name = call.name if isinstance(call, Input) else info.name
        while name in taken:
            name += "_"
        taken.add(name)
        own = Input(name=name, shape=info.shape, dtype=info.dtype)
        if id in one.steps.constant:
            machine.emit_call(own)
        else:
            machine.give(id, own)


def _finish(one: _Range, machine: Replay) -> Finish:
    whole, slice = one.steps.finish, one.slice
    ids = (*slice.outputs, *[id for _, id in slice.states])
    values = one.steps.graph.values
    operands = tuple([Operand(machine.name(id), values[id].shape, values[id].dtype) for id in ids])
    paths = tuple([path for path, _ in slice.states])
    return Finish(module=whole.module, block=whole.block, entry=slice.name, returns=len(slice.outputs), states=paths, operands=operands)
