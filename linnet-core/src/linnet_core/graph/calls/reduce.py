"""Reductions: reduce, cumsum.

In: one operand.  Out: one value of the operand's dtype.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from linnet_core.graph.calls.values import Call, ResultType, Shape, like

ReduceKind = Literal["sum", "prod", "max", "min", "any", "all"]


class Reduce(Call, frozen=True, kw_only=True, tag="reduce"):
    """Operand body; `dims` are trailing axes, ascending, possibly none; result `shape` is the leading axes.

    f16 and bf16 sums and products accumulate in f32 and round once; integers wrap in their own dtype.  Over no elements: sum 0,
    prod 1, max lowest, min highest (infinities of a float), any false, all true.
    """

    operand_count: ClassVar[tuple[int, int | None]] = (1, 1)

    kind: ReduceKind
    dims: tuple[int, ...]
    shape: Shape

    def result_types(self) -> tuple[ResultType, ...]:
        """`shape`, the operand's dtype."""
        return (ResultType(self.shape, self.operand(0).dtype),)


class Cumsum(Call, frozen=True, kw_only=True, tag="cumsum"):
    """Operand x; running sums along `axis` (from the front) in x's own dtype, f16 and bf16 accumulating in f32."""

    operand_count: ClassVar[tuple[int, int | None]] = (1, 1)

    axis: int

    def result_types(self) -> tuple[ResultType, ...]:
        """The operand's own type."""
        return like(self.operands[0])
