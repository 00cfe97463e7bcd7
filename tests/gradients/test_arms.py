"""Positions outside their axis in the arm of an `if` that is not taken: nothing is read or written there, forward or back."""

from __future__ import annotations

import numpy as np
import pytest
from agreement import assert_all
from running import program, source_file

from linnet_core.errors import RuntimeFailure

HEAD = "module gradients\npub entry run(x: Tensor[3; f64], w: Tensor[4, 3; f64], at: i64, rows: Tensor[2; i64], n: bool, m: bool) -> f64 "
X, W = np.array([0.5, -1.25, 2.0]), np.arange(12.0).reshape(4, 3) * 0.25 - 1
#: Each with the loss at `n` and `m` false, and its gradient by x and w, as a function of them.
TEXTS = [
    pytest.param("{ return if n { x[at] * x[at] } else { x[1] * x[1] } }", lambda g: g[0].__setitem__(1, 2 * X[1]), id="a number"),
    pytest.param("{ return if !n { x[1] * x[1] } else { x[at] * x[at] } }", lambda g: g[0].__setitem__(1, 2 * X[1]), id="the other arm"),
    pytest.param(
        "{ let r[k, j] = w[rows[k], j] * x[j]\nlet s = w[0:2, :] * 1.0\nlet c = if n { r } else { s }\nreturn sum[k, j] c[k, j] }",
        lambda g: g[1][:2].__iadd__(1.0),
        id="rows read before the if",
    ),
    pytest.param(
        "{ return if m { x[0] } else { if n { x[at] * w[rows[0], at] } else { x[2] } } }",
        lambda g: g[0].__setitem__(2, 1.0),
        id="an if in an if",
    ),
    pytest.param(
        "{ var z = x\nfor i in 0..2 { z = z * w[at] + w[rows[i]] }\nlet c = if n { z } else { x }\nreturn sum[j] c[j] * c[j] }",
        lambda g: g[0].__iadd__(2 * X),
        id="a loop in an arm",
    ),
    pytest.param(
        "{ var z = x\nfor i in 0..2 { z = if n { z * w[at + i] } else { z * 2.0 } }\nreturn sum[j] z[j] }",
        lambda g: g[0].__iadd__(4.0),
        id="an if in a loop",
    ),
]


@pytest.mark.parametrize("target", ["numpy", "torch", "jax"])
@pytest.mark.parametrize(("text", "fill"), TEXTS)
def test_the_arm_not_taken_does_nothing(text: str, fill, target: str) -> None:
    pytest.importorskip(target, reason=f"{target} is not installed here; the environments `{target}` and `all` have it")
    given = {"x": X, "w": W, "at": np.array(99), "rows": np.array([-7, 1000]), "n": np.array(False), "m": np.array(False)}
    (_, *found), _ = program(target, source_file(f"{HEAD}{text}\n"), gradient=True).run(given)
    wanted = [np.zeros(3), np.zeros((4, 3))]
    fill(wanted)
    assert_all(found, wanted, 1e-14)


@pytest.mark.parametrize("text", [case.values[0] for case in TEXTS], ids=[case.id for case in TEXTS])
def test_the_arm_taken_raises(text: str) -> None:
    given = {"x": X, "w": W, "at": np.array(99), "rows": np.array([-7, 1000]), "n": np.array(True), "m": np.array(False)}
    with pytest.raises(RuntimeFailure, match="is outside an axis"):
        program("numpy", source_file(f"{HEAD}{text}\n"), gradient=True).run(given)


def test_what_both_arms_read_is_read_as_ever() -> None:
    text = "{ let r = x[at] return if n { r * 2.0 } else { r * 3.0 } }"
    source = program("numpy", source_file(f"{HEAD}{text}\n"), gradient=True)
    given = {"x": X, "w": W, "at": np.array(2), "rows": np.array([0, 0]), "n": np.array(True), "m": np.array(False)}
    assert np.asarray(source.run(given)[0][1]).tolist() == [0.0, 0.0, 2.0]
    with pytest.raises(RuntimeFailure, match="is outside an axis"):
        source.run({**given, "at": np.array(99)})
