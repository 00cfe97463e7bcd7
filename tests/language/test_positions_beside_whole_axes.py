"""Element reads with computed positions on some axes and bare indices on others: the value of each, and its gradient, on all targets."""

from __future__ import annotations

import numpy as np
import pytest
from agreement import assert_all
from running import program, source_file

HEAD = "module m\npub entry run(p: Tensor[2, 3, 4, 5; f64], at: Tensor[2; i64], of: Tensor[3, 2; i64], s: i64) -> "
P = np.random.default_rng(3).normal(size=(2, 3, 4, 5))
AT, OF, S = np.array([2, 0]), np.array([[1, 3], [0, 0], [2, 1]]), 1
B, C, I, J = (np.arange(n) for n in P.shape)  # noqa: E741  # the axes by the names the programs give them

READS = [
    pytest.param("[2, 3, 2, 2; f64]", "y[b, c, n, m] = p[b, c, at[n], at[m]]", P[:, :, AT][..., AT], id="the last two"),
    pytest.param("[2, 5, 3; f64]", "y[n, j, c] = p[at[n] / 2, c, at[n], j]", P[AT // 2, :, AT].transpose(0, 2, 1), id="every other one"),
    pytest.param("[5, 2, 3, 2; f64]", "y[j, n, c, b] = p[b, c, of[c, n], j]", P[:, C[:, None], OF].transpose(3, 2, 1, 0), id="of an axis"),
    pytest.param("[5, 2; f64]", "y[j, b] = p[b, 2, s, j]", P[:, 2, S].T, id="known and run-time numbers"),
    pytest.param("[2, 3; f64]", "y[b, c] = p[b, c, iota(3)[c], 4]", P[:, C, C, 4], id="an index as a number"),
    pytest.param("[2, 4; f64]", "y[n, i] = p[at[n] / 2, 1, i, at[n] + 1]", P[AT // 2, 1, :, AT + 1], id="the first and the last"),
    pytest.param("[2, 2; f64]", "y[b, n] = sum[i] p[b, 0, i, at[n]] * p[b, 1, i, iota(4)[i]]", None, id="in a sum of a product"),
]


@pytest.mark.parametrize("target", ["numpy", "torch", "jax"])
@pytest.mark.parametrize(("shape", "read", "wanted"), READS)
def test_every_element_is_the_one_named(shape: str, read: str, wanted: np.ndarray | None, target: str) -> None:
    pytest.importorskip(target, reason=f"{target} is not installed here; the environments `{target}` and `all` have it")
    if wanted is None:
        wanted = np.einsum("bin,bi->bn", P[:, 0][:, :, AT], P[:, 1, I, I])
    text = f"{HEAD}Tensor{shape} {{ let {read} return y }}\n"
    (found,), _ = program(target, source_file(text)).run({"p": P, "at": AT, "of": OF, "s": np.array(S)})
    assert_all([found], [wanted], 1e-14)


@pytest.mark.parametrize("target", ["numpy", "torch", "jax"])
def test_gradients_go_where_the_elements_were_read(target: str) -> None:
    pytest.importorskip(target, reason=f"{target} is not installed here; the environments `{target}` and `all` have it")
    text = (
        "module m\npub entry run(p: Tensor[2, 3, 4, 5; f64], at: Tensor[2; i64], w: Tensor[2, 3, 2, 2, 2; f64]) -> f64 {\n"
        "let y[b, c, n, m, u] = p[b, c, at[n] + iota(2)[u], at[m]]\nreturn sum[b, c, n, m, u] y[b, c, n, m, u] * w[b, c, n, m, u]\n}\n"
    )
    w = np.random.default_rng(4).normal(size=(2, 3, 2, 2, 2))
    (_, gradient, _), _ = program(target, source_file(text), gradient=True).run({"p": P, "at": AT, "w": w})
    wanted = np.zeros_like(P)
    rows = (AT[:, None] + np.arange(2))[:, None, :]
    np.add.at(wanted, (B[:, None, None, None, None], C[:, None, None, None], rows, AT[:, None]), w)
    assert_all([gradient], [wanted], 1e-14)
