"""Programs whose kernels are run by every writer, and sizes and inputs for them.

In: nothing.  Out: `PROGRAMS`: name -> (text, bindings, how to draw the inputs).
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from linnet_core.check.check import check
from linnet_core.ir.lower import lower
from linnet_core.modules.load import load
from linnet_core.text.diagnostic import Diagnostics

ADD = """
kernel tiles<N: Dim, B: Dim, T: Float = f32>(x: Tensor[N; T], y: Tensor[N; T], s: T) -> z: Tensor[N; T] grid((N + B - 1) / B) warps(4)
where B > 0 {
    let at = program_id(0) * B + iota<i32>(B)
    let inside = at < N
    store(z[at], load(x[at], inside) + s * load(y[at], inside, 0.0), inside)
}
op add<N: Dim, T: Float>(x: Tensor[N; T], y: Tensor[N; T], s: T) -> Tensor[N; T] kernel tiles<N, 8> { return x + s * y }
entry run<N: Dim, T: Float>(x: Tensor[N; T], y: Tensor[N; T]) -> Tensor[N; T] { return add(x, y, 2.0) }
"""
SOFTMAX = """
kernel rows<R: Dim, C: Dim>(x: Tensor[R, C; f32]) -> y: Tensor[R, C; f32] grid(R) {
    let row = program_id(0)
    let cols = iota<i32>(C)
    let v = load(x[row, cols])
    let top = max[i] v[i]
    let e = exp(v - top)
    store(y[row, cols], e / (sum[i] e[i]))
}
op rows_of<R: Dim, C: Dim>(x: Tensor[R, C; f32]) -> Tensor[R, C; f32] kernel rows {
    let top[r] = max[c] x[r, c]
    let e[r, c] = exp(x[r, c] - top[r])
    let total[r] = sum[c] e[r, c]
    let y[r, c] = e[r, c] / total[r]
    return y
}
entry run<R: Dim, C: Dim>(x: Tensor[R, C; f32]) -> Tensor[R, C; f32] { return rows_of(x) }
"""
PARTS = """
kernel split<N: Dim>(x: Tensor[N; f32]) -> (low: Tensor[N; f32], high: Tensor[N; f32]) grid(N) {
    let i = program_id(0)
    store(low[i], min(load(x[i]), 0.0))
    store(high[i], max(load(x[i]), 0.0))
}
op parts<N: Dim>(x: Tensor[N; f32]) -> (Tensor[N; f32], Tensor[N; f32]) kernel split { return (min(x, 0.0), max(x, 0.0)) }
entry run<N: Dim>(x: Tensor[N; f32]) -> (Tensor[N; f32], Tensor[N; f32]) { return parts(x) }
"""
COUNT = """
kernel counted<N: Dim, K: Dim>(labels: Tensor[N; i32]) -> counts: Tensor[K; i32] grid((N + 3) / 4) {
    let at = program_id(0) * 4 + iota<i32>(4)
    atomic_add(counts[load(labels[at], at < N)], 1, at < N)
}
op count<N: Dim, K: Dim>(labels: Tensor[N; i32]) -> Tensor[K; i32] kernel counted<N, K> {
    let bins = iota<i32>(K)
    let counts[k] = sum[n] cast<i32>(labels[n] == bins[k])
    return counts
}
entry run<N: Dim>(labels: Tensor[N; i32]) -> Tensor[5; i32] { return count<N, 5>(labels) }
"""


PRODUCT = """
kernel tiles<M: Dim, K: Dim, N: Dim>(a: Tensor[M, K; f32], b: Tensor[N, K; f32]) -> c: Tensor[N, M; f32]
    grid((M + 15) / 16, (N + 15) / 16) warps(4) stages(2) {
    let rows = program_id(0) * 16 + iota<i32>(16)
    let cols = program_id(1) * 16 + iota<i32>(16)
    var total = fill<f32>([16, 16], 0.0)
    for step in 0..(K + 15) / 16 {
        let inner = cast<i32>(step) * 16 + iota<i32>(16)
        let of_a[i, k] = rows[i] < M && inner[k] < K
        let of_b[j, k] = cols[j] < N && inner[k] < K
        let x = load(a[rows, inner], of_a, 0.0)
        let y = load(b[cols, inner], of_b)
        let product[j, i] = sum[k] x[i, k] * y[j, k]
        total = total + product
    }
    let inside[j, i] = rows[i] < M && cols[j] < N
    store(c[cols, rows], total, inside)
}
op product<M: Dim, K: Dim, N: Dim>(a: Tensor[M, K; f32], b: Tensor[N, K; f32]) -> Tensor[N, M; f32] kernel tiles {
    let c[n, m] = sum[k] a[m, k] * b[n, k]
    return c
}
entry run<M: Dim, K: Dim, N: Dim>(a: Tensor[M, K; f32], b: Tensor[N, K; f32]) -> Tensor[N, M; f32] { return product(a, b) }
"""
SHORT_PRODUCT = """
kernel tile(a: Tensor[16, 16; f32], b: Tensor[16, 16; f32]) -> c: Tensor[16, 16; f32] grid(1) {
    let x = cast<DTYPE>(load(a[iota<i32>(16), iota<i32>(16)]))
    let y = cast<DTYPE>(load(b[iota<i32>(16), iota<i32>(16)]))
    let z[i, j] = sum[k] x[i, k] * y[k, j]
    store(c[iota<i32>(16), iota<i32>(16)], cast<f32>(z * z - x))
}
op product(a: Tensor[16, 16; f32], b: Tensor[16, 16; f32]) -> Tensor[16, 16; f32] kernel tile {
    let x = cast<DTYPE>(a)
    let y = cast<DTYPE>(b)
    let z[i, j] = sum[k] x[i, k] * y[k, j]
    return cast<f32>(z * z - x)
}
entry run(a: Tensor[16, 16; f32], b: Tensor[16, 16; f32]) -> Tensor[16, 16; f32] { return product(a, b) }
"""
#: BODY is over `x`, and with two inputs `y`, of type DTYPE, eight of them; what it gives is stored.
POINTWISE = """
fn told(x: Tensor[8; DTYPE], y: Tensor[8; DTYPE]) -> Tensor[8; RESULT] { return BODY }
kernel tile(a: Tensor[8; DTYPE], b: Tensor[8; DTYPE]) -> c: Tensor[8; RESULT] grid(1) {
    store(c[iota<i32>(8)], told(load(a[iota<i32>(8)]), load(b[iota<i32>(8)])))
}
op point(a: Tensor[8; DTYPE], b: Tensor[8; DTYPE]) -> Tensor[8; RESULT] kernel tile { return told(a, b) }
entry run(a: Tensor[8; DTYPE], b: Tensor[8; DTYPE]) -> Tensor[8; RESULT] { return point(a, b) }
"""
TURNED = """
kernel tile(x: Tensor[4, 8; f32]) -> (y: Tensor[8, 4; f32], z: Tensor[4, 8; f32]) grid(1) {
    let v = load(x[iota<i32>(4), iota<i32>(8)])
    store(y[iota<i32>(8), iota<i32>(4)], permute(v, [1, 0]))
    store(z[iota<i32>(4), iota<i32>(8)], cumsum(v, axis = 1) + reshape(reshape(v, [32]), [4, 8]))
}
op turn(x: Tensor[4, 8; f32]) -> (Tensor[8, 4; f32], Tensor[4, 8; f32]) kernel tile {
    return (permute(x, [1, 0]), cumsum(x, axis = 1) + x)
}
entry run(x: Tensor[4, 8; f32]) -> (Tensor[8, 4; f32], Tensor[4, 8; f32]) { return turn(x) }
"""
EXTREMES = """
kernel rows<R: Dim>(x: Tensor[R, 8; f32]) -> (top: Tensor[R; f32], low: Tensor[R; f32], positive: Tensor[R; bool]) grid(R) {
    let v = load(x[program_id(0), iota<i32>(8)])
    store(top[program_id(0)], max[i] v[i])
    store(low[program_id(0)], min[i] v[i])
    store(positive[program_id(0)], any[i] v[i] > 0.0)
}
op extremes<R: Dim>(x: Tensor[R, 8; f32]) -> (Tensor[R; f32], Tensor[R; f32], Tensor[R; bool]) kernel rows {
    let top[r] = max[i] x[r, i]
    let low[r] = min[i] x[r, i]
    let positive[r] = any[i] x[r, i] > 0.0
    return (top, low, positive)
}
entry run<R: Dim>(x: Tensor[R, 8; f32]) -> (Tensor[R; f32], Tensor[R; f32], Tensor[R; bool]) { return extremes(x) }
"""
CHOSEN = """
kernel tile(x: Tensor[8; f32], keep: Tensor[8; bool]) -> (y: Tensor[8; f32], gone: Tensor[8; bool]) grid(1) {
    let kept = load(keep[iota<i32>(8)])
    store(y[iota<i32>(8)], load(x[iota<i32>(8)], kept, -1.0))
    store(gone[iota<i32>(8)], kept ^ true)
}
op choose(x: Tensor[8; f32], keep: Tensor[8; bool]) -> (Tensor[8; f32], Tensor[8; bool]) kernel tile {
    let y[i] = select(keep[i], x[i], -1.0)
    return (y, keep ^ true)
}
entry run(x: Tensor[8; f32], keep: Tensor[8; bool]) -> (Tensor[8; f32], Tensor[8; bool]) { return choose(x, keep) }
"""
#: Positions before the first element are masked.
SHIFTED = """
kernel tile(x: Tensor[8; f32]) -> y: Tensor[8; f32] grid(1) {
    let at = iota<i32>(8)
    store(y[7 - at], load(x[at]), at < 1)
    store(y[at - 1], load(x[at], at > 0), at > 0)
}
op shift(x: Tensor[8; f32]) -> Tensor[8; f32] kernel tile { return concat(x[1:8], x[0:1], axis = 0) }
entry run(x: Tensor[8; f32]) -> Tensor[8; f32] { return shift(x) }
"""
COLUMNS = """
kernel columns<R: Dim, C: Dim>(x: Tensor[R, C; DTYPE]) -> (top: Tensor[C; DTYPE], low: Tensor[C; DTYPE]) grid(R, (C + 3) / 4) {
    let cols = program_id(1) * 4 + iota<i32>(4)
    atomic_max(top[cols], load(x[program_id(0), cols], cols < C), cols < C)
    atomic_min(low[cols], load(x[program_id(0), cols], cols < C), cols < C)
}
op ends<R: Dim, C: Dim>(x: Tensor[R, C; DTYPE]) -> (Tensor[C; DTYPE], Tensor[C; DTYPE]) kernel columns {
    let top[c] = max[r] x[r, c]
    let low[c] = min[r] x[r, c]
    return (top, low)
}
entry run<R: Dim, C: Dim>(x: Tensor[R, C; DTYPE]) -> (Tensor[C; DTYPE], Tensor[C; DTYPE]) { return ends(x) }
"""
COUNTED = """
kernel rows<R: Dim>(x: Tensor[R, 5; f32]) -> y: Tensor[R; i64] grid(R) {
    var total: f32 = 0.0
    var count: i64 = 0
    for i in 0..5 {
        for j in 0..2 { total = total + load(x[program_id(0), cast<i32>(i)]) * cast<f32>(j) }
        count = count + select(total > 0.0, i, 0)
    }
    store(y[program_id(0)], count * 3000000000)
}
op counted<R: Dim>(x: Tensor[R, 5; f32]) -> Tensor[R; i64] kernel rows {
    let at = iota<i64>(5)
    let sums = cumsum(x, axis = 1)
    let y[r] = sum[i] select(sums[r, i] > 0.0, at[i], 0)
    return y * 3000000000
}
entry run<R: Dim>(x: Tensor[R, 5; f32]) -> Tensor[R; i64] { return counted(x) }
"""
CORE = Path(__file__).parents[1]


def program(text: str) -> Any:
    """The module in Core IR."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.linnet"
        path.write_text("module program\n" + text, encoding="utf-8")
        diagnostics = Diagnostics()
        package = load(str(path), diagnostics=diagnostics)
        assert package is not None
        checked = check(package, diagnostics)
    diagnostics.raise_errors()
    assert checked is not None
    return lower(checked)


