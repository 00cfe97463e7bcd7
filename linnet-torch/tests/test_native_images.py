"""Library calls on images: what the op's body gives where they are taken, and a reason where torch refuses or answers otherwise."""

from __future__ import annotations

import numpy as np
import pytest
from programs import printed
from test_native import FLOATS, POLICIES, TOLERANCES, Op, _rows

from linnet_core.conformance.compare import difference
from linnet_core.graph.calls import NativeCall, Operand
from linnet_torch.emit import images, native

CONV1D, CONV2D = "torch.nn.functional.conv1d", "torch.nn.functional.conv2d"
POOL, MEAN = "torch.nn.functional.max_pool2d", "torch.Tensor.mean"
BATCH_NORM, GROUP_NORM = "torch.nn.functional.batch_norm", "torch.nn.functional.group_norm"
UPSAMPLE = "torch.nn.functional.interpolate(nearest)"

OPS = [
    Op(
        "conv1d", "nn.conv::{conv1d}", "conv1d<2, 3, 4, 9, 3, 2, 1, T>(x, w, some(b))", "Tensor[2, 4, 5; T]",
        _rows(x=(2, 3, 9), w=(4, 3, 3), b=(4,)), CONV1D,
    ),
    Op(
        "conv1d without a bias", "nn.conv::{conv1d}", "conv1d<1, 2, 2, 5, 1, 1, 0, T>(x, w)", "Tensor[1, 2, 5; T]",
        _rows(x=(1, 2, 5), w=(2, 2, 1)), CONV1D,
    ),
    Op(
        "conv2d", "nn.conv::{conv2d}", "conv2d<2, 3, 4, 7, 6, 3, 2, 1, T>(x, w, some(b))", "Tensor[2, 4, 4, 3; T]",
        _rows(x=(2, 3, 7, 6), w=(4, 3, 3, 3), b=(4,)), CONV2D,
    ),
    Op(
        "conv2d without a bias", "nn.conv::{conv2d}", "conv2d<1, 3, 2, 5, 5, 1, 1, 0, T>(x, w)", "Tensor[1, 2, 5, 5; T]",
        _rows(x=(1, 3, 5, 5), w=(2, 3, 1, 1)), CONV2D,
    ),
    Op(
        "conv2d of a kernel larger than the image", "nn.conv::{conv2d}", "conv2d<1, 2, 2, 2, 3, 5, 1, 2, T>(x, w)", "Tensor[1, 2, 2, 3; T]",
        _rows(x=(1, 2, 2, 3), w=(2, 2, 5, 5)), CONV2D,
    ),
    Op(
        "conv2d of no image", "nn.conv::{conv2d}", "conv2d<0, 2, 3, 5, 5, 3, 1, 1, T>(x, w)", "Tensor[0, 3, 5, 5; T]",
        _rows(x=(0, 2, 5, 5), w=(3, 2, 3, 3)), CONV2D,
    ),
    Op(
        "conv2d_rect", "nn.conv::{conv2d_rect}", "conv2d_rect<2, 3, 4, 5, 7, 3, 1, 1, 2, 1, 0, T>(x, w, some(b))", "Tensor[2, 4, 5, 4; T]",
        _rows(x=(2, 3, 5, 7), w=(4, 3, 3, 1), b=(4,)), f"{CONV2D}(rect)",
    ),
    *(
        Op(
            f"max_pool2d, K {k}, stride {s}, pad {p}", "nn.pool::{max_pool2d}", f"max_pool2d<2, 3, 7, 6, {k}, {s}, {p}, T>(x)",
            f"Tensor[2, 3, {(7 + 2 * p - k) // s + 1}, {(6 + 2 * p - k) // s + 1}; T]", _rows(x=(2, 3, 7, 6)), POOL, exact=True,
        )
        for k, s, p in ((2, 2, 0), (3, 2, 1), (3, 1, 0), (1, 1, 0), (2, 3, 1), (5, 1, 2))
    ),
    Op(
        "global_average_pool2d", "nn.pool::{global_average_pool2d}", "global_average_pool2d(x)", "Tensor[2, 3; T]",
        _rows(x=(2, 3, 4, 5)), MEAN,
    ),
    Op(
        "batch_norm", "nn.norm::{batch_norm}", "batch_norm(x, m, exp(m), w, b, eps = 0.5)", "Tensor[2, 3, 4, 5; T]",
        _rows(x=(2, 3, 4, 5), m=(3,), w=(3,), b=(3,)), BATCH_NORM,
    ),
    Op(
        "group_norm", "nn.norm::{group_norm}", "group_norm<2, 6, 4, 5, 3, T>(x, w, b, 0.25)", "Tensor[2, 6, 4, 5; T]",
        _rows(x=(2, 6, 4, 5), w=(6,), b=(6,)), GROUP_NORM,
    ),
    *(
        Op(
            f"upsampling by {scale}", "nn.resize::{upsample_nearest2d}", f"upsample_nearest2d<2, 3, 4, 5, {scale}, T>(x)",
            f"Tensor[2, 3, {4 * scale}, {5 * scale}; T]", _rows(x=(2, 3, 4, 5)), UPSAMPLE, exact=True,
        )
        for scale in (1, 2, 3, 41)
    ),
]  # fmt: skip
ROWS = [pytest.param(op, dtype, numerics, id=f"{op.id}-{dtype}-{numerics}") for op in OPS for dtype in FLOATS for numerics in POLICIES]


