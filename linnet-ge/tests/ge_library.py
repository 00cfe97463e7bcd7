"""The larger operations of GE on NumPy arrays: norms, activations, convolutions, pools, attention.

In: arrays by the operation's parameters, and its attributes.  Out: its first output, or a list of all.  Short floats are computed in f32.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

Inputs = Mapping[str, Any]


def _f32(x: np.ndarray) -> np.ndarray:
    return x if x.dtype == np.float64 else x.astype(np.float32)


def _activation(function: Callable[[np.ndarray], np.ndarray]) -> Callable[[Inputs, Inputs], Any]:
    return lambda i, a: function(_f32(i["x"])).astype(i["x"].dtype)


def _sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def _gelu_tanh(x: np.ndarray) -> np.ndarray:
    """Hendrycks and Gimpel, "Gaussian error linear units", arXiv:1606.08415, section 2."""
    return x * 0.5 * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def _gelu(i: Inputs, a: Inputs) -> Any:
    assert a["approximate"] == "none"
    x = _f32(i["x"])
    return (x * 0.5 * (1 + np.vectorize(math.erf, otypes=[x.dtype])(x / math.sqrt(2)))).astype(i["x"].dtype)


def _softmax(i: Inputs, a: Inputs) -> Any:
    x, axes = _f32(i["x"]), tuple(a["axes"])
    powers = np.exp(x - x.max(axes, keepdims=True))
    return (powers / powers.sum(axes, keepdims=True)).astype(i["x"].dtype)


def _rms_norm(i: Inputs, a: Inputs) -> Any:
    x = _f32(i["x"])
    return (x / np.sqrt((x**2).mean(-1, keepdims=True) + a["epsilon"]) * i["gamma"]).astype(i["x"].dtype)


def _layer_norm(i: Inputs, a: Inputs) -> Any:
    x = _f32(i["x"])
    axes = tuple(range(a["begin_norm_axis"], x.ndim))
    return (_normal(x, x.mean(axes, keepdims=True), x.var(axes, keepdims=True), a["epsilon"]) * i["gamma"] + i["beta"]).astype(i["x"].dtype)


def _normal(x: np.ndarray, mean: np.ndarray, variance: np.ndarray, epsilon: float) -> np.ndarray:
    return (x - mean) / np.sqrt(variance + epsilon)


def _by_channel(x: np.ndarray, one: np.ndarray) -> np.ndarray:
    return one.reshape(1, -1, *(1,) * (x.ndim - 2))


def _batch_norm(i: Inputs, a: Inputs) -> Any:
    assert (a["data_format"], a["is_training"]) == ("NCHW", False)
    x = _f32(i["x"])
    mean, variance, scale, offset = (_by_channel(x, i[name]) for name in ("mean", "variance", "scale", "offset"))
    return (_normal(x, mean, variance, a["epsilon"]) * scale + offset).astype(i["x"].dtype)


def _group_norm(i: Inputs, a: Inputs) -> Any:
    assert a["data_format"] == "NCHW"
    x = _f32(i["x"])
    groups = x.reshape(x.shape[0], a["num_groups"], -1)
    normal = _normal(groups, groups.mean(-1, keepdims=True), groups.var(-1, keepdims=True), a["eps"]).reshape(x.shape)
    return (normal * _by_channel(x, i["gamma"]) + _by_channel(x, i["beta"])).astype(i["x"].dtype)


def _windows(x: np.ndarray, size: tuple[int, int], strides: tuple[int, int]) -> np.ndarray:
    """`[batch, channels, out height, out width, *size]`."""
    return np.lib.stride_tricks.sliding_window_view(x, size, (2, 3))[:, :, :: strides[0], :: strides[1]]


def _conv2d(i: Inputs, a: Inputs) -> Any:
    assert (a["data_format"], a["groups"], a["dilations"]) == ("NCHW", 1, (1, 1, 1, 1))
    top, bottom, left, right = a["pads"]
    x = np.pad(_f32(i["x"]), ((0, 0), (0, 0), (top, bottom), (left, right)))
    weight = _f32(i["filter"])
    windows = _windows(x, weight.shape[2:], tuple(a["strides"][2:]))
    y = np.einsum("nchwij,ocij->nohw", windows, weight, optimize=True)
    return ((y + _by_channel(y, i["bias"])) if "bias" in i else y).astype(i["x"].dtype)


def _max_pool(i: Inputs, a: Inputs) -> Any:
    assert (a["data_format"], a["ceil_mode"], a["pads"]) == ("NCHW", False, (0, 0, 0, 0))
    return _windows(i["x"], tuple(a["ksize"][2:]), tuple(a["strides"][2:])).max((-2, -1))


def _padded(i: Inputs, a: Inputs) -> Any:
    assert a["mode"] == "constant"
    pairs = [tuple(pair) for pair in i["paddings"].tolist()]
    return np.pad(i["x"], pairs, constant_values=i["constant_values"])


def _mean(i: Inputs, a: Inputs) -> Any:
    return i["x"].mean(tuple(int(axis) for axis in i["axes"]), keepdims=a["keep_dims"], dtype=i["x"].dtype)


def _attention(i: Inputs, a: Inputs) -> Any:
    """`[batch, heads, positions, width]`; several heads of queries may share one of keys; true in the mask hides."""
    assert a["input_layout"] == "BNSD"
    query, key, value = (_f32(i[name]) for name in ("query", "key", "value"))
    assert a["head_num"] == query.shape[1]
    key, value = (np.repeat(one, query.shape[1] // one.shape[1], 1) for one in (key, value))
    scores = query @ np.swapaxes(key, -1, -2) * a["scale_value"]
    if "atten_mask" in i:
        scores = np.where(i["atten_mask"], np.finfo(scores.dtype).min, scores)
    most = scores.max(-1, keepdims=True)
    powers = np.exp(scores - most)
    total = powers.sum(-1, keepdims=True)
    sums = [np.broadcast_to(one, (*one.shape[:-1], 8)).astype(np.float32) for one in (most, total)]
    dtype = i["query"].dtype
    return [*sums, np.zeros(0, dtype), (powers / total @ value).astype(dtype)]


COMPUTED: dict[str, Callable[[Inputs, Inputs], Any]] = {
    "Sigmoid": _activation(_sigmoid),
    "Swish": _activation(lambda x: x * _sigmoid(x)),
    "Relu": _activation(lambda x: np.maximum(x, 0)),
    "Gelu": _activation(_gelu_tanh),
    "GeluV2": _gelu,
    "SoftmaxV2": _softmax,
    "RmsNorm": _rms_norm,
    "LayerNorm": _layer_norm,
    "BatchNorm": _batch_norm,
    "GroupNorm": _group_norm,
    "Conv2D": _conv2d,
    "MaxPoolV3": _max_pool,
    "PadV3": _padded,
    "ReduceMean": _mean,
    "FlashAttentionScore": _attention,
}
