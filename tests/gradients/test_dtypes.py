"""The calls only gradients make, or make most, in every dtype of a gradient: positions that meet, rows replaced, running sums."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from agreement import differences
from running import program, source_file

DTYPES = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64}
#: Rounding of every operation, the numbers being small integers and halves whose sums are exact or nearly so.
TOLERANCE = {"f16": 2e-2, "bf16": 2e-2, "f32": 1e-6, "f64": 1e-13}
TEXT = """module gradients
pub entry run<T: Float>(x: Tensor[4; T], w: Tensor[3, 4; T], at: Tensor[700; i64]) -> T {
    let read[n] = x[at[n]] * w[at[n] / 2, at[n]]
    var z = x
    let rows = for t in 0..3 {
        z = z * w[t] + x
        yield z
    }
    let running = cumsum(rows, axis = 0)
    return (sum[n] read[n]) + sum[t, k] running[t, k] * w[t, k]
}
"""


@pytest.mark.parametrize("target", ["torch", "jax"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_every_target_adds_up_alike(dtype: str, target: str) -> None:
    pytest.importorskip(target, reason=f"{target} is not installed here; the environments `{target}` and `all` have it")
    at = np.arange(700) % 4
    at[:300] = 1
    x, w = np.array([1.0, 0.5, -1.5, 2.0]), np.arange(12.0).reshape(3, 4) * 0.25 - 1.0
    given = {"x": x.astype(DTYPES[dtype]), "w": w.astype(DTYPES[dtype]), "at": at}
    results = {}
    for name in ("numpy", target):
        results[name] = program(name, source_file(TEXT), {"T": dtype}, gradient=True).run(given)[0]
    for found, wanted in zip(results[target], results["numpy"], strict=True):
        assert np.asarray(found).dtype == DTYPES[dtype]
        assert differences(np.asarray(found), np.asarray(wanted), TOLERANCE[dtype]) is None


def test_positions_that_meet_add_up_without_rounding_on_the_way() -> None:
    text = "module gradients\npub entry run(x: Tensor[2; bf16], at: Tensor[700; i64]) -> bf16 { return sum[n] x[at[n]] }\n"
    (_, gradient), _ = program("numpy", source_file(text), gradient=True).run(
        {"x": np.ones(2, ml_dtypes.bfloat16), "at": np.zeros(700, np.int64)}
    )
    assert np.asarray(gradient).tolist() == [float(ml_dtypes.bfloat16(700)), 0.0]