@pytest.mark.parametrize(("op", "dtype", "numerics"), ROWS)
def test_a_library_call_agrees_with_its_body(op: Op, dtype: str, numerics: str) -> None:
    library = printed(op.text(dtype), numerics=numerics)
    body = printed(op.text(dtype), numerics=numerics, library=False)
    assert library.taken == (() if numerics == "exact" and not op.exact else (op.implementation,))
    assert library.declined == ()
    for seed in range(3):
        arrays = op.arrays(dtype, seed)
        (given,), _ = library.run(arrays)
        (wanted,), _ = body.run(arrays)
        assert difference(given, wanted, None if op.exact or numerics == "exact" else TOLERANCES[dtype]) is None


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("op", [op for op in OPS if op.implementation == POOL], ids=lambda op: op.id)
def test_a_pool_of_nan_and_of_values_below_its_padding(op: Op, dtype: str) -> None:
    x = op.arrays(dtype)["x"]
    x[0, 0] = -np.inf
    x[0, 1, 2:4, 3] = np.nan
    x[1, 0, 0, 0] = np.inf
    (given,), _ = printed(op.text(dtype), numerics="exact").run({"x": x})
    (wanted,), _ = printed(op.text(dtype), "numpy", library=False).run({"x": x})
    assert difference(given, wanted) is None


def test_more_than_f16_holds_is_averaged() -> None:
    op = next(op for op in OPS if op.implementation == MEAN)
    (given,), _ = printed(op.text("f16")).run({"x": np.full((2, 3, 4, 5), 6e4, np.float16)})
    assert np.array_equal(given, np.full((2, 3), 6e4, np.float16))


