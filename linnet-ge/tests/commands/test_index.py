"""`linnet ge index`: its table, its document, a node through the stages."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from dumps import PROTO, SMALL

Linnet = Callable[..., subprocess.CompletedProcess[bytes]]


@pytest.fixture
def dumps(tmp_path: Path) -> Path:
    path = tmp_path / "dumps"
    path.mkdir()
    (path / "ge_readable_00000001_graph_3_PreRunBegin.txt").write_text(SMALL, encoding="utf-8")
    (path / "ge_readable_00000002_graph_3_Build.txt").write_text(SMALL.replace("dim: -1", "dim: 0"), encoding="utf-8")
    (path / "ge_proto_00000046_graph_3_Build.txt").write_text(PROTO, encoding="utf-8")
    return path


def test_stages_are_rows(linnet: Linnet, dumps: Path) -> None:
    done = linnet("ge", "index", "dumps")
    assert (done.returncode, done.stderr) == (0, b"")
    assert (
        done.stdout.decode()
        == """dumps: 2 stages, 3 files
  graph  stage        readable  proto  onnx  graphs  nodes  types
      3  PreRunBegin         1                    2      6  Data 2, Add 1, Const 1, ...
      3  Build               2     46             2      6  Data 2, Cast 1, Const 1, ...
"""
    )
    assert linnet("ge", "index", "--names", "dumps").stdout.decode().splitlines()[1:] == [
        "  graph  stage        readable  proto  onnx",
        "      3  PreRunBegin         1",
        "      3  Build               2     46",
    ]


def test_a_node_is_traced(linnet: Linnet, dumps: Path) -> None:
    (dumps / "ge_proto_00000046_graph_3_Build.txt").unlink()
    done = linnet("ge", "index", "--names", "--trace", "top", "dumps")
    assert done.returncode == 0
    assert (
        done.stdout.decode().partition("\n\n")[2]
        == """node top
  graph 3 PreRunBegin: first seen in graph main: TopKV2
  graph 3 Build: changed in graph main
      attribute dim: -1 -> 0
  first changed in graph 3 Build (dumps/ge_readable_00000002_graph_3_Build.txt)
"""
    )
    done = linnet("ge", "index", "--trace", "later", "dumps")
    assert done.stdout.endswith(b"  graph 3 Build: the same\n  no stage changed it\n")


def test_its_document_validates(linnet: Linnet, dumps: Path) -> None:
    (dumps / "broken.txt").write_text(SMALL[:150], encoding="utf-8")
    (dumps / "ge_onnx_00000001_graph_3_Build.pbtxt").write_bytes(b"")
    for words in ((), ("--names",), ("--trace", "top")):
        done = linnet("ge", "index", "--json", *words, "dumps")
        assert done.returncode == (0 if words == ("--names",) else 1)
        (dumps.parent / "out.json").write_bytes(done.stdout)
        assert linnet("validate", "out.json").stdout == b"out.json: ge-index-1\n"
    document = json.loads(done.stdout)
    assert (
        document["stages"][1]["files"][0]["error"] == "dumps/ge_onnx_00000001_graph_3_Build.pbtxt: the file is empty; a dump was expected"
    )
    assert next((step["stage"], step["status"]) for step in document["trace"]["steps"]) == (0, "first")


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        pytest.param(["gone"], 2, "gone: No such file or directory", id="no folder"),
        pytest.param(["dumps/ge_proto_00000046_graph_3_Build.txt"], 2, "not a directory", id="a file"),
        pytest.param(["empty"], 1, "empty: there are no dumps here", id="nothing"),
        pytest.param(["dumps", "--trace", "gone"], 2, "dumps: no dump here has a node `gone`", id="no such node"),
    ],
)
def test_what_is_not_there_is_said(linnet: Linnet, dumps: Path, words: list[str], status: int, message: str) -> None:
    (dumps.parent / "empty").mkdir()
    done = linnet("ge", "index", *words)
    assert (done.returncode, done.stdout, message in done.stderr.decode()) == (status, b"", True)
