"""Calls of std.nn.conv, std.nn.pool, std.nn.resize and of the norms of images.

In: nothing.  Out: `CASES`.
"""

from __future__ import annotations

import image_reference as reference
import numpy as np
from op_case import OpCase, floats, given
from reference import batch_norm, group_norm

#: batch, channels in, channels out, height, width, K, stride, pad
_PLANES = [
    (1, 1, 1, 3, 3, 3, 1, 0),
    (2, 3, 4, 7, 6, 3, 1, 1),
    (1, 2, 3, 7, 7, 3, 2, 1),
    (1, 2, 3, 8, 5, 3, 3, 0),
    (2, 3, 2, 5, 4, 1, 1, 0),
    (1, 3, 2, 5, 5, 1, 2, 0),
    (1, 2, 2, 3, 3, 1, 1, 1),
    (1, 2, 2, 2, 3, 5, 1, 2),
    (1, 2, 2, 1, 1, 3, 2, 1),
    (1, 3, 2, 9, 9, 7, 2, 3),
    (1, 1, 2, 4, 4, 2, 3, 4),
    (0, 2, 3, 5, 5, 3, 1, 1),
    (1, 2, 0, 5, 5, 3, 1, 1),
    (1, 0, 2, 5, 5, 3, 1, 1),
    (1, 2, 3, 2, 2, 3, 2, 0),
    (1, 2, 3, 0, 4, 3, 1, 1),
]


def _out(extent: int, size: int, stride: int, pad: int) -> int:
    return (extent + 2 * pad - size) // stride + 1


def _conv2d(plane: tuple[int, ...], *, bias: bool) -> OpCase:
    b, cin, cout, h, w, k, stride, pad = plane
    inputs = {"x": floats(b, cin, h, w), "w": floats(cout, cin, k, k, seed=1, scale=0.5)}
    return OpCase(
        f"conv2d of {b}x{cin}x{h}x{w} to {cout}, K {k}, stride {stride}, pad {pad}{' with bias' if bias else ''}",
        "nn.conv::{conv2d}",
        f"conv2d<{b}, {cin}, {cout}, {h}, {w}, {k}, {stride}, {pad}, T>(x, w{', some(b)' if bias else ''})",
        f"Tensor[{b}, {cout}, {_out(h, k, stride, pad)}, {_out(w, k, stride, pad)}; T]",
        {**inputs, "b": floats(cout, seed=2)} if bias else inputs,
        lambda x, w, b=None: reference.convolution(x, w, b, strides=(stride, stride), pads=(pad, pad)),
        ("f32", "bf16", "f16"),
    )


def _conv1d(b: int, cin: int, cout: int, length: int, k: int, stride: int, pad: int, *, bias: bool) -> OpCase:
    inputs = {"x": floats(b, cin, length), "w": floats(cout, cin, k, seed=1, scale=0.5)}
    return OpCase(
        f"conv1d of {b}x{cin}x{length} to {cout}, K {k}, stride {stride}, pad {pad}{' with bias' if bias else ''}",
        "nn.conv::{conv1d}",
        f"conv1d<{b}, {cin}, {cout}, {length}, {k}, {stride}, {pad}, T>(x, w{', some(b)' if bias else ''})",
        f"Tensor[{b}, {cout}, {_out(length, k, stride, pad)}; T]",
        {**inputs, "b": floats(cout, seed=2)} if bias else inputs,
        lambda x, w, b=None: reference.convolution(x, w, b, strides=(stride,), pads=(pad,)),
    )


def _rect(h: int, w: int, sizes: tuple[int, int], strides: tuple[int, int], pads: tuple[int, int], *, bias: bool) -> OpCase:
    inputs = {"x": floats(2, 3, h, w), "w": floats(4, 3, *sizes, seed=1, scale=0.5)}
    numbers = ", ".join(map(str, (2, 3, 4, h, w, *sizes, *strides, *pads)))
    outs = [_out(*each) for each in zip((h, w), sizes, strides, pads, strict=True)]
    return OpCase(
        f"conv2d_rect of {h}x{w}, K {sizes}, stride {strides}, pad {pads}",
        "nn.conv::{conv2d_rect}",
        f"conv2d_rect<{numbers}, T>(x, w{', some(b)' if bias else ''})",
        f"Tensor[2, 4, {outs[0]}, {outs[1]}; T]",
        {**inputs, "b": floats(4, seed=2)} if bias else inputs,
        lambda x, w, b=None: reference.convolution(x, w, b, strides=strides, pads=pads),
    )


def _max_pool(b: int, c: int, h: int, w: int, k: int, stride: int, pad: int) -> OpCase:
    return OpCase(
        f"max_pool2d of {b}x{c}x{h}x{w}, K {k}, stride {stride}, pad {pad}",
        "nn.pool::{max_pool2d}",
        f"max_pool2d<{b}, {c}, {h}, {w}, {k}, {stride}, {pad}, T>(x)",
        f"Tensor[{b}, {c}, {_out(h, k, stride, pad)}, {_out(w, k, stride, pad)}; T]",
        {"x": floats(b, c, h, w)},
        lambda x: reference.max_pool(x, k, stride, pad),
    )


