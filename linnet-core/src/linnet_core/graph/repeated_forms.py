"""When two calls of block methods are alike.

In: the callee, the receiver, the arguments, and the states as they are.  Out: a key, equal for calls whose bodies emit the same calls up to
names; and the operands that such a body starts from, in an order that calls of equal keys share.

Alike are calls of one instance on blocks of one form (declaration, bindings, which members are there, of which shape and dtype), with
arguments of one form (what is known at export included), the same states read and written before, and the same of all these operands
being one value, or one object.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from linnet_core.graph.values import Absent, ArrayValue, BlockValue, EnumValue, Fields, Present, Tensor, Value

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from linnet_core.graph.calls import Operand
    from linnet_core.graph.instances import Instance
    from linnet_core.graph.states import States


#: The most parameters and states of a block whose calls are compared: a comparison looks at each, however little the method does.
MAX_OPERANDS = 1024


class BlockForm(Struct, frozen=True, eq=False):
    """What a block has in common with those alike (`number`), its parameters, and the paths of its states, all in order."""

    number: int
    operands: tuple[Operand, ...]
    states: tuple[str, ...]


class Start(Struct, frozen=True, eq=False):
    """Where the body of a method starts: the key, the receiver's path and states, and the operands it may reach."""

    key: Hashable
    path: str
    states: tuple[str, ...]
    operands: tuple[Operand, ...]


class Forms:
    """The forms of the blocks of an export, each worked out once."""

    def __init__(self, states: States) -> None:
        self._states = states
        self._forms: dict[BlockValue, BlockForm] = {}
        self._numbers: dict[Hashable, int] = {}
        #: How many blocks have each form.
        self._counts: list[int] = []

    def learn(self, root: BlockValue) -> None:
        """Work out the forms of all blocks below `root`."""
        self._block(root)

    def is_common(self, block: BlockValue) -> bool:
        """Whether other blocks have the form of this one."""
        return self._counts[self._block(block).number] > 1

    def start(self, callee: Instance, receiver: BlockValue, arguments: Sequence[Value], mode: Hashable) -> Start | None:
        """The start of a call; None where an argument is neither a tensor, absent, a variant nor made of these, and for large
        blocks.

        `mode` is whatever else the evaluator looks at.
        """
        operands: list[Operand] = []
        given = tuple([_argument(argument, operands) for argument in arguments])
        if _FOREIGN in given:
            return None
        block = self._block(receiver)
        if len(block.operands) + len(block.states) > MAX_OPERANDS:
            return None
        operands += block.operands
        states = tuple([self._state(path, operands) for path in block.states])
        key = (id(callee), block.number, given, states, _sameness(operands), mode, receiver.path == "")
        return Start(key, receiver.path, block.states, tuple(operands))

    def _state(self, path: str, operands: list[Operand]) -> Hashable:
        """What is known of a state; its values are added to `operands`."""
        current, read, written = self._states.at(path)
        values = [value for value in (current, read) if value is not None]
        operands += values
        return (current is None, read is None, written, *[(value.shape, value.dtype) for value in values])

    def _block(self, block: BlockValue) -> BlockForm:
        found = self._forms.get(block)
        if found is None:
            operands: list[Operand] = []
            states = [block.member_path(member.name) for member in block.decl.members if member.kind == "state"]
            members = [(name, self._member(value, operands, states)) for name, value in block.members.items()]
            form = (block.decl.name, id(block.decl), id(block.bindings), tuple(members))
            number = self._numbers.setdefault(form, len(self._numbers))
            if number == len(self._counts):
                self._counts.append(0)
            self._counts[number] += 1
            found = self._forms[block] = BlockForm(number, tuple(operands), tuple(states))
        return found

    def _member(self, value: Value, operands: list[Operand], states: list[str]) -> Hashable:
        match value:
            case Tensor():  # as most members are; cases are tried in order
                return _argument(value, operands)
            case BlockValue():
                inner = self._block(value)
                operands += inner.operands
                states += inner.states
                return ("block", inner.number)
            case ArrayValue():
                return ("array", *[self._member(element, operands, states) for element in value.elements])
            case Present():
                return ("some", self._member(value.value, operands, states))
            case _:
                return _argument(value, operands)


#: The form of a value that a repeated call may not be given.
_FOREIGN = "foreign"


def _argument(value: Value, operands: list[Operand]) -> Any:
    """The form of a value that holds no block; its tensors are added to `operands`."""
    match value:
        case Tensor(axes=()):
            operands.append(value.operand)
            return (value.operand.shape, value.operand.dtype, value.known)
        case Absent():
            return None
        case EnumValue():
            return ("variant", value.variant)
        case Present():
            inner = _argument(value.value, operands)
            return _FOREIGN if inner == _FOREIGN else ("some", inner)
        case Fields():
            parts = [_argument(part, operands) for part in value.values]
            return _FOREIGN if _FOREIGN in parts else ("fields", *parts)
        case _:
            return _FOREIGN


def _sameness(operands: Sequence[Operand]) -> tuple[int, ...]:
    """Which operands are one value and which are one object: for each the position of the first that is, twice."""
    names: dict[str | int, int] = {}
    objects: dict[int, int] = {}
    found: list[int] = []
    for position, operand in enumerate(operands):
        found.append(names.setdefault(operand.value, position))
        found.append(objects.setdefault(id(operand), position))
    return tuple(found)
