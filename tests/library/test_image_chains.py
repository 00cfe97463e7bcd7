"""Chains of strided convolutions and pools, whose sizes nothing says are even: accepted by the checker, run at odd sizes, as in PyTorch."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from agreement import differences
from running import program

from linnet_core.check.check import check
from linnet_core.modules.load import load
from linnet_core.text.diagnostic import Diagnostics

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from running import Program

CHAINS = Path(__file__).parent / "image_chains.linnet"
TARGETS = ("numpy", "torch")


def found(path: Path) -> list[str]:
    """The codes of what the checker finds."""
    diagnostics = Diagnostics()
    package = load(str(path), diagnostics=diagnostics)
    if package is not None:
        check(package, diagnostics)
    return [each.code for each in diagnostics.found]


ACCEPTED = [
    pytest.param("(H - 1) / 2 + 1", "(H + 1) / 2", "where H > 0", id="halved"),
    pytest.param("(H - 1) / 2 + 1", "(H + 1) / 2", "", id="halved without a fact"),
    pytest.param("((H + 6 - 7) / 2 + 1 + 2 - 3) / 2 + 1", "((H - 1) / 2) / 2 + 1", "where H > 0", id="a stem"),
    pytest.param("((H + 6 - 7) / 2 + 1 + 2 - 3) / 2 + 1", "(H + 3) / 4", "", id="a stem in one quotient"),
    pytest.param("((4 * H + 2 - 3) / 2 + 1 + 2 - 3) / 2 + 1", "H", "", id="halved twice from a multiple of four"),
    pytest.param("(H + 2 * 2 - 5) / 1 + 1", "H", "", id="the same size"),
]
REFUSED = [
    pytest.param("(H - 1) / 2 + 1", "H / 2", "where H > 0", id="rounded down"),
    pytest.param("((H + 6 - 7) / 2 + 1 + 2 - 3) / 2 + 1", "H / 4 + 1", "", id="one too many for a multiple of four"),
]


def _program(given: str, wanted: str, where: str) -> str:
    clause = f"\n{where}" if where else ""
    return f"module m\n\npub fn f<H: Dim>(x: Tensor[{given}; f32]) -> Tensor[{wanted}; f32]{clause} {{\n    return x\n}}\n"


@pytest.mark.parametrize(("given", "wanted", "where"), ACCEPTED)
def test_equal_lengths_are_proved(given: str, wanted: str, where: str, tmp_path: Path) -> None:
    (tmp_path / "m.linnet").write_text(_program(given, wanted, where), encoding="utf-8")
    assert found(tmp_path / "m.linnet") == []


@pytest.mark.parametrize(("given", "wanted", "where"), REFUSED)
def test_other_lengths_are_not(given: str, wanted: str, where: str, tmp_path: Path) -> None:
    (tmp_path / "m.linnet").write_text(_program(given, wanted, where), encoding="utf-8")
    assert found(tmp_path / "m.linnet") == ["E2202"]


def test_the_chains_check() -> None:
    assert found(CHAINS) == []


def weights(one: Program, seed: int = 0) -> dict[str, np.ndarray]:
    """Weights by path; what is a variance is positive."""
    generator = np.random.Generator(np.random.PCG64(seed))
    drawn = {leaf.path: generator.standard_normal(leaf.shape) * 0.3 for leaf in one.parameters}
    return {path: (np.abs(w) + 0.5 if path.endswith("running_var") else w).astype(np.float32) for path, w in drawn.items()}


def agree(
    root: str, entry: str, x: np.ndarray, sizes: Mapping[str, int], formula: Callable[..., torch.Tensor], *, target: str, library: bool
) -> None:
    """Run an entry and hold its result against PyTorch's own modules."""
    one = program(target, str(CHAINS), sizes, root=root, entry=entry, no_library=not library, optionals="present")
    values = weights(one)
    (given,), _ = one.run({one.inputs[0].name: x}, values)
    with torch.no_grad():
        wanted = formula(torch.from_numpy(x), {path: torch.from_numpy(w) for path, w in values.items()}).numpy()
    assert differences(np.asarray(given), wanted, 1e-5) is None


