"""`linnet ge diff`: its lines, its document, its exit status."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from dumps import PROTO, SMALL

Linnet = Callable[..., subprocess.CompletedProcess[bytes]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.txt").write_text(SMALL, encoding="utf-8")
    changed = SMALL.replace("later", "sooner").replace("dim: -1", "dim: 0").replace("output_1=%ret)", "output_1=%ret_1)")
    (tmp_path / "b.txt").write_text(changed.replace("type=Const", "type=Const\x1b[2J"), encoding="utf-8")
    (tmp_path / "p.txt").write_text(PROTO, encoding="utf-8")
    (tmp_path / "none.txt").write_text("no dump\n", encoding="utf-8")
    return tmp_path


def test_differences_are_lines(linnet: Linnet, folder: Path) -> None:
    done = linnet("ge", "diff", "a.txt", "b.txt")
    assert (done.returncode, done.stderr) == (1, b"")
    assert (
        done.stdout.decode()
        == """--- a.txt (readable)
+++ b.txt (readable)
graph main
  ~ k  Const -> Const\\x1b[2J
  ~ top  TopKV2
      attribute dim: -1 -> 0
  ~ later -> sooner  Add
  ~ result 1: top -> top:1
attribute 1, renamed 1, result 1, retyped 1
not compared: control edges; dtypes, shapes and layouts
"""
    )


def test_nodes_that_are_only_renamed_may_be_left_out(linnet: Linnet, folder: Path) -> None:
    done = linnet("ge", "diff", "--no-renamed", "a.txt", "b.txt")
    assert (done.returncode, b"later" in done.stdout, b"~ top" in done.stdout, b"renamed 1" in done.stdout) == (1, False, True, True)
    (folder / "c.txt").write_text(SMALL.replace("later", "sooner"), encoding="utf-8")
    done = linnet("ge", "diff", "--no-renamed", "a.txt", "c.txt")
    assert (done.returncode, done.stdout.splitlines()[2:3]) == (1, [b"renamed 1"])


def test_the_same_is_status_0(linnet: Linnet, folder: Path) -> None:
    done = linnet("ge", "diff", "a.txt", "-", stdin=SMALL.encode())
    assert (done.returncode, done.stdout) == (0, b"no difference\nnot compared: control edges; dtypes, shapes and layouts\n")
    assert linnet("ge", "diff", "--ignore", "dim", "--json", "a.txt", "a.txt").returncode == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        pytest.param(["a.txt", "none.txt"], "none.txt:1: this is no readable dump", id="no dump"),
        pytest.param(["a.txt", "gone.txt"], "gone.txt: No such file", id="no file"),
        pytest.param(["-", "-"], "only one of two files can be stdin", id="stdin twice"),
        pytest.param(["a.txt"], "missing argument", id="one file"),
    ],
)
def test_an_error_is_status_2(linnet: Linnet, folder: Path, words: list[str], message: str) -> None:
    done = linnet("ge", "diff", *words)
    assert (done.returncode, done.stdout) == (2, b"")
    assert message in done.stderr.decode()


def test_its_document_validates(linnet: Linnet, folder: Path) -> None:
    for other, same in (("b.txt", False), ("p.txt", False), ("a.txt", True)):
        done = linnet("ge", "diff", "--json", "a.txt", other)
        assert json.loads(done.stdout)["same"] is same
        (folder / "out.json").write_bytes(done.stdout)
        assert linnet("validate", "out.json").stdout == b"out.json: ge-diff-1\n"


def test_doubts_are_counted_and_problems_said(linnet: Linnet, folder: Path) -> None:
    text = 'graph("g"):\n  %a : [#users=1] = Node[type=Odd] (attrs = {s: "a", t: "b"})\n'
    (folder / "doubt.txt").write_text(text, encoding="utf-8")
    (folder / "cut.txt").write_text(text + "  %b : [#users=1] = Node[type=B", encoding="utf-8")
    done = linnet("ge", "diff", "doubt.txt", "cut.txt")
    assert done.returncode == 1
    assert b"linnet: doubt.txt: 1 name or value could be read in several ways; `linnet ge lint` says which\n" in done.stderr
    assert b"linnet: cut.txt:3: node `b`: " in done.stderr
