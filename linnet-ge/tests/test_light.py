"""What a command does not need is not imported: `linnet --help` nothing of this package, no command NumPy, and rich only a terminal."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from dumps import PROTO, SMALL

from linnet_core.conformance.refusing import HEAVY, linnet

ROOMS = tuple(f"linnet_ge.{room}" for room in ("text", "model", "readable", "prototext", "ir", "formats", "from_graph", "convert", "tools"))


@pytest.fixture
def folder(tmp_path: Path, installed: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(installed), *(place for place in sys.path if place)]))
    (tmp_path / "a.txt").write_text(SMALL, encoding="utf-8")
    (tmp_path / "p.txt").write_text(PROTO, encoding="utf-8")
    (tmp_path / "dumps").mkdir()
    (tmp_path / "dumps" / "ge_readable_00000001_Build.txt").write_text(SMALL, encoding="utf-8")
    return tmp_path


def test_help_imports_nothing_of_this_package(folder: Path) -> None:
    assert linnet(folder, "--help", heavy=("linnet_ge", "rich", *HEAVY)).heavy == ()


@pytest.mark.parametrize("words", [("ge", "--help"), ("ge", "diff", "--help")], ids=["group", "command"])
def test_help_of_the_commands_imports_no_room(words: tuple[str, ...], folder: Path) -> None:
    done = linnet(folder, *words, heavy=(*ROOMS, "rich", *HEAVY))
    assert (done.status, done.heavy) == (0, ())


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(("read", "a.txt", "p.txt"), id="read"),
        pytest.param(("convert", "--to", "svg", "p.txt"), id="convert"),
        pytest.param(("summary", "a.txt"), id="summary"),
        pytest.param(("diff", "a.txt", "a.txt"), id="diff"),
        pytest.param(("index", "dumps"), id="index"),
        pytest.param(("lint", "a.txt"), id="lint"),
        pytest.param(("extract", "a.txt", "--around", "top"), id="extract"),
        pytest.param(("explain", "a.txt", "top"), id="explain"),
    ],
)
def test_commands_need_no_framework_and_rich_only_on_a_terminal(words: tuple[str, ...], folder: Path) -> None:
    done = linnet(folder, "ge", *words, heavy=("rich", *HEAVY))
    assert (done.status, done.heavy) == (0, ())
    assert done.stdout


def test_what_is_imported_is_seen(folder: Path) -> None:
    assert linnet(folder, "ge", "lint", "a.txt", heavy=ROOMS).heavy
