"""`Model` of `examples/unet` at its published widths, one transformer in each stack: 0.64 billion numbers, whole and in ranges.

All other entries are run at sizes that were made small; here only the depth of the stacks and the picture are.
"""

from __future__ import annotations

from math import prod, sqrt
from typing import TYPE_CHECKING

import numpy as np
import pytest
from agreement import differences
from running import Program, program
from slicing import Document, printed, random_cuts, run_in_order
from tiny import EXAMPLES, values

if TYPE_CHECKING:
    from linnet_core.graph.calls import Parameter

SIZES = {"MidH": 1, "MidW": 1, "Depth1": 1, "Depth2": 1, "S": 3}
SHAPES = {"latent": (1, 4, 4, 4), "timestep_embedding": (1, 320), "text_embedding": (1, 3, 2048), "added_embedding": (1, 2816)}


def _weight(leaf: Parameter) -> np.ndarray:
    """Normal numbers over the root of the terms of a product with them; a row is a window of one strip, one number further than the row
    before, so that all rows differ and take no memory before a target copies them."""
    terms = prod(leaf.shape[1:])
    strip = (np.random.default_rng(prod(leaf.shape)).standard_normal(terms + leaf.shape[0]) / sqrt(terms)).astype(np.float32)
    inside = np.empty(leaf.shape[1:], np.bool_).strides
    return np.lib.stride_tricks.as_strided(strip, leaf.shape, (4, *(4 * step for step in inside)), writeable=False)


def _arrays(one: Program) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray], dict[str, np.ndarray]]:
    inputs = {name: np.random.default_rng(at).standard_normal(shape).astype(np.float32) for at, (name, shape) in enumerate(SHAPES.items())}
    matrices = {leaf.path: _weight(leaf) for leaf in one.parameters if len(leaf.shape) > 1}
    return inputs, matrices | values(leaf for leaf in one.parameters if len(leaf.shape) < 2), {}


def _run(one: Program, cuts: list[int], *, jit: bool = False) -> np.ndarray:
    request = Document(one.graph).request(cuts)
    [result], states = run_in_order(one, request, printed(one, request), *_arrays(one), jit=jit)
    assert states == {}
    return result


def _program(target: str) -> Program:
    return program(target, str(EXAMPLES / "unet"), SIZES, preset="sdxl", root="Model", entry="forward")


@pytest.fixture(scope="module")
def oracle() -> np.ndarray:
    """What the NumPy target gives for the whole entry."""
    one = _program("numpy")
    assert sum(prod(leaf.shape) for leaf in one.parameters) == 640_622_724
    return _run(one, [])


@pytest.mark.parametrize("target", ["numpy", "torch"])
def test_ranges_in_order_give_the_whole(target: str, oracle: np.ndarray) -> None:
    one = _program(target)
    whole = oracle if target == "numpy" else _run(one, [])
    assert differences(whole, oracle, 1e-5) is None
    assert differences(_run(one, random_cuts(Document(one.graph), f"wide {target}")), whole) is None


def test_ranges_on_jax_give_the_whole(oracle: np.ndarray) -> None:
    pytest.importorskip("jax", reason="jax is not installed here; the environments `jax` and `all` have it")
    one = _program("jax")
    cuts = random_cuts(Document(one.graph), "wide jax")
    for jit, tolerance in ((False, 0.0), (True, 1e-5)):
        whole = _run(one, [], jit=jit)
        assert differences(whole, oracle, 1e-5) is None
        assert differences(_run(one, cuts, jit=jit), whole, tolerance) is None
