"""Printing needs neither torch nor numpy; running without torch says in one line what to install."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from linnet_core.conformance.refusing import HEAVY, linnet

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM = """module m

use std.nn.linear::{linear}

pub block Model<H: Dim> {
    param w: Tensor[H, H; f32]
    state s: Tensor[H; f32]

    pub entry run(x: Tensor[H; f32]) -> Tensor[H; f32] {
        s = s + linear(x, w)
        return s
    }
}
"""

ARGUMENTS = ("--entry", "run", "--bind", "H=4", "m.linnet")
RUN = ("run", "--target", "torch", "--weights", "random", "--input", "x=zeros", *ARGUMENTS)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "m.linnet").write_text(PROGRAM, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("command", [("torch",), ("graph", "--target", "torch"), ("graph", "--target", "torch", "--replay")])
def test_printing_imports_no_framework(command: tuple[str, ...], folder: Path) -> None:
    done = linnet(folder, *command, *ARGUMENTS, heavy=("torch", *HEAVY))
    assert (done.status, done.stderr, done.heavy) == (0, "", ())
    assert done.stdout


def test_printing_works_where_no_framework_is_installed(folder: Path) -> None:
    without = linnet(folder, "torch", *ARGUMENTS, refused=("torch", "numpy", "ml_dtypes", "safetensors"))
    assert without.status == 0, without.stderr
    assert without.stdout == linnet(folder, "torch", *ARGUMENTS).stdout


def test_running_without_torch_says_what_to_install(folder: Path) -> None:
    done = linnet(folder, *RUN, refused=("torch",))
    assert (done.status, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert "pip install 'linnet-torch[runtime]'" in line


def test_loading_without_torch_says_what_to_install() -> None:
    code = "import sys; sys.modules['torch'] = None\nimport linnet_torch\nlinnet_torch.load"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "linnet_core.errors.MissingRuntime: " in done.stderr
    assert "pip install 'linnet-torch[runtime]'" in done.stderr


def test_running_with_torch(folder: Path) -> None:
    done = linnet(folder, *RUN)
    assert done.status == 0, done.stderr
    assert "[4]" in done.stdout