def features(x: torch.Tensor, w: dict[str, torch.Tensor]) -> torch.Tensor:
    y = F.conv2d(x, w["conv1.weight"], w["conv1.bias"], 2, 3)
    y = F.batch_norm(y, w["bn1.running_mean"], w["bn1.running_var"], w["bn1.weight"], w["bn1.bias"])
    y = F.max_pool2d(y.relu(), 3, 2, 1)
    z = F.conv2d(y, w["conv2.weight"], w["conv2.bias"], 2, 1).relu()
    z = F.conv2d(z, w["conv3.weight"], w["conv3.bias"], 1, 1)
    return (z + F.conv2d(y, w["downsample.weight"], w["downsample.bias"], 2)).relu()


def hourglass(x: torch.Tensor, w: dict[str, torch.Tensor]) -> torch.Tensor:
    half = F.conv2d(x, w["down1.weight"], w["down1.bias"], 2, 1)
    quarter = F.conv2d(F.conv2d(half, w["down2.weight"], w["down2.bias"], 2, 1), w["mid.weight"], w["mid.bias"], 1, 1)
    back = F.interpolate(F.group_norm(quarter, 4, w["weight"], w["bias"], 1e-6), scale_factor=2)
    both = F.interpolate(torch.cat((half, back), 1), scale_factor=2)
    return F.conv2d(both, w["up.weight"], w["up.bias"], 1, 1)


def frames(x: torch.Tensor, w: dict[str, torch.Tensor]) -> torch.Tensor:
    y = F.conv1d(x, w["conv1.weight"], w["conv1.bias"], 1, 1).relu()
    return F.conv1d(y, w["conv2.weight"], w["conv2.bias"], 2, 1).transpose(1, 2)


def image(*shape: int) -> np.ndarray:
    return np.random.Generator(np.random.PCG64(shape)).standard_normal(shape).astype(np.float32)


def test_a_formula_that_differs_is_seen() -> None:
    sizes = {"B": 1, "Mels": 5, "Length": 9}
    with pytest.raises(AssertionError, match="differs by"):
        agree("Frames", "encode", image(1, 5, 9), sizes, lambda x, w: frames(x, w) * 1.001, target="numpy", library=True)


WAYS = [
    pytest.param(target, library, id=f"{target}-{'library' if library else 'bodies'}") for target in TARGETS for library in (True, False)
]


@pytest.mark.parametrize(("target", "library"), WAYS)
@pytest.mark.parametrize(("height", "width"), [(1, 1), (2, 1), (1, 1242), (1243, 2), (33, 18), (8, 15)])
def test_a_residual_network(height: int, width: int, target: str, library: bool) -> None:
    sizes = {"B": 2, "H": height, "W": width}
    agree("Residual", "features", image(2, 3, height, width), sizes, features, target=target, library=library)


@pytest.mark.parametrize(("target", "library"), WAYS)
def test_its_pooled_features(target: str, library: bool) -> None:
    sizes = {"B": 2, "H": 21, "W": 17}
    agree("Residual", "pooled", image(2, 3, 21, 17), sizes, lambda x, w: features(x, w).mean((2, 3)), target=target, library=library)


@pytest.mark.parametrize(("target", "library"), WAYS)
@pytest.mark.parametrize(("height", "width"), [(1, 1), (3, 2)])
def test_an_hourglass(height: int, width: int, target: str, library: bool) -> None:
    sizes = {"B": 2, "MidH": height, "MidW": width}
    agree("Hourglass", "forward", image(2, 4, 4 * height, 4 * width), sizes, hourglass, target=target, library=library)


@pytest.mark.parametrize(("target", "library"), WAYS)
@pytest.mark.parametrize("length", [1, 2, 9, 3000])
def test_frames_of_sound(length: int, target: str, library: bool) -> None:
    agree("Frames", "encode", image(1, 5, length), {"B": 1, "Mels": 5, "Length": length}, frames, target=target, library=library)
