"""What the evaluator holds while it walks the Core IR of an entry.

In: nothing.  Out: the kinds of values.  Only tensors reach the target; blocks, arrays, optionals, tuples, structs and enums are
resolved here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

from linnet_core.graph.calls import Operand

if TYPE_CHECKING:
    from linnet_core.check.program import Block
    from linnet_core.graph.bind import Bindings


class Tensor(Struct, frozen=True):
    """A tensor, or a scalar of index notation.

    A scalar of index notation is a tensor over the grid axes it depends on: `axes` are their ids in the order of the tensor's own axes.
    Nothing is spread over axes it does not depend on.  A whole tensor has none.  `known` is the value of an integer or bool scalar where
    it is known at export.
    """

    operand: Operand
    axes: tuple[int, ...] = ()
    known: int | bool | None = None


class Absent(Struct, frozen=True):
    """`none`."""


class Present(Struct, frozen=True):
    """`some(value)`."""

    value: Value


class Fields(Struct, frozen=True):
    """A tuple, or a struct's fields in declaration order."""

    values: tuple[Value, ...]


class BlockValue(Struct, frozen=True, eq=False):
    """An instance of a block: its member path ("" for the root), what its generics stand for, and its members but the states."""

    decl: Block
    path: str
    bindings: Bindings
    members: dict[str, Value] = field(default_factory=dict)

    def member_path(self, name: str) -> str:
        """The dotted path of a member."""
        return f"{self.path}.{name}" if self.path else name


class ArrayValue(Struct, frozen=True, eq=False):
    """An array of blocks."""

    elements: tuple[Value, ...]


class EnumValue(Struct, frozen=True):
    """A variant."""

    variant: str


class Index(Struct, frozen=True):
    """An index of index notation: one grid axis, or those of a pack."""

    axes: tuple[int, ...]


Value = Tensor | Absent | Present | Fields | BlockValue | ArrayValue | EnumValue | Index
ABSENT = Absent()


def is_in_grid(value: Value) -> bool:
    """Whether a value depends on grid axes."""
    match value:
        case Tensor():
            return bool(value.axes)
        case Present():
            return is_in_grid(value.value)
        case Fields():
            return any(is_in_grid(part) for part in value.values)
        case _:
            return False
