"""What the tests of the plan share: programs written in the test, lowered, and their documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from linnet_core.check.check import check
from linnet_core.ir.lower import lower
from linnet_core.modules.load import load
from linnet_core.plan.write import plan_document
from linnet_core.text.diagnostic import Diagnostics

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from linnet_core.ir.module import Module

#: A program that uses every declaration and every operation a program can have today.
WHOLE = """
use std.linalg::{matmul}
use std.nn.norm::{RmsNorm}
const Half = 0.5
pub const Scale: f32 = 2.0
const Deep: f32 = Scale * Half
enum Mode { Slow, Fast }
struct Pair<N: Dim> { left: Tensor[N; f32] right: f32 }
op twice<*S: Shape, T: Float = f32>(x: Tensor[*S; T]) -> Tensor[*S; T] { return x + x }
fn nothing(x: f32) { return }
fn pick<N: Dim>(m: Mode, x: Tensor[N; f32], y: Tensor[N; f32]? = none) -> Tensor[N; f32] {
    let a = match m { Slow => x Fast => -x }
    return match y { some(v) => v + a none => a * N }
}
fn tensors<N: Dim, M: Dim, *S: Shape>(x: Tensor[N, M; f32], p: Tensor[N, *S; f32], i: i32, c: bool) -> (f32, Tensor[*S; f32])
    where M > 3, N % 2 == 0 {
    let _ = nothing(Scale)
    let both = (x, c)
    let (o, t) = both
    let chosen = pick(Mode.Fast, o[0])
    let pair = Pair(left = x[0], right = Deep)
    let (a, (b, d)) = (x[i, i], (x[:, 0:M - 1:2], c))
    let e = concat(permute(x, [1, 0]), permute(broadcast_to(x, [N, M]), [1, 0]), axis = -1)
    let f = cumsum(reshape(x, [N * M]), axis = 0) / (N / 2)
    let g = select(x > 0.0, x, fill<f32>([N, M], 1.0))
    let h[m, *s] = sum[n] x[n, m] * p[n, *s] + cast<f32>(iota(N)[n])
    let q = if c && true { exp(a) } else { max(a, pair.right) }
    let k = any[n] x[n, i] < 0.0
    let r = p[i]
    return (q + f[0] + e[0, 0] + b[0, 0] + g[0, 0], select(k & d, r, h[0]))
}
block Cell<H: Dim, T: Float = f32> where H > 0 {
    param w: Tensor[H; T]
    param bias: Tensor[H; T]? = none
    buffer scale: T
    state seen: Tensor[H; T]
    fn step(x: Tensor[H; T]) -> Tensor[H; T] {
        seen = seen + x * w * scale
        return match bias { some(b) => seen + b none => seen }
    }
}
block Model<H: Dim, Layers: Dim = 2, *Rest: Shape = [H]> where H > 1, Layers > 0 {
    sub first: Cell<H>
    sub cells: [Cell<H, f32>; Layers]
    sub norm: RmsNorm<H, f32>
    sub extra: Cell<2 * H>? = none
    entry run<S: Dim>(x: Tensor[H; f32], n: i64, m: Mode) -> Tensor[H; f32] {
        var y = first.step(x)
        var i = 0
        static for cell in cells { y = cell.step(y) }
        static for j in 0..Layers { y = y + cast<f32>(j) }
        while i < n {
            y = twice(y)
            i = i + 1
        }
        for j in 0..3 { y = y * Half }
        let stack = for j in 0..3 { y = y + x yield y }
        let z = match extra { some(e) => e.step(concat(y, y, axis = 0))[0:H] none => y + cells[0].seen }
        return pick(m, z + stack[0], y = some(matmul(reshape(y, [1, H]), fill<f32>([H, 1], 1.0))[0, 0] * z))
    }
}
entry alone<N: Dim>(x: Tensor[N; f32]) -> Tensor[N; f32] { return twice(x) }
"""


@pytest.fixture
def lowered(tmp_path: Path) -> Callable[..., Module]:
    """Lowers a module; `module test` is written before the text.  Further modules of a package `demo` are given by name."""

    def run(text: str, **modules: str) -> Module:
        root = tmp_path / "test.linnet"
        head = "module test\n"
        if modules:
            head = "module demo\n"
            root = tmp_path / "src" / "lib.linnet"
            root.parent.mkdir(exist_ok=True)
            (tmp_path / "linnet.toml").write_text('[package]\nname = "demo"\nversion = "0.1.0"\nlanguage = "0.1"\n', encoding="utf-8")
            for name, other in modules.items():
                (root.parent / f"{name}.linnet").write_text(f"module demo.{name}\n{other}", encoding="utf-8")
        root.write_text(head + text, encoding="utf-8")
        diagnostics = Diagnostics()
        package = load(str(tmp_path if modules else root), diagnostics=diagnostics)
        program = check(package, diagnostics) if package is not None else None
        assert program is not None, [(d.code, d.message, d.span and d.span.text) for d in diagnostics.found]
        return lower(program)

    return run


@pytest.fixture
def whole(lowered: Callable[..., Module]) -> Module:
    """The program that uses everything."""
    return lowered(WHOLE)


@pytest.fixture
def document(whole: Module) -> dict[str, Any]:
    """Its plan."""
    return plan_document(whole)