DECLINED = [
    pytest.param(CONV2D, {"Pad": 0}, [(1, 2, 4, 4), (2, 2, 3, 3)], (1, 2, 2, 2), "window's size, stride", id="no stride"),
    pytest.param(CONV2D, {"Stride": 1}, [(1, 2, 4, 4), (2, 2, 3, 3)], (1, 2, 2, 2), "window's size, stride", id="no padding"),
    pytest.param(CONV2D, {"Stride": 0, "Pad": 0}, [(1, 2, 4, 4), (2, 2, 3, 3)], (1, 2, 2, 2), "window's size, stride", id="a stride of 0"),
    pytest.param(f"{CONV2D}(rect)", {"StrideH": 1, "PadH": 0}, [(1, 2, 4, 4), (2, 2, 3, 3)], (1, 2, 2, 2), "window's", id="rect"),
    pytest.param(CONV1D, {"Stride": 1, "Pad": 0}, [(1, 2, 4), (2, 2, 3)], (1, 2, 4), "make no [4] of [4]", id="another result"),
    pytest.param(CONV2D, {"Stride": 1, "Pad": 0}, [(1, 2, 4, 4), (0, 2, 3, 3)], (1, 0, 2, 2), "sizes of zero", id="no channel out"),
    pytest.param(CONV2D, {"Stride": 2, "Pad": 0}, [(1, 2, 2, 2), (3, 2, 3, 3)], (1, 3, 0, 0), "sizes of zero", id="no window"),
    pytest.param(POOL, {"K": 2, "Stride": 1}, [(1, 1, 2, 2)], (1, 1, 1, 1), "window's size, stride", id="pool without padding"),
    pytest.param(POOL, {"K": 1, "Stride": 1, "Pad": 1}, [(1, 1, 2, 2)], (1, 1, 4, 4), "more than half", id="padding beyond half"),
    pytest.param(POOL, {"K": 2, "Stride": 1, "Pad": 0}, [(1, 0, 2, 2)], (1, 0, 1, 1), "sizes of zero", id="pool of no channel"),
    pytest.param(MEAN, {}, [(1, 2, 0, 3)], (1, 2), "mean of nothing", id="mean of nothing"),
    pytest.param(BATCH_NORM, {}, [(1, 0, 2, 2), (0,), (0,), (0,), (0,), ()], (1, 0, 2, 2), "without channels", id="no channel"),
    pytest.param(GROUP_NORM, {}, [(1, 2, 2, 2), (2,), (2,), ()], (1, 2, 2, 2), "number of groups", id="no groups"),
    pytest.param(GROUP_NORM, {"Groups": 2}, [(1, 2, 1, 1), (2,), (2,), ()], (1, 2, 1, 1), "a single element", id="one element"),
    pytest.param(UPSAMPLE, {}, [(1, 1, 2, 0)], (1, 1, 4, 0), "without elements", id="no width"),
    pytest.param(UPSAMPLE, {}, [(1, 1, 2, 2)], (1, 1, 4, 6), "one whole factor", id="two factors"),
    pytest.param(UPSAMPLE, {}, [(1, 1, 2, 2)], (1, 1, 3, 3), "one whole factor", id="half a factor"),
]  # fmt: skip


@pytest.mark.parametrize(("implementation", "generics", "shapes", "shape", "reason"), DECLINED)
def test_what_torch_would_not_answer_is_declined(
    implementation: str, generics: dict[str, int], shapes: list[tuple[int, ...]], shape: tuple[int, ...], reason: str
) -> None:
    operands = tuple(Operand(f"v{i}", s, "f32") for i, s in enumerate(shapes))
    call = NativeCall(implementation=implementation, generics=generics, shape=shape, dtype="f32", operands=operands)
    assert reason in str(native.declines(call, {f"v{len(shapes) - 1}": 1e-5}))


@pytest.mark.parametrize("op", [op for op in OPS if op.implementation in (BATCH_NORM, GROUP_NORM)], ids=lambda op: op.id)
def test_an_epsilon_known_at_run_time_only_is_declined(op: Op) -> None:
    text = op.text("f32").replace("0.5)", "e)").replace("0.25)", "e)").replace("b: Tensor", "e: f32, b: Tensor")
    assert printed(text).declined == ((op.implementation, "epsilon is not known when the source is printed"),)


def test_every_library_call_on_images_has_a_row_here() -> None:
    assert {native.base_name(op.implementation)[0] for op in OPS} == set(images.WRITERS)


TEXTS = [
    pytest.param("conv2d", "F.conv2d(in_x, in_w, bias=in_b, stride=2, padding=1)", id="conv2d"),
    pytest.param("conv2d without a bias", "F.conv2d(in_x, in_w)", id="what is the default is not written"),
    pytest.param("conv2d_rect", "F.conv2d(in_x, in_w, bias=in_b, stride=(1, 2), padding=(1, 0))", id="conv2d_rect"),
    pytest.param("max_pool2d, K 2, stride 2, pad 0", "F.max_pool2d(in_x, 2, 2)", id="pool"),
    pytest.param("max_pool2d, K 3, stride 2, pad 1", "F.max_pool2d(F.pad(in_x, (1, 1, 1, 1), value=-1e30), 3, 2)", id="padded pool"),
    pytest.param("global_average_pool2d", "in_x.mean((2, 3))", id="mean"),
    pytest.param("group_norm", "F.group_norm(in_x, 3, in_w, in_b, 0.25)", id="group_norm"),
    pytest.param("upsampling by 2", "F.interpolate(in_x, scale_factor=2, mode='nearest')", id="upsampling"),
]


@pytest.mark.parametrize(("name", "text"), TEXTS)
def test_how_a_call_is_written(name: str, text: str) -> None:
    assert text in printed(next(op for op in OPS if op.id == name).text("f32")).main
