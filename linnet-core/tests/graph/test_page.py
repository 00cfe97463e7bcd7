"""The documentation page holds every node kind in the words of its struct."""

from __future__ import annotations

from pathlib import Path

import pytest

from linnet_core.graph.calls import CALLS
from linnet_core.graph.describe import reference
from linnet_core.graph.emitter import MAX_CALLS
from linnet_core.graph.hierarchy import MAX_BLOCK_DEPTH, MAX_BLOCKS, MAX_UNROLLED
from linnet_core.graph.nodes import MAX_CALL_DEPTH

PAGE = Path(__file__).parents[3] / "docs" / "documents" / "graph.md"


@pytest.fixture
def page() -> str:
    if not PAGE.exists():
        pytest.skip("the documentation is not part of this checkout")
    return PAGE.read_text(encoding="utf-8")


def test_the_reference_is_what_the_structs_say(page: str) -> None:
    assert page.endswith(reference())
    assert [line[5:-1] for line in page.splitlines() if line.startswith("### `")] == list(CALLS)


def test_the_limits_are_those_of_the_code(page: str) -> None:
    table = page.partition("## Limits")[2].partition("## ")[0]
    rows = dict(line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("| ") and not line.startswith("| limit"))
    assert rows["calls nested in one another"] == str(MAX_CALL_DEPTH)
    assert rows["blocks nested in one another"] == str(MAX_BLOCK_DEPTH)
    assert rows["elements of an array of blocks, iterations of an unrolled loop"] == f"{MAX_UNROLLED:,}"
    assert rows["blocks of a model"] == f"{MAX_BLOCKS:,}"
    assert rows["calls of one export, those of functions included"] == f"{MAX_CALLS:,}"
