"""Brackets of gradients and recomputation: custom gradient, remat.

In: an op's tensor arguments.  Out: the names its body computes from, then the name its caller uses.
"""

from __future__ import annotations

from typing import ClassVar

from linnet_core.graph.calls.values import Call, ResultType, like


class BeginRemat(Call, frozen=True, kw_only=True, tag="begin_remat"):
    """Opens one call of a block that the backward pass computes again.  No operands, no results."""

    result_count: ClassVar[tuple[int, int | None]] = (0, 0)

    def result_types(self) -> tuple[ResultType, ...]:
        """None."""
        return ()


class EndRemat(Call, frozen=True, kw_only=True, tag="end_remat"):
    """Closes what `begin_remat` opened.  No operands, no results."""

    result_count: ClassVar[tuple[int, int | None]] = (0, 0)

    def result_types(self) -> tuple[ResultType, ...]:
        """None."""
        return ()


class BeginCustomGradient(Call, frozen=True, kw_only=True, tag="begin_custom_gradient"):
    """Operands: the op's tensor arguments in order.  Results: one name per argument for the body to compute from."""

    operand_count: ClassVar[tuple[int, int | None]] = (0, None)
    result_count: ClassVar[tuple[int, int | None]] = (0, None)

    def result_types(self) -> tuple[ResultType, ...]:
        """The operands' own types."""
        return like(*self.operands)


class EndCustomGradient(Call, frozen=True, kw_only=True, tag="end_custom_gradient"):
    """Operands: the original arguments (`arguments` of them), then the body's result.  Result: the name the caller uses.

    A target that ran the backward pass leaves a region of role `pullback`: its arguments are those tensors, then y and dy; its results
    one per tensor argument, null where there is none.
    """

    operand_count: ClassVar[tuple[int, int | None]] = (1, None)

    arguments: int

    def result_types(self) -> tuple[ResultType, ...]:
        """The body's result type."""
        return like(self.operands[-1])
