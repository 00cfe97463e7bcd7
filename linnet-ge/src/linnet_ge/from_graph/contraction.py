"""Sums of products: MatMul and BatchMatMul where axes can be brought into their order, else products that are summed.

In: `contract`.  Out: one value.  Axes are sorted into those of both operands that stay (batch), those of both that are summed, those of
one alone; each operand is turned to batch, rows, summed and reshaped to two axes or three.  Einsum is never written: it may sum an axis
that one operand has alone before the product, which is another value where that sum overflows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from linnet_ge.from_graph.making import Making, Shape, spread_shape

if TYPE_CHECKING:
    from linnet_core.graph.calls import Contract
    from linnet_ge.from_graph.scope import Source

#: The dtypes that the operations of products take.
MATRIX_DTYPES = frozenset({"f16", "bf16", "f32", "i32"})


def contracted(m: Making, call: Contract) -> Source:
    """The value of a `contract`."""
    lhs, rhs = m.operands(call)
    return m.spread(product(m, Axes(call.lhs_axes, call.rhs_axes, call.out_axes), lhs, rhs, call.dtype), call.shape)


class Axes(Struct, frozen=True):
    """The grid axis of each axis of the operands and the result."""

    left: tuple[int, ...]
    right: tuple[int, ...]
    out: tuple[int, ...]

    @property
    def alone(self) -> list[int]:
        """The axes of one operand that are summed."""
        return [axis for axis in (*self.left, *self.right) if axis not in self.out and (axis in self.left) != (axis in self.right)]


def product(m: Making, axes: Axes, lhs: Source, rhs: Source, dtype: str) -> Source:
    """The sum of products over the axes that are not in `axes.out`."""
    if dtype not in MATRIX_DTYPES or axes.alone:
        return _summed(m, axes, lhs, rhs, dtype)
    return _matrices(m, axes, lhs, rhs, dtype)


def _matrices(m: Making, axes: Axes, lhs: Source, rhs: Source, dtype: str) -> Source:
    left, right, out = axes.left, axes.right, axes.out
    batch = [axis for axis in out if axis in left and axis in right]
    rows = [axis for axis in out if axis in left and axis not in right]
    columns = [axis for axis in out if axis in right and axis not in left]
    inner = [axis for axis in left if axis not in out]
    sizes = {**dict(zip(left, lhs.shape, strict=True)), **dict(zip(right, rhs.shape, strict=True))}
    a, turned_a = _turned(m, lhs, left, (batch, rows, inner))
    b, turned_b = _turned(m, rhs, right, (batch, inner, columns))
    shape = tuple(_count(sizes, group) for group in ((batch, rows, columns) if batch else (rows, columns)))
    if batch:
        y = m.scope.add("BatchMatMul", {"x1": a, "x2": b}, shape, dtype, adj_x1=turned_a, adj_x2=turned_b)
    else:
        y = m.scope.add("MatMul", {"x1": a, "x2": b}, shape, dtype, transpose_x1=turned_a, transpose_x2=turned_b)
    order = [*batch, *rows, *columns]
    y = m.reshape(y, tuple(sizes[axis] for axis in order))
    return m.transpose(y, [order.index(axis) for axis in out])


def _turned(m: Making, x: Source, axes: tuple[int, ...], groups: tuple[list[int], list[int], list[int]]) -> tuple[Source, bool]:
    """The operand as a matrix, or a stack of them, and whether it is transposed: so it is where its axes stand that way already."""
    batch, first, second = groups
    sizes = dict(zip(axes, x.shape, strict=True))
    is_turned = list(axes) == [*batch, *second, *first] and list(axes) != [*batch, *first, *second]
    last = (second, first) if is_turned else (first, second)
    order = [axis for group in (batch, *last) for axis in group]
    x = m.transpose(x, [axes.index(axis) for axis in order])
    shape = tuple(_count(sizes, group) for group in ((batch, *last) if batch else last))
    return m.reshape(x, shape), is_turned


def _count(sizes: dict[int, int], axes: list[int]) -> int:
    count = 1
    for axis in axes:
        count *= sizes[axis]
    return count


def _summed(m: Making, axes: Axes, lhs: Source, rhs: Source, dtype: str) -> Source:
    """The product over the whole grid, the axes that stay first, and the sum over the others."""
    order = list(dict.fromkeys([*axes.out, *axes.left, *axes.right]))
    a = m.placed(lhs, [order.index(axis) for axis in axes.left], len(order))
    b = m.placed(rhs, [order.index(axis) for axis in axes.right], len(order))
    shape: Shape = spread_shape(a.shape, b.shape)
    y = m.scope.add("Mul", {"x1": a, "x2": b}, shape, dtype)
    kept = len(axes.out)
    if len(order) == kept:
        return y
    return m.scope.add("ReduceSum", {"x": y, "axes": m.integers(*range(kept, len(order)))}, shape[:kept], dtype)
