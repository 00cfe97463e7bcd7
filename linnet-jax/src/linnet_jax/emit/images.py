"""native_call on images: convolutions and the largest of each window.

In: a `native_call` of one of `WRITERS`.  Out: a reason to decline (`declines`), or an expression.  Norms of channels, means and enlarged
images are their bodies, which XLA fuses by itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.python_source.literals import SHORT_FLOATS
from linnet_core.python_source.windows import Windows, misfit, windows_of
from linnet_jax.writer import shape_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from linnet_core.graph.calls import NativeCall
    from linnet_jax.writer import JaxWriter

_CONV1D = "torch.nn.functional.conv1d"
_CONV2D = "torch.nn.functional.conv2d"
_MAX_POOL = "torch.nn.functional.max_pool2d"


def declines(name: str, call: NativeCall) -> str | None:
    """A convolution or a pool: its numbers must be known and be those of the shapes, and there must be something to read."""
    windows = windows_of(call)
    if windows is None:
        return "the window's size, stride and padding are not all known"
    weights = (operand.shape for operand in call.operands[1:] if operand is not None)
    if 0 in (*call.operand(0).shape[1:], *call.shape[1:]) or any(0 in shape for shape in weights):
        return "there is no window, or nothing in it"
    return misfit(call, windows)


def _known(call: NativeCall) -> Windows:
    windows = windows_of(call)
    assert windows is not None
    return windows


def _convolution(w: JaxWriter, call: NativeCall, words: frozenset[str]) -> str:
    """Short floats are computed in f32, the bias too, and rounded once."""
    windows = _known(call)
    x, weight, bias = call.operands
    form = '("NCH", "OIH", "NCH")' if len(call.shape) == 3 else '("NCHW", "OIHW", "NCHW")'
    options = [shape_text(windows.strides), str([(pad, pad) for pad in windows.pads]), f"dimension_numbers={form}"]
    back = ""
    if w.numerics != "fast":
        options.append('precision="highest"')
    image, kernel = w.tensor(x), w.tensor(weight)
    if call.dtype in SHORT_FLOATS and w.numerics != "fast":
        image, kernel = w.wide(image), w.wide(kernel)
        back = f".astype({w.dtype(call.dtype)})"
    text = f"jax.lax.conv_general_dilated({image}, {kernel}, {', '.join(options)})"
    if bias is not None:
        spread = shape_text((call.shape[1], *(1 for _ in windows.sizes)))
        text = f"{text} + {w.tensor(bias)}.reshape({spread})"
        text = f"({text})" if back else text
    return text + back


def _max_pool(w: JaxWriter, call: NativeCall, words: frozenset[str]) -> str:
    """The padding holds -1e30, as in the op, which is -inf in f16 only."""
    (size, _), (stride, _), (pad, _) = (numbers for numbers in (_known(call).sizes, _known(call).strides, _known(call).pads))
    x = w.tensor(call.operands[0])
    if pad:
        edge = f"({pad}, {pad})"
        x = f"jnp.pad({x}, ((0, 0), (0, 0), {edge}, {edge}), constant_values={'-jnp.inf' if call.dtype == 'f16' else '-1e30'})"
    return f'jax.lax.reduce_window({x}, -jnp.inf, jax.lax.max, (1, 1, {size}, {size}), (1, 1, {stride}, {stride}), "VALID")'


WRITERS: dict[str, Callable[[JaxWriter, NativeCall, frozenset[str]], str]] = {
    _CONV1D: _convolution,
    _CONV2D: _convolution,
    _MAX_POOL: _max_pool,
}
