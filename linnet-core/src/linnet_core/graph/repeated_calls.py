"""What a method's body said, made ready to be said again with other values.

In: what was said between the start and the end of a body, the operands it started from, and what it left behind.  Out: `Repeatable`, or
None where it cannot be repeated; `say_again` emits it from other operands.  Operands are counted when a body is made ready, so that saying
it again looks nothing up by name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, final

from msgspec import Struct
from msgspec.structs import replace

from linnet_core.graph.calls import Operand, State
from linnet_core.graph.conversation import Begun, Made
from linnet_core.graph.target import Declined
from linnet_core.graph.values import Absent, EnumValue, Fields, Present, Tensor

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linnet_core.graph.calls import Call, CallHeader
    from linnet_core.graph.calls.values import Shape
    from linnet_core.graph.conversation import Conversation, Said
    from linnet_core.graph.repeated_forms import Start
    from linnet_core.graph.values import Value

#: The operands of one name: position among all, shape, dtype.
Views = list[tuple[int, "Shape", str]]


@final
class Making(Struct, frozen=True, eq=False):
    """A call: the positions of its operands, and the numbers of the names it gives (None: it is declined).

    `below` is where below the receiver the state of a `state` stands.
    """

    call: Call
    answer: tuple[str, ...] | Declined
    operands: tuple[int, ...]
    names: tuple[int, ...] | None
    below: str | None


@final
class Beginning(Struct, frozen=True, eq=False):
    """A call that starts: its header with positions for operands, and where below the receiver its own receiver stands.

    `operands` are the positions of all arguments where each is an operand, which most are; None where one is something else.
    """

    header: CallHeader
    arguments: tuple[Any, ...]
    operands: tuple[int, ...] | None
    below: str | None


@final
class Ending(Struct, frozen=True, eq=False):
    """The end of a call: the positions of its results."""

    results: tuple[int, ...]


class At(Struct, frozen=True):
    """The position of an operand among the arguments of a header."""

    position: int


class Repeatable(Struct, frozen=True, eq=False):
    """A body that can be said again: its steps, the number of each name, the views of each name in the order of the numbers, how many
    positions operands have, how many calls it counts for and how deep it goes."""

    steps: tuple[Making | Beginning | Ending, ...]
    names: dict[str | int, int]
    views: tuple[Views, ...]
    positions: int
    calls: int
    depth: int


def repeatable(said: Sequence[Said], start: Start, left: Sequence[Value]) -> Repeatable | None:
    """What was said from `start` on, made ready.

    None where callbacks were offered, where an operand or one of `left`, what the body left behind, came from elsewhere.
    """
    counting = _Counting(start)
    try:
        steps = tuple([counting.step(one) for one in said])
        for value in left:
            counting.left(value)
    except KeyError:
        return None
    calls = sum(not isinstance(step, Ending) for step in steps)
    return Repeatable(steps, counting.names, tuple(counting.views), len(counting.positions), calls, counting.deepest)


class _Counting:
    """Gives names and operands numbers in the order they are met; a `KeyError` where one was not made here, or a path leads elsewhere."""

    def __init__(self, start: Start) -> None:
        self.path = start.path
        self.names: dict[str | int, int] = {}
        self.views: list[Views] = []
        #: Positions of operands; 0 is that of an absent one.
        self.positions: dict[Operand | None, int] = {None: 0}
        self.depth = self.deepest = 0
        for operand in start.operands:
            self.named(operand.value)

    def named(self, name: str | int) -> int:
        """The number of a name, a new one if it is new."""
        found = self.names.get(name)
        if found is None:
            found = self.names[name] = len(self.names)
            self.views.append([])
        return found

    def position(self, operand: Operand | None) -> int:
        """The position of an operand."""
        found = self.positions.get(operand)
        if found is None:
            assert operand is not None
            views = self.views[self.names[operand.value]]
            found = self.positions[operand] = len(self.positions)
            views.append((found, operand.shape, operand.dtype))
        return found

    def step(self, said: Said) -> Making | Beginning | Ending:
        """One step."""
        match said:
            case Made(call=call, answer=answer):
                if said.regions:
                    raise KeyError(call.op)
                below = self.below(call.path) if isinstance(call, State) else None
                operands = tuple([self.position(operand) for operand in call.operands])
                names = None if isinstance(answer, Declined) else tuple([self.named(name) for name in answer])
                return Making(call, answer, operands, names, below)
            case Begun(header=header):
                self.depth += 1
                self.deepest = max(self.deepest, self.depth)
                below = None if header.path is None else self.below(header.path)
                arguments = tuple([self.argument(argument) for argument in header.arguments])
                plain = all(isinstance(argument, At) for argument in arguments)
                return Beginning(header, arguments, tuple([argument.position for argument in arguments]) if plain else None, below)
            case _:
                self.depth -= 1
                return Ending(tuple([self.position(result) for result in said.results]))

    def below(self, path: str) -> str:
        """What follows the receiver's path in `path`."""
        if not path.startswith(self.path):
            raise KeyError(path)
        return path[len(self.path) :]

    def left(self, value: Value) -> None:
        """Check a value that is left behind: made of tensors with names from here, absent ones and variants."""
        match value:
            case Tensor(axes=()):
                self.names[value.operand.value]
            case Present():
                self.left(value.value)
            case Fields():
                for part in value.values:
                    self.left(part)
            case Absent() | EnumValue():
                pass
            case _:
                raise KeyError(type(value).__name__)

    def argument(self, argument: Any) -> Any:
        """An argument of a header, with positions for operands."""
        match argument:
            case Operand() | None:
                return At(self.position(argument))
            case tuple():
                return tuple([self.argument(part) for part in argument])
            case _:
                return argument


