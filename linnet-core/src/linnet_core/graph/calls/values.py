"""What calls are made of: operands, result types, and the base of every call.

In: nothing.  Out: the vocabulary of `graph/calls/`.  A call is a frozen value with its attributes as fields and its operands in
one tuple, so that recording, replaying and the passes of a target treat all kinds alike; the docstring of each kind gives the
order of the operands, the rule of the result, and what declining means.
"""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from linnet_core.errors import InternalError

#: Sizes of the axes, outermost first.
Shape = tuple[int, ...]


class Operand(Struct, frozen=True):
    """A value as a call sees it.

    `value` is the name the target gave it (its id, in a document).  `shape` and `dtype` usually are the value's own; they
    differ where a call views a value with another shape (a broadcast the target makes itself) or dtype.
    """

    value: str | int
    shape: Shape
    dtype: str


class ResultType(Struct, frozen=True):
    """Shape and dtype of one result."""

    shape: Shape
    dtype: str


class Call(Struct, frozen=True, kw_only=True, tag_field="op"):
    """Base of every node kind but `call`.

    `operands` are in the order the kind's docstring gives; None stands for an absent optional (`native_call` only).
    """

    #: Whether a target may answer `Declined`.
    may_decline: ClassVar[bool] = False
    #: The least and the most operands (None: any number).
    operand_count: ClassVar[tuple[int, int | None]] = (0, 0)
    #: The least and the most results when it is not declined.
    result_count: ClassVar[tuple[int, int | None]] = (1, 1)

    operands: tuple[Operand | None, ...] = ()

    @property
    def op(self) -> str:
        """The node's `op`."""
        return str(self.__struct_config__.tag)

    def result_types(self) -> tuple[ResultType, ...]:
        """Shape and dtype of each result, from the attributes and operands."""
        raise InternalError(f"{self.op} does not say what it gives")

    def operand(self, position: int) -> Operand:
        """The operand at `position`, which must be present."""
        found = self.operands[position]
        assert found is not None
        return found


def like(*operands: Operand | None) -> tuple[ResultType, ...]:
    """Result types equal to the operands' own."""
    return tuple(ResultType(o.shape, o.dtype) for o in operands if o is not None)
