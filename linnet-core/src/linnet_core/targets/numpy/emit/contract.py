"""contract, as a matrix product of the operands with their axes sorted into batch, rows, columns and the summed ones.

A product of matrices reaches BLAS; `np.einsum` does not in general.
"""

from __future__ import annotations

import math

from msgspec import Struct

from linnet_core.graph.calls import Contract
from linnet_core.python_source.writer import shape_text
from linnet_core.targets.numpy.writer import NumpyWriter


class _Axes(Struct, frozen=True):
    """The grid axes of a product by what becomes of them, and the sizes of all."""

    batch: list[int]
    rows: list[int]
    columns: list[int]
    summed: list[int]
    sizes: dict[int, int]

    def shape(self, axes: list[int]) -> tuple[int, ...]:
        return tuple(self.sizes[axis] for axis in axes)


def contract(w: NumpyWriter, call: Contract) -> str:
    """`matmul` of [batch, rows, summed] and [batch, summed, columns], its axes then put in the order of the result.

    A dot product along the last axis of both is `vecdot`.
    """
    axes = _sorted_out(call)
    left, right = w.wide(call.operands[0]), w.wide(call.operands[1])
    along_last = [*axes.batch, *axes.summed]
    if len(axes.summed) == 1 and list(call.lhs_axes) == list(call.rhs_axes) == along_last:
        made, product = axes.batch, w.rounded(f"np.vecdot({left}, {right})", call.dtype)
    else:
        left = _arranged(left, call.lhs_axes, (axes.rows, axes.summed), axes)
        right = _arranged(right, call.rhs_axes, (axes.summed, axes.columns), axes)
        made, product = [*axes.batch, *axes.rows, *axes.columns], w.rounded(f"np.matmul({left}, {right})", call.dtype)
        if not len(axes.rows) == len(axes.columns) == 1:
            product += f".reshape({shape_text(axes.shape(made))})"
    return product + _transposed([made.index(axis) for axis in call.out_axes])


def _sorted_out(call: Contract) -> _Axes:
    out, left, right = set(call.out_axes), call.lhs_axes, call.rhs_axes
    sizes = {
        axis: size
        for o, axes in zip(call.operands, (left, right), strict=True)
        if o is not None
        for axis, size in zip(axes, o.shape, strict=True)
    }
    return _Axes(
        batch=[axis for axis in left if axis in right and axis in out],
        rows=[axis for axis in left if axis not in right and axis in out],
        columns=[axis for axis in right if axis not in left and axis in out],
        # an axis that only one factor has is summed too: the other is spread along it
        summed=[*(axis for axis in left if axis not in out), *(axis for axis in right if axis not in out and axis not in left)],
        sizes=sizes,
    )


def _arranged(text: str, axes: tuple[int, ...], groups: tuple[list[int], list[int]], sorted_out: _Axes) -> str:
    """An operand with its axes in the order of the batch and the two groups, each group as one axis."""
    first, second = groups
    order = [*sorted_out.batch, *first, *second]
    missing = [axis for axis in order if axis not in axes]
    text += _transposed([axes.index(axis) for axis in order if axis in axes])
    if missing:
        with_ones = tuple(1 if axis in missing else sorted_out.sizes[axis] for axis in order)
        text = f"np.broadcast_to({text}.reshape({shape_text(with_ones)}), {shape_text(sorted_out.shape(order))})"
    if len(first) == len(second) == 1:
        return text
    sizes = (*sorted_out.shape(sorted_out.batch), math.prod(sorted_out.shape(first)), math.prod(sorted_out.shape(second)))
    return f"{text}.reshape({shape_text(sizes)})"


def _transposed(order: list[int]) -> str:
    """What puts axes in `order`; nothing where they are."""
    if order == sorted(order):
        return ""
    return ".T" if len(order) == 2 else f".transpose({shape_text(tuple(order))})"


WRITERS = {Contract: contract}
