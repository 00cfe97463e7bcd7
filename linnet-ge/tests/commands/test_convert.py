"""`linnet ge convert`: what it prints, what it says is lost, and its exit status; `linnet ge read` of protobuf dumps."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from dumps import SMALL

Linnet = Callable[..., subprocess.CompletedProcess[bytes]]

PROTO = """graph {
  name: "g"
  op {
    name: "a"
    type: "Data"
    attr { key: "index" value { i: 0 } }
    output_desc { dtype: DT_FLOAT }
    new_field { deep { v: 1 } }
  }
}
"""
ONNX = 'ir_version: 6\ngraph { name: "o" node { name: "a\\033[1m" op_type: "ge:Data" } }\n'
READABLE = 'graph("g"):\n  %a : [#users=1] = Node[type=Data] (attrs = {index: 0})\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder commands run in, with some dumps."""
    (tmp_path / "small.txt").write_text(SMALL)
    (tmp_path / "proto.txt").write_text(PROTO)
    (tmp_path / "onnx.pbtxt").write_text(ONNX)
    (tmp_path / "cut.txt").write_text(PROTO[: PROTO.index('"Data')] + '"Da')
    return tmp_path


def test_what_is_lost_is_said_on_stderr(linnet: Linnet, folder: Path) -> None:
    done = linnet("ge", "convert", "--to", "readable", "proto.txt")
    assert (done.returncode, done.stdout.decode()) == (0, READABLE)
    assert done.stderr.decode() == (
        "linnet: proto.txt: --to readable does not keep (`--lost all` says each with its line):\n"
        "  output_desc 1: dtype 1\n"
        "  attributes 1: .new_field 1\n"
    )
    listed = linnet("ge", "convert", "--to", "readable", "--lost", "all", "proto.txt").stderr.decode()
    assert listed == (
        "linnet: lost: proto.txt:3: node `a`: output_desc: dtype\n"
        "linnet: lost: proto.txt:8: node `a`: attributes: .new_field\n"
    )  # fmt: skip
    assert linnet("ge", "convert", "--to", "readable", "--lost", "none", "proto.txt").stderr == b""


def test_a_file_that_is_cut_is_converted_as_far_as_it_goes(linnet: Linnet, folder: Path) -> None:
    done = linnet("ge", "convert", "--to", "readable", "cut.txt")
    assert (done.returncode, done.stdout.decode()) == (1, 'graph("g"):\n  %a : [#users=0] = Node[type=] ()\n')
    assert done.stderr.decode().splitlines()[0] == 'linnet: cut.txt:5: a string is not closed on its line; expected `"`'


@pytest.mark.parametrize("file", ["small.txt", "proto.txt", "onnx.pbtxt"])
def test_documents_validate_and_drawings_are_written(linnet: Linnet, folder: Path, file: str) -> None:
    assert linnet("ge", "convert", "--to", "json", "--indent", "-o", "a.json", file).returncode == 0
    assert linnet("validate", "a.json").stdout == b"a.json: ge-dump-1\n"
    dot, svg = (linnet("ge", "convert", "--to", form, file) for form in ("dot", "svg"))
    assert (dot.returncode, dot.stdout[:9], svg.returncode, svg.stdout[:5]) == (0, b"digraph {", 0, b"<svg ")
    assert b"\x1b" not in dot.stdout + svg.stdout


def test_names_that_are_no_text_stand_in_json(linnet: Linnet, folder: Path) -> None:
    (folder / "odd").write_text(PROTO.replace('"a"', r'"a\377"'))
    for words in (["--indent"], []):
        done = linnet("ge", "convert", "--to", "json", *words, "odd")
        assert (done.returncode, b'"a\\udcff"' in done.stdout) == (0, True)
        assert json.loads(done.stdout)["files"][0]["graphs"][0]["nodes"][0]["name"] == "a\udcff"
    assert linnet("ge", "convert", "--to", "readable", "odd").stdout == READABLE.encode().replace(b"%a", b"%a\xff")


def test_protobuf_dumps_are_read_into_the_common_document(linnet: Linnet, folder: Path) -> None:
    done = linnet("ge", "read", "proto.txt", "onnx.pbtxt")
    assert (done.returncode, done.stdout) == (0, b"proto.txt: proto, 1 graph, 1 node\nonnx.pbtxt: onnx, 1 graph, 1 node\n")
    document = json.loads(linnet("ge", "read", "--json", "small.txt", "proto.txt").stdout)
    assert (document["format"], [file["kind"] for file in document["files"]]) == ("ge-dump", ["readable", "proto"])


def test_a_value_that_is_ambiguous_is_said(linnet: Linnet, folder: Path) -> None:
    text = 'graph("g"):\n  %a : [#users=1] = Node[type=KIND] (attrs = {data_format: "N", offset_x: "b"})\n'
    done = linnet("ge", "read", "-", stdin=text.replace("KIND", "Odd").encode())
    assert done.stderr.decode() == (
        "linnet: -:2: node `a`: the value of `data_format` could be read in several ways; it is taken for \"N\"\n"
    )  # fmt: skip
    assert done.returncode == 0
    # the table knows what a Conv2D has
    assert linnet("ge", "read", "-", stdin=text.replace("KIND", "Conv2D").encode()).stderr == b""
    [node] = json.loads(linnet("ge", "read", "--json", "-", stdin=text.replace("KIND", "Conv2D").encode()).stdout)["files"][0]["graphs"][0][
        "records"
    ]
    assert [one["ambiguous"] for one in node["attributes"]] == [False, False]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        pytest.param(["--to", "pdf", "small.txt"], "pdf", id="no such form"),
        pytest.param(["--to", "json", "--graph", "main", "small.txt"], "`--graph` chooses what is drawn", id="a graph of a document"),
        pytest.param(["--to", "dot", "--max-nodes", "3", "small.txt"], "`--max-nodes` is for `--to svg`", id="DOT has no limit"),
        pytest.param(["--to", "svg", "--indent", "small.txt"], "`--indent` is for `--to json`", id="indented SVG"),
        pytest.param(
            ["--to", "svg", "--graph", "iner", "small.txt"], "there is no graph `iner`; did you mean `inner`?", id="no such graph"
        ),
        pytest.param(["--to", "svg", "--max-nodes", "3", "small.txt"], "a drawing of 6 boxes is more than the 3", id="too large"),
        pytest.param(["--to", "svg", "gone.txt"], "gone.txt: No such file or directory", id="no such file"),
    ],
)
def test_a_usage_error_is_one_line(linnet: Linnet, folder: Path, words: list[str], told: str) -> None:
    done = linnet("ge", "convert", *words)
    assert (done.returncode, done.stdout) == (2, b"")
    assert told in done.stderr.decode()
    assert done.stderr.count(b"\n") == 1
