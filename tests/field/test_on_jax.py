"""Every program beside this file gives on jax the values written in `expected.py`, on every policy."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from agreement import differences
from every_policy import assert_gives
from expected import BF16, ROWS, Row, f32, i32, one
from running import program

if TYPE_CHECKING:
    from running import Program

pytest.importorskip("jax", reason="jax is not installed here; the environment `all` has it")

HERE = Path(__file__).parent
RUNS = [pytest.param(row, id=f"{row.file.removesuffix('.linnet')}-{row.id}") for row in ROWS]


@pytest.mark.parametrize("row", RUNS)
def test_the_program_gives(row: Row, capfd: pytest.CaptureFixture[str]) -> None:
    assert_gives("jax", row)
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


def norm(target: str, dtype: str, numerics: str, *, no_library: bool = False) -> Program:
    sizes = {"H": 64, "T": dtype, "B": 200}
    return program(target, str(HERE / "norms.linnet"), sizes, entry="run", root="Norm", numerics=numerics, no_library=no_library)


def rows_and_weight(dtype: Any) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """As many rows as fifty runs of four."""
    generator = np.random.Generator(np.random.PCG64(3))
    return generator.standard_normal((200, 64)).astype(dtype), {"norm.weight": generator.standard_normal(64).astype(dtype)}


@pytest.mark.parametrize("numerics", ["exact", "equivalent", "fast"])
def test_rms_norm_stays_with_its_body(numerics: str) -> None:
    x, weight = rows_and_weight(BF16)
    (wanted,), _ = norm("numpy", "bf16", "exact", no_library=True).run({"x": x}, weight)
    (given,), _ = norm("jax", "bf16", numerics).run({"x": x}, weight)
    assert differences(np.asarray(given), wanted, 2e-2) is None


def test_exact_is_the_body_bit_for_bit() -> None:
    assert norm("jax", "f32", "exact").source == norm("jax", "f32", "exact", no_library=True).source
