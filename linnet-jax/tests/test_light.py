"""Printing needs neither jax nor numpy; running without jax says in one line what to install."""

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
RUN = ("run", "--target", "jax", "--weights", "random", "--input", "x=zeros", *ARGUMENTS)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "m.linnet").write_text(PROGRAM, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("command", [("jax",), ("graph", "--target", "jax"), ("graph", "--target", "jax", "--replay")])
def test_printing_imports_no_framework(command: tuple[str, ...], folder: Path) -> None:
    done = linnet(folder, *command, *ARGUMENTS, heavy=("jax", *HEAVY))
    assert (done.status, done.stderr, done.heavy) == (0, "", ())
    assert done.stdout


def test_printing_works_where_no_framework_is_installed(folder: Path) -> None:
    without = linnet(folder, "jax", *ARGUMENTS, refused=("jax", "numpy", "ml_dtypes", "safetensors"))
    assert without.status == 0, without.stderr
    assert without.stdout == linnet(folder, "jax", *ARGUMENTS).stdout


def test_running_without_jax_says_what_to_install(folder: Path) -> None:
    done = linnet(folder, *RUN, refused=("jax",))
    assert (done.status, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert "pip install 'linnet-jax[runtime]'" in line


def test_running_with_jax(folder: Path) -> None:
    pytest.importorskip("jax", reason="jax is not installed here; the environment of linnet-jax has it")
    done = linnet(folder, *RUN)
    assert done.status == 0, done.stderr
    assert "[4]" in done.stdout


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


#: What only printing needs.
PRINTING = tuple(
    f"linnet_{name}" for name in ("core.python_source.module", "jax.source", "jax.dialect", "jax.support", "jax.expressions", "jax.passes")
)


@pytest.mark.parametrize(
    ("options", "imported"), [pytest.param((), (), id="recorded"), pytest.param(("--replay",), PRINTING, id="replayed")]
)
def test_a_recorded_graph_imports_nothing_that_prints(options: tuple[str, ...], imported: tuple[str, ...], folder: Path) -> None:
    done = linnet(folder, "graph", "--target", "jax", *options, *ARGUMENTS, heavy=PRINTING)
    assert (done.status, done.stderr) == (0, "")
    assert set(done.heavy) == set(imported)
