"""Kernels: what is checked of them while their bodies are not."""

from __future__ import annotations

import pytest

KERNEL = "kernel copy<N: Dim>(x: Tensor[N; f32]) -> y: Tensor[N; f32] grid(N) { let i = program_id(0) store(y[i], load(x[i])) }"


def kernel(
    params: str = "x: Tensor[4; f32]", results: str = "y: Tensor[4; f32]", launch: str = "grid(4)", body: str = "store(y[0], 1.0)"
) -> str:
    """A kernel that is right but for what is given."""
    return f"kernel k<N: Dim, *S: Shape>({params}) -> {results} {launch} {{ {body} }}"


REFUSED = [
    pytest.param(kernel("x: (f32, f32)"), "E2127", "(f32, f32)", id="a tuple parameter"),
    pytest.param(kernel("x: Tensor[*S; f32]"), "E2127", "Tensor[*S; f32]", id="a parameter of unknown rank"),
    pytest.param(kernel(results="y: f32"), "E2127", "f32", id="a scalar result"),
    pytest.param(kernel(results="(y: Tensor[4; f32], y: Tensor[4; f32])"), "E1205", "y", id="two results of one name"),
    pytest.param(kernel("y: Tensor[4; f32]"), "E1205", "y", id="a result named as a parameter"),
    pytest.param(kernel(launch="grid(4, 4, 4, 4)"), "E2127", "4", id="four sizes"),
    pytest.param(kernel("n: i64", launch="grid(n)"), "E2123", "n", id="a run-time size"),
    pytest.param(kernel(launch="grid(4 / N)"), "E2205", "N", id="an unproved divisor"),
    pytest.param(kernel(launch="grid(4) warps(3)"), "E2127", "warps(3)", id="warps that are no power of two"),
    pytest.param(kernel(launch="grid(4) stages(0)"), "E2127", "stages(0)", id="no stages"),
    pytest.param(kernel(launch="grid(4) stages(N)"), "E2127", "stages(N)", id="a hint that is no literal"),
    pytest.param(kernel(launch="grid(4) warps(2) warps(4)"), "E2127", "warps(4)", id="a hint twice"),
    pytest.param(kernel(body="return"), "E2127", "return", id="a return"),
    pytest.param(kernel(body="store(x[0], 1.0)"), "E2127", "x[0]", id="a write to a parameter"),
    pytest.param(kernel(body="store(y, 1.0)"), "E2127", "y", id="a write to a whole result"),
    pytest.param(kernel(body="store(y[0], 1.0) atomic_add(y[0], 1.0)"), "E2127", "atomic_add(y[0], 1.0)", id="two kinds of write"),
    pytest.param(
        kernel(results="y: Tensor[4; f16]", body="atomic_max(y[0], 1.0)"), "E2127", "atomic_max(y[0], 1.0)", id="atomic_max of f16"
    ),
    pytest.param(f"block B {{ {KERNEL} }}", "E2127", "copy", id="a kernel in a block"),
    pytest.param(f"{KERNEL} fn f(x: Tensor[4; f32]) -> Tensor[4; f32] {{ return copy(x) }}", "E2126", "copy(x)", id="a kernel called"),
    pytest.param(
        f"{KERNEL} op f<M: Dim>(z: Tensor[M; f32]) -> Tensor[M; f32] kernel copy<M> {{ return z }}",
        "E2126",
        "kernel copy<M>",
        id="another name",
    ),
    pytest.param(
        f"{KERNEL} op f<M: Dim>(x: Tensor[M; f32], s: f32) -> Tensor[M; f32] kernel copy<M> {{ return x * s }}",
        "E2126",
        "kernel copy<M>",
        id="a parameter more",
    ),
    pytest.param(
        f"{KERNEL} op f<M: Dim>(x: Tensor[M; f32]) -> Tensor[M; f32] kernel copy<2 * M> {{ return x }}",
        "E2126",
        "kernel copy<2 * M>",
        id="another shape",
    ),
    pytest.param(
        f"{KERNEL} op f<M: Dim>(x: Tensor[M; f32]) -> (Tensor[M; f32], f32) kernel copy<M> {{ return (x, 1.0) }}",
        "E2126",
        "kernel copy<M>",
        id="a result more",
    ),
    pytest.param(
        f"{KERNEL} op f(x: Tensor[4; f32]) -> Tensor[4; f32] kernel copy {{ return x }}", "E2111", "kernel copy", id="no arguments"
    ),
    pytest.param("op f(x: f32) -> f32 kernel g { return x } fn g(x: f32) -> f32 { return x }", "E1208", "g", id="a function for a kernel"),
    pytest.param(
        f"{KERNEL} op f<M: Dim>(x: Tensor[M; f32]) -> Tensor[M; f32] kernel copy<M> {{ return x }}", "E2190", "copy", id="all right"
    ),
    pytest.param(kernel(results="y: Tensor[4; f16]", body="atomic_add(y[0], 1.0)"), "E2190", "k", id="atomic_add of f16"),
]


@pytest.mark.parametrize(("text", "code", "words"), REFUSED)
def test_refused(check_text, text, code, words):
    found = check_text(text).only
    assert (found.code, found.span.text) == (code, words)
