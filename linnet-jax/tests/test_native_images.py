"""How library calls on images are written here, and which are declined; the kit (`test_conformance.py`) holds what they give."""

from __future__ import annotations

import pytest
from jax_programs import printed

from linnet_core.conformance.programs.images import OPS
from linnet_core.graph.calls import NativeCall, Operand
from linnet_jax.emit import native

CONV1D, CONV2D = "torch.nn.functional.conv1d", "torch.nn.functional.conv2d"
POOL = "torch.nn.functional.max_pool2d"
UPSAMPLE = "torch.nn.functional.interpolate(nearest)"

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
    assert text in printed(next(op for op in OPS if op.name == name).text("f32")).main
