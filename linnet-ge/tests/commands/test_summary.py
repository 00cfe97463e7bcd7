"""`linnet ge summary`: tables, the document, what is wrong with a file."""

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
    (tmp_path / "small.txt").write_text(SMALL, encoding="utf-8")
    (tmp_path / "proto.txt").write_text(PROTO, encoding="utf-8")
    return tmp_path


def test_tables_are_plain_in_a_pipe(linnet: Linnet, folder: Path) -> None:
    done = linnet("ge", "summary", "proto.txt")
    assert (done.returncode, done.stderr) == (0, b"")
    text = done.stdout.decode()
    assert text.startswith(
        "proto.txt: proto, 2 graphs, 6 nodes\n  graph  nodes  results  edges  control\n  main       5        1      4        1\n"
    )
    assert "\n  DT_BFLOAT16 -> DT_FLOAT      1\n" in text
    assert "  constants: 1 (8 B)\n  dynamic shapes: 2\n    node  type             shapes   graph\n" in text
    assert "\x1b" not in text
    assert "  dynamic shapes: this file says nothing of shapes\n" in linnet("ge", "summary", "small.txt").stdout.decode()


def test_its_document_validates(linnet: Linnet, folder: Path) -> None:
    for name in ("small.txt", "proto.txt"):
        done = linnet("ge", "summary", "--json", name)
        (folder / "out.json").write_bytes(done.stdout)
        assert linnet("validate", "out.json").stdout == b"out.json: ge-summary-1\n"
    assert json.loads(done.stdout)["casts"] == [{"source": "DT_BFLOAT16", "target": "DT_FLOAT", "count": 1}]


def test_long_names_are_not_cut_and_control_characters_not_sent(linnet: Linnet, folder: Path) -> None:
    name = "scope/" * 20 + "a[/b]\x1b[31m"
    (folder / "a.txt").write_text(f'graph("{name}"):\n  %a : [#users=1] = Node[type=[bold]] ()\n', encoding="utf-8")
    done = linnet("ge", "summary", "a.txt")
    assert ("scope/" * 20 + "a[/b]\\x1b[31m").encode() in done.stdout
    assert b"\x1b" not in done.stdout


def test_a_file_that_is_cut_is_counted_and_said(linnet: Linnet, folder: Path) -> None:
    (folder / "cut.txt").write_text(SMALL[:150], encoding="utf-8")
    done = linnet("ge", "summary", "--json", "cut.txt")
    assert (done.returncode, b"cut.txt:4: node `top`: " in done.stderr) == (1, True)
    assert (json.loads(done.stdout)["nodes"], len(json.loads(done.stdout)["problems"])) == (3, 1)
