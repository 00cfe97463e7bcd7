"""contract: a sum of products, einsum without the materialised product.

In: two operands.  Out: one value, or a decline.
"""

from __future__ import annotations

from typing import ClassVar

from linnet_core.graph.calls.values import Call, ResultType, Shape


class Contract(Call, frozen=True, kw_only=True, tag="contract"):
    """Operands lhs and rhs, both of `dtype`; the sum of their product over the axes not in `out_axes`.

    Axis numbers name grid axes: `lhs_axes[i]` is the grid axis of lhs axis i, distinct within an operand.  f16 and bf16 accumulate in
    f32 and round once.  Declined, each factor is spread over the whole grid, multiplied and summed.
    """

    operand_count: ClassVar[tuple[int, int | None]] = (2, 2)
    may_decline: ClassVar[bool] = True

    lhs_axes: tuple[int, ...]
    rhs_axes: tuple[int, ...]
    out_axes: tuple[int, ...]
    shape: Shape
    dtype: str

    def result_types(self) -> tuple[ResultType, ...]:
        """`shape`, `dtype`."""
        return (ResultType(self.shape, self.dtype),)
