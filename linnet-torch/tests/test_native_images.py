"""How library calls on images are written here, and which are declined; the kit (`test_conformance.py`) holds what they give."""

from __future__ import annotations

import pytest
from programs import printed

from linnet_core.conformance.programs.images import NORMS, OPS
from linnet_core.conformance.programs.op import Op
from linnet_core.graph.calls import NativeCall, Operand
from linnet_torch.emit import images, native

CONV1D, CONV2D = "torch.nn.functional.conv1d", "torch.nn.functional.conv2d"
POOL, MEAN = "torch.nn.functional.max_pool2d", "torch.Tensor.mean"
BATCH_NORM, GROUP_NORM = "torch.nn.functional.batch_norm", "torch.nn.functional.group_norm"
UPSAMPLE = "torch.nn.functional.interpolate(nearest)"

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


@pytest.mark.parametrize("op", NORMS, ids=lambda op: op.name)
def test_an_epsilon_known_at_run_time_only_is_declined(op: Op) -> None:
    text = op.text("f32").replace("0.5)", "e)").replace("0.25)", "e)").replace("b: Tensor", "e: f32, b: Tensor")
    assert printed(text).declined == ((op.implementation, "epsilon is not known when the source is printed"),)


def test_every_library_call_on_images_has_a_case_in_the_kit() -> None:
    assert {op.implementation for op in OPS} == set(images.WRITERS)


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
    assert text in printed(next(op for op in OPS if op.name == name).text("f32")).main
