"""`linnet ge lint`: its lines, its document, its exit status; dumps that linnet writes are clean."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from dumps import SMALL

Linnet = Callable[..., subprocess.CompletedProcess[bytes]]

LOOP = """module m
pub entry run(x: Tensor[2; f32], n: i32, up: bool) -> Tensor[2; f32] {
    var y = x
    var i: i32 = 0
    while i < n {
        y = if up { exp(y) } else { y + 1.0 }
        i = i + 1
    }
    return if up { y } else { y * 2.0 }
}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "good.txt").write_text(SMALL, encoding="utf-8")
    (tmp_path / "bad.txt").write_text(SMALL.replace("x2=%x)", "x2=%go\x1bne)").replace("k=%k", "_input_1=%k"), encoding="utf-8")
    (tmp_path / "none.txt").write_text("no dump\n", encoding="utf-8")
    return tmp_path


def test_findings_are_lines_with_file_line_and_rule(linnet: Linnet, folder: Path) -> None:
    done = linnet("ge", "lint", "good.txt", "bad.txt")
    assert (done.returncode, done.stderr) == (1, b"")
    assert (
        done.stdout.decode()
        == """good.txt: no problems
bad.txt:4: G601 note: graph `main`: node `top`: the emitter knew no name and printed `_input_1`
bad.txt:7: G202 graph `main`: node `later`: input `x2` comes from `go\\x1bne`, which no node of the graph is
bad.txt: 1 problem, 1 note
"""
    )
    assert b"G601" not in linnet("ge", "lint", "--no-notes", "bad.txt").stdout


def test_notes_do_not_count(linnet: Linnet, folder: Path) -> None:
    done = linnet("ge", "lint", "-", stdin=SMALL.replace("k=%k", "_input_1=%k").encode())
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, b"-: 1 note")


def test_many_findings_of_a_rule_are_counted(linnet: Linnet, folder: Path) -> None:
    lines = "".join(f"  %n{at} : [#users=1] = Node[type=F] (inputs = (x=%x{at}))\n" for at in range(30))
    done = linnet("ge", "lint", "-", stdin=f'graph("g"):\n{lines}\n  return (%n0)\n'.encode())
    assert done.stdout.count(b": G202 ") == 20 + 1
    assert b"-: G202 10 more (`--json` has all)\n" in done.stdout


def test_its_document_validates(linnet: Linnet, folder: Path) -> None:
    done = linnet("ge", "lint", "--json", "good.txt", "none.txt", "bad.txt")
    assert (done.returncode, b"none.txt:1: this is no readable dump" in done.stderr) == (1, True)
    assert [[one["code"] for one in file["findings"]] for file in json.loads(done.stdout)["files"]] == [[], ["G601", "G202"]]
    (folder / "out.json").write_bytes(done.stdout)
    assert linnet("validate", "out.json").stdout == b"out.json: ge-lint-1\n"


def test_a_file_that_is_not_there_is_a_usage_error(linnet: Linnet, folder: Path) -> None:
    done = linnet("ge", "lint", "gone.txt")
    assert (done.returncode, done.stderr) == (2, b"linnet: gone.txt: No such file or directory\n")


def test_a_loop_with_a_conditional_that_was_written_is_clean(linnet: Linnet, folder: Path) -> None:
    (folder / "m.linnet").write_text(LOOP, encoding="utf-8")
    done = linnet("graph", "--target", "numpy", "--dump", "ge-readable", "m.linnet")
    assert (b"type=While" in done.stdout, b"type=If" in done.stdout) == (True, True)
    assert linnet("ge", "lint", "-", stdin=done.stdout).stdout == b"-: no problems\n"
    assert linnet("ge", "read", "--canonical", "-", stdin=done.stdout).stdout == done.stdout
