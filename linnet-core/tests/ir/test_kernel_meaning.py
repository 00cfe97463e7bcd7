"""Kernels compute what their ops do: each is run program by program and compared with the op's body on the NumPy target."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from kernel_interpreter import OutsideError, launch
from running import program

from linnet_core.ir.passes import optimize
from linnet_core.plan.read import read_plan
from linnet_core.plan.write import plan_document

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from linnet_core.ir.module import Module

F32, I32 = np.float32, np.int32


def numbers(*shape: int, dtype: Any = F32, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape).astype(dtype)


ADD = """
kernel tiles<N: Dim, B: Dim, T: Float = f32>(x: Tensor[N; T], y: Tensor[N; T], s: T) -> z: Tensor[N; T] grid((N + B - 1) / B) warps(4)
where B > 0 {
    let at = program_id(0) * B + iota<i32>(B)
    let inside = at < N
    store(z[at], load(x[at], inside) + s * load(y[at], inside, 0.0), inside)
}
op run<N: Dim, T: Float>(x: Tensor[N; T], y: Tensor[N; T], s: T) -> Tensor[N; T] kernel tiles<N, 8> { return x + s * y }
"""

SOFTMAX = """
fn spread<*S: Shape>(v: Tensor[*S; f32], by: f32) -> Tensor[*S; f32] { return exp(v - by) }
kernel rows<R: Dim, C: Dim>(x: Tensor[R, C; f32]) -> y: Tensor[R, C; f32] grid(R) {
    let row = program_id(0)
    let cols = iota<i32>(C)
    let v = load(x[row, cols])
    let top = max[i] v[i]
    let e = spread(v, top)
    store(y[row, cols], e / (sum[i] e[i]))
}
op run<R: Dim, C: Dim>(x: Tensor[R, C; f32]) -> Tensor[R, C; f32] kernel rows {
    let top[r] = max[c] x[r, c]
    let e[r, c] = exp(x[r, c] - top[r])
    let total[r] = sum[c] e[r, c]
    let y[r, c] = e[r, c] / total[r]
    return y
}
"""

MATMUL = """
kernel tiles<M: Dim, K: Dim, N: Dim, BM: Dim = 4, BN: Dim = 2, BK: Dim = 3>(a: Tensor[M, K; f32], b: Tensor[K, N; f32])
    -> c: Tensor[M, N; f32] grid((M + BM - 1) / BM, (N + BN - 1) / BN) warps(4) stages(2) where BM > 0, BN > 0, BK > 0 {
    let rows = program_id(0) * BM + iota<i32>(BM)
    let cols = program_id(1) * BN + iota<i32>(BN)
    var total = fill<f32>([BM, BN], 0.0)
    for step in 0..(K + BK - 1) / BK {
        let inner = cast<i32>(step) * BK + iota<i32>(BK)
        let of_a[i, k] = rows[i] < M && inner[k] < K
        let of_b[k, j] = inner[k] < K && cols[j] < N
        let x = load(a[rows, inner], of_a, 0.0)
        let y = load(b[inner, cols], of_b)
        let product[i, j] = sum[k] x[i, k] * y[k, j]
        total = total + product
    }
    let inside[i, j] = rows[i] < M && cols[j] < N
    store(c[rows, cols], total, inside)
}
op run<M: Dim, K: Dim, N: Dim>(a: Tensor[M, K; f32], b: Tensor[K, N; f32]) -> Tensor[M, N; f32] kernel tiles {
    let c[m, n] = sum[k] a[m, k] * b[k, n]
    return c
}
"""

HISTOGRAM = """
kernel tally<N: Dim, K: Dim, B: Dim>(labels: Tensor[N; i32], weights: Tensor[N; f32])
    -> (counts: Tensor[K; i32], lightest: Tensor[K; f32]) grid((N + B - 1) / B) where B > 0 {
    let at = program_id(0) * B + iota<i32>(B)
    let inside = at < N
    let label = load(labels[at], inside)
    atomic_add(counts[label], 1, inside)
    atomic_min(lightest[label], load(weights[at], inside), inside)
}
op run<N: Dim, K: Dim>(labels: Tensor[N; i32], weights: Tensor[N; f32]) -> (Tensor[K; i32], Tensor[K; f32]) kernel tally<N, K, 8> {
    let at = iota<i32>(K)
    let one = fill<i32>([N], 1)
    let far: f32 = 1.0
    let hits[n, k] = labels[n] == at[k]
    let counts[k] = sum[n] select(hits[n, k], one[n], 0)
    let lightest[k] = min[n] select(hits[n, k], weights[n], far / (far - far))
    return (counts, lightest)
}
"""

COLUMN_MAX = """
kernel columns<R: Dim, C: Dim>(x: Tensor[R, C; f32]) -> top: Tensor[C; f32] grid(R, (C + 3) / 4) {
    let cols = program_id(1) * 4 + iota<i32>(4)
    atomic_max(top[cols], load(x[program_id(0), cols], cols < C), cols < C)
}
op run<R: Dim, C: Dim>(x: Tensor[R, C; f32]) -> Tensor[C; f32] kernel columns {
    let top[c] = max[r] x[r, c]
    return top
}
"""

EVERYTHING = """
struct Pair<B: Dim> { low: Tensor[B; f32] high: Tensor[B; f32] }
enum Way { Up, Down }
const Towards = Way.Down
kernel all<N: Dim, B: Dim>(x: Tensor[N, B; f32], n: Tensor[1; i32])
    -> (y: Tensor[N, B; f32], z: Tensor[N, 2; f32], t: Tensor[B, N; f32]) grid(N) where B > 1 {
    let row = program_id(0)
    let v = load(x[row, iota(B)])
    let pair = Pair(low = min(v, 0.0), high = max(v, 0.0))
    let (p, q) = (pair.low, pair.high)
    var k = load(n[0])
    var w = p
    while k > 0 {
        w = w + q
        k = k - 1
    }
    static for i in 0..2 { w = w * 2.0 + cast<f32>(i) }
    let running = for i in 0..B { let s = cumsum(w, axis = 0) yield s[i] }
    let turned = match Towards { Up => running Down => -running }
    store(y[row, iota(B)], concat(turned[0:1], turned[1:B], axis = 0))
    for j in 0..2 { store(z[row, j], if j == 0 { w[0] } else { w[1] }) }
    let column = reshape(select(v > 0.0, v, fill<f32>([B], 1.0)), [B, 1])
    store(t[iota(B), row + iota<i32>(1)], permute(permute(column, [1, 0]), [1, 0]))
}
op run<N: Dim, B: Dim>(x: Tensor[N, B; f32], n: Tensor[1; i32]) -> (Tensor[N, B; f32], Tensor[N, 2; f32], Tensor[B, N; f32])
    kernel all where B > 1 {
    let times = cast<f32>(n[0])
    let w = (min(x, 0.0) + max(x, 0.0) * times) * 4.0 + 1.0
    let t[b, i] = select(x[i, b] > 0.0, x[i, b], 1.0)
    return (-cumsum(w, axis = 1), w[:, 0:2], t)
}
"""

#: The program's text, the op's generics, and its arguments by name.
PROGRAMS = [
    pytest.param(ADD, {"N": 21, "T": "f32"}, {"x": numbers(21), "y": numbers(21, seed=2), "s": F32(0.5)}, id="vector add with a mask"),
    pytest.param(
        ADD, {"N": 16, "T": "f64"}, {"x": numbers(16, dtype=np.float64), "y": numbers(16, dtype=np.float64), "s": np.float64(2)}, id="f64"
    ),
    pytest.param(ADD, {"N": 0, "T": "f32"}, {"x": numbers(0), "y": numbers(0), "s": F32(1)}, id="no programs"),
    pytest.param(SOFTMAX, {"R": 3, "C": 5}, {"x": numbers(3, 5)}, id="softmax of rows"),
    pytest.param(MATMUL, {"M": 9, "K": 7, "N": 5}, {"a": numbers(9, 7), "b": numbers(7, 5, seed=2)}, id="tiles of a matrix product"),
    pytest.param(
        HISTOGRAM,
        {"N": 21, "K": 6},
        {"labels": (np.arange(21) * 7 % 5).astype(I32), "weights": numbers(21)},
        id="a histogram and a minimum by atomic writes",
    ),
    pytest.param(COLUMN_MAX, {"R": 5, "C": 6}, {"x": numbers(5, 6)}, id="an atomic maximum"),
    pytest.param(EVERYTHING, {"N": 3, "B": 4}, {"x": numbers(3, 4), "n": np.array([3], I32)}, id="the rest of the language"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "generics", "arguments"), PROGRAMS)
def test_a_kernel_agrees_with_the_body_of_its_op(
    lowered: Callable[[str], Module], tmp_path: Path, text: str, generics: dict[str, Any], arguments: dict[str, Any]
) -> None:
    module = lowered(text)
    stages = [module, optimize(module), read_plan(json.loads(json.dumps(plan_document(module, functions=True))))]
    wanted = body_of(tmp_path, text, generics, arguments)
    for stage in stages:
        for backwards in (False, True):
            found = launch(stage, "test::run", generics, arguments.values(), backwards=backwards)
            assert len(found) == len(wanted)
            for one, other in zip(found, wanted, strict=True):
                assert (one.dtype, one.shape) == (other.dtype, other.shape)
                np.testing.assert_allclose(one, other, rtol=2e-6, atol=1e-6)


def body_of(folder: Path, text: str, generics: dict[str, Any], arguments: dict[str, Any]) -> list[np.ndarray]:
    """What the op's body gives on the NumPy target, called from an entry of the same parameters."""
    header = text[text.index("op run") :]
    signature = header[len("op run") : header.index(" kernel ")].rstrip()
    where = " where" + header.partition(" where")[2].partition("{")[0] if " where" in header.partition("{")[0] else ""
    result = ", ".join(name for name in arguments)
    given = ", ".join(f"{name}" for name in generics)
    entry = f"entry main{signature}{where} {{ return run<{given}>({result}) }}\n"
    file = folder / "entry.linnet"
    file.write_text("module test\n" + text + entry, encoding="utf-8")
    results, _ = program("numpy", str(file), generics, entry="main").run(arguments)
    return results


