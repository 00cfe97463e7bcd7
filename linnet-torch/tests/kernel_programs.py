"""Programs whose kernels are run, and sizes and inputs for them.

In: nothing.  Out: `PROGRAMS`: name -> (text, bindings, how to draw the inputs).
"""

from __future__ import annotations

from typing import Any

import numpy as np

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


def _two(size: int, dtype: Any) -> Any:
    return lambda random: [random.normal(size=size).astype(dtype) for _ in range(2)]


PROGRAMS: dict[str, tuple[str, dict[str, Any], Any]] = {
    "a mask at the edge": (ADD, {"N": 13, "T": "f32"}, _two(13, np.float32)),
    "halves": (ADD, {"N": 16, "T": "f16"}, _two(16, np.float16)),
    "doubles": (ADD, {"N": 5, "T": "f64"}, _two(5, np.float64)),
    "reductions of a row": (SOFTMAX, {"R": 3, "C": 8}, lambda random: [random.normal(size=(3, 8)).astype(np.float32)]),
    "two results": (PARTS, {"N": 5}, lambda random: [random.normal(size=5).astype(np.float32)]),
    "atomic additions": (COUNT, {"N": 11}, lambda random: [random.integers(0, 5, 11).astype(np.int32)]),
    "a tile of seven": (SOFTMAX, {"R": 3, "C": 7}, lambda random: [random.normal(size=(3, 7)).astype(np.float32)]),
}
