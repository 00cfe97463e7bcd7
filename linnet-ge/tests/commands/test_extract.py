"""`linnet ge extract` and `linnet ge explain`: which node is meant, what is printed, exit status."""

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
    (tmp_path / "p.txt").write_text(PROTO.replace('name: "a"', 'name: "x"').replace('"a:0"', '"x:0"'), encoding="utf-8")
    return tmp_path


def test_a_part_is_printed_or_written(linnet: Linnet, folder: Path) -> None:
    done = linnet("ge", "extract", "a.txt", "--around", "ret_1", "--hops", "1")
    assert (done.returncode, done.stderr) == (0, b"linnet: 4 nodes kept, 1 input made for what comes from elsewhere\n")
    assert done.stdout.startswith(b'graph("main"):\n  %x : [#users=1] = Node[type=Data] (attrs = {index: 0})\n  %k : ')
    assert linnet("ge", "extract", "a.txt", "--around", "top", "-o", "out.txt").stdout == b""
    assert (folder / "out.txt").read_bytes() == done.stdout
    assert linnet("ge", "lint", "out.txt").stdout == b"out.txt: no problems\n"


@pytest.mark.parametrize("command", ["extract", "explain"])
@pytest.mark.parametrize(
    ("words", "message"),
    [
        pytest.param(["a.txt", "tops"], "a.txt: there is no node `tops`; did you mean `top`?", id="no such node"),
        pytest.param(["a.txt", "%tops"], "a.txt: there is no node `%tops`; did you mean `top`?", id="no such node as it is written"),
        pytest.param(["a.txt", "Add"], "a.txt: there is no node `Add`; it is the type of `later`", id="a type"),
        pytest.param(["p.txt", "Data"], "p.txt: there is no node `Data`; it is the type of `x`", id="a type in several graphs"),
        pytest.param(["a.txt", "x", "--graph", "iner"], "a.txt: there is no graph `iner`; did you mean `inner`?", id="no such graph"),
        pytest.param(["a.txt", "x", "--graph", "inner"], "a.txt: there is no node `x` in graph `inner`", id="in another graph"),
        pytest.param(["gone.txt", "x"], "gone.txt: No such file or directory", id="no file"),
    ],
)
def test_what_is_not_there_is_a_usage_error(linnet: Linnet, folder: Path, command: str, words: list[str], message: str) -> None:
    file, node, *rest = words
    done = linnet("ge", command, file, *(("--around", node) if command == "extract" else (node,)), *rest)
    assert (done.returncode, done.stdout, done.stderr.decode()) == (2, b"", f"linnet: {message}\n")


def test_a_node_of_several_graphs_has_to_be_chosen_to_be_extracted(linnet: Linnet, folder: Path) -> None:
    done = linnet("ge", "extract", "p.txt", "--around", "x")
    assert (done.returncode, done.stderr) == (2, b"linnet: p.txt: 2 graphs have a node `x`: `main`, `inner`; choose one with `--graph`\n")
    assert b'name: "inner"' in linnet("ge", "extract", "p.txt", "--around", "x", "--graph", "inner").stdout
    assert linnet("ge", "explain", "p.txt", "x").stdout.count(b"x: Data, in graph ") == 2


