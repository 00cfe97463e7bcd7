"""A graph document -> the graphs of a dump.

In: `Graph` of linnet.  Out: `linnet_ge.model.Dump`: the entry first.  Inputs are `Data` nodes in order, then parameters, then states;
results come before the states' final values.  Loops, conditionals and calls become nodes with graphs of their own, which are built from a
list, not in one another, so that nesting costs no stack.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from linnet_core.errors import DocumentError, InternalError
from linnet_core.graph.calls import (
    BeginCounted,
    BeginWhile,
    Constant,
    EndWhile,
    Finish,
    Input,
    Parameter,
    ResultType,
    State,
    WhileCondition,
)
from linnet_core.python_source.branch import Branch
from linnet_core.python_source.conditional import give_back_arms
from linnet_core.python_source.steps import Step, matching_end
from linnet_ge.from_graph.constants import known_numbers
from linnet_ge.from_graph.elementary import result_of
from linnet_ge.from_graph.making import Making
from linnet_ge.from_graph.scope import Scope, Source, plain_name
from linnet_ge.from_graph.steps import Invoke, flattened, free_names, leaves
from linnet_ge.model import Dump, Link
from linnet_ge.model import Graph as DumpGraph
from linnet_ge.readable.names import unused_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from linnet_core.graph.nodes import Graph
    from linnet_core.python_source.fold import Scalar

#: What parameters become: inputs of the graph, or constants without a value.
Weights = Literal["data", "const"]

_I32 = 2**31
_Named = Input | Parameter | State


def dump_of(graph: Graph, *, functions: bool = False, weights: Weights = "data") -> Dump:
    """The dump of an entry.  Raises `DocumentError` for a call that GE has no operation for."""
    flat = flattened(graph, functions=functions)
    everything = leaves(flat.steps)
    constants = {step.results[0]: step.call for step in everything if isinstance(step.call, Constant)}
    builder = _Builder(flat.types, constants, known_numbers(everything))
    leaf_names = [(step.results[0], step.call) for step in everything if isinstance(step.call, _Named)]
    finish = flat.steps[-1]
    assert isinstance(finish.call, Finish)
    steps = builder.chosen(_without_leaves(flat.steps), list(finish.reads()))
    builder.entry(_entry_name(finish.call), leaf_names, steps, list(finish.reads()), weights)
    return builder.dump()


def _entry_name(call: Finish) -> str:
    return plain_name(f"{call.block}.{call.entry}" if call.block else f"{call.module}.{call.entry}")


def _without_leaves(steps: Sequence[Step]) -> list[Step]:
    """The steps that compute: no inputs, constants (they are made where they are read) and no end.

    Calls of a document are nested at most `MAX_CALL_DEPTH` deep, and so is this.
    """
    kept: list[Step] = []
    for step in steps:
        if isinstance(step.call, Invoke):
            inner = _without_leaves(step.call.steps)
            made = [name for s in inner for name in s.results]
            outside = {str(o.value): o for s in (*inner, *step.call.steps) for o in s.call.operands if o is not None}
            free = [name for name in free_names(inner) if name in outside]
            call = Invoke(
                name=step.call.name,
                steps=tuple(inner),
                inside=tuple(name for name in step.call.inside if name in made),
                types=tuple(t for name, t in zip(step.call.inside, step.call.types, strict=True) if name in made),
                operands=tuple(outside[name] for name in free),
            )
            kept.append(Step(call, call.inside))
        elif not isinstance(step.call, _Named | Constant | Finish):
            kept.append(step)
    return kept


class _Job(Struct, frozen=True):
    """A graph to be built: the values its inputs stand for, its steps, and what it gives.  `index`: input 0 is a loop's variable."""

    name: str
    inputs: tuple[str, ...]
    types: tuple[ResultType, ...]
    steps: tuple[Step, ...]
    results: tuple[str, ...]
    index: str | None = None


