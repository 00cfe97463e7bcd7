"""Loads and stores in Triton.

In: a memory tensor, the positions along each of its axes, a mask.  Out: the text of one operation.  A tensor is contiguous; an offset is
64 bits wide.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.python_source.writer import shape_text
from linnet_torch.kernels.types import FLOATS, TYPES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linnet_core.graph.calls import Operand
    from linnet_core.graph.calls.values import Shape


def load(memory: Operand, indices: Sequence[Operand], shape: Shape, mask: Operand | None, other: Operand | None) -> str:
    """A tile of `shape`; `other` or zero where the mask is false."""
    given = f"tl.load({_pointer(memory, indices, shape)}"
    if mask is None:
        return f"{given})"
    zero = f"tl.full({shape_text(shape)}, {'0.0' if memory.dtype in FLOATS else '0'}, {TYPES[memory.dtype]})"
    return f"{given}, mask={spread(mask, shape)}, other={zero if other is None else spread(other, shape)})"


def store(memory: Operand, indices: Sequence[Operand], shape: Shape, value: Operand, mask: Operand | None, atomic: str | None) -> str:
    """A tile written; with `atomic` combined."""
    masked = "" if mask is None else f", mask={spread(mask, shape)}"
    function = "store" if atomic is None else f"atomic_{atomic}"
    return f"tl.{function}({_pointer(memory, indices, shape)}, {spread(value, shape)}{masked})"


def spread(x: Operand, shape: Shape) -> str:
    """`x` over the whole tile, right-aligned."""
    if x.shape == shape:
        return str(x.value)
    if not x.shape:
        return f"tl.full({shape_text(shape)}, {x.value}, {TYPES[x.dtype]})"
    return over(x, shape, range(len(shape) - len(x.shape), len(shape)))


def over(x: Operand, shape: Shape, axes: Sequence[int]) -> str:
    """`x`, whose axes are those of `shape` in ascending order, over all of it."""
    brackets = ", ".join(":" if axis in axes else "None" for axis in range(len(shape)))
    view = f"{x.value}[{brackets}]" if len(axes) < len(shape) else str(x.value)
    return f"tl.broadcast_to({view}, {shape_text(shape)})"


def _pointer(memory: Operand, indices: Sequence[Operand], shape: Shape) -> str:
    text, axis = str(memory.value), 0
    for at, index in enumerate(indices):
        stride = 1
        for size in memory.shape[at + 1 :]:
            stride *= size
        wide = f"{index.value}.to(tl.int64)"
        rank = len(index.shape)
        if rank and rank < len(shape):
            brackets = ", ".join(":" if axis <= a < axis + rank else "None" for a in range(len(shape)))
            wide += f"[{brackets}]"
        text += f" + {wide}" + (f" * {stride}" if stride != 1 else "")
        axis += rank
    return text
