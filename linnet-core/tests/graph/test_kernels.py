"""Ops that name a kernel: on a target that launches none, their bodies run as if they named none."""

from __future__ import annotations

import pytest
from exporting import exported, ops

from linnet_core.graph.document import encode

KERNELS = """
kernel twice_tiles<N: Dim, B: Dim>(x: Tensor[N; f32]) -> y: Tensor[N; f32] grid((N + B - 1) / B) where B > 0, N % B == 0 {
    let at = program_id(0) * B + iota<i32>(B)
    store(y[at], load(x[at]) * 2.0)
}
kernel split_tiles<N: Dim>(x: Tensor[N; f32]) -> (low: Tensor[N; f32], high: Tensor[N; f32]) grid(N) {
    let i = program_id(0)
    store(low[i], min(load(x[i]), 0.0))
    store(high[i], max(load(x[i]), 0.0))
}
"""
PROGRAM = """
op twice<N: Dim>(x: Tensor[N; f32]) -> Tensor[N; f32] kernel twice_tiles<N, 64> { return x * 2.0 }
op parts<N: Dim>(x: Tensor[N; f32]) -> (Tensor[N; f32], Tensor[N; f32]) kernel split_tiles {
    return (min(x, 0.0), max(x, 0.0))
}
entry run<N: Dim>(x: Tensor[N; f32]) -> Tensor[N; f32] {
    let (low, high) = parts(twice(x))
    var y = low
    static for i in 0..3 { y = twice(y) + cast<f32>(i) }
    return y * high
}
"""


@pytest.mark.parametrize("numerics", ["exact", "equivalent", "fast"])
def test_a_kernel_changes_nothing_of_a_graph(numerics: str) -> None:
    plain = PROGRAM.replace(" kernel twice_tiles<N, 64>", "").replace(" kernel split_tiles", "")
    given = exported(KERNELS + PROGRAM, bind={"N": 5}, numerics=numerics).graph
    wanted = exported(plain, bind={"N": 5}, numerics=numerics).graph
    assert encode(given) == encode(wanted)


def test_nothing_is_launched() -> None:
    assert "launch_kernel" not in ops(exported(KERNELS + PROGRAM, bind={"N": 5}))
