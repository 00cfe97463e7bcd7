"""The shape family: reshape, transpose, broadcast, slice, concat, iota.

In: one operand (concat: several, iota: none).  Out: one value of the operand's dtype.
"""

from __future__ import annotations

from typing import ClassVar

from linnet_core.graph.calls.values import Call, ResultType, Shape


class Reshape(Call, frozen=True, kw_only=True, tag="reshape"):
    """Operand x; the same elements in row-major order under `shape`."""

    operand_count: ClassVar[tuple[int, int | None]] = (1, 1)

    shape: Shape

    def result_types(self) -> tuple[ResultType, ...]:
        """`shape`, the operand's dtype."""
        return (ResultType(self.shape, self.operand(0).dtype),)


class Transpose(Call, frozen=True, kw_only=True, tag="transpose"):
    """Operand x; result axis i is operand axis `permutation[i]`."""

    operand_count: ClassVar[tuple[int, int | None]] = (1, 1)

    shape: Shape
    permutation: tuple[int, ...]

    def result_types(self) -> tuple[ResultType, ...]:
        """`shape`, the operand's dtype."""
        return (ResultType(self.shape, self.operand(0).dtype),)


class Broadcast(Call, frozen=True, kw_only=True, tag="broadcast"):
    """Operand x; operand axis i becomes result axis `dims[i]`.

    `dims` has one entry per operand axis, distinct and not necessarily increasing (so a reordered read is a broadcast).
    Result axes not named are new; an operand axis of size 1 may spread.
    """

    operand_count: ClassVar[tuple[int, int | None]] = (1, 1)

    shape: Shape
    dims: tuple[int, ...]

    def result_types(self) -> tuple[ResultType, ...]:
        """`shape`, the operand's dtype."""
        return (ResultType(self.shape, self.operand(0).dtype),)


class Slice(Call, frozen=True, kw_only=True, tag="slice"):
    """Operand x; per axis the positions `starts`, `starts + strides`, ... below `limits`.

    `shape[i] = ceil((limits[i] - starts[i]) / strides[i])`; nothing is clamped.
    """

    operand_count: ClassVar[tuple[int, int | None]] = (1, 1)

    starts: tuple[int, ...]
    limits: tuple[int, ...]
    strides: tuple[int, ...]
    shape: Shape

    def result_types(self) -> tuple[ResultType, ...]:
        """`shape`, the operand's dtype."""
        return (ResultType(self.shape, self.operand(0).dtype),)


class Concat(Call, frozen=True, kw_only=True, tag="concat"):
    """Operands p0, p1, ... of one dtype, equal but along `axis` (counted from the front)."""

    operand_count: ClassVar[tuple[int, int | None]] = (1, None)

    axis: int

    def result_types(self) -> tuple[ResultType, ...]:
        """The operands' shape with their extents along `axis` added."""
        first = self.operand(0)
        extent = sum(part.shape[self.axis] for part in self.operands if part is not None)
        shape = (*first.shape[: self.axis], extent, *first.shape[self.axis + 1 :])
        return (ResultType(shape, first.dtype),)


class Iota(Call, frozen=True, kw_only=True, tag="iota"):
    """No operands; the i64 vector 0, 1, ..., `length` - 1."""

    length: int

    def result_types(self) -> tuple[ResultType, ...]:
        """`[length]`, i64."""
        return (ResultType((self.length,), "i64"),)
