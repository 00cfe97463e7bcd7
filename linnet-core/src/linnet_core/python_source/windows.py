"""The windows of convolutions and pools, as their `native_call`s say them.

In: the call.  Out: sizes, strides and paddings along each axis of positions; whether they make the result's shape.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from linnet_core.graph.calls import NativeCall


class Windows(Struct, frozen=True):
    """One number for each axis of positions."""

    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    pads: tuple[int, ...]


def windows_of(call: NativeCall) -> Windows | None:
    """Those of a convolution, or of a pool (one operand, `K`); None where a number is not known or makes no window."""
    axes = len(call.shape) - 2
    generics = call.generics
    rectangular = "StrideH" in generics
    strides = tuple(generics.get(n, 0) for n in (("StrideH", "StrideW") if rectangular else ("Stride",) * axes))
    pads = tuple(generics.get(n, -1) for n in (("PadH", "PadW") if rectangular else ("Pad",) * axes))
    sizes = (generics.get("K", 0),) * axes if len(call.operands) == 1 else call.operand(1).shape[2:]
    return Windows(sizes, strides, pads) if min(strides) > 0 and min(pads) >= 0 and min(sizes) > 0 else None


def misfit(call: NativeCall, windows: Windows) -> str | None:
    """Why the windows do not make the result's shape; None when they do."""
    extents = call.operand(0).shape[2:]
    counts = [(n + 2 * p - k) // s + 1 for n, k, s, p in zip(extents, windows.sizes, windows.strides, windows.pads, strict=True)]
    if tuple(counts) != call.shape[2:]:
        return f"windows of {list(windows.sizes)} make no {list(call.shape[2:])} of {list(extents)}"
    return None
