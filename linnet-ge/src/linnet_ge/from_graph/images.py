"""Library calls on images: convolutions, pools, resizing.

In: `native_call` on `[batch, channels, height, width]`.  Out: its result.  Sizes of windows are the op's generics.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from linnet_core.graph.calls import NativeCall
    from linnet_ge.from_graph.making import Making
    from linnet_ge.from_graph.scope import Source

#: What the op pads with.
_LOWEST = -1e30


def _conv2d(m: Making, call: NativeCall) -> Source:
    stride, pad = call.generics["Stride"], call.generics["Pad"]
    return _convolved(m, call, m.operand(call, 0), m.operand(call, 1), (stride, stride), (pad, pad))


def _conv2d_rect(m: Making, call: NativeCall) -> Source:
    strides = (call.generics["StrideH"], call.generics["StrideW"])
    return _convolved(m, call, m.operand(call, 0), m.operand(call, 1), strides, (call.generics["PadH"], call.generics["PadW"]))


def _conv1d(m: Making, call: NativeCall) -> Source:
    """On images of height 1."""
    x, weight = (m.reshape(one, (*one.shape[:2], 1, one.shape[2])) for one in (m.operand(call, 0), m.operand(call, 1)))
    return m.reshape(_convolved(m, call, x, weight, (1, call.generics["Stride"]), (0, call.generics["Pad"])), call.shape)


def _convolved(m: Making, call: NativeCall, x: Source, weight: Source, strides: tuple[int, int], pads: tuple[int, int]) -> Source:
    inputs = {"x": x, "filter": weight}
    if m.has(call, 2):
        inputs["bias"] = m.operand(call, 2)
    sizes = [
        (size + 2 * pad - window) // stride + 1
        for size, window, stride, pad in zip(x.shape[2:], weight.shape[2:], strides, pads, strict=True)
    ]
    attributes = {"strides": (1, 1, *strides), "pads": (pads[0], pads[0], pads[1], pads[1]), "data_format": "NCHW"}
    return m.scope.add("Conv2D", inputs, (x.shape[0], weight.shape[0], *sizes), call.dtype, **attributes)


def _max_pool(m: Making, call: NativeCall) -> Source:
    """Padded as the op says it, before the pool."""
    x = m.operand(call, 0)
    size, stride, pad = (call.generics[name] for name in ("K", "Stride", "Pad"))
    if pad:
        paddings = m.const([0, 0, 0, 0, pad, pad, pad, pad], (4, 2), "i64")
        shape = (*x.shape[:2], x.shape[2] + 2 * pad, x.shape[3] + 2 * pad)
        lowest = m.const([_LOWEST], (), x.dtype)
        x = m.scope.add("PadV3", {"x": x, "paddings": paddings, "constant_values": lowest}, shape, x.dtype)
    windows = {"ksize": (1, 1, size, size), "strides": (1, 1, stride, stride)}
    return m.scope.add("MaxPoolV3", {"x": x}, call.shape, call.dtype, **windows)


def _mean(m: Making, call: NativeCall) -> Source:
    x = m.cast(m.operand(call, 0), "f32")
    return m.cast(m.scope.add("ReduceMean", {"x": x, "axes": m.integers(2, 3)}, call.shape, "f32"), call.dtype)


def _nearest(m: Making, call: NativeCall) -> Source:
    """Every pixel as a square of its own."""
    x = m.operand(call, 0)
    batch, channels, height, width = x.shape
    factor = call.shape[2] // height
    squares = m.spread(m.reshape(x, (batch, channels, height, 1, width, 1)), (batch, channels, height, factor, width, factor))
    return m.reshape(squares, call.shape)


RULES: dict[str, Callable[[Making, NativeCall], Source]] = {
    "torch.nn.functional.conv2d": _conv2d,
    "torch.nn.functional.conv2d(rect)": _conv2d_rect,
    "torch.nn.functional.conv1d": _conv1d,
    "torch.nn.functional.max_pool2d": _max_pool,
    "torch.Tensor.mean": _mean,
    "torch.nn.functional.interpolate(nearest)": _nearest,
}
