"""`linnet explain` says of a kernel that it is launched on this target, or why not."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM = """module m

kernel tile<N: Dim>(x: Tensor[N; f32]) -> y: Tensor[N; f32] grid(1) { store(y[iota<i32>(N)], load(x[iota<i32>(N)]) * 2.0) }
op twice<N: Dim>(x: Tensor[N; f32]) -> Tensor[N; f32] kernel tile { return x * 2.0 }
entry run<N: Dim>(x: Tensor[N; f32]) -> Tensor[N; f32] { return twice(x) }
"""


def explained(folder: Path, *arguments: str) -> str:
    (folder / "m.linnet").write_text(PROGRAM, encoding="utf-8")
    command = [sys.executable, "-m", "linnet_core", "explain", "--target", "torch", *arguments, "m.linnet"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize(
    ("size", "reason"),
    [pytest.param(8, None, id="launched"), pytest.param(7, "a tile is [7], and Triton's sizes are powers of two", id="not launched")],
)
def test_a_kernel_is_launched_or_the_reason_is_told(tmp_path: Path, size: int, reason: str | None) -> None:
    said = explained(tmp_path, "--bind", f"N={size}")
    assert f"-> kernel m::tile {'launched' if reason is None else f'not launched: {reason}'}" in said
    (kernel,) = json.loads(explained(tmp_path, "--bind", f"N={size}", "--json"))["kernels"]
    assert (kernel["op"], kernel["kernel"], kernel["count"]) == ("m::twice", "m::tile", 1)
    assert (kernel["launched"], kernel["reason"]) == (reason is None, reason)
