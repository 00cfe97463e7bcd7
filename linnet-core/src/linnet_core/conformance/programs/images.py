"""Convolutions, pools, norms of channels and enlarged images.

In: nothing.  Out: their cases.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from linnet_core.conformance.programs.case import FLOATS, ProgramCase
from linnet_core.conformance.programs.op import Op, rows

if TYPE_CHECKING:
    from collections.abc import Iterator

_CONV1D, _CONV2D = "torch.nn.functional.conv1d", "torch.nn.functional.conv2d"
_POOL, _MEAN = "torch.nn.functional.max_pool2d", "torch.Tensor.mean"
_UPSAMPLE = "torch.nn.functional.interpolate"
CONVOLUTIONS = (
    Op(
        "conv1d", "nn.conv", "conv1d<2, 3, 4, 9, 3, 2, 1, T>(x, w, some(b))", "Tensor[2, 4, 5; T]",
        rows(x=(2, 3, 9), w=(4, 3, 3), b=(4,)), _CONV1D,
    ),
    Op(
        "conv1d without a bias", "nn.conv", "conv1d<1, 2, 2, 5, 1, 1, 0, T>(x, w)", "Tensor[1, 2, 5; T]",
        rows(x=(1, 2, 5), w=(2, 2, 1)), _CONV1D,
    ),
    Op(
        "conv2d", "nn.conv", "conv2d<2, 3, 4, 7, 6, 3, 2, 1, T>(x, w, some(b))", "Tensor[2, 4, 4, 3; T]",
        rows(x=(2, 3, 7, 6), w=(4, 3, 3, 3), b=(4,)), _CONV2D,
    ),
    Op(
        "conv2d without a bias", "nn.conv", "conv2d<1, 3, 2, 5, 5, 1, 1, 0, T>(x, w)", "Tensor[1, 2, 5, 5; T]",
        rows(x=(1, 3, 5, 5), w=(2, 3, 1, 1)), _CONV2D,
    ),
    Op(
        "conv2d of a kernel larger than the image", "nn.conv", "conv2d<1, 2, 2, 2, 3, 5, 1, 2, T>(x, w)", "Tensor[1, 2, 2, 3; T]",
        rows(x=(1, 2, 2, 3), w=(2, 2, 5, 5)), _CONV2D,
    ),
    Op(
        "conv2d of no image", "nn.conv", "conv2d<0, 2, 3, 5, 5, 3, 1, 1, T>(x, w)", "Tensor[0, 3, 5, 5; T]",
        rows(x=(0, 2, 5, 5), w=(3, 2, 3, 3)), _CONV2D,
    ),
    Op(
        "conv2d_rect", "nn.conv", "conv2d_rect<2, 3, 4, 5, 7, 3, 1, 1, 2, 1, 0, T>(x, w, some(b))", "Tensor[2, 4, 5, 4; T]",
        rows(x=(2, 3, 5, 7), w=(4, 3, 3, 1), b=(4,)), _CONV2D,
    ),
)  # fmt: skip
POOLS = tuple(
    Op(
        f"max_pool2d, K {k}, stride {s}, pad {p}", "nn.pool", f"max_pool2d<2, 3, 7, 6, {k}, {s}, {p}, T>(x)",
        f"Tensor[2, 3, {(7 + 2 * p - k) // s + 1}, {(6 + 2 * p - k) // s + 1}; T]", rows(x=(2, 3, 7, 6)), _POOL, exact=True,
    )
    for k, s, p in ((2, 2, 0), (3, 2, 1), (3, 1, 0), (1, 1, 0), (2, 3, 1), (5, 1, 2))
)  # fmt: skip
AVERAGE = Op("global_average_pool2d", "nn.pool", "global_average_pool2d(x)", "Tensor[2, 3; T]", rows(x=(2, 3, 4, 5)), _MEAN)
NORMS = (
    Op(
        "batch_norm", "nn.norm", "batch_norm(x, m, exp(m), w, b, eps = 0.5)", "Tensor[2, 3, 4, 5; T]",
        rows(x=(2, 3, 4, 5), m=(3,), w=(3,), b=(3,)), "torch.nn.functional.batch_norm",
    ),
    Op(
        "group_norm", "nn.norm", "group_norm<2, 6, 4, 5, 3, T>(x, w, b, 0.25)", "Tensor[2, 6, 4, 5; T]",
        rows(x=(2, 6, 4, 5), w=(6,), b=(6,)), "torch.nn.functional.group_norm",
    ),
)  # fmt: skip
ENLARGED = tuple(
    Op(
        f"upsampling by {scale}", "nn.resize", f"upsample_nearest2d<2, 3, 4, 5, {scale}, T>(x)",
        f"Tensor[2, 3, {4 * scale}, {5 * scale}; T]", rows(x=(2, 3, 4, 5)), _UPSAMPLE, exact=True,
    )
    for scale in (1, 2, 3, 41)
)  # fmt: skip
OPS = (*CONVOLUTIONS, *POOLS, AVERAGE, *NORMS, *ENLARGED)


def cases() -> Iterator[ProgramCase]:
    """All of them."""
    for op in OPS:
        yield from op.cases()
    for op in POOLS:
        for dtype in FLOATS:
            x = op.arrays(dtype)["x"]
            x[0, 0] = -np.inf
            x[0, 1, 2:4, 3] = np.nan
            x[1, 0, 0, 0] = np.inf
            name = f"{op.name}, NaN and less than its padding, {dtype}"
            yield ProgramCase(name=name, text=op.text(dtype), arrays=({"x": x},), policy="exact")
    large = {"x": np.full((2, 3, 4, 5), 6e4, np.float16)}
    yield ProgramCase(name="more than f16 holds is averaged", text=AVERAGE.text("f16"), arrays=(large,))