def _file(path: Path) -> str:
    return path.read_text(encoding="utf-8").partition("\n")[2]


def _case(name: str) -> str:
    return _file(CORE / "language_cases" / "valid" / f"kernel_{name}.linnet")


def _normal(*shapes: Any, dtype: Any = np.float32) -> Any:
    return lambda random: [random.normal(size=shape).astype(dtype) for shape in shapes]


def _pointwise(body: str, dtype: str, result: str | None = None) -> str:
    return POINTWISE.replace("BODY", body).replace("DTYPE", dtype).replace("RESULT", result or dtype)


def _edges(dtype: Any) -> Any:
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    a = np.array([7, 0, low, low, high, 5, high, 9]).astype(dtype)
    b = np.array([2, 0, -1 if low else high, 0, 1, -3 if low else 3, low or 2, 4]).astype(dtype)
    return lambda random: [a, b]


def _specials(random: Any) -> list[np.ndarray]:
    a = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 2.5, -7.5, 4.0], np.float32)
    return [a, np.array([1.0, 0.0, -0.0, 2.0, 1.0, np.nan, 2.0, -0.0], np.float32)]


def _with_nan(random: Any) -> list[np.ndarray]:
    x = random.normal(size=(3, 8)).astype(np.float32)
    x[1, 3], x[2] = np.nan, -np.inf
    return [x]


