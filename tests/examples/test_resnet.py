"""`examples/resnet` agrees with residual networks written by hand in PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from agreement import differences
from resnet_module import Basic, Bottleneck, ResNet
from running import program
from tiny import EXAMPLES, RESNET_INPUTS, named, values

PATH = str(EXAMPLES / "resnet")
KINDS: dict[str, type[Basic | Bottleneck]] = {"BasicNet": Basic, "BottleneckNet": Bottleneck}
SIZES = [
    pytest.param({}, id="tiny"),
    pytest.param({"H": 1, "W": 1, "B": 1}, id="one position"),
    pytest.param({"H": 64, "W": 32}, id="multiples of 32"),
    pytest.param({"H": 65, "W": 31, "Width": 3, "Blocks1": 3, "Blocks4": 2}, id="odd sizes, more blocks"),
]


def by_hand(root: str, sizes: dict[str, Any], parameters: dict[str, np.ndarray]) -> ResNet:
    blocks = [sizes.get(f"Blocks{stage}", 2 if stage == 2 else 1) for stage in range(1, 5)]
    model = ResNet(KINDS[root], sizes.get("Width", 4), blocks, 10)
    return model.load({path: torch.from_numpy(value) for path, value in parameters.items()})


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("target", ["numpy", "torch"])
@pytest.mark.parametrize("entry", list(RESNET_INPUTS))
def test_it_agrees_with_a_module_written_by_hand(entry: str, target: str, sizes: dict[str, int]) -> None:
    one = program(target, PATH, sizes, preset="tiny", **named(entry))
    image = np.random.default_rng(3).standard_normal(one.inputs[0].shape).astype(np.float32)
    weights = values(one.parameters)
    (given,), _ = one.run({"image": image}, weights)
    root, _, name = entry.partition(".")
    wanted = getattr(by_hand(root, sizes, weights), name)(torch.from_numpy(image)).numpy()
    assert differences(given, wanted, 1e-5) is None
