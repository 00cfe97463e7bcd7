"""Run-time loops, as brackets around the calls of their body.

In: carried values.  Out: the carried values as the condition, the body and the code after the loop see them.  Counts and types are the
carried list's throughout.  None of them may be declined; a loop a target cannot write is a capability failure.
"""

from __future__ import annotations

from typing import ClassVar

from linnet_core.graph.calls.values import Call, ResultType, like


class BeginWhile(Call, frozen=True, kw_only=True, tag="begin_while"):
    """Operands: initial carried values.  Results: the names the condition sees."""

    operand_count: ClassVar[tuple[int, int | None]] = (0, None)
    result_count: ClassVar[tuple[int, int | None]] = (0, None)

    def result_types(self) -> tuple[ResultType, ...]:
        """The operands' own types."""
        return like(*self.operands)


class WhileCondition(Call, frozen=True, kw_only=True, tag="while_condition"):
    """Operand: the predicate (bool, rank 0).  Results: the names the body sees, of the types of the loop's `carried`.

    `carried` is no attribute of the document: it repeats the types of `begin_while`, which a replay fills in again.
    """

    operand_count: ClassVar[tuple[int, int | None]] = (1, 1)
    result_count: ClassVar[tuple[int, int | None]] = (0, None)

    carried: tuple[ResultType, ...]

    def result_types(self) -> tuple[ResultType, ...]:
        """The carried values' types."""
        return self.carried


class EndWhile(Call, frozen=True, kw_only=True, tag="end_while"):
    """Operands: next carried values.  Results: the final values."""

    operand_count: ClassVar[tuple[int, int | None]] = (0, None)
    result_count: ClassVar[tuple[int, int | None]] = (0, None)

    def result_types(self) -> tuple[ResultType, ...]:
        """The operands' own types."""
        return like(*self.operands)


class WhileInitialCondition(Call, frozen=True, kw_only=True, tag="while_initial_condition"):
    """Operand: the predicate on the initial values, before `begin_while`, only for a target that asks.  No results."""

    operand_count: ClassVar[tuple[int, int | None]] = (1, 1)
    result_count: ClassVar[tuple[int, int | None]] = (0, 0)

    def result_types(self) -> tuple[ResultType, ...]:
        """None."""
        return ()


class WhileTrailingCondition(Call, frozen=True, kw_only=True, tag="while_trailing_condition"):
    """Operand: the predicate on the next values, before `end_while`, only for a target that asks.  No results."""

    operand_count: ClassVar[tuple[int, int | None]] = (1, 1)
    result_count: ClassVar[tuple[int, int | None]] = (0, 0)

    def result_types(self) -> tuple[ResultType, ...]:
        """None."""
        return ()


class BeginCounted(Call, frozen=True, kw_only=True, tag="begin_counted"):
    """Operands: initial carried values.  Results: the index (i64, rank 0; `start` <= i < `stop`), then the carried values."""

    operand_count: ClassVar[tuple[int, int | None]] = (0, None)
    result_count: ClassVar[tuple[int, int | None]] = (1, None)

    start: int
    stop: int

    def result_types(self) -> tuple[ResultType, ...]:
        """The index, then the operands' own types."""
        return (ResultType((), "i64"), *like(*self.operands))


class EndCounted(Call, frozen=True, kw_only=True, tag="end_counted"):
    """Operands: next carried values, without the index.  Results: the final values."""

    operand_count: ClassVar[tuple[int, int | None]] = (0, None)
    result_count: ClassVar[tuple[int, int | None]] = (0, None)

    def result_types(self) -> tuple[ResultType, ...]:
        """The operands' own types."""
        return like(*self.operands)
