"""`examples/unet` agrees with the network written by hand in PyTorch, also at other sizes."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from agreement import differences
from running import program
from tiny import EXAMPLES, values
from unet_module import Unet

PATH = str(EXAMPLES / "unet")
SIZES = [
    pytest.param({}, id="tiny"),
    pytest.param({"MidH": 1, "MidW": 1, "B": 1, "S": 1}, id="one of everything"),
    pytest.param({"MidH": 3, "Depth1": 2, "Depth2": 1}, id="other depths"),
]


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("target", ["numpy", "torch"])
def test_it_agrees_with_a_module_written_by_hand(target: str, sizes: dict[str, int]) -> None:
    one = program(target, PATH, sizes, root="Small", entry="forward", preset="tiny")
    inputs = {leaf.name: np.random.default_rng(5).standard_normal(leaf.shape).astype(np.float32) for leaf in one.inputs}
    weights = values(one.parameters)
    (given,), _ = one.run(inputs, weights)
    model = Unet((32, 64, 128), 96, 16, 48, 32, 40, (sizes.get("Depth1", 1), sizes.get("Depth2", 2)))
    model.load({path: torch.from_numpy(value) for path, value in weights.items()})
    wanted = model(**{name: torch.from_numpy(value) for name, value in inputs.items()}).numpy()
    assert differences(given, wanted, 1e-5) is None
