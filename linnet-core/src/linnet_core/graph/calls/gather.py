"""Positions known only at run time: gather, scatter_add, update_row.

In: a tensor and i64 positions.  Out: one value.
"""

from __future__ import annotations

from typing import ClassVar

from linnet_core.graph.calls.values import Call, ResultType, Shape, like


class Gather(Call, frozen=True, kw_only=True, tag="gather"):
    """Operands source and indices (i64, [...lead, k]); result `shape` = lead + source.shape[k:].

    The k columns are positions along the first k axes of source; the other axes are taken whole.  A position outside its axis
    raises on the NumPy target and behaves as the framework does elsewhere.
    """

    operand_count: ClassVar[tuple[int, int | None]] = (2, 2)

    shape: Shape

    def result_types(self) -> tuple[ResultType, ...]:
        """`shape`, the source's dtype."""
        return (ResultType(self.shape, self.operand(0).dtype),)


class ScatterAdd(Call, frozen=True, kw_only=True, tag="scatter_add"):
    """Operands indices (as `gather` takes them) and values; zeros of `shape` with the values added at the positions.

    Positions given twice add up.  Only gradients emit it; declining it is an error, there is no fallback.
    """

    operand_count: ClassVar[tuple[int, int | None]] = (2, 2)
    may_decline: ClassVar[bool] = True

    shape: Shape
    dtype: str

    def result_types(self) -> tuple[ResultType, ...]:
        """`shape`, `dtype`."""
        return (ResultType(self.shape, self.dtype),)


class UpdateRow(Call, frozen=True, kw_only=True, tag="update_row"):
    """Operands stack, index (i64, rank 0) and row (`stack.shape[1:]`); stack with row `index` of axis 0 replaced.

    Declined, the exporter compares an iota with the index and selects.
    """

    operand_count: ClassVar[tuple[int, int | None]] = (3, 3)
    may_decline: ClassVar[bool] = True

    def result_types(self) -> tuple[ResultType, ...]:
        """The stack's own type."""
        return like(self.operands[0])
