"""native_call: a library call in place of an op's body; and the header of a `call`.

In: an op's arguments.  Out: the op's result, or a decline; `CallHeader` opens the nodes of one function, op or method call.
"""

from __future__ import annotations

from typing import Any, ClassVar

from msgspec import Struct

from linnet_core.graph.calls.values import Call, ResultType, Shape


class NativeCall(Call, frozen=True, kw_only=True, tag="native_call"):
    """Operands are the op's arguments in parameter order, None for an absent optional; one result.

    `implementation` is a string of the table of library calls; `generics` the op's constant dimension generics.  Declined, the next
    permitted candidate is tried, then the op's body is exported.
    """

    operand_count: ClassVar[tuple[int, int | None]] = (0, None)
    may_decline: ClassVar[bool] = True

    implementation: str
    generics: dict[str, int]
    shape: Shape
    dtype: str

    def result_types(self) -> tuple[ResultType, ...]:
        """`shape`, `dtype`."""
        return (ResultType(self.shape, self.dtype),)


class CallHeader(Struct, frozen=True, kw_only=True):
    """What a `call` node says besides its body.

    `semantic` is 1 for an op.  `path` is the receiver's member path ("" for the root) or None for a plain function.  `arguments` has an
    entry per parameter after the receiver: an `Operand`, None for `none`, a tuple for a tuple or struct, an int for a compile-time
    integer, `EnumArgument` for an enum.
    """

    callee: str
    semantic: int
    path: str | None
    generics: dict[str, Any]
    arguments: tuple[Any, ...]


class EnumArgument(Struct, frozen=True):
    """An enum argument of a `call`."""

    enum: str
