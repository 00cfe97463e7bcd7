"""Printing needs neither jax nor numpy; running without jax says in one line what to install."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

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

#: Runs the command line with a finder that refuses some packages, and prints which of them were imported all the same.
DRIVER = """
import sys

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {refused!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Refuse())
sys.argv = ["linnet", *{arguments!r}]
from linnet_core.cli.app import main
status = 0
try:
    status = main() or 0
except SystemExit as stop:
    status = stop.code or 0
heavy = sorted({{"jax", "numpy", "jsonschema", "pydantic", "sympy"}} & set(sys.modules))
print("HEAVY", heavy, file=sys.stderr)
sys.exit(status)
"""


def _linnet(tmp_path: Path, *arguments: str, refused: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    (tmp_path / "m.linnet").write_text(PROGRAM, encoding="utf-8")
    code = DRIVER.format(refused=refused, arguments=list(arguments))
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=False)


@pytest.mark.parametrize("command", [("jax",), ("graph", "--target", "jax"), ("graph", "--target", "jax", "--replay")])
def test_printing_imports_no_framework(command: tuple[str, ...], tmp_path: Path) -> None:
    done = _linnet(tmp_path, *command, "--entry", "run", "--bind", "H=4", "m.linnet")
    assert done.returncode == 0, done.stderr
    assert done.stderr == "HEAVY []\n"
    assert done.stdout


def test_printing_works_where_no_framework_is_installed(tmp_path: Path) -> None:
    arguments = ("jax", "--entry", "run", "--bind", "H=4", "m.linnet")
    without = _linnet(tmp_path, *arguments, refused=("jax", "numpy", "ml_dtypes", "safetensors"))
    assert without.returncode == 0, without.stderr
    assert without.stdout == _linnet(tmp_path, *arguments).stdout


def test_running_without_jax_says_what_to_install(tmp_path: Path) -> None:
    arguments = ("run", "--target", "jax", "--entry", "run", "--bind", "H=4", "--weights", "random", "--input", "x=zeros", "m.linnet")
    done = _linnet(tmp_path, *arguments, refused=("jax",))
    assert done.returncode == 2
    assert done.stdout == ""
    (line, _) = done.stderr.splitlines()
    assert "pip install 'linnet-jax[runtime]'" in line


#: Asks for `load`, says whether jax came along, and calls it.
LOADING = """
import sys
import linnet_jax
from linnet_core.errors import MissingRuntime

load = linnet_jax.load
print("jax" in sys.modules)
sys.modules["jax"] = None
try:
    load("m.linnet", generics={"H": 4})
except MissingRuntime as error:
    print(error)
"""


def test_loading_without_jax_says_what_to_install(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", LOADING], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.stderr == ""
    first, line = done.stdout.splitlines()
    assert first == "False"
    assert "pip install 'linnet-jax[runtime]'" in line


def test_running_with_jax(tmp_path: Path) -> None:
    pytest.importorskip("jax", reason="jax is not installed here; the environment of linnet-jax has it")
    arguments = ("run", "--target", "jax", "--entry", "run", "--bind", "H=4", "--weights", "random", "--input", "x=zeros", "m.linnet")
    done = _linnet(tmp_path, *arguments)
    assert done.returncode == 0, done.stderr
    assert "[4]" in done.stdout
