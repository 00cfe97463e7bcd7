"""Index notation: what it computes on every kind of target, and which nodes it becomes."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
import pytest
from exporting import calls, exported, ops
from interpreter import compute
from listing_target import Listing

RANDOM = np.random.default_rng(1)
A = RANDOM.integers(-4, 5, (3, 4)).astype(np.float32)
B = RANDOM.integers(-4, 5, (4, 5)).astype(np.float32)
Q = RANDOM.integers(-4, 5, (4, 4)).astype(np.float32)
C = RANDOM.integers(-4, 5, (2, 3, 4)).astype(np.float32)
AT = np.array([2, 0], np.int32)

#: Program, what it is given, what it gives.
PROGRAMS = [
    pytest.param(
        "pub entry run(a: Tensor[3, 4; f32], b: Tensor[4, 5; f32]) -> Tensor[3, 5; f32] "
        "{ let c[m, n] = sum[k] a[m, k] * b[k, n] return c }",
        {"a": A, "b": B},
        A @ B,
        id="matmul",
    ),
    pytest.param(
        "pub entry run(a: Tensor[4, 4; f32]) -> Tensor[4, 4; f32] { let y[i, j] = a[j, i] return y }", {"a": Q}, Q.T, id="square transpose"
    ),
    pytest.param("pub entry run(a: Tensor[4, 4; f32]) -> Tensor[4, 4; f32] { let y[i, j] = a[i, j] return y }", {"a": Q}, Q, id="copy"),
    pytest.param(
        "pub entry run(a: Tensor[4, 4; f32]) -> Tensor[4, 4; f32] { let y[i, j] = a[j, i] + a[i, j] return y }",
        {"a": Q},
        Q + Q.T,
        id="with its transpose",
    ),
    pytest.param(
        "pub entry run(a: Tensor[4, 4; f32]) -> Tensor[4, 4; f32] { let y[i, j] = a[j, i] * a[j, i] - 1.0 return y }",
        {"a": Q},
        Q.T * Q.T - 1,
        id="both reordered alike",
    ),
    pytest.param(
        "pub entry run(a: Tensor[4, 4; f32]) -> Tensor[4; f32] { let y[i] = a[i, i] return y }", {"a": Q}, Q.diagonal(), id="diagonal"
    ),
    pytest.param("pub entry run(a: Tensor[4, 4; f32]) -> f32 { return sum[i] a[i, i] }", {"a": Q}, np.trace(Q), id="trace"),
    pytest.param(
        "pub entry run(a: Tensor[4, 4; f32], b: Tensor[4; f32]) -> f32 { return sum[i] a[i, i] * b[i] }",
        {"a": Q, "b": B[:, 0]},
        Q.diagonal() @ B[:, 0],
        id="diagonal in a contraction",
    ),
    pytest.param(
        "pub entry run(a: Tensor[3, 4; f32], b: Tensor[5; f32]) -> Tensor[3, 5; f32] { let y[i, j] = (sum[k] a[i, k]) * b[j] return y }",
        {"a": A, "b": B[0]},
        np.outer(A.sum(1), B[0]),
        id="outer product of a sum",
    ),
    pytest.param(
        "pub entry run(a: Tensor[3, 4; f32]) -> Tensor[4, 3; f32] { let y[j, i] = a[i, j] - max[k] a[i, k] return y }",
        {"a": A},
        (A - A.max(1, keepdims=True)).T,
        id="a reduction over fewer axes",
    ),
    pytest.param(
        "pub entry run(a: Tensor[3, 4; f32], b: Tensor[4, 5; f32], c: Tensor[5; f32]) -> Tensor[3; f32] "
        "{ let y[i] = sum[j, k] a[i, j] * b[j, k] * c[k] return y }",
        {"a": A, "b": B, "c": B[1]},
        A @ B @ B[1],
        id="three factors",
    ),
    pytest.param(
        "pub entry run(a: Tensor[3, 4; f32], b: Tensor[4, 5; f32], s: Tensor[3; f32]) -> Tensor[3, 5; f32] "
        "{ let y[i, j] = sum[k] 0.5 * a[i, k] * b[k, j] * s[i] return y }",
        {"a": A, "b": B, "s": A[:, 0]},
        0.5 * (A @ B) * A[:, :1],
        id="factors free of the reduction",
    ),
    pytest.param(
        "pub entry run(a: Tensor[3, 4; f32], s: Tensor[3; f32]) -> Tensor[3; f32] { let y[i] = sum[k] a[i, k] / s[i] return y }",
        {"a": A, "s": np.array([1, 2, 4])},
        A.sum(1) / [1, 2, 4],
        id="divisor free of the reduction",
    ),
    pytest.param(
        "pub entry run(a: Tensor[3, 4; f32], s: Tensor[4; f32]) -> Tensor[3; f32] { let y[i] = sum[k] a[i, k] * a[i, k] / s[k] return y }",
        {"a": A, "s": np.array([1, 2, 4, 8])},
        (A * A / [1, 2, 4, 8]).sum(1),
        id="divisor of the reduction",
    ),
    pytest.param(
        "pub entry run(a: Tensor[3, 4; f32], b: Tensor[5, 4; f32]) -> Tensor[3, 5; f32] "
        "{ let y[i, j] = sum[k] (a[i, k] - b[j, k]) * (a[i, k] - b[j, k]) return y }",
        {"a": A, "b": B.T.copy()},
        ((A[:, None] - B.T[None]) ** 2).sum(2),
        id="squared distances",
    ),
    pytest.param(
        "pub entry run(a: Tensor[3, 4; f32], b: Tensor[5; f32]) -> f32 { return sum[i, k, j] a[i, k] * b[j] }",
        {"a": A, "b": B[0]},
        A.sum() * B[0].sum(),
        id="factors that share nothing",
    ),
    pytest.param(
        "pub entry run(t: Tensor[4, 5; f32], at: Tensor[2; i32]) -> Tensor[2, 5; f32] { let y[n, d] = t[at[n], d] return y }",
        {"t": B, "at": AT},
        B[AT],
        id="rows by position",
    ),
    pytest.param(
        "pub entry run(t: Tensor[4, 5; f32], at: Tensor[2; i32]) -> Tensor[5, 2; f32] { let y[d, n] = t[at[n], d] return y }",
        {"t": B, "at": AT},
        B[AT].T,
        id="rows by position, reordered",
    ),
    pytest.param(
        "pub entry run(t: Tensor[2, 4; f32], at: Tensor[2; i32]) -> Tensor[2; f32] { let y[n] = t[n, at[n]] return y }",
        {"t": B[:2, :4], "at": AT},
        B[[0, 1], AT],
        id="one of each row",
    ),
    pytest.param(
        "pub entry run(c: Tensor[2, 3, 4; f32], at: Tensor[2; i32]) -> Tensor[2, 4, 3; f32] { let y[n, d, m] = c[n, m, d] * c[n, at[n], d] "
        "return y }",
        {"c": C, "at": AT},
        (C * C[[0, 1], AT][:, None]).transpose(0, 2, 1),
        id="a gather beside a plain read",
    ),
    pytest.param(
        "pub entry run(t: Tensor[4, 5; f32]) -> Tensor[5; f32] { let y[j] = t[2, j] return y }", {"t": B}, B[2], id="constant position"
    ),
    pytest.param(
        "pub entry run(t: Tensor[4, 5; f32], i: i32, j: i32) -> f32 { return t[i, j] }",
        {"t": B, "i": 3, "j": 4},
        B[3, 4],
        id="run-time positions",
    ),
    pytest.param(
        "pub entry run(c: Tensor[2, 3, 4; f32], i: i32) -> Tensor[2, 2; f32] { return c[:, i, 1:3] }",
        {"c": C, "i": 2},
        C[:, 2, 1:3],
        id="run-time position and a range",
    ),
    pytest.param(
        "fn rows<*S: Shape, N: Dim>(x: Tensor[*S, N; f32]) -> Tensor[*S; f32] { let y[*s] = sum[n] x[*s, n] return y }\n"
        "pub entry run(c: Tensor[2, 3, 4; f32]) -> Tensor[2, 3; f32] { return rows(c) }",
        {"c": C},
        C.sum(2),
        id="a pack of two axes",
    ),
    pytest.param(
        "fn rows<*S: Shape, N: Dim>(x: Tensor[*S, N; f32]) -> Tensor[*S; f32] { let y[*s] = sum[n] x[*s, n] return y }\n"
        "pub entry run(a: Tensor[4; f32]) -> f32 { return rows(a) }",
        {"a": A[0]},
        A[0].sum(),
        id="an empty pack",
    ),
    pytest.param(
        "fn table<*S: Shape, V: Dim, D: Dim>(ids: Tensor[*S; i32], t: Tensor[V, D; f32]) -> Tensor[*S, D; f32] "
        "{ let y[*s, d] = t[ids[*s], d] return y }\n"
        "pub entry run(t: Tensor[4, 5; f32], ids: Tensor[1, 2; i32]) -> Tensor[1, 2, 5; f32] { return table(ids, t) }",
        {"t": B, "ids": AT[None]},
        B[AT][None],
        id="an embedding",
    ),
    pytest.param(
        "fn twice(x: f32) -> f32 { return x + x }\n"
        "pub entry run(a: Tensor[3, 4; f32]) -> Tensor[4, 3; f32] { let y[j, i] = twice(a[i, j]) return y }",
        {"a": A},
        2 * A.T,
        id="a scalar function of an element",
    ),
    pytest.param(
        "fn twice<*S: Shape>(x: Tensor[*S; f32]) -> Tensor[*S; f32] { return x + x }\n"
        "pub entry run(a: Tensor[3, 4; f32]) -> Tensor[4, 3; f32] { let y[j, i] = twice(a)[i, j] return y }",
        {"a": A},
        2 * A.T,
        id="a tensor function inside",
    ),
    pytest.param(
        "pub entry run(a: Tensor[3, 4; f32]) -> Tensor[3, 4; f32] { let y[i, j] = if a[i, j] > 0.0 { a[i, j] } else { a[i, 0] } return y }",
        {"a": A},
        np.where(A > 0, A, A[:, :1]),
        id="an if per element",
    ),
    pytest.param(
        "pub entry run(a: Tensor[3, 4; f32]) -> Tensor[3, 4; f32] "
        "{ let y[i, j] = select(iota(4)[j] <= iota(3)[i], a[i, j], -1.0) return y }",
        {"a": A},
        np.where(np.arange(4)[None] <= np.arange(3)[:, None], A, -1),
        id="a triangle by iota",
    ),
    pytest.param(
        "pub entry run(a: Tensor[3, 0; f32]) -> (Tensor[3; f32], Tensor[3; bool]) "
        "{ let s[i] = sum[k] a[i, k]\nlet e[i] = all[k] a[i, k] > 0.0\nreturn (s, e) }",
        {"a": A[:, :0]},
        (np.zeros(3), np.ones(3, bool)),
        id="an empty axis",
    ),
    pytest.param(
        "pub entry run<N: Dim>(a: Tensor[3, N; f32]) -> Tensor[3; f32] { let y[i] = sum[k] a[i, k] / cast<f32>(N) return y }",
        {"a": A},
        A.sum(1) / 4,
        id="a mean",
    ),
    pytest.param(
        "pub entry run<N: Dim>(a: Tensor[3, N; f32]) -> Tensor[3; f32] { let y[i] = sum[k] a[i, k] / cast<f32>(N) return y }",
        {"a": A[:, :0]},
        np.zeros(3),
        id="a mean of nothing",
    ),
    pytest.param(
        "pub entry run(a: Tensor[3, 4; f32], b: Tensor[4; f32]) -> Tensor[3; f32] "
        "{ let y[i] = a[i, 0] + sum[k] b[k] return y + sum[i, k] a[i, k] }",
        {"a": A, "b": B[:, 0]},
        A[:, 0] + B[:, 0].sum() + A.sum(),
        id="a sum that no output index is in",
    ),
    pytest.param(
        "pub entry run(a: Tensor[3, 4; i32], b: Tensor[3, 4; i32]) -> (Tensor[3; i32], Tensor[3; i32], Tensor[3; i32]) { "
        "let s[i] = sum[k] a[i, k] * b[i, k] * 3\nlet p[i] = prod[k] a[i, k]\nlet m[i] = min[k] b[i, k]\nreturn (s, p, m) }",
        {"a": A, "b": A + 1},
        ((A * (A + 1)).sum(1) * 3, A.prod(1), (A + 1).min(1)),
        id="integers",
    ),
]

TARGETS = [
    pytest.param({}, id="plain"),
    pytest.param({"broadcasts_elementwise": True}, id="broadcasting"),
    pytest.param({"takes": frozenset(), "broadcasts_elementwise": True}, id="declining"),
    pytest.param({"shares": False}, id="sharing nothing"),
]


@pytest.mark.parametrize("numerics", ["exact", "equivalent", "fast"])
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(("text", "given", "wanted"), PROGRAMS)
def test_index_notation_computes(text: str, given: dict[str, Any], wanted: Any, target: dict[str, Any], numerics: str) -> None:
    bind = {"N": given["a"].shape[1]} if "<N: Dim>(a" in text else {}
    recording = exported(text, Listing(**target), bind, numerics=numerics)
    results = compute(recording.graph, **given)
    expected = wanted if isinstance(wanted, tuple) else (wanted,)
    assert len(results) == len(expected)
    for result, want in zip(results, expected, strict=True):
        assert result.shape == np.shape(want)
        np.testing.assert_allclose(result.astype(np.float64), np.asarray(want, np.float64), rtol=1e-6)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        pytest.param("a: Tensor[3, 4; f32]) -> Tensor[3, 4; f32] { let y[i, j] = a[i, j] return y }", [], id="a copy is nothing"),
        pytest.param("a: Tensor[4, 4; f32]) -> Tensor[4, 4; f32] { let y[i, j] = a[j, i] return y }", ["broadcast"], id="transpose"),
        pytest.param(
            "a: Tensor[3, 4; f32]) -> Tensor[3, 4; f32] { let y[i, j] = exp(a[i, 0]) * a[i, j] return y }",
            ["reshape", "transpose", "gather", "elementwise", "broadcast", "elementwise"],
            id="exp over one axis only",
        ),
        pytest.param("a: Tensor[3, 4; f32]) -> Tensor[4; i64] { let y[j] = iota(4)[j] return y }", ["iota"], id="iota of an index"),
        pytest.param(
            "a: Tensor[9, 4; f32], at: Tensor[3; i64]) -> Tensor[3, 4; f32] { let y[n, d] = a[at[n], d] return y }",
            ["reshape", "gather"],
            id="rows take one column of positions",
        ),
        pytest.param(
            "a: Tensor[2, 9, 4; f32], at: Tensor[3; i64]) -> Tensor[2, 3, 4; f32] { let y[b, n, d] = a[b, at[n], d] return y }",
            ["reshape", "transpose", "gather", "broadcast"],
            id="positions of the middle axis, the others whole",
        ),
        pytest.param(
            "a: Tensor[2, 9, 4; f32], at: Tensor[2, 3; i64]) -> Tensor[2, 3, 4; f32] { let y[b, n, d] = a[b, at[b, n], d] return y }",
            ["iota", "broadcast", "reshape", "reshape", "concat", "gather"],
            id="positions that depend on an axis before them",
        ),
        pytest.param(
            "a: Tensor[3, 4; f32], b: Tensor[4, 5; f32]) -> Tensor[3, 5; f32] { let c[m, n] = sum[k] a[m, k] * b[k, n] return c }",
            ["contract"],
            id="a product is never built",
        ),
        pytest.param("a: Tensor[3, 4; f32]) -> Tensor[3; f32] { let y[i] = sum[k] a[i, k] return y }", ["reduce"], id="a plain sum"),
        pytest.param(
            "a: Tensor[3, 4; f32]) -> Tensor[3; f32] { let y[i] = max[k] exp(a[i, k]) return y }",
            ["elementwise", "reduce"],
            id="max of exp",
        ),
    ],
)
def test_index_notation_becomes(text: str, wanted: list[str]) -> None:
    assert ops(exported(f"pub entry run({text}")) == wanted


def test_a_leading_gather_does_not_materialise_the_positions_of_whole_axes() -> None:
    text = (
        "pub entry run(experts: Tensor[8, 16, 32; f32], top: Tensor[2; i32]) -> Tensor[2, 16, 32; f32] "
        "{ let y[k, o, i] = experts[top[k], o, i] return y }"
    )
    (gather,) = calls(exported(text), "gather")
    assert gather.operand(1).shape == (2, 1)


#: By what is read: index notation, and how many elements the largest value of the graph may have.
MEMORY = [
    pytest.param(
        "p: Tensor[2, 16, 20, 20; f32], rows: Tensor[18; i64]) -> Tensor[2, 16, 18, 18, 3, 3; f32] "
        "{ let y[b, c, i, j, u, v] = p[b, c, rows[i] + iota(3)[u], rows[j] + iota(3)[v]] return y }",
        2 * 16 * 18 * 18 * 9,
        id="windows",
    ),
    pytest.param(
        "p: Tensor[2, 16, 20, 20; f32], w: Tensor[16, 3, 3; f32], rows: Tensor[18; i64]) -> Tensor[2, 16, 18, 18; f32] "
        "{ let y[b, c, i, j] = sum[u, v] p[b, c, rows[i] + iota(3)[u], rows[j] + iota(3)[v]] * w[c, u, v] return y }",
        2 * 16 * 18 * 18 * 9,
        id="a depthwise convolution",
    ),
    pytest.param(
        "x: Tensor[64, 32; f32], at: Tensor[5; i64]) -> Tensor[64, 5; f32] { let y[n, k] = x[n, at[k]] return y }",
        64 * 32,
        id="columns of a matrix",
    ),
    pytest.param(
        "x: Tensor[4, 4, 64; f32]) -> Tensor[64, 4; f32] { let y[n, i] = x[i, i, n] return y }",
        4 * 4 * 64,
        id="a diagonal before a whole axis",
    ),
    pytest.param(
        "x: Tensor[6, 3, 50; f32], top: Tensor[6, 2; i64]) -> Tensor[6, 2, 50; f32] { let y[b, k, n] = x[b, top[b, k], n] return y }",
        6 * 3 * 50,
        id="positions of each row",
    ),
]


@pytest.mark.parametrize(("text", "most"), MEMORY)
def test_no_value_is_larger_than_what_is_read_or_made(text: str, most: int) -> None:
    graph = exported(f"pub entry run({text}").graph
    assert max(prod(value.shape) for value in graph.values) == most


def test_an_operand_that_a_target_broadcasts_is_handed_over_as_a_view() -> None:
    text = (
        "pub entry run(x: Tensor[2, 3; f32], y: Tensor[3; f32], z: Tensor[2; f32]) -> Tensor[2, 3; f32] "
        "{ let a[i, j] = x[i, j] * y[j] + z[i] return a }"
    )
    recording = exported(text, Listing(broadcasts_elementwise=True))
    assert ops(recording) == ["elementwise", "broadcast", "elementwise"]
    product = calls(recording, "elementwise")[0]
    assert recording.graph.values[product.operand(1).value].shape == (3,)  # type: ignore[index]  # a recorded operand is named by its id
    assert product.operand(1).shape == (2, 3)
    assert ops(exported(text)) == ["broadcast", "elementwise", "broadcast", "elementwise"]
