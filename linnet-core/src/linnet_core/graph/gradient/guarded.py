"""Reads at positions in the arm of an `if` that was not taken.

In: the items of a tape, and the names read after them.  Out: the items, in which a gather that only an arm uses reads position 0 where the
arm is not taken.  Both arms are evaluated as far as the way back reads them, and the gather's gradient goes where it read: so neither the
read nor the gradient meets a position outside its axis.  What an arm gives is not chosen then, and its gradient is 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from linnet_core.graph.calls import Gather, Operand, Select
from linnet_core.graph.emitter import Emitter
from linnet_core.graph.gradient.tape import Loop, Step, read_from_outside
from linnet_core.graph.gradient.terms import Terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

    from linnet_core.graph.calls import Call, CallHeader, ResultType
    from linnet_core.graph.gradient.tape import Item, Tape
    from linnet_core.graph.target import Capabilities, RegionCallback

#: The arms around a step, outermost first: the name of a condition, and the operand of its selects (1 or 2) that reads the step.
Path = tuple[tuple[str, int], ...]
#: An `if` deeper than this in others is not looked into.
MAX_DEPTH = 80


def guarded(tape: Tape, ends: Iterable[str], capabilities: Capabilities) -> list[Item]:
    """The items of a tape whose names `ends` are read at its end."""
    steps = list(_steps(tape.items))
    if not any(isinstance(step.call, Gather) for step in steps) or not any(_is_choice(step, tape.types) for step in steps):
        return tape.items
    return _Guarding(tape, capabilities).scope(tape.items, ends, (), frozenset())


class _Guarding:
    def __init__(self, tape: Tape, capabilities: Capabilities) -> None:
        self._tape = tape
        self._capabilities = capabilities
        #: The guarded call of each gather by its result, which an equal gather later has, too.
        self._calls: dict[str, Call] = {}

    def scope(self, items: Sequence[Item], ends: Iterable[str], outer: Path, known: Set[str]) -> list[Item]:
        """The items of one scope, which is in the arms `outer`; `known` are the names made before it."""
        paths = self._paths(items, ends)
        made = set(known)
        found: list[Item] = []
        for item, path in zip(items, paths, strict=True):
            match item:
                case Step():
                    found.append(self._step(item, outer + path, made, found) if isinstance(item.call, Gather) else item)
                    made.update(item.results)
                case Loop():
                    inside = self.scope(item.body, item.end.operand_names(), outer + path, made.union(item.begin.results))
                    found.append(Loop(item.begin, inside, item.end))
                    made.update(item.end.results)
                case _:
                    found.append(item)
        return found

    def _paths(self, items: Sequence[Item], ends: Iterable[str]) -> list[Path]:
        """The arms of this scope that each item is used in and nowhere else."""
        of_name: dict[str, Path] = dict.fromkeys(ends, ())
        found: list[Path] = []
        for item in reversed(items):
            own = _common([of_name[name] for name in _results(item) if name in of_name])
            found.append(own)
            for name, arm in _reads(item, self._tape.types):
                path = (*own, arm) if arm is not None and len(own) < MAX_DEPTH else own
                of_name[name] = _common([of_name[name], path]) if name in of_name else path
        return found[::-1]

    def _step(self, step: Step, path: Path, made: Set[str], before: list[Item]) -> Step:
        """A gather with its positions guarded by the arms it is in, the steps this takes being added to `before`."""
        name = step.results[0]
        source, positions = step.call.operand(0), step.call.operand(1)
        arms = [(condition, side) for condition, side in path if condition in made]
        if step.first and arms and 0 not in source.shape[: positions.shape[-1]]:
            terms = Terms(Emitter(_Inserting(self._tape, self._capabilities, before)))
            for condition, side in reversed(arms):
                zero = terms.emitter.integer(0)
                sides = (positions, zero) if side == 1 else (zero, positions)
                positions = terms.select(Operand(condition, (), "bool"), *sides)
            self._calls[name] = replace(step.call, operands=(source, positions))
        return replace(step, call=self._calls.get(name, step.call))


class _Inserting:
    """A target that puts calls on a tape as steps of their own, at the end of `items`."""

    name = "gradient"

    def __init__(self, tape: Tape, capabilities: Capabilities, items: list[Item]) -> None:
        self.capabilities = capabilities
        self._tape = tape
        self._items = items

    def emit(self, call: Call, regions: Mapping[str, RegionCallback] | None = None) -> tuple[str, ...]:
        """A step; what equal calls share is found by the target behind the tape."""
        step = self._tape.step(call)
        self._items.append(step)
        return step.results

    def begin_call(self, header: CallHeader) -> None:
        """Nothing is called."""

    def end_call(self, results: Sequence[Operand | None]) -> None:
        """Nothing is called."""

    def source(self) -> str:
        """Nothing is printed."""
        return ""


def _steps(items: Iterable[Item]) -> Iterator[Step]:
    for item in items:
        match item:
            case Step():
                yield item
            case Loop():
                yield from _steps(item.body)


def _is_choice(step: Step, types: Mapping[str, ResultType]) -> bool:
    return isinstance(step.call, Select) and types[str(step.call.operand(0).value)].shape == ()


def _results(item: Item) -> tuple[str, ...]:
    match item:
        case Step():
            return item.results
        case Loop():
            return item.end.results
        case _:
            return ()


def _reads(item: Item, types: Mapping[str, ResultType]) -> Iterator[tuple[str, tuple[str, int] | None]]:
    """The names an item reads; those a choice chooses between with its condition and their side."""
    match item:
        case Step():
            names = item.operand_names()
            chooses = _is_choice(item, types)
            yield from ((name, (names[0], side) if chooses and side else None) for side, name in enumerate(names))
        case Loop():
            yield from ((name, None) for name in read_from_outside(item))
        case _:
            pass


def _common(paths: Sequence[Path]) -> Path:
    """The longest beginning of all; nothing of no path."""
    if not paths:
        return ()
    first, *others = paths
    length = min(map(len, paths))
    at = next((at for at in range(length) if any(other[at] != first[at] for other in others)), length)
    return first[:at]