@pytest.mark.parametrize("tile", [1, 2, 5, 16])
@pytest.mark.parametrize("size", [0, 1, 4, 5, 11])
def test_every_size_of_a_tile_covers_every_size_of_a_tensor(lowered: Callable[[str], Module], tile: int, size: int) -> None:
    x, labels = numbers(size), (np.arange(size) % 3).astype(I32)
    adding = lowered(ADD.replace("tiles<N, 8>", f"tiles<N, {tile}>"))
    (found,) = launch(adding, "test::run", {"N": size, "T": "f32"}, (x, x, F32(2)))
    np.testing.assert_array_equal(found, x + F32(2) * x)
    counting = lowered(HISTOGRAM.replace("tally<N, K, 8>", f"tally<N, K, {tile}>"))
    counts, _ = launch(counting, "test::run", {"N": size, "K": 4}, (labels, x))
    np.testing.assert_array_equal(counts, np.bincount(labels, minlength=4))


@pytest.mark.parametrize("tiles", [(1, 1, 1), (4, 2, 3), (2, 8, 8), (16, 16, 16)], ids=str)
def test_every_size_of_a_tile_gives_one_product(lowered: Callable[[str], Module], tiles: tuple[int, int, int]) -> None:
    a, b = numbers(6, 5), numbers(5, 3, seed=2)
    module = lowered(MATMUL.replace("kernel tiles {", f"kernel tiles<M, K, N, {', '.join(map(str, tiles))}> {{"))
    (found,) = launch(module, "test::run", {"M": 6, "K": 5, "N": 3}, (a, b))
    np.testing.assert_allclose(found, a @ b, rtol=2e-6, atol=1e-6)


def test_an_unmasked_position_outside_is_seen(lowered: Callable[[str], Module]) -> None:
    text = ADD.replace(", inside)", ")").replace(", inside, 0.0)", ")")
    with pytest.raises(OutsideError):
        launch(lowered(text), "test::run", {"N": 21, "T": "f32"}, (numbers(21), numbers(21), F32(1)))


def test_an_element_that_is_not_written_is_seen(lowered: Callable[[str], Module]) -> None:
    (found,) = launch(lowered(ADD.replace("at < N", "at < N - 1")), "test::run", {"N": 9, "T": "f32"}, (numbers(9), numbers(9), F32(1)))
    assert np.isnan(found).tolist() == [False] * 8 + [True]
