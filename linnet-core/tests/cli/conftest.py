"""Programs the tests of the command line are about."""

from __future__ import annotations

from pathlib import Path

import pytest

GOOD = """module m

block M<N: Dim, T: Float = f32> {
    param w: Tensor[N; T]
    state seen: Tensor[N; T]

    entry scale(x: Tensor[N; T]) -> Tensor[N; T] {
        seen = seen + x
        return x * w
    }
}
"""
BAD = """module m

fn f<N: Dim, M: Dim, K: Dim, K2: Dim>(a: Tensor[M, K; f32], b: Tensor[K2, N; f32]) -> Tensor[M, N; f32] {
    let c[m, n] = sum[k] a[m, k] * b[k2, n]
    return c
}
"""
#: The steps of `scale`: 0 input, 1 parameter, 2 state, 3 add, 4 mul, 5 finish.
SLICES = """[
  {"name": "sum", "start": 0, "stop": 4, "inputs": [0], "outputs": [3], "states": [["seen", 3]]},
  {"name": "product", "start": 4, "stop": 6, "inputs": [0], "outputs": [4], "states": []}
]
"""
MANIFEST = '[package]\nname = "m"\nversion = "0.1.0"\nlanguage = "0.1"\n\n[presets.tiny]\nN = 3\n'


@pytest.fixture
def folder(linnet) -> Path:
    """The folder commands run in: `good.linnet` and `slices.json` for it, `bad.linnet`, and the package `pack` with the preset `tiny`."""
    here: Path = linnet.folder
    (here / "good.linnet").write_text(GOOD, encoding="utf-8")
    (here / "bad.linnet").write_text(BAD, encoding="utf-8")
    (here / "slices.json").write_text(SLICES, encoding="utf-8")
    (here / "pack" / "src").mkdir(parents=True)
    (here / "pack" / "linnet.toml").write_text(MANIFEST, encoding="utf-8")
    (here / "pack" / "src" / "lib.linnet").write_text(GOOD, encoding="utf-8")
    return here