def say_again(body: Repeatable, start: Start, conversation: Conversation) -> Sequence[str | int] | None:
    """Say a body from other operands; the names by their numbers.

    None where an answer is another than the body was made with, in a decline or in which names are equal: the rest is left unsaid then.
    """
    saying = _Saying(body, start)
    for step in body.steps:  # told by their type, which is quicker than to ask for each kind
        if type(step) is Making:
            if not saying.heard(step, conversation.emit(saying.call(step))):
                return None
        elif type(step) is Beginning:
            conversation.begin_call(saying.header(step))
        else:
            conversation.end_call(saying.at(step.results))
    return saying.names


class _Saying:
    """One run through a body: the operands by position and the names by number, as far as they are known."""

    def __init__(self, body: Repeatable, start: Start) -> None:
        self.path = start.path
        self.views = body.views
        self.operands: list[Operand | None] = [None] * body.positions
        self.names: list[str | int] = []
        self.known: set[str | int] = set()
        for operand in start.operands:
            if operand.value not in self.known:
                self.add(operand.value)

    def add(self, name: str | int) -> None:
        """The next name."""
        operands = self.operands
        for position, shape, dtype in self.views[len(self.names)]:
            operands[position] = Operand(name, shape, dtype)
        self.names.append(name)
        self.known.add(name)

    def at(self, positions: tuple[int, ...]) -> tuple[Operand | None, ...]:
        """The operands at some positions."""
        operands = self.operands
        return tuple([operands[position] for position in positions])

    def call(self, step: Making) -> Call:
        """The call of a step, with the operands and the path of this run."""
        if step.operands:
            return replace(step.call, operands=self.at(step.operands))
        return step.call if step.below is None else replace(step.call, path=self.path + step.below)

    def heard(self, step: Making, answer: tuple[str, ...] | Declined) -> bool:
        """Take an answer; False where it is another than the step was made with."""
        if step.names is None or not isinstance(answer, tuple):
            return answer == step.answer
        if len(answer) != len(step.names):
            return False
        names, known = self.names, self.known
        for number, name in zip(step.names, answer, strict=True):
            if name not in known and number == len(names):
                self.add(name)
            elif number >= len(names) or names[number] != name:
                return False
        return True

    def header(self, step: Beginning) -> CallHeader:
        """The header of a call, with the operands and the path of this run."""
        path = None if step.below is None else self.path + step.below
        arguments = self._arguments(step.arguments) if step.operands is None else self.at(step.operands)
        return replace(step.header, path=path, arguments=arguments)

    def _arguments(self, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        found: list[Any] = []
        for argument in arguments:
            match argument:
                case At(position=position):
                    found.append(self.operands[position])
                case tuple():
                    found.append(self._arguments(argument))
                case _:
                    found.append(argument)
        return tuple(found)


class Renamed:
    """Operands that a body left behind, as saying it again leaves them: one object for one object, and what it was given where it was."""

    def __init__(self, first: Start, again: Start, numbers: dict[str | int, int], names: Sequence[str | int]) -> None:
        self._numbers = numbers
        self._names = names
        self._objects = {id(old): new for old, new in zip(first.operands, again.operands, strict=True)}

    def operand(self, old: Operand) -> Operand:
        """An operand."""
        found = self._objects.get(id(old))
        if found is None:
            found = self._objects[id(old)] = Operand(self._names[self._numbers[old.value]], old.shape, old.dtype)
        return found

    def value(self, old: Value) -> Value:
        """A result of the body."""
        match old:
            case Tensor():
                return Tensor(self.operand(old.operand), old.axes, old.known)
            case Present():
                return Present(self.value(old.value))
            case Fields():
                return Fields(tuple([self.value(part) for part in old.values]))
            case _:
                return old