class _Builder:
    """Builds graphs one after the other; a node with graphs leaves them to be built later."""

    def __init__(self, types: Mapping[str, ResultType], constants: Mapping[str, Constant], known: Mapping[str, Scalar]) -> None:
        self._types = types
        self._constants = constants
        self._known = known
        self._graphs: list[DumpGraph] = []
        self._names: set[str] = set()
        self._jobs: deque[_Job] = deque()

    def dump(self) -> Dump:
        """Everything built, once nothing is left to build."""
        while self._jobs:
            self._build(self._jobs.popleft())
        return Dump("readable", tuple(self._graphs))

    def chosen(self, steps: Sequence[Step], wanted: Sequence[str]) -> list[Step]:
        """The steps with their conditionals given back."""
        return give_back_arms(steps, self._types, wanted)

    def entry(
        self, name: str, leaves: Sequence[tuple[str, _Named]], steps: Sequence[Step], results: Sequence[str], weights: Weights
    ) -> None:
        """Build the graph of the entry."""
        making = Making(Scope(unused_name(name, self._names)), self._constants, self._known)
        index = 0
        ordered = sorted(leaves, key=lambda leaf: (Input, Parameter, State).index(type(leaf[1])))
        for value, call in ordered:
            called = call.name if isinstance(call, Input) else call.path
            if weights == "const" and isinstance(call, Parameter):
                making.values[value] = making.scope.weight(called, call.shape, call.dtype)
                continue
            making.values[value] = making.scope.data(called, index, call.shape, call.dtype)
            index += 1
        self._run(making, steps)
        self._graphs.append(making.scope.finished([making.value(name) for name in results]))

    def _build(self, job: _Job) -> None:
        making = Making(Scope(job.name), self._constants, self._known)
        shift = 0
        if job.index is not None:
            # the variable of GE's loops is an i32
            making.values[job.index] = making.cast(making.scope.data("input_0", 0, (), "i32"), "i64")
            shift = 1
        for at, (name, type) in enumerate(zip(job.inputs, job.types, strict=True), shift):
            making.values[name] = making.scope.data(f"input_{at}", at, type.shape, type.dtype)
        self._run(making, job.steps)
        self._graphs.append(making.scope.finished([making.value(name) for name in job.results]))

    def _run(self, m: Making, steps: Sequence[Step]) -> None:
        position = 0
        while position < len(steps):
            step = steps[position]
            match step.call:
                case BeginWhile():
                    end = matching_end(steps, position)
                    self._while(m, steps[position : end + 1])
                    position = end
                case BeginCounted():
                    end = matching_end(steps, position)
                    self._counted(m, steps[position : end + 1])
                    position = end
                case Branch():
                    self._branch(m, step.call, step.results)
                case Invoke():
                    self._invoke(m, step.call)
                case _:
                    m.values[step.results[0]] = result_of(m, step.call)
            position += 1

    def _while(self, m: Making, steps: Sequence[Step]) -> None:
        begin, end = steps[0], steps[-1]
        middle = _condition_at(steps)
        condition, body = steps[1:middle], steps[middle + 1 : -1]
        following = list(end.reads())
        (predicate,) = steps[middle].reads()
        passed = self._captured(steps[1:], [predicate, *following], [*begin.results, *steps[middle].results])
        types = self._carried(m, begin, passed)
        sources = self._sources(m, begin, passed)
        name = m.scope.name + "." + m.scope.next_name("While")
        cond = self._job(f"{name}.cond", (*begin.results, *passed), types, condition, [predicate])
        again = self._job(f"{name}.body", (*steps[middle].results, *passed), types, body, [*following, *passed])
        links = (Link("cond", cond), Link("body", again))
        made = m.scope.add_node("While", {"input": sources}, [(t.shape, t.dtype) for t in types], subgraphs=links)
        m.values.update(zip(end.results, made, strict=False))

    def _counted(self, m: Making, steps: Sequence[Step]) -> None:
        begin, end = steps[0], steps[-1]
        assert isinstance(begin.call, BeginCounted)
        index, *carried = begin.results
        following = list(end.reads())
        passed = self._captured(steps[1:], following, begin.results)
        types = self._carried(m, begin, passed)
        if not -_I32 <= begin.call.start <= begin.call.stop < _I32:
            raise DocumentError(
                f"a loop from {begin.call.start} to {begin.call.stop} has no operation of the Graph Engine: it counts in i32"
            )
        bounds = {"start": m.integer(begin.call.start, "i32"), "limit": m.integer(begin.call.stop, "i32"), "delta": m.integer(1, "i32")}
        sources = self._sources(m, begin, passed)
        name = m.scope.name + "." + m.scope.next_name("For")
        body = self._job(f"{name}.body", (*carried, *passed), types, steps[1:-1], [*following, *passed], index)
        results = [(t.shape, t.dtype) for t in types]
        made = m.scope.add_node("For", {**bounds, "input": sources}, results, subgraphs=(Link("body", body),))
        m.values.update(zip(end.results, made, strict=False))

    def _branch(self, m: Making, call: Branch, results: Sequence[str]) -> None:
        condition = str(call.operand(0).value)
        arms = list(call.arms())
        values = [[str(value.value) for value in answers] for _, answers in arms]
        made = {name for arm, _ in arms for step in arm for name in step.results}
        read = [name for (arm, _), answers in zip(arms, values, strict=True) for name in self._captured(arm, answers, ())]
        passed = [name for name in dict.fromkeys(read) if name not in made]
        types = tuple(self._type(m, name) for name in passed)
        inputs = {"cond": m.value(condition), "input": [m.value(one) for one in passed]}
        name = m.scope.name + "." + m.scope.next_name("If")
        links = tuple(
            Link(word, self._job(f"{name}.{word.removesuffix('_branch')}", tuple(passed), types, arm, answers))
            for word, (arm, _), answers in zip(("then_branch", "else_branch"), arms, values, strict=True)
        )
        given = m.scope.add_node("If", inputs, [(t.shape, t.dtype) for t in call.types], subgraphs=links)
        m.values.update(zip(results, given, strict=True))

    def _invoke(self, m: Making, call: Invoke) -> None:
        passed = self._captured(call.steps, call.inside, ())
        types = tuple(self._type(m, name) for name in passed)
        steps = self.chosen(call.steps, call.inside)
        graph = self._job(call.name, tuple(passed), types, steps, call.inside)
        results = [(t.shape, t.dtype) for t in call.types]
        given = m.scope.add_node("PartitionedCall", {"args": [m.value(one) for one in passed]}, results, subgraphs=(Link("f", graph),))
        m.values.update(zip(call.inside, given, strict=True))

    def _job(
        self,
        name: str,
        inputs: Sequence[str],
        types: Sequence[ResultType],
        steps: Sequence[Step],
        results: Sequence[str],
        index: str | None = None,
    ) -> str:
        """Leave a graph to be built; its name."""
        unique = unused_name(plain_name(name), self._names)
        self._jobs.append(_Job(unique, tuple(inputs), tuple(types), tuple(steps), tuple(results), index))
        return unique

    def _captured(self, steps: Sequence[Step], results: Sequence[str], made: Sequence[str]) -> list[str]:
        """What a graph takes from outside: every value but constants, which it makes itself."""
        inside = {*made, *(name for step in steps for name in step.results)}
        names = dict.fromkeys([*free_names(steps, made), *(name for name in results if name not in inside)])
        return [name for name in names if name not in self._constants]

    def _carried(self, m: Making, begin: Step, passed: Sequence[str]) -> tuple[ResultType, ...]:
        carried = tuple(ResultType(o.shape, o.dtype) for o in begin.call.operands if o is not None)
        return carried + tuple(self._type(m, name) for name in passed)

    def _sources(self, m: Making, begin: Step, passed: Sequence[str]) -> list[Source]:
        """What goes into a loop: what it carries at first, and what its graphs read of outside."""
        return [*(m.operand(begin.call, at) for at in range(len(list(begin.reads())))), *map(m.value, passed)]

    def _type(self, m: Making, name: str) -> ResultType:
        source = m.value(name)
        return ResultType(source.shape, source.dtype)


def _condition_at(steps: Sequence[Step]) -> int:
    """Where the condition of the loop that `steps` are ends."""
    depth = 0
    for position, step in enumerate(steps):
        if isinstance(step.call, BeginWhile):
            depth += 1
        elif isinstance(step.call, WhileCondition) and depth == 1:
            return position
        elif isinstance(step.call, EndWhile):
            depth -= 1
    raise InternalError("a loop has no condition")
