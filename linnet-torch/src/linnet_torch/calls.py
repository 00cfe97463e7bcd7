"""Calls of this target's own, which the passes make of library calls and gathers before anything is printed.

In: operands of those calls.  Out: values that several of them share (a mask's bias, the positions of a write), so that sharing, hoisting,
pruning and releasing see them like any other step.  They never stand in a document.
"""

from __future__ import annotations

from typing import Literal

from linnet_core.graph.calls import Call, ResultType, Shape, Transfer


class Fetch(Transfer, frozen=True, kw_only=True, tag="torch.fetch"):
    """The `transfer` of a parameter, which nothing writes over while the copy is on its way."""


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


class TokenPositions(Call, frozen=True, kw_only=True, tag="torch.token_positions"):
    """Operands: the row and the position of each token (i32, [P]) in a cache of `rows` and `size` positions.

    Results: rows, positions, whether they are inside, and tokens (i64, i64, bool, i64, [P]).  A token that is outside is replaced by one
    that is inside where there is one, so that no two write different values to one place.
    """

    rows: int
    size: int

    def result_types(self) -> tuple[ResultType, ...]:
        """Rows, positions, whether they are inside, tokens."""
        shape = self.operand(0).shape
        return (ResultType(shape, "i64"), ResultType(shape, "i64"), ResultType(shape, "bool"), ResultType(shape, "i64"))


class CacheWrite(Call, frozen=True, kw_only=True, tag="torch.cache_write"):
    """Operands: cache [B, H, S, D], value, position, inside, and for `slots` the rows; for `tokens` the results of `TokenPositions`.

    `span` writes value [B, H, N, D] at N positions of every row, `rows` value [B, H, 1, D] at one position of each row, `slots` value
    [M, H, N, D] at N positions of M rows, `tokens` value [1, H, P, D] at P pairs of row and position.  `in_place` says that nothing else
    reads the old cache.
    """

    kind: Literal["span", "rows", "slots", "tokens"]
    in_place: bool = False

    def result_types(self) -> tuple[ResultType, ...]:
        """The cache's own type."""
        cache = self.operand(0)
        return (ResultType(cache.shape, cache.dtype),)


class Attend(Call, frozen=True, kw_only=True, tag="torch.attend"):
    """Operands: query, key, value [B, H, Q, D], the scale unless `scale` is known, then what stands for the mask unless there is none.

    `form` is `causal` (no operand for the mask), `plain` (no mask), `bias` (a `ScoreBias` or `PoolBias`), `single` (one query; true where
    it may not attend) or `sink` (the sinks, then true where a query may not attend).  `wide` computes in f32.
    """

    form: Literal["causal", "plain", "bias", "single", "sink"]
    scale: float | None
    grouped: bool
    wide: bool

    def result_types(self) -> tuple[ResultType, ...]:
        """The query's own type."""
        query = self.operand(0)
        return (ResultType(query.shape, query.dtype),)


class PoolSlots(Call, frozen=True, kw_only=True, tag="torch.pool_slots"):
    """Operands: the pages of each row (i32, [B, pages]) and its last position (i32, [B]); a page is `size` of the pool's `slots`.

    Results: the slot of each position (i64, [B, pages * size]), and whether it is behind the last (bool, [B, 1, pages * size]).
    """

    size: int
    slots: int

    def result_types(self) -> tuple[ResultType, ...]:
        """Slots and what is hidden."""
        rows, pages = self.operand(0).shape
        return (ResultType((rows, pages * self.size), "i64"), ResultType((rows, 1, pages * self.size), "bool"))


class FromPool(Call, frozen=True, kw_only=True, tag="torch.from_pool"):
    """Operands: a pool [1, H, N, D], slots of each row [B, K].  Result: [B, H, K, D], what lies there."""

    def result_types(self) -> tuple[ResultType, ...]:
        """Rows of their own."""
        pool, at = self.operand(0), self.operand(1)
        return (ResultType((at.shape[0], pool.shape[1], at.shape[1], pool.shape[3]), pool.dtype),)


class PoolBias(Call, frozen=True, kw_only=True, tag="torch.pool_bias"):
    """Operands: the pages of each row (i32, [R, pages]), the row and the last position of each token (i32, [P]).

    Result: what is added to the scores of tokens and slots [P, slots], of `dtype` (not f16): 0 where a token sees the slot, -1e30 at other
    slots of its row, -inf at those of no page of its row.
    """

    size: int
    slots: int
    dtype: str

    def result_types(self) -> tuple[ResultType, ...]:
        """Tokens by slots."""
        return (ResultType((self.operand(1).shape[0], self.slots), self.dtype),)


class TakeRows(Call, frozen=True, kw_only=True, tag="torch.take_rows"):
    """Operands: source, and positions along its first axis (i64, of any shape).

    Result: `shape`, which is the positions' shape and the other axes of the source.
    """

    shape: Shape

    def result_types(self) -> tuple[ResultType, ...]:
        """`shape`, the source's dtype."""
        return (ResultType(self.shape, self.operand(0).dtype),)


class Upright(Call, frozen=True, kw_only=True, tag="torch.upright"):
    """Operand: a matrix [out, in].  Result: [in, out], in memory in that order."""

    def result_types(self) -> tuple[ResultType, ...]:
        """The axes exchanged."""
        matrix = self.operand(0)
        return (ResultType(matrix.shape[::-1], matrix.dtype),)


class UprightLinear(Call, frozen=True, kw_only=True, tag="torch.upright_linear"):
    """Operands: x [..., in], an `Upright` [in, out], and a bias [out] or None if the `linear` had the operand.  Result: [..., out]."""

    def result_types(self) -> tuple[ResultType, ...]:
        """x with its last axis replaced."""
        x = self.operand(0)
        return (ResultType((*x.shape[:-1], self.operand(1).shape[1]), x.dtype),)


class Packed(Call, frozen=True, kw_only=True, tag="torch.packed"):
    """Operand: a matrix [out, in].  Result: the same, in a layout that only `PackedLinear` reads."""

    def result_types(self) -> tuple[ResultType, ...]:
        """The matrix's own type."""
        matrix = self.operand(0)
        return (ResultType(matrix.shape, matrix.dtype),)


class PackedLinear(Call, frozen=True, kw_only=True, tag="torch.packed_linear"):
    """Operands: x [..., in], a `Packed` [out, in], and a bias [out] or None if the `linear` had the operand.  Result: [..., out]."""

    def result_types(self) -> tuple[ResultType, ...]:
        """x with its last axis replaced."""
        x = self.operand(0)
        return (ResultType((*x.shape[:-1], self.operand(1).shape[0]), x.dtype),)
