"""Library calls on images: what the op's body gives where they are taken, and a reason where they are not."""

from __future__ import annotations

import numpy as np
import pytest
from jax_ops import FLOATS, POLICIES, TOLERANCES, Op, rows
from jax_programs import printed

from linnet_core.conformance.compare import difference
from linnet_core.graph.calls import NativeCall, Operand
from linnet_jax.emit import images, native

CONV1D, CONV2D = "torch.nn.functional.conv1d", "torch.nn.functional.conv2d"
POOL = "torch.nn.functional.max_pool2d"
UPSAMPLE = "torch.nn.functional.interpolate(nearest)"

OPS = [
    Op(
        "conv1d", "nn.conv::{conv1d}", "conv1d<2, 3, 4, 9, 3, 2, 1, T>(x, w, some(b))", "Tensor[2, 4, 5; T]",
        rows(x=(2, 3, 9), w=(4, 3, 3), b=(4,)), CONV1D,
    ),
    Op(
        "conv1d without a bias", "nn.conv::{conv1d}", "conv1d<1, 2, 2, 5, 1, 1, 0, T>(x, w)", "Tensor[1, 2, 5; T]",
        rows(x=(1, 2, 5), w=(2, 2, 1)), CONV1D,
    ),
    Op(
        "conv2d", "nn.conv::{conv2d}", "conv2d<2, 3, 4, 7, 6, 3, 2, 1, T>(x, w, some(b))", "Tensor[2, 4, 4, 3; T]",
        rows(x=(2, 3, 7, 6), w=(4, 3, 3, 3), b=(4,)), CONV2D,
    ),
    Op(
        "conv2d without a bias", "nn.conv::{conv2d}", "conv2d<1, 3, 2, 5, 5, 1, 1, 0, T>(x, w)", "Tensor[1, 2, 5, 5; T]",
        rows(x=(1, 3, 5, 5), w=(2, 3, 1, 1)), CONV2D,
    ),
    Op(
        "conv2d of a kernel larger than the image", "nn.conv::{conv2d}", "conv2d<1, 2, 2, 2, 3, 5, 1, 2, T>(x, w)", "Tensor[1, 2, 2, 3; T]",
        rows(x=(1, 2, 2, 3), w=(2, 2, 5, 5)), CONV2D,
    ),
    Op(
        "conv2d of no image", "nn.conv::{conv2d}", "conv2d<0, 2, 3, 5, 5, 3, 1, 1, T>(x, w)", "Tensor[0, 3, 5, 5; T]",
        rows(x=(0, 2, 5, 5), w=(3, 2, 3, 3)), CONV2D,
    ),
    Op(
        "conv2d_rect", "nn.conv::{conv2d_rect}", "conv2d_rect<2, 3, 4, 5, 7, 3, 1, 1, 2, 1, 0, T>(x, w, some(b))", "Tensor[2, 4, 5, 4; T]",
        rows(x=(2, 3, 5, 7), w=(4, 3, 3, 1), b=(4,)), f"{CONV2D}(rect)",
    ),
    *(
        Op(
            f"max_pool2d, K {k}, stride {s}, pad {p}", "nn.pool::{max_pool2d}", f"max_pool2d<2, 3, 7, 6, {k}, {s}, {p}, T>(x)",
            f"Tensor[2, 3, {(7 + 2 * p - k) // s + 1}, {(6 + 2 * p - k) // s + 1}; T]", rows(x=(2, 3, 7, 6)), POOL, exact=True,
        )
        for k, s, p in ((2, 2, 0), (3, 2, 1), (3, 1, 0), (1, 1, 0), (2, 3, 1), (5, 1, 2))
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


DECLINED = [
    pytest.param(CONV2D, {"Pad": 0}, [(1, 2, 4, 4), (2, 2, 3, 3)], (1, 2, 2, 2), "window's size, stride", id="no stride"),
    pytest.param(CONV2D, {"Stride": 1}, [(1, 2, 4, 4), (2, 2, 3, 3)], (1, 2, 2, 2), "window's size, stride", id="no padding"),
    pytest.param(CONV2D, {"Stride": 0, "Pad": 0}, [(1, 2, 4, 4), (2, 2, 3, 3)], (1, 2, 2, 2), "window's size, stride", id="a stride of 0"),
    pytest.param(f"{CONV2D}(rect)", {"StrideH": 1, "PadH": 0}, [(1, 2, 4, 4), (2, 2, 3, 3)], (1, 2, 2, 2), "window's", id="rect"),
    pytest.param(CONV1D, {"Stride": 1, "Pad": 0}, [(1, 2, 4), (2, 2, 3)], (1, 2, 4), "make no [4] of [4]", id="another result"),
    pytest.param(CONV2D, {"Stride": 1, "Pad": 0}, [(1, 2, 4, 4), (0, 2, 3, 3)], (1, 0, 2, 2), "no window", id="no channel out"),
    pytest.param(CONV2D, {"Stride": 2, "Pad": 0}, [(1, 2, 2, 2), (3, 2, 3, 3)], (1, 3, 0, 0), "no window", id="no window"),
    pytest.param(POOL, {"K": 2, "Stride": 1}, [(1, 1, 2, 2)], (1, 1, 1, 1), "window's size, stride", id="pool without padding"),
    pytest.param(POOL, {"K": 2, "Stride": 1, "Pad": 0}, [(1, 0, 2, 2)], (1, 0, 1, 1), "no window", id="pool of no channel"),
    pytest.param("torch.Tensor.mean", {}, [(1, 2, 2, 3)], (1, 2), "is not written by this target", id="mean"),
    pytest.param(UPSAMPLE, {}, [(1, 1, 2, 2)], (1, 1, 4, 4), "is not written by this target", id="upsampling"),
]  # fmt: skip


@pytest.mark.parametrize(("implementation", "generics", "shapes", "shape", "reason"), DECLINED)
def test_what_is_declined(
    implementation: str, generics: dict[str, int], shapes: list[tuple[int, ...]], shape: tuple[int, ...], reason: str
) -> None:
    operands = tuple(Operand(f"v{i}", s, "f32") for i, s in enumerate(shapes))
    call = NativeCall(implementation=implementation, generics=generics, shape=shape, dtype="f32", operands=operands)
    assert reason in str(native.declines(call))


def test_every_library_call_on_images_has_a_row_here() -> None:
    assert {native.base_name(op.implementation)[0] for op in OPS} == set(images.WRITERS)


TEXTS = [
    pytest.param(
        "conv1d without a bias", 'in_w, (1,), [(0, 0)], dimension_numbers=("NCH", "OIH", "NCH"), precision="highest")', id="conv1d"
    ),
    pytest.param("conv2d", " + in_b.reshape((4, 1, 1))", id="a bias"),
    pytest.param("conv2d_rect", "in_w, (1, 2), [(1, 1), (0, 0)]", id="conv2d_rect"),
    pytest.param("max_pool2d, K 2, stride 2, pad 0", '(in_x, -jnp.inf, jax.lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID")', id="pool"),
    pytest.param("max_pool2d, K 3, stride 2, pad 1", "((0, 0), (0, 0), (1, 1), (1, 1)), constant_values=-1e30)", id="padded pool"),
]


@pytest.mark.parametrize(("name", "text"), TEXTS)
def test_how_a_call_is_written(name: str, text: str) -> None:
    assert text in printed(next(op for op in OPS if op.id == name).text("f32")).main
