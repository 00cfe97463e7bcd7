"""Every program beside this file gives on jax the values written in `expected.py`, on every policy named there."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from agreement import differences
from expected import ROWS, Row, f32, i32, one
from running import program

pytest.importorskip("jax", reason="jax is not installed here; the environment `all` has it")

HERE = Path(__file__).parent
RUNS = [
    pytest.param(numerics, row, id=f"{numerics}-{row.file.removesuffix('.linnet')}-{row.id}") for row in ROWS for numerics in row.numerics
]


@pytest.mark.parametrize(("numerics", "row"), RUNS)
def test_the_program_gives(numerics: str, row: Row, capfd: pytest.CaptureFixture[str]) -> None:
    exported = program("jax", str(HERE / row.file), row.bindings, entry=row.entry, root=row.root, numerics=numerics)
    results, states = exported.run(row.inputs, row.parameters, row.states)
    assert len(results) == len(row.results)
    for given, wanted in zip(results, row.results, strict=True):
        assert differences(np.asarray(given), wanted, row.tolerance) is None
    assert set(states) == set(row.next_states)
    for path, wanted in row.next_states.items():
        assert differences(np.asarray(states[path]), wanted, row.tolerance) is None
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(("at", "wanted"), [([0, 12], [0.0, 9.0]), ([0, -1], [0.0, 9.0])])
def test_an_index_outside_reads_the_last_element(at: list[int], wanted: list[float]) -> None:
    (given,), _ = program("jax", str(HERE / "indices.linnet"), entry="row").run({"t": np.arange(10, dtype=np.float32), "at": i32(*at)})
    assert given.tolist() == wanted


def test_nothing_is_read_in_an_arm_not_taken() -> None:
    guarded = program("jax", str(HERE / "indices.linnet"), entry="guarded")
    assert "jax.lax.cond(" in guarded.source
    (result,), _ = guarded.run({"t": np.arange(10, dtype=np.float32), "i": one(99, np.int32)})
    assert differences(result, one(-1, np.float32)) is None


def test_a_long_entry(tmp_path: Path) -> None:
    """As `test_eight_thousand_statements`, of which XLA makes one program: fewer of them, since that takes its time."""
    path = tmp_path / "long.linnet"
    steps = "    y = y + 1.0\n" * 1000
    path.write_text(
        f"module field.long\n\npub entry run(x: Tensor[4; f32]) -> Tensor[4; f32] {{\n    var y = x\n{steps}    return y\n}}\n",
        encoding="utf-8",
    )
    (result,), _ = program("jax", str(path), entry="run").run({"x": f32(0, 1, 2, 3)})
    assert differences(result, f32(1000, 1001, 1002, 1003)) is None