def test_a_node_is_explained(linnet: Linnet, folder: Path) -> None:
    odd = (f"  %{name} : [#users=1] = Node[type={kind}] (attrs = {{odd: 1}})\n" for name, kind in (("a", "Relu"), ("b", "NoSuchOp")))
    (folder / "odd.txt").write_text('graph("g"):\n' + "".join(odd), encoding="utf-8")
    done = linnet("ge", "explain", "a.txt", "ret_1")
    assert (done.returncode, done.stderr) == (0, b"")
    assert (
        done.stdout.decode()
        == """top: TopKV2, in graph main, line 4
  2 inputs
    x  <- later  Add    required
    k  <- k      Const  required
  2 outputs
    0 values (ret)
      -> call      PartitionedCall  input args_0
      -> result 1
    1 indices (ret_1)  (nothing takes it)
  attributes
    sorted   true  the default
    dim      -1    the default
    largest  true  not set: the default
"""
    )
    assert linnet("ge", "explain", "a.txt", "%ret_1").stdout == done.stdout
    assert b"not in the table" in linnet("ge", "explain", "odd.txt", "a").stdout
    assert b"not in the table" not in linnet("ge", "explain", "odd.txt", "b").stdout
    assert b"not connected" not in linnet("ge", "explain", "a.txt", "x").stdout
    assert b"    x  <- c  Const  DT_BFLOAT16 [4] ND  required\n" in linnet("ge", "explain", "p.txt", "cast").stdout
    assert b"  graphs\n    f  inner  1 node\n" in linnet("ge", "explain", "p.txt", "call").stdout


def test_a_cut_file_is_explained_as_far_as_it_goes(linnet: Linnet, folder: Path) -> None:
    (folder / "cut.txt").write_text(SMALL[: SMALL.index("(x1=%x")] + "(x1=\x1b[2J", encoding="utf-8")
    done = linnet("ge", "explain", "cut.txt", "k")
    assert (done.returncode, b"cut.txt:7: node `later`: " in done.stderr) == (1, True)
    assert b"\x1b" not in done.stdout + done.stderr
    assert linnet("ge", "extract", "cut.txt", "--around", "k").returncode == 1


def test_a_count_of_outputs_that_cannot_be_is_no_flood(linnet: Linnet, folder: Path) -> None:
    text = 'graph("g"):\n  %a : [#users=999999999999999999] = Node[type=F] ()\n\n  return (%a)\n'
    (folder / "many.txt").write_text(text, encoding="utf-8")
    done = linnet("ge", "extract", "many.txt", "--around", "a")
    assert (done.returncode, done.stderr) == (
        1,
        b"linnet: many.txt:2: node `a`: it says that it has 999999999999999999 outputs; more than 65536 are not printed\n",
    )
    assert b"  999999999999999999 outputs\n" in linnet("ge", "explain", "many.txt", "a").stdout


def test_the_document_of_an_explanation_validates(linnet: Linnet, folder: Path) -> None:
    (folder / "out.json").write_bytes(linnet("ge", "explain", "p.txt", "x", "--json").stdout)
    assert linnet("validate", "out.json").stdout == b"out.json: ge-explain-1\n"
    nodes = json.loads((folder / "out.json").read_text())["nodes"]
    assert [(node["graph"], node["waited_for_by"]) for node in nodes] == [("main", ["cast"]), ("inner", [])]
    done = linnet("ge", "explain", "a.txt", "ret_1", "--json")
    (folder / "out.json").write_bytes(done.stdout)
    assert linnet("validate", "out.json").stdout == b"out.json: ge-explain-1\n"
    [top] = json.loads(done.stdout)["nodes"]
    assert top["inputs"][1] == {"name": "k", "form": "required", "node": "k", "output": 0, "type": "Const", "info": None}
    assert top["outputs"][1] == {"number": 1, "name": "indices", "element": "ret_1", "info": None, "uses": []}
    assert top["attributes"][1:] == [
        {"key": "dim", "kind": "int", "value": "-1", "state": "default"},
        {"key": "largest", "kind": "bool", "value": "true", "state": "unset"},
    ]


def test_a_file_that_is_cut_is_explained_and_said(linnet: Linnet, folder: Path) -> None:
    (folder / "cut.txt").write_text(SMALL[:150], encoding="utf-8")
    done = linnet("ge", "explain", "cut.txt", "x", "--json")
    assert (done.returncode, b"cut.txt:4: node `top`: " in done.stderr) == (1, True)
    assert len(json.loads(done.stdout)["problems"]) == 1