PROGRAMS: dict[str, tuple[str, dict[str, Any], Any]] = {
    "a mask at the edge": (ADD, {"N": 13, "T": "f32"}, _normal(13, 13)),
    "halves": (ADD, {"N": 16, "T": "f16"}, _normal(16, 16, dtype=np.float16)),
    "doubles": (ADD, {"N": 5, "T": "f64"}, _normal(5, 5, dtype=np.float64)),
    "reductions of a row": (SOFTMAX, {"R": 3, "C": 8}, lambda random: [random.normal(size=(3, 8)).astype(np.float32)]),
    "two results": (PARTS, {"N": 5}, lambda random: [random.normal(size=5).astype(np.float32)]),
    "atomic additions": (COUNT, {"N": 11}, lambda random: [random.integers(0, 5, 11).astype(np.int32)]),
    "a tile of seven": (SOFTMAX, {"R": 3, "C": 7}, lambda random: [random.normal(size=(3, 7)).astype(np.float32)]),
    "products of tiles, turned, in a loop": (PRODUCT, {"M": 20, "K": 35, "N": 18}, _normal((20, 35), (18, 35))),
    "a product of f16": (SHORT_PRODUCT.replace("DTYPE", "f16"), {}, _normal((16, 16), (16, 16))),
    "a product of bf16": (SHORT_PRODUCT.replace("DTYPE", "bf16"), {}, _normal((16, 16), (16, 16))),
    "quotients of i32": (_pointwise("x / y", "i32"), {}, _edges(np.int32)),
    "remainders of i32": (_pointwise("x % y", "i32"), {}, _edges(np.int32)),
    "quotients of i64": (_pointwise("x / y", "i64"), {}, _edges(np.int64)),
    "remainders of i8": (_pointwise("x % y + x / y", "i8"), {}, _edges(np.int8)),
    "quotients of u8": (_pointwise("x / y + x % y", "u8"), {}, _edges(np.uint8)),
    "wrapping in i32": (_pointwise("x * y - -x + abs(x)", "i32"), {}, _edges(np.int32)),
    "bits": (_pointwise("(x & y) | (x ^ 5)", "i32"), {}, _edges(np.int32)),
    "negation of zero": (_pointwise("-x", "f32"), {}, _specials),
    "quotients of floats": (_pointwise("x / y", "f32"), {}, _specials),
    "remainders of floats": (_pointwise("x % y", "f32"), {}, _specials),
    "greater and less": (_pointwise("max(x, y) + min(x, y) + 1.0", "f32"), {}, _specials),
    "roots": (_pointwise("rsqrt(x) + sqrt(y)", "f32"), {}, _specials),
    "functions": (_pointwise("exp(x) + log(abs(y)) + sin(x) * cos(y)", "f32"), {}, _normal(8, 8)),
    "tanh": (_pointwise("tanh(x) + y", "f32"), {}, _normal(8, 8)),
    "floats to integers": (_pointwise("cast<i32>(x)", "f32", "i32"), {}, _specials),
    "integers to halves": (_pointwise("cast<f32>(cast<f16>(x))", "i32", "f32"), {}, _edges(np.int32)),
    "comparisons": (_pointwise("(x < y) | (x == y)", "f32", "bool"), {}, _specials),
    "transposes and running sums": (TURNED, {}, _normal((4, 8))),
    "NaN in reductions": (EXTREMES, {"R": 3}, _with_nan),
    "bool memory": (CHOSEN, {}, lambda random: [random.normal(size=8).astype(np.float32), random.integers(0, 2, 8) > 0]),
    "masked positions before the first": (SHIFTED, {}, _normal(8)),
    "atomic ends of floats": (COLUMNS.replace("DTYPE", "f32"), {"R": 3, "C": 6}, _normal((3, 6))),
    "atomic ends of integers": (
        COLUMNS.replace("DTYPE", "i32"),
        {"R": 3, "C": 6},
        lambda random: [random.integers(-9, 9, (3, 6)).astype("i4")],
    ),
    "nested counted loops": (COUNTED, {"R": 3}, _normal((3, 5))),
    "case: atomics": (_case("atomics_kinds"), {"N": 5}, lambda random: [random.normal(size=5).astype("f4"), random.integers(-9, 9, 5)]),
    "case: binding": (_case("binding"), {"N": 70}, _normal(70)),
    "case: a grid of three": (_case("grid_three"), {"N": 18}, _normal((2, 3, 18))),
    "case: scalar positions": (_case("scalar_index"), {"N": 4}, _normal((4, 3))),
    "case: two axes": (_case("two_axes"), {"N": 9}, _normal((9, 3), (3, 5))),
    "case: a condition that holds": (_case("where_unproved"), {"N": 16}, lambda random: [random.integers(-9, 9, 16)]),
    "case: a condition that does not": (_case("where_unproved"), {"N": 12}, lambda random: [random.integers(-9, 9, 12)]),
    "case: a package": (
        _file(CORE.parents[1] / "tests" / "language" / "kernels.linnet"),
        {"R": 3, "C": 4, "N": 70},
        lambda random: [random.normal(size=(3, 4)).astype(np.float32), random.integers(0, 4, 70).astype(np.int32)],
    ),
}

