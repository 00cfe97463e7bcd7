"""native_call on images: convolutions, pools, upsampling, and the norms of channels.

In: a `native_call` of one of `WRITERS`.  Out: a reason to decline (`declines`), or an expression.  What torch refuses (a kernel larger than
its image, sizes of zero) or answers differently than the op's body is declined.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from linnet_core.python_source.literals import SHORT_FLOATS
from linnet_core.python_source.windows import misfit, windows_of
from linnet_torch.writer import DTYPES, TorchWriter

if TYPE_CHECKING:
    from collections.abc import Callable

    from linnet_core.graph.calls import NativeCall

_CONV1D = "torch.nn.functional.conv1d"
_CONV2D = "torch.nn.functional.conv2d"
_MAX_POOL = "torch.nn.functional.max_pool2d"
_MEAN = "torch.Tensor.mean"
_BATCH_NORM = "torch.nn.functional.batch_norm"
_GROUP_NORM = "torch.nn.functional.group_norm"
_UPSAMPLE = "torch.nn.functional.interpolate"


def declines(name: str, call: NativeCall) -> str | None:
    """Why the library call is not taken; None when it is."""
    x = call.operand(0).shape
    if name in (_CONV1D, _CONV2D, _MAX_POOL):
        return _declines_windows(name, call)
    match name:
        case "torch.nn.functional.interpolate":
            if 0 in x[1:]:
                return "torch does not enlarge an image without elements"
            factors = {(after // before, after % before) for before, after in zip(x[2:], call.shape[2:], strict=True)}
            if len(factors) != 1 or factors.pop()[1]:
                return "height and width do not grow by one whole factor"
        case "torch.Tensor.mean" if 0 in x[2:]:
            return "torch's mean of nothing is NaN"
        case "torch.nn.functional.batch_norm" if x[1] == 0:
            return "torch does not normalize an image without channels"
        case "torch.nn.functional.group_norm":
            groups = call.generics.get("Groups", 0)
            if groups <= 0 or x[1] % groups:
                return "the number of groups is not known"
            if x[0] * (x[1] // groups) * math.prod(x[2:]) == 1:
                return "torch does not normalize a single element"
    return None


def _declines_windows(name: str, call: NativeCall) -> str | None:
    """A convolution or a pool: its numbers must be known and be those of the shapes, and every window lie in the padded image."""
    windows = windows_of(call)
    if windows is None:
        return "the window's size, stride and padding are not all known"
    shapes = (*(operand.shape for operand in call.operands if operand is not None), call.shape)
    if any(0 in shape[1:] for shape in shapes) or (len(shapes) > 2 and 0 in shapes[1]):
        return "torch takes no windows of sizes of zero"
    if (reason := misfit(call, windows)) is not None:
        return reason
    if name == _MAX_POOL and 2 * windows.pads[0] > windows.sizes[0]:
        return f"a padding of {windows.pads[0]} is more than half a window of {windows.sizes[0]}"
    return None


def _numbers(values: tuple[int, ...]) -> str:
    """One number where all are equal."""
    return str(values[0]) if len(set(values)) == 1 else str(values)


def _convolution(w: TorchWriter, call: NativeCall, words: frozenset[str]) -> str:
    name = "conv1d" if len(call.shape) == 3 else "conv2d"
    windows = windows_of(call)
    assert windows is not None
    x, weight, bias = call.operands
    options = [f"bias={w.tensor(bias)}"] if bias is not None else []
    options += [f"stride={_numbers(windows.strides)}"] if max(windows.strides) > 1 else []
    options += [f"padding={_numbers(windows.pads)}"] if max(windows.pads) > 0 else []
    return f"{w.f(name)}({', '.join([w.tensor(x), w.tensor(weight), *options])})"


def _max_pool(w: TorchWriter, call: NativeCall, words: frozenset[str]) -> str:
    """The library pads with -inf; the op with -1e30, which is -inf in f16 only."""
    size, stride, pad = (call.generics[name] for name in ("K", "Stride", "Pad"))
    x = w.tensor(call.operands[0])
    if pad == 0 or call.dtype == "f16":
        return f"{w.f('max_pool2d')}({x}, {size}, {stride}{f', {pad}' if pad else ''})"
    return f"{w.f('max_pool2d')}({w.f('pad')}({x}, {(pad,) * 4}, value=-1e30), {size}, {stride})"


def _mean(w: TorchWriter, call: NativeCall, words: frozenset[str]) -> str:
    x = w.tensor(call.operands[0])
    if call.dtype == "f32":
        return f"{x}.mean((2, 3))"
    return f"{x}.mean((2, 3), dtype=torch.float32).to({DTYPES[call.dtype]})"


def _batch_norm(w: TorchWriter, call: NativeCall, words: frozenset[str]) -> str:
    """With the statistics given; everything is computed in f32 and rounded once, as the op says."""
    x, mean, variance, weight, bias, eps = call.operands
    tensors = ", ".join(w.tensor(o) for o in (x, mean, variance, weight, bias))
    return f"{w.f('batch_norm')}({tensors}, eps={w.number(eps)})"


def _group_norm(w: TorchWriter, call: NativeCall, words: frozenset[str]) -> str:
    """A short float is normalized in f32 and rounded before the weight is multiplied, as the op says."""
    x, weight, bias, eps = call.operands
    groups, number = call.generics["Groups"], w.number(eps)
    if call.dtype not in SHORT_FLOATS:
        return f"{w.f('group_norm')}({w.tensor(x)}, {groups}, {w.tensor(weight)}, {w.tensor(bias)}, {number})"
    inner = f"{w.f('group_norm')}({w.tensor(x)}.float(), {groups}, eps={number}).to({DTYPES[call.dtype]})"
    return f"{inner} * {w.tensor(weight)}[:, None, None] + {w.tensor(bias)}[:, None, None]"


def _upsample(w: TorchWriter, call: NativeCall, words: frozenset[str]) -> str:
    """`nearest` multiplies positions by the factor's inverse and rounds down, which is one short for some factors (41, 47, 55)."""
    factor = call.shape[2] // call.operand(0).shape[2]
    mode = "nearest" if factor & (factor - 1) == 0 else "nearest-exact"
    return f"{w.f('interpolate')}({w.tensor(call.operands[0])}, scale_factor={factor}, mode={mode!r})"


#: Library calls whose last operand is an epsilon that must be known.
EPSILON = {_BATCH_NORM, _GROUP_NORM}

WRITERS: dict[str, Callable[[TorchWriter, NativeCall, frozenset[str]], str]] = {
    _CONV1D: _convolution,
    _CONV2D: _convolution,
    _MAX_POOL: _max_pool,
    _MEAN: _mean,
    _BATCH_NORM: _batch_norm,
    _GROUP_NORM: _group_norm,
    _UPSAMPLE: _upsample,
}
