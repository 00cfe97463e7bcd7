"""Every program beside this file gives the values written in `expected.py`, on every policy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from agreement import differences
from every_policy import assert_gives
from expected import ROWS, Row, f32, i32, one
from running import program

from linnet_core.errors import RuntimeFailure

HERE = Path(__file__).parent
RUNS = [
    pytest.param(target, row, id=f"{target}-{row.file.removesuffix('.linnet')}-{row.id}") for row in ROWS for target in ("numpy", "torch")
]


@pytest.mark.parametrize(("target", "row"), RUNS)
def test_the_program_gives(target: str, row: Row, capfd: pytest.CaptureFixture[str]) -> None:
    assert_gives(target, row)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("entry", "inputs"),
    [
        pytest.param("row", {"t": np.zeros(10, np.float32), "at": i32(0, -1)}, id="before the start"),
        pytest.param("row", {"t": np.zeros(10, np.float32), "at": i32(0, 12)}, id="past the end"),
        pytest.param(
            "cell",
            {"t": np.zeros((10, 3), np.float32), "i": one(0, np.int32), "j": one(12, np.int32)},
            id="past the end of its own axis",
        ),
        pytest.param(
            "cell",
            {"t": np.zeros((10, 3), np.float32), "i": one(1, np.int32), "j": one(-1, np.int32)},
            id="before the start of its own axis",
        ),
    ],
)
def test_the_numpy_target_refuses_an_index_outside_its_axis(entry: str, inputs: dict[str, np.ndarray]) -> None:
    with pytest.raises(RuntimeFailure, match=r"index"):
        program("numpy", str(HERE / "indices.linnet"), entry=entry).run(inputs)


@pytest.mark.parametrize(
    ("entry", "inputs"),
    [
        pytest.param("row", {"t": np.zeros(10, np.float32), "at": i32(0, 12)}, id="past the end"),
        pytest.param(
            "cell",
            {"t": np.zeros((10, 3), np.float32), "i": one(0, np.int32), "j": one(12, np.int32)},
            id="past the end of its own axis",
        ),
    ],
)
def test_torch_refuses_an_index_past_the_end_on_a_cpu(entry: str, inputs: dict[str, np.ndarray]) -> None:
    with pytest.raises(RuntimeFailure, match=r"index"):
        program("torch", str(HERE / "indices.linnet"), entry=entry).run(inputs)


def test_a_nan_in_a_value_row_that_is_masked_out_reaches_the_reference() -> None:
    values = np.arange(12, dtype=np.float32).reshape(1, 1, 3, 4)
    values[0, 0, 2, 1] = np.nan
    inputs = {
        "q": np.ones((1, 1, 1, 4), np.float32),
        "k": np.ones((1, 1, 3, 4), np.float32),
        "v": values,
        "m": np.array([[True, True, False]]),
    }
    sizes = {"H": 1, "Q": 1, "K": 3, "D": 4, "T": "f32"}
    (result,), _ = program("numpy", str(HERE / "masked_rows.linnet"), sizes, entry="plain").run(inputs)
    assert np.isnan(result).tolist() == [[[[False, True, False, False]]]]


def test_the_numpy_target_reads_nothing_in_an_arm_not_taken() -> None:
    guarded = program("numpy", str(HERE / "indices.linnet"), entry="guarded")
    (result,), _ = guarded.run({"t": np.arange(10, dtype=np.float32), "i": one(99, np.int32)})
    assert differences(result, one(-1, np.float32)) is None


@pytest.mark.parametrize("numerics", ["exact", "equivalent", "fast"])
def test_rms_norm_stays_with_its_body(numerics: str) -> None:
    import ml_dtypes

    bindings = {"H": 64, "T": "bf16", "B": 4}
    body = program("numpy", str(HERE / "norms.linnet"), bindings, entry="run", root="Norm", numerics="exact", no_library=True)
    torch = program("torch", str(HERE / "norms.linnet"), bindings, entry="run", root="Norm", numerics=numerics)
    for seed in range(50):
        generator = np.random.Generator(np.random.PCG64(seed))
        x = generator.standard_normal((4, 64)).astype(ml_dtypes.bfloat16)
        weight = {"norm.weight": generator.standard_normal(64).astype(ml_dtypes.bfloat16)}
        (wanted,), _ = body.run({"x": x}, weight)
        (given,), _ = torch.run({"x": x}, weight)
        assert differences(given, wanted, 2e-2) is None, seed


@pytest.mark.parametrize("target", ["numpy", "torch"])
def test_exact_is_the_body_bit_for_bit(target: str) -> None:
    generator = np.random.Generator(np.random.PCG64(17))
    x = generator.standard_normal((4, 64)).astype(np.float32)
    weight = {"norm.weight": generator.standard_normal(64).astype(np.float32)}
    bindings = {"H": 64, "T": "f32", "B": 4}
    options = {"entry": "run", "root": "Norm", "numerics": "exact"}
    body = program(target, str(HERE / "norms.linnet"), bindings, **options, no_library=True)
    library = program(target, str(HERE / "norms.linnet"), bindings, **options)
    (wanted,), _ = body.run({"x": x}, weight)
    (given,), _ = library.run({"x": x}, weight)
    assert differences(given, wanted) is None


@pytest.mark.parametrize("target", ["numpy", "torch"])
def test_a_child_called_twice_in_a_row_is_two_calls(target: str) -> None:
    from linnet_core.graph.nodes import CallNode

    graph = program(target, str(HERE / "called_twice.linnet"), {"H": 2}, entry="run", root="Twice").graph
    calls = [node for node in graph.nodes if isinstance(node, CallNode)]
    assert [call.header.path for call in calls] == ["lin", "lin"]
    alone = program(target, str(HERE / "called_twice.linnet"), {"H": 2}, entry="run", root="Twice")
    (result,), _ = alone.run({"x": f32(1, 1)}, {"lin.w": f32(3, 5)})
    assert differences(result, f32(9, 25)) is None


@pytest.mark.parametrize("target", ["numpy", "torch"])
def test_eight_thousand_statements(target: str, tmp_path: Path) -> None:
    path = tmp_path / "long.linnet"
    steps = "    y = y + 1.0\n" * 8000
    path.write_text(
        f"module field.long\n\npub entry run(x: Tensor[4; f32]) -> Tensor[4; f32] {{\n    var y = x\n{steps}    return y\n}}\n",
        encoding="utf-8",
    )
    (result,), _ = program(target, str(path), entry="run").run({"x": f32(0, 1, 2, 3)})
    assert differences(result, f32(8000, 8001, 8002, 8003)) is None
