"""The calls of this target's own, which passes make of library calls before anything is printed.

In: operands of those calls.  Out: `Attend`, `AttendRows`.  They never stand in a document.
"""

from __future__ import annotations

from typing import Literal

from linnet_core.graph.calls import Call, ResultType


class Attend(Call, frozen=True, kw_only=True, tag="jax.attend"):
    """Operands: query, key, value [B, H, Q, D], the scale unless `scale` is known, then the mask (bool) where `form` is `masked`.

    `causal` hides what is after a query, `plain` nothing.  `wide` computes in f32, `precise` with all digits of f32 products.
    """

    form: Literal["causal", "plain", "masked"]
    scale: float | None
    wide: bool
    precise: bool

    def result_types(self) -> tuple[ResultType, ...]:
        """The query's own type."""
        query = self.operand(0)
        return (ResultType(query.shape, query.dtype),)


class AttendRows(Call, frozen=True, kw_only=True, tag="jax.attend_rows"):
    """`Attend` of one query to keys and values with one position written.

    Operands: query [B, H, 1, D], keys and values [B, K, S, D] as they were, the key and the value [B, K, 1, D] that are written, the
    position (i32, of rank 0 or [B]), the scale unless `scale` is known, then the mask (bool) if `masked`.
    """

    scale: float | None
    masked: bool
    wide: bool
    precise: bool

    def result_types(self) -> tuple[ResultType, ...]:
        """The query's own type."""
        query = self.operand(0)
        return (ResultType(query.shape, query.dtype),)