#: Where the interpreter of Core IR says otherwise than what is printed, and why.
NOT_SAID = {
    "a product of f16": "the interpreter rounds every product and sum to f16",
    "a product of bf16": "the interpreter rounds every product and sum to bf16",
    "case: a condition that does not": "the kernel is not launched, and is not right there",
}

#: An op whose body is differentiated, and one whose own gradient is not its body's, so that one sees which is taken.
GRADIENTS = """
kernel tile(a: Tensor[8; f32]) -> c: Tensor[8; f32] grid(1) {
    let x = load(a[iota<i32>(8)])
    store(c[iota<i32>(8)], x * x)
}
op square(a: Tensor[8; f32]) -> Tensor[8; f32] kernel tile { return a * a }
op with_own(a: Tensor[8; f32]) -> Tensor[8; f32] kernel tile { return a * a } grad(y, dy) { return dy * 3.0 + y }
entry run(a: Tensor[8; f32], b: Tensor[8; f32]) -> Tensor[8; f32] { return square(a) * 2.0 + with_own(b) }
"""
#: The same, summed: what `--grad` takes.
LOSS = GRADIENTS.replace("-> Tensor[8; f32] { return square(a)", "-> f32 { let z = square(a)").replace(
    "with_own(b) }\n", "with_own(b) return sum[i] z[i] }\n"
)
