"""`examples/resnet` once more, by hand in PyTorch.

In: sizes and a mapping of parameter paths to tensors.  Out: `ResNet`, of basic or of bottleneck blocks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
import torch.nn.functional as F
from torch import Tensor, nn

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class Basic(nn.Module):
    expansion = 1

    def __init__(self, size_in: int, width: int, stride: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(size_in, width, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, width, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(width)
        self.downsample = shortcut(size_in, width, stride)

    def forward(self, x: Tensor) -> Tensor:
        y = self.bn2(self.conv2(F.relu(self.bn1(self.conv1(x)))))
        return F.relu(y + self.downsample(x))


class Bottleneck(nn.Module):
    expansion = 4

    def __init__(self, size_in: int, width: int, stride: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(size_in, width, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, width, 3, stride, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(width)
        self.conv3 = nn.Conv2d(width, 4 * width, 1, bias=False)
        self.bn3 = nn.BatchNorm2d(4 * width)
        self.downsample = shortcut(size_in, 4 * width, stride)

    def forward(self, x: Tensor) -> Tensor:
        y = F.relu(self.bn2(self.conv2(F.relu(self.bn1(self.conv1(x))))))
        return F.relu(self.bn3(self.conv3(y)) + self.downsample(x))


def shortcut(size_in: int, size_out: int, stride: int) -> nn.Module:
    """Nothing where the shape stays as it is."""
    if size_in == size_out and stride == 1:
        return nn.Identity()
    return nn.Sequential(nn.Conv2d(size_in, size_out, 1, stride, bias=False), nn.BatchNorm2d(size_out))


class ResNet(nn.Module):
    """Paths are those of published checkpoints."""

    def __init__(self, kind: type[Basic | Bottleneck], width: int, blocks: Iterable[int], classes: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(3, width, 7, 2, 3, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        size = width
        for stage, count in enumerate(blocks):
            inner, stride = width << stage, 1 if stage == 0 else 2
            units = [kind(size, inner, stride)]
            size = inner * kind.expansion
            units += [kind(size, inner, 1) for _ in range(count - 1)]
            self.add_module(f"layer{stage + 1}", nn.Sequential(*units))
        self.fc = nn.Linear(size, classes)
        self.eval()

    def load(self, parameters: Mapping[str, Tensor]) -> ResNet:
        """Take the package's weights; every parameter must be there and nothing else but the counters."""
        found = self.load_state_dict({published(path): value for path, value in parameters.items()}, strict=False)
        assert not found.unexpected_keys
        assert all(path.endswith("num_batches_tracked") for path in found.missing_keys)
        return self

    @torch.no_grad()
    def features(self, image: Tensor) -> Tensor:
        x = F.max_pool2d(F.relu(self.bn1(self.conv1(image))), 3, 2, 1)
        for stage in range(1, 5):
            x = self.get_submodule(f"layer{stage}")(x)
        return x

    @torch.no_grad()
    def forward(self, image: Tensor) -> Tensor:
        return self.fc(self.features(image).mean((2, 3)))


def published(path: str) -> str:
    """The path of a parameter of the package in a published checkpoint."""
    layer, *rest = path.replace(".downsample.conv.", ".downsample.0.").replace(".downsample.norm.", ".downsample.1.").split(".")
    if rest[0] == "first":
        return ".".join((layer, "0", *rest[1:]))
    return ".".join((layer, str(int(rest[1]) + 1), *rest[2:])) if rest[0] == "rest" else ".".join((layer, *rest))
