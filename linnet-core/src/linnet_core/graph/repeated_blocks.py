"""Bodies of block methods that were evaluated before, emitted again with other values.

In: a call of a method, and how to evaluate its body.  Out: its results.  The first of the calls that are alike (`repeated_forms.py`) is
evaluated, and what it said to the target is kept; of the others only the names differ, so that is said again (`repeated_calls.py`).  The
target is asked everything anew: where it answers otherwise, the body is evaluated after all, and what was said already is not said twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from linnet_core.errors import SourceError
from linnet_core.graph.nodes import MAX_CALL_DEPTH
from linnet_core.graph.repeated_calls import Renamed, Repeatable, repeatable, say_again
from linnet_core.graph.repeated_forms import Forms, Start
from linnet_core.graph.values import Tensor

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from linnet_core.graph.calls import Operand
    from linnet_core.graph.conversation import Conversation, Said
    from linnet_core.graph.decisions import Decision
    from linnet_core.graph.evaluate import Evaluator
    from linnet_core.graph.evaluate_kernels import KernelDecision
    from linnet_core.graph.instances import Instance
    from linnet_core.graph.values import BlockValue, Value


class _Evaluated(Struct, eq=False):
    """A body that was evaluated: what it started from, said, gave, decided, and which states it left behind."""

    start: Start
    said: list[Said]
    results: Sequence[Value]
    decisions: list[Decision]
    kernels: list[KernelDecision]
    #: Of each state the present value and the one before the call; and the positions of those first written here, in order.
    states: list[tuple[Operand | None, Operand | None]]
    written: list[int]
    #: Made when the body is to be said again.
    body: Repeatable | None = None

    def left(self) -> list[Value]:
        """All values that it left behind."""
        return [*self.results, *[Tensor(operand) for values in self.states for operand in values if operand is not None]]


class Repeats:
    """The bodies of an export so far, by the key of where they started; None where one was noted and not kept."""

    def __init__(self, ev: Evaluator, conversation: Conversation, root: BlockValue) -> None:
        self._ev = ev
        self._conversation = conversation
        self._forms = Forms(ev.states)
        self._forms.learn(root)
        self._found: dict[Hashable, _Evaluated | None] = {}
        #: Keys of bodies that cannot be said again.
        self._single: set[Hashable] = set()

    def body(
        self, callee: Instance, receiver: BlockValue, arguments: Sequence[Value], run: Callable[[], Sequence[Value]]
    ) -> Sequence[Value]:
        """What the body gives, which `run` evaluates; it is kept where other blocks are alike, or when it is met the second time."""
        start = self._forms.start(callee, receiver, arguments, self._ev.slicing_diagonals)
        if start is None or start.key in self._single:
            return run()
        if start.key not in self._found and not self._forms.is_common(receiver):
            self._found[start.key] = None
            return run()
        at = self._conversation.listen()
        results = self._again(start)
        if results is None:
            self._conversation.resume(at)
            results = self._evaluate(start, at, run)
        self._conversation.forget()
        return results

    def _evaluate(self, start: Start, at: int, run: Callable[[], Sequence[Value]]) -> Sequence[Value]:
        ev = self._ev
        decisions, kernels, written = len(ev.decisions), len(ev.kernels), len(ev.states.written)
        results = run()
        said = self._conversation.said[at : self._conversation.position]
        places = {path: position for position, path in enumerate(start.states)}
        self._found[start.key] = _Evaluated(
            start,
            said,
            results,
            ev.decisions[decisions:],
            ev.kernels[kernels:],
            [ev.states.at(path)[:2] for path in start.states],
            [places[path] for path in list(ev.states.written)[written:]],
        )
        return results

    def _again(self, start: Start) -> Sequence[Value] | None:
        """The results of a call that is alike one before; None where there is none, or the target answers otherwise now."""
        found = self._found.get(start.key)
        if found is None:
            return None
        body = found.body
        if body is None:
            body = found.body = repeatable(found.said, found.start, found.left())
            if body is None:
                self._single.add(start.key)
                return None
        ev = self._ev
        if ev.depth + body.depth > MAX_CALL_DEPTH or not ev.emitter.has_room(body.calls):
            return None
        try:
            names = say_again(body, start, self._conversation)
        except SourceError:
            return None
        if names is None:
            return None
        ev.emitter.emitted += body.calls
        ev.decisions += found.decisions
        ev.kernels += found.kernels
        return self._left(found, start, Renamed(found.start, start, body.names, names))

    def _left(self, found: _Evaluated, start: Start, renamed: Renamed) -> Sequence[Value]:
        """Leave the states as the body does; its results."""
        states = self._ev.states
        for path, values in zip(start.states, found.states, strict=True):
            current, read = [None if value is None else renamed.operand(value) for value in values]
            states.settle(path, current, read)
        for position in found.written:
            states.written.setdefault(start.states[position])
        return [renamed.value(result) for result in found.results]
