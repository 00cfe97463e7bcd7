"""Public networks for pictures, with their literal counts of channels: run against PyTorch, and exported at real sizes."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from agreement import differences
from one_run import HERE, POLICIES, TARGETS, assert_clean
from running import program
from tiny import values

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from torch import Tensor

FOLDER = HERE / "images"
FILES = sorted(FOLDER.glob("*.linnet"))


class Weights:
    """The parameters of a program as layers, by path."""

    def __init__(self, parameters: dict[str, np.ndarray]) -> None:
        self.found = {path: torch.from_numpy(value) for path, value in parameters.items()}

    def conv(self, path: str, x: Tensor, stride: int = 1) -> Tensor:
        weight = self.found[f"{path}.weight"]
        return F.conv2d(x, weight, self.found.get(f"{path}.bias"), stride, weight.shape[-1] // 2)

    def linear(self, path: str, x: Tensor) -> Tensor:
        return F.linear(x, self.found[f"{path}.weight"], self.found.get(f"{path}.bias"))

    def group_norm(self, path: str, x: Tensor, eps: float = 1e-6) -> Tensor:
        return F.group_norm(x, 32, self.found[f"{path}.weight"], self.found[f"{path}.bias"], eps)

    def batch_norm(self, path: str, x: Tensor) -> Tensor:
        mean, variance = self.found[f"{path}.running_mean"], self.found[f"{path}.running_var"]
        return F.batch_norm(x, mean, variance, self.found[f"{path}.weight"], self.found[f"{path}.bias"])


def vae(weights: Weights, latent: Tensor) -> Tensor:
    def residual(at: str, x: Tensor) -> Tensor:
        y = weights.conv(f"{at}.conv1", F.silu(weights.group_norm(f"{at}.norm1", x)))
        y = weights.conv(f"{at}.conv2", F.silu(weights.group_norm(f"{at}.norm2", y)))
        return y + (weights.conv(f"{at}.conv_shortcut", x) if f"{at}.conv_shortcut.weight" in weights.found else x)

    def attend(at: str, x: Tensor) -> Tensor:
        rows = weights.group_norm(f"{at}.group_norm", x).flatten(2).mT
        y = F.scaled_dot_product_attention(*(weights.linear(f"{at}.to_{name}", rows) for name in "qkv"))
        return x + weights.linear(f"{at}.to_out", y).mT.reshape(x.shape)

    x = weights.conv("conv_in", weights.conv("post_quant_conv", latent))
    x = residual("mid_1", attend("mid_attention", residual("mid_0", x)))
    for stage, names in enumerate((("up_0.0", "up_0.1", "up_0.2"), ("up_1.0", "up_1.1", "up_1.2"), ("up_2_first", "up_2.0", "up_2.1"))):
        for name in names:
            x = residual(name, x)
        x = weights.conv(f"grow_{stage}.conv", F.interpolate(x, scale_factor=2))
    for name in ("up_3_first", "up_3.0", "up_3.1"):
        x = residual(name, x)
    return weights.conv("conv_out", F.silu(weights.group_norm("norm_out", x)))


def sdxl(weights: Weights, latent: Tensor, timestep_embedding: Tensor, text_embedding: Tensor) -> Tensor:
    step = F.silu(weights.linear("embed_2", F.silu(weights.linear("embed_1", timestep_embedding))))
    x = weights.conv("conv_in", latent)
    inner = weights.conv("down_res.conv", F.silu(weights.group_norm("down_res.norm", x, 1e-5)))
    full = x + inner + weights.linear("down_res.time_emb_proj", step)[:, :, None, None]
    half = weights.conv("down_conv", full, 2)
    quarter = weights.group_norm("mid_norm", weights.conv("mid_conv", half, 2), 1e-6)
    rows = quarter.flatten(2).mT
    depth = sum(path.endswith("to_q.weight") for path in weights.found)
    for at in (f"mid_blocks.{number}" for number in range(depth)):
        own = F.layer_norm(rows, (64,), weights.found[f"{at}.norm_weight"], weights.found[f"{at}.norm_bias"], 1e-5)
        parts = (
            weights.linear(f"{at}.to_q", own),
            weights.linear(f"{at}.to_k", text_embedding),
            weights.linear(f"{at}.to_v", text_embedding),
        )
        y = F.scaled_dot_product_attention(*(part.unflatten(-1, (4, 16)).transpose(1, 2) for part in parts))
        rows = rows + y.transpose(1, 2).flatten(2)
        value, gate = weights.linear(f"{at}.proj", rows).chunk(2, -1)
        rows = rows + weights.linear(f"{at}.out", value * F.gelu(gate))
    x = F.interpolate(rows.mT.reshape(quarter.shape), scale_factor=2)
    x = F.interpolate(weights.conv("up_0", torch.cat((x, half), 1)), scale_factor=2)
    x = weights.conv("up_1", torch.cat((x, full), 1))
    return weights.conv("conv_out", F.silu(weights.group_norm("norm_out", x, 1e-5)))


def stem(weights: Weights, image: Tensor) -> Tensor:
    return F.max_pool2d(F.relu(weights.batch_norm("bn1", weights.conv("conv1", image, 2))), 3, 2, 1)


def resnet(weights: Weights, image: Tensor) -> Tensor:
    x = stem(weights, image)
    for at, stride in (("layer1", 1), ("layer2", 2)):
        y = F.relu(weights.batch_norm(f"{at}.bn1", weights.conv(f"{at}.conv1", x)))
        y = F.relu(weights.batch_norm(f"{at}.bn2", weights.conv(f"{at}.conv2", y, stride)))
        y = weights.batch_norm(f"{at}.bn3", weights.conv(f"{at}.conv3", y))
        x = F.relu(y + weights.batch_norm(f"{at}.downsample_norm", weights.conv(f"{at}.downsample", x, stride)))
    return weights.linear("fc", x.mean((2, 3)))


RUNS: list[Any] = [
    pytest.param("sdxl forward", {"MidH": 2, "MidW": 3, "Depth": 2, "B": 2, "S": 5}, sdxl, id="sdxl"),
    pytest.param("sdxl forward", {"MidH": 1, "MidW": 1, "Depth": 0, "B": 1, "S": 1}, sdxl, id="sdxl without attention"),
    pytest.param("resnet forward", {"Classes": 7, "B": 2, "H": 30, "W": 37}, resnet, id="resnet"),
    *(
        pytest.param("resnet stem", {"Classes": 1, "B": 1, "H": size, "W": other}, stem, id=f"resnet stem of {size} by {other}")
        for size, other in ((1, 2), (2, 1), (122, 123))
    ),
]


def assert_gives(entry: str, sizes: dict[str, int], by_hand: Callable[..., Tensor], target: str, numerics: Any) -> None:
    file, _, name = entry.partition(" ")
    path = str(FOLDER / f"{file}.linnet")
    one = program(target, path, sizes, root="Model", entry=name, numerics=numerics, optionals="present")
    inputs = {leaf.name: np.random.default_rng(7).standard_normal(leaf.shape).astype(np.float32) for leaf in one.inputs}
    weights = values(one.parameters)
    (given,), _ = one.run(inputs, weights)
    wanted = by_hand(Weights(weights), **{name: torch.from_numpy(value) for name, value in inputs.items()})
    assert differences(np.asarray(given), wanted.numpy(), 1e-5) is None


@pytest.mark.parametrize("numerics", POLICIES)
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(("entry", "sizes", "by_hand"), RUNS)
def test_the_entry_gives_what_torch_gives(
    entry: str, sizes: dict[str, int], by_hand: Callable[..., Tensor], target: str, numerics: str
) -> None:
    assert_gives(entry, sizes, by_hand, target, numerics)


@pytest.mark.parametrize("target", TARGETS)
def test_the_whole_decoder_of_pictures_gives_what_torch_gives(target: str) -> None:
    """With all its 49 million weights, so once for each target."""
    assert_gives("vae decode", {"H": 1, "W": 2, "B": 1}, vae, target, "equivalent")


@pytest.mark.parametrize("file", [pytest.param(file, id=file.stem) for file in FILES])
def test_the_program_is_clean_and_its_plan_reads_back(file: Path) -> None:
    assert_clean(file)


def test_every_program_is_run() -> None:
    assert {run.values[0].partition(" ")[0] for run in RUNS} | {"vae"} == {file.stem for file in FILES}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    ("entry", "sizes", "shape", "elements"),
    [
        pytest.param("vae decode", {"H": 64, "W": 64, "B": 1}, (1, 3, 512, 512), 49_490_199, id="sd-vae-ft-mse"),
        pytest.param("sdxl forward", {"MidH": 8, "MidW": 8, "Depth": 10, "B": 1, "S": 77}, (1, 4, 32, 32), None, id="sdxl"),
        pytest.param("resnet stem", {"Classes": 1000, "B": 1, "H": 1242, "W": 1243}, (1, 64, 311, 311), None, id="resnet, odd"),
    ],
)
def test_it_is_printed_at_its_real_size(
    entry: str, sizes: dict[str, int], shape: tuple[int, ...], elements: int | None, target: str
) -> None:
    file, _, name = entry.partition(" ")
    one = program(target, str(FOLDER / f"{file}.linnet"), sizes, root="Model", entry=name, optionals="present")
    compile(one.source, "<printed>", "exec")
    [result] = one.finish.operands[: one.finish.returns]
    assert result is not None
    assert result.shape == shape
    assert elements is None or sum(prod(leaf.shape) for leaf in one.parameters) == elements
