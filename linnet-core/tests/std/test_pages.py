"""Pages that lie outside the pool are read by nobody who does not see them, and by nobody in silence who does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from running import program

from linnet_core.errors import RuntimeFailure

if TYPE_CHECKING:
    from pathlib import Path

TEXT = """module m

use std.nn.attention::{paged_attention}

pub entry run(
    q: Tensor[1, 1, 1, 1; f32],
    pool: Tensor[1, 1, 6, 1; f32],
    table: Tensor[1, 3; i32],
    at: Tensor[1; i32],
) -> Tensor[1, 1, 1, 1; f32] {
    return paged_attention<1, 1, 1, 6, 3, 2, 1, f32>(q, pool, pool, table, at, 1.0)
}
"""


def answer(tmp_path: Path, table: list[int], at: int) -> float:
    """The mean of what the row sees of the pool 1, 2, 4, 8, 16, 32: the query is 0."""
    (tmp_path / "m.linnet").write_text(TEXT, encoding="utf-8")
    one = program("numpy", str(tmp_path / "m.linnet"), entry="run")
    pool = np.array([1, 2, 4, 8, 16, 32], np.float32).reshape(1, 1, 6, 1)
    query = np.zeros((1, 1, 1, 1), np.float32)
    (result,), _ = one.run({"q": query, "pool": pool, "table": np.array([table], np.int32), "at": np.array([at], np.int32)})
    return float(result[0, 0, 0, 0])


@pytest.mark.parametrize(
    ("table", "at", "mean"),
    [
        pytest.param([2, 0, 1], 0, 16.0, id="the first position"),
        pytest.param([2, 0, 1], 1, 24.0, id="to the end of a page"),
        pytest.param([2, 0, 1], 2, 49 / 3, id="to the start of the next"),
        pytest.param([1, -1, 99], 1, 6.0, id="no page behind the last"),
        pytest.param([1, 2147483647, -2147483648], 1, 6.0, id="far outside behind the last"),
    ],
)
def test_what_a_row_sees(table: list[int], at: int, mean: float, tmp_path: Path) -> None:
    assert answer(tmp_path, table, at) == pytest.approx(mean, rel=1e-6)


@pytest.mark.parametrize("table", [pytest.param([3, 0, 1], id="past the end"), pytest.param([-1, 0, 1], id="before the start")])
def test_a_page_that_is_seen_must_be_one(table: list[int], tmp_path: Path) -> None:
    with pytest.raises(RuntimeFailure, match="index"):
        answer(tmp_path, table, 0)
