"""The elementwise family: elementwise, compare, select, convert.

In: operands of the result's shape (or viewed with it, by a target that broadcasts itself).  Out: one value.
"""

from __future__ import annotations

from typing import ClassVar, Literal, get_args

from linnet_core.graph.calls.values import Call, ResultType, Shape

UnaryKind = Literal["not", "neg", "exp", "log", "sqrt", "rsqrt", "sin", "cos", "tanh", "abs"]
BinaryKind = Literal["add", "sub", "mul", "div", "rem", "min", "max", "and", "or", "bitand", "bitor", "bitxor", "shl", "shr"]
CompareKind = Literal["eq", "ne", "lt", "le", "gt", "ge"]

UNARY_KINDS: tuple[str, ...] = get_args(UnaryKind)
BINARY_KINDS: tuple[str, ...] = get_args(BinaryKind)


class Elementwise(Call, frozen=True, kw_only=True, tag="elementwise"):
    """One or two operands of the result's dtype; result of `shape`.

    Integers wrap; integer `div` truncates toward zero and `rem` has the dividend's sign, on floats C's fmod; `min` and `max`
    give NaN when either side is NaN; shifts by the width or more give 0 (-1 for `shr` of a negative); `shr` is arithmetic for
    signed and logical for unsigned; `and`, `or`, `not` are logical on bool.
    """

    operand_count: ClassVar[tuple[int, int | None]] = (1, 2)

    kind: UnaryKind | BinaryKind
    shape: Shape
    dtype: str

    def result_types(self) -> tuple[ResultType, ...]:
        """`shape`, `dtype`."""
        return (ResultType(self.shape, self.dtype),)


class Compare(Call, frozen=True, kw_only=True, tag="compare"):
    """Operands a, b of one dtype; bool result of `shape`.  Comparisons with NaN are false, `ne` true."""

    operand_count: ClassVar[tuple[int, int | None]] = (2, 2)

    kind: CompareKind
    shape: Shape

    def result_types(self) -> tuple[ResultType, ...]:
        """`shape`, bool."""
        return (ResultType(self.shape, "bool"),)


class Select(Call, frozen=True, kw_only=True, tag="select"):
    """Operands condition (bool), on_true, on_false; result of `shape` and `dtype`.  A run-time `if` is one too."""

    operand_count: ClassVar[tuple[int, int | None]] = (3, 3)

    shape: Shape
    dtype: str

    def result_types(self) -> tuple[ResultType, ...]:
        """`shape`, `dtype`."""
        return (ResultType(self.shape, self.dtype),)


class Convert(Call, frozen=True, kw_only=True, tag="convert"):
    """Operand x; the same shape in `dtype`.  Float to integer truncates; to bool is `!= 0`.  Never to its own dtype."""

    operand_count: ClassVar[tuple[int, int | None]] = (1, 1)

    shape: Shape
    dtype: str

    def result_types(self) -> tuple[ResultType, ...]:
        """`shape`, `dtype`."""
        return (ResultType(self.shape, self.dtype),)