_SPECIAL = np.array([[np.nan, 1.0, 2.0, 3.0], [4.0, -np.inf, -np.inf, 5.0], [6.0, -np.inf, -np.inf, 7.0], [8.0, 9.0, np.inf, 10.0]])

CASES = [
    *(_conv2d(plane, bias=number % 2 == 0) for number, plane in enumerate(_PLANES)),
    _conv2d(_PLANES[1], bias=True),
    *(
        _conv1d(*sizes, bias=number % 2 == 0)
        for number, sizes in enumerate(
            [
                (2, 3, 4, 8, 3, 1, 1),
                (1, 3, 4, 9, 3, 2, 1),
                (1, 2, 2, 5, 1, 1, 0),
                (2, 2, 3, 7, 4, 3, 0),
                (1, 2, 2, 2, 5, 1, 2),
                (0, 2, 2, 4, 3, 1, 0),
                (1, 2, 2, 0, 2, 1, 1),
            ]
        )
    ),
    _rect(5, 7, (3, 1), (1, 2), (1, 0), bias=True),
    _rect(6, 5, (1, 4), (2, 1), (0, 2), bias=False),
    _rect(4, 4, (2, 3), (3, 3), (2, 1), bias=True),
    OpCase(
        "conv2d of NaN and infinities",
        "nn.conv::{conv2d}",
        "conv2d<1, 1, 1, 4, 4, 2, 1, 0, T>(x, w)",
        "Tensor[1, 1, 3, 3; T]",
        {"x": given(_SPECIAL.reshape(1, 1, 4, 4)), "w": given(np.ones((1, 1, 2, 2)))},
        lambda x, w: reference.convolution(x, w, strides=(1, 1), pads=(0, 0)),
        ("f32",),
    ),
    *(
        OpCase(
            f"zero_pad by {pad}",
            "nn.conv::{zero_pad}",
            f"zero_pad<2, 1, 2, 3, {pad}, T>(x)",
            f"Tensor[2, 1, {2 + 2 * pad}, {3 + 2 * pad}; T]",
            {"x": floats(2, 1, 2, 3)},
            lambda x, pad=pad: reference.zero_pad(x, pad, pad),
        )
        for pad in (0, 1, 3)
    ),
    OpCase(
        "zero_pad1d",
        "nn.conv::{zero_pad1d}",
        "zero_pad1d<2, 3, 4, 2, T>(x)",
        "Tensor[2, 3, 8; T]",
        {"x": floats(2, 3, 4)},
        lambda x: reference.zero_pad(x, 2),
    ),
    OpCase(
        "zero_pad_rect",
        "nn.conv::{zero_pad_rect}",
        "zero_pad_rect<1, 2, 3, 2, 0, 2, T>(x)",
        "Tensor[1, 2, 3, 6; T]",
        {"x": floats(1, 2, 3, 2)},
        lambda x: reference.zero_pad(x, 0, 2),
    ),
    *(
        _max_pool(*sizes)
        for sizes in (
            (2, 3, 7, 6, 3, 2, 1),
            (1, 2, 6, 6, 2, 2, 0),
            (1, 2, 5, 5, 3, 1, 0),
            (1, 2, 4, 4, 1, 1, 0),
            (1, 2, 7, 7, 2, 3, 1),
            (1, 1, 2, 2, 2, 1, 2),
            (1, 1, 1, 1, 3, 1, 1),
            (1, 1, 2, 2, 1, 1, 2),
            (0, 2, 4, 4, 2, 2, 0),
            (1, 0, 4, 4, 2, 2, 0),
            (1, 1, 0, 4, 2, 1, 1),
            (1, 1, 2, 2, 3, 2, 0),
        )
    ),
    *(
        OpCase(
            f"max_pool2d of NaN and infinities, K {k}, stride {stride}, pad {pad}",
            "nn.pool::{max_pool2d}",
            f"max_pool2d<1, 1, 4, 4, {k}, {stride}, {pad}, T>(x)",
            f"Tensor[1, 1, {_out(4, k, stride, pad)}, {_out(4, k, stride, pad)}; T]",
            {"x": given(_SPECIAL.reshape(1, 1, 4, 4))},
            lambda x, k=k, stride=stride, pad=pad: reference.max_pool(x, k, stride, pad),
            ("f32",),
        )
        for k, stride, pad in ((2, 1, 0), (3, 1, 1), (2, 2, 1))
    ),
    *(
        OpCase(
            f"max_pool2d of values below the padding in {dtype}",
            "nn.pool::{max_pool2d}",
            "max_pool2d<1, 1, 2, 2, 2, 2, 1, T>(x)",
            "Tensor[1, 1, 2, 2; T]",
            {"x": given([[[[-np.inf, -np.inf], [-1e4, -np.inf]]]])},
            lambda x, padding=padding: reference.max_pool(x, 2, 2, 1, padding),
            (dtype,),
        )
        # what -1e30 is in each dtype
        for dtype, padding in (("f32", -1e30), ("bf16", -1.0018652574217413e30), ("f16", -np.inf))
    ),
    *(
        OpCase(
            f"global_average_pool2d of {shape}",
            "nn.pool::{global_average_pool2d}",
            "global_average_pool2d(x)",
            f"Tensor[{shape[0]}, {shape[1]}; T]",
            {"x": floats(*shape, shift=1.0)},
            reference.global_average_pool,
            ("f32", "bf16", "f16"),
        )
        for shape in ((2, 3, 4, 5), (1, 2, 1, 1), (2, 2, 0, 3), (0, 2, 2, 2))
    ),
    OpCase(
        "global_average_pool2d of more than f16 can add up",
        "nn.pool::{global_average_pool2d}",
        "global_average_pool2d(x)",
        "Tensor[1, 1; T]",
        {"x": given(np.full((1, 1, 8, 8), 4096.0))},
        reference.global_average_pool,
        ("f16",),
    ),
    *(
        OpCase(
            f"upsample_nearest2d of {shape} by {scale}",
            "nn.resize::{upsample_nearest2d}",
            f"upsample_nearest2d<{', '.join(map(str, shape))}, {scale}, T>(x)",
            f"Tensor[{shape[0]}, {shape[1]}, {shape[2] * scale}, {shape[3] * scale}; T]",
            {"x": floats(*shape)},
            lambda x, scale=scale: reference.upsample(x, scale),
        )
        for shape, scale in (
            ((2, 3, 3, 4), 1),
            ((2, 3, 3, 4), 2),
            ((1, 2, 3, 1), 3),
            # 1 / 41 and 1 / 47 are less than those in f32: counting by them comes out one short
            ((1, 1, 3, 2), 41),
            ((1, 1, 2, 3), 47),
            ((0, 1, 2, 2), 2),
            ((1, 0, 2, 2), 2),
            ((1, 1, 0, 2), 2),
        )
    ),
    OpCase(
        "batch_norm with eps",
        "nn.norm::{batch_norm}",
        "batch_norm(x, m, v, w, b, eps = 0.5)",
        "Tensor[2, 3, 1, 4; T]",
        {"x": floats(2, 3, 1, 4), "m": floats(3), "v": given([0.0, 1.0, 2.0]), "w": floats(3, seed=1), "b": floats(3, seed=2)},
        lambda x, m, v, w, b: batch_norm(x, m, v, w, b, 0.5),
        ("f32", "bf16", "f16"),
    ),
    OpCase(
        "batch_norm of no image",
        "nn.norm::{batch_norm}",
        "batch_norm(x, m, v, w, b)",
        "Tensor[0, 3, 2, 2; T]",
        {"x": floats(0, 3, 2, 2), "m": floats(3), "v": given([0.0, 1.0, 2.0]), "w": floats(3), "b": floats(3)},
        lambda x, m, v, w, b: np.zeros((0, 3, 2, 2)),
    ),
    OpCase(
        "group_norm with eps",
        "nn.norm::{group_norm}",
        "group_norm<1, 4, 3, 1, 2, T>(x, w, b, 0.25)",
        "Tensor[1, 4, 3, 1; T]",
        {"x": floats(1, 4, 3, 1, shift=3.0), "w": floats(4, seed=1), "b": floats(4, seed=2)},
        lambda x, w, b: group_norm(x, w, b, 2, 0.25),
        ("f32", "bf16", "f16"),
    ),
    OpCase(
        "group_norm of squares that f16 cannot hold",
        "nn.norm::{group_norm}",
        "group_norm<1, 2, 1, 2, 1, T>(x, w, b)",
        "Tensor[1, 2, 1, 2; T]",
        {"x": given([[[[300.0, -300.0]], [[600.0, 0.0]]]]), "w": given([1.0, 1.0]), "b": given([0.0, 0.0])},
        lambda x, w, b: group_norm(x, w, b, 1),
        ("f32", "f16"),
    ),
    *(
        OpCase(
            f"group_norm of {shape}",
            "nn.norm::{group_norm}",
            f"group_norm<{', '.join(map(str, shape))}, 2, T>(x, w, b)",
            f"Tensor[{', '.join(map(str, shape))}; T]",
            {"x": floats(*shape), "w": floats(shape[1]), "b": floats(shape[1])},
            lambda x, w, b: np.zeros(x.shape),
        )
        for shape in ((0, 4, 2, 2), (1, 4, 0, 2))
    ),
]
