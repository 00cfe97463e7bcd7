"""contract, as a matrix product of the operands with their axes sorted into batch, rows, columns and the summed ones.

A product of matrices reaches BLAS; `np.einsum` does not in general.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from linnet_core.graph.calls import Contract
from linnet_core.python_source.writer import shape_text
from linnet_core.targets.numpy.writer import NumpyWriter

if TYPE_CHECKING:
    from linnet_core.graph.calls import Operand


def contract(w: NumpyWriter, call: Contract) -> str:
    """`matmul` of [batch, rows, summed] and [batch, summed, columns], its axes then put in the order of the result."""
    left, right = call.operand(0), call.operand(1)
    out = set(call.out_axes)
    shared = [a for a in call.lhs_axes if a in call.rhs_axes]
    batch = [a for a in shared if a in out]
    summed = [a for a in shared if a not in out]
    rows = [a for a in call.lhs_axes if a not in call.rhs_axes and a in out]
    columns = [a for a in call.rhs_axes if a not in call.lhs_axes and a in out]
    sizes = {**dict(zip(call.lhs_axes, left.shape, strict=True)), **dict(zip(call.rhs_axes, right.shape, strict=True))}
    a = _sorted(w, left, call.lhs_axes, [*batch, *rows, *summed], (batch, rows, summed), sizes)
    b = _sorted(w, right, call.rhs_axes, [*batch, *summed, *columns], (batch, summed, columns), sizes)
    product = w.rounded(f"np.matmul({a}, {b})", call.dtype)
    made = [*batch, *rows, *columns]
    if len(rows) != 1 or len(columns) != 1 or len(batch) == 0:
        shape = tuple(sizes[axis] for axis in made)
        if not (len(rows) == len(columns) == 1):
            product = f"{_grouped(product)}.reshape({shape_text(shape)})"
    if made != list(call.out_axes):
        product = f"{_grouped(product)}.transpose({shape_text(tuple(made.index(axis) for axis in call.out_axes))})"
    return product


def _grouped(text: str) -> str:
    return text if text.endswith(")") and text.startswith("np.") else f"({text})"


def _sorted(
    w: NumpyWriter, operand: Operand, axes: tuple[int, ...], order: list[int], groups: tuple[list[int], list[int], list[int]], sizes: dict[int, int]
) -> str:
    """The operand with axes in `order`, and each of the two inner groups as one axis; axes only it has and nobody wants are summed first."""
    text = w.wide(operand)
    lonely = tuple(i for i, axis in enumerate(axes) if axis not in order)
    if lonely:
        text = f"{text}.sum(axis={shape_text(lonely)}, dtype={_dtype(w, operand)})"
        axes = tuple(axis for axis in axes if axis in order)
    permutation = tuple(axes.index(axis) for axis in order)
    if permutation != tuple(range(len(order))):
        text = f"{text}.transpose({shape_text(permutation)})"
    batch, first, second = groups
    if len(first) != 1 or len(second) != 1:
        shape = (*(sizes[a] for a in batch), math.prod(sizes[a] for a in first), math.prod(sizes[a] for a in second))
        text = f"{text}.reshape({shape_text(shape)})"
    return text


def _dtype(w: NumpyWriter, operand: Operand) -> str:
    return "np.float32" if operand.dtype in ("f16", "bf16") else w.dtype(operand.dtype)


WRITERS = {Contract: contract}
