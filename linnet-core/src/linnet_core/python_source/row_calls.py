"""Rows that a loop gives one after another, kept in a list until the loop has ended.

In: what `row_lists.py` finds.  Out: calls of our own, which never stand in a document: the list has the name of the stack it becomes.
"""

from __future__ import annotations

from linnet_core.graph.calls import Call, ResultType, Shape
from linnet_core.graph.calls.values import like


class OpenRows(Call, frozen=True, kw_only=True, tag="open_rows"):
    """No operands.  Result: an empty list; `shape` and `dtype` are those of the stack."""

    shape: Shape
    dtype: str

    def result_types(self) -> tuple[ResultType, ...]:
        """The stack's type."""
        return (ResultType(self.shape, self.dtype),)


class AppendRow(Call, frozen=True, kw_only=True, tag="append_row"):
    """Operands: the list and its next row.  No results."""

    def result_types(self) -> tuple[ResultType, ...]:
        """Nothing: the list is changed."""
        return ()


class StackRows(Call, frozen=True, kw_only=True, tag="stack_rows"):
    """Operand: the list, with all its rows.  Result: the rows along a new first axis, `backwards` the last of the list first."""

    backwards: bool = False

    def result_types(self) -> tuple[ResultType, ...]:
        """The stack's type."""
        return like(self.operands[0])
