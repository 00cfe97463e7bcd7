"""Loads and stores in Pallas.

In: a memory tensor, the positions along each of its axes, a mask.  Out: the text of one operation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_jax.writer import DTYPES, scalar_text, shape_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linnet_core.graph.calls import Operand
    from linnet_core.graph.calls.values import Shape


def load(memory: Operand, indices: Sequence[str], shape: Shape, mask: Operand | None, other: Operand | None) -> str:
    """A tile of `shape`; `other` or zero where the mask is false."""
    if mask is None:
        return f"{memory.value}[{', '.join(indices) or '()'}]"
    filled = zero(shape, memory.dtype) if other is None else spread(other, shape)
    return f"plgpu.load({memory.value}.at[{', '.join(indices) or '()'}], mask={spread(mask, shape)}, other={filled})"


def store(memory: Operand, indices: Sequence[str], shape: Shape, value: Operand, mask: Operand | None) -> str:
    """A tile written."""
    place = ", ".join(indices) or "()"
    if mask is None:
        return f"{memory.value}[{place}] = {spread(value, shape)}"
    return f"plgpu.store({memory.value}.at[{place}], {spread(value, shape)}, mask={spread(mask, shape)})"


def outside(index: str, shape: Shape, mask: Operand, size: int) -> str:
    """The positions, one past the end where the mask is false: the interpreter writes there, too, what it found, and nothing outside."""
    return f"jnp.where({spread(mask, shape)}, {index}, {scalar_text(size)})"


def index_text(index: Operand, shape: Shape, axis: int) -> str:
    """The index, whose axes begin at `axis` of the tile, over all of it."""
    rank = len(index.shape)
    if index.shape == shape:
        return str(index.value)
    brackets = ", ".join(":" if axis <= at < axis + rank else "None" for at in range(len(shape)))
    view = f"{index.value}[{brackets}]" if rank else str(index.value)
    return f"jnp.broadcast_to({view}, {shape_text(shape)})"


def spread(x: Operand, shape: Shape) -> str:
    """`x` over the whole tile, right-aligned."""
    return str(x.value) if x.shape == shape else f"jnp.broadcast_to({x.value}, {shape_text(shape)})"


def zero(shape: Shape, dtype: str) -> str:
    """A tile of zeros."""
    return f"jnp.zeros({shape_text(shape)}, {DTYPES[dtype]})"
