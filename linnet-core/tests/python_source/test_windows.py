"""Windows of convolutions and pools: one number for each axis, and whether they make the shape."""

from __future__ import annotations

import pytest

from linnet_core.graph.calls import NativeCall, Operand
from linnet_core.python_source.windows import Windows, misfit, windows_of


def _call(generics: dict[str, int], shapes: list[tuple[int, ...]], shape: tuple[int, ...]) -> NativeCall:
    operands = tuple(Operand(f"v{i}", s, "f32") for i, s in enumerate(shapes))
    return NativeCall(implementation="f", generics=generics, shape=shape, dtype="f32", operands=operands)


@pytest.mark.parametrize(
    ("generics", "shapes", "shape", "windows"),
    [
        pytest.param({"Stride": 2, "Pad": 1}, [(1, 2, 5), (3, 2, 3)], (1, 3, 3), Windows((3,), (2,), (1,)), id="one axis"),
        pytest.param({"Stride": 1, "Pad": 0}, [(1, 1, 4, 4), (1, 1, 2, 3)], (1, 1, 3, 2), Windows((2, 3), (1, 1), (0, 0)), id="two axes"),
        pytest.param(
            {"StrideH": 1, "StrideW": 2, "PadH": 1, "PadW": 0}, [(1, 1, 4, 4), (1, 1, 3, 2)], (1, 1, 4, 2),
            Windows((3, 2), (1, 2), (1, 0)), id="of different numbers",
        ),
        pytest.param({"K": 2, "Stride": 2, "Pad": 0}, [(1, 1, 4, 4)], (1, 1, 2, 2), Windows((2, 2), (2, 2), (0, 0)), id="a pool"),
    ],
)  # fmt: skip
def test_numbers_that_fit(generics: dict[str, int], shapes: list[tuple[int, ...]], shape: tuple[int, ...], windows: Windows) -> None:
    call = _call(generics, shapes, shape)
    assert windows_of(call) == windows
    assert misfit(call, windows) is None


@pytest.mark.parametrize("generics", [{"Pad": 0}, {"Stride": 1}, {"Stride": 0, "Pad": 0}, {"StrideH": 1, "PadH": 0}])
def test_numbers_that_are_not_known_or_make_no_window(generics: dict[str, int]) -> None:
    assert windows_of(_call(generics, [(1, 1, 4, 4), (1, 1, 2, 2)], (1, 1, 3, 3))) is None


def test_another_shape_is_told() -> None:
    call = _call({"Stride": 1, "Pad": 0}, [(1, 2, 4), (2, 2, 3)], (1, 2, 4))
    windows = windows_of(call)
    assert windows is not None
    assert misfit(call, windows) == "windows of [3] make no [4] of [4]"
