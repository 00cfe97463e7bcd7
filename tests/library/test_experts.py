"""What std.nn.moe and the experts of std.quant make on the way, and experts that are none."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from running import program

from linnet_core.errors import RuntimeFailure
from linnet_core.graph.calls import Contract, Input
from linnet_core.graph.nodes import flat_nodes

FILE = str(Path(__file__).parent / "experts.linnet")
#: Few rows of many experts, and many rows.
FEW = {"R": 2, "K": 2, "E": 64, "T": "f32"}
MANY = {"R": 64, "K": 4, "E": 8, "T": "f32"}
PLAIN, BLOCKS = {"In": 96, "Out": 80}, {"G": 3, "Out": 80}
WEIGHT = 96 * 80


def largest(entry: str, sizes: dict[str, Any], numerics: Any) -> int:
    """The most elements of any tensor the entry makes from its inputs."""
    graph = program("torch", FILE, sizes, entry=entry, numerics=numerics, no_library=True).graph
    made = {value for node in flat_nodes(graph.nodes) if not isinstance(node.call, Input) for value in node.results}
    return max(math.prod(graph.values[value].shape) for value in sorted(made))


@pytest.mark.parametrize("numerics", ["exact", "equivalent", "fast"])
@pytest.mark.parametrize(
    ("entry", "sizes", "limit"),
    [
        pytest.param("chosen_blocks", {**FEW, **BLOCKS}, 2 * 2 * WEIGHT, id="only the chosen experts are unpacked"),
        pytest.param("shared_blocks", {**FEW, **BLOCKS}, 2 * 2 * WEIGHT, id="only the chosen experts are unpacked, x shared"),
        pytest.param("chosen", {**FEW, **PLAIN}, 2 * 2 * WEIGHT, id="only the chosen experts are copied"),
        pytest.param("shared", {**MANY, **PLAIN}, 8 * WEIGHT, id="no copy of a weight for a row, x shared"),
        pytest.param("combined", {**MANY, **PLAIN}, 8 * WEIGHT, id="no copy of a weight for a row"),
        pytest.param("combined_blocks", {**MANY, **BLOCKS}, 8 * WEIGHT, id="no copy of an unpacked weight for a row"),
    ],
)
def test_nothing_larger_than_needed_is_made(entry: str, sizes: dict[str, Any], limit: int, numerics: Any) -> None:
    assert largest(entry, sizes, numerics) <= limit


@pytest.mark.parametrize("numerics", ["exact", "equivalent", "fast"])
@pytest.mark.parametrize("entry", ["chosen", "shared", "combined"])
def test_products_are_contractions(entry: str, numerics: Any) -> None:
    graph = program("torch", FILE, {**FEW, **PLAIN}, entry=entry, numerics=numerics, no_library=True).graph
    contracted = [node.call for node in flat_nodes(graph.nodes) if isinstance(node.call, Contract) and not node.declined]
    assert len(contracted) == (2 if entry == "combined" else 1)


@pytest.mark.parametrize("entry", ["chosen", "shared", "combined"])
@pytest.mark.parametrize(
    ("target", "expert"),
    [
        pytest.param("numpy", 3, id="numpy past the end"),
        pytest.param("numpy", -1, id="numpy before the start"),
        pytest.param("torch", 3, id="torch past the end"),
    ],
)
def test_an_expert_that_is_none_is_refused(entry: str, target: str, expert: int) -> None:
    one = program(target, FILE, {"R": 1, "K": 2, "E": 3, "In": 4, "Out": 5, "T": "f32"}, entry=entry)
    inputs = {
        "x": np.ones((1, 4) if entry == "shared" else (1, 2, 4), np.float32),
        "w": np.ones((3, 5, 4), np.float32),
        "e": np.array([[0, expert]], np.int64),
        "s": np.ones((1, 2), np.float32),
    }
    with pytest.raises(RuntimeFailure, match="index"):
        one.run(inputs)
