"""Calls of this target's own, which the passes make of library calls and gathers before anything is printed.

In: operands of those calls.  Out: values that several of them share (a mask's bias, the positions of a write), so that sharing, hoisting,
pruning and releasing see them like any other step.  They never stand in a document.
"""

from __future__ import annotations

from typing import Literal

from linnet_core.graph.calls import Call, ResultType, Shape


class ScoreBias(Call, frozen=True, kw_only=True, tag="torch.score_bias"):
    """Operand: a mask (bool).  Result: 0 where it is true and -1e30 elsewhere, of `dtype` (not f16), to be added to scores [B, H, Q, K]."""

    shape: Shape
    dtype: str

    def result_types(self) -> tuple[ResultType, ...]:
        """`shape`, `dtype`."""
        return (ResultType(self.shape, self.dtype),)


class Positions(Call, frozen=True, kw_only=True, tag="torch.positions"):
    """Operand: where a write starts (i32, rank 0 or one per row).

    Results: the `count` positions from there (i64, [count], or [rows] when `count` is 0), wrapped into the axis of `size`, and whether each
    is inside the axis before wrapping (bool, of the same shape).
    """

    count: int
    size: int

    def result_types(self) -> tuple[ResultType, ...]:
        """Positions and whether they are inside."""
        shape = (self.count,) if self.count else self.operand(0).shape
        return (ResultType(shape, "i64"), ResultType(shape, "bool"))


class CacheWrite(Call, frozen=True, kw_only=True, tag="torch.cache_write"):
    """Operands: cache [B, H, S, D], value, position, inside, and for `slots` the rows.

    `span` writes value [B, H, N, D] at N positions of every row, `rows` value [B, H, 1, D] at one position of each row, `slots` value
    [M, H, N, D] at N positions of M rows.  `in_place` says that nothing else reads the old cache.
    """

    kind: Literal["span", "rows", "slots"]
    in_place: bool = False

    def result_types(self) -> tuple[ResultType, ...]:
        """The cache's own type."""
        cache = self.operand(0)
        return (ResultType(cache.shape, cache.dtype),)


class Attend(Call, frozen=True, kw_only=True, tag="torch.attend"):
    """Operands: query, key, value [B, H, Q, D], the scale unless `scale` is known, then what stands for the mask unless there is none.

    `form` is `causal` (no operand for the mask), `plain` (no mask), `bias` (a `ScoreBias`) or `single` (one query; true where it may not
    attend).  `wide` computes in f32.
    """

    form: Literal["causal", "plain", "bias", "single"]
    scale: float | None
    grouped: bool
    wide: bool

    def result_types(self) -> tuple[ResultType, ...]:
        """The query's own type."""
        query = self.operand(0)
        return (ResultType(query.shape, query.dtype),)


class TakeRows(Call, frozen=True, kw_only=True, tag="torch.take_rows"):
    """Operands: source, and positions along its first axis (i64, of any shape).

    Result: `shape`, which is the positions' shape and the other axes of the source.
    """

    shape: Shape

    def result_types(self) -> tuple[ResultType, ...]:
        """`shape`, the source's dtype."""
        return (ResultType(self.shape, self.operand(0).dtype),)
