"""`linnet ge read`: what it prints, where, and its exit status."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from dumps import SMALL, VARIANTS

from linnet_ge import hooks

Linnet = Callable[..., subprocess.CompletedProcess[bytes]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder commands run in, with some dumps."""
    (tmp_path / "small.txt").write_bytes(SMALL.encode())
    (tmp_path / "log.txt").write_bytes(VARIANTS["log"](SMALL).encode())
    (tmp_path / "cut.txt").write_bytes(SMALL[:150].encode())
    (tmp_path / "wide.txt").write_bytes(SMALL.encode("utf-16"))
    (tmp_path / "empty.txt").write_bytes(b"")
    (tmp_path / "zeros.txt").write_bytes(b"\0" * 5000)
    (tmp_path / "proto.txt").write_bytes(b'graph {\n  name: "g"\n  op {\n  }\n}\n')
    (tmp_path / "latin.txt").write_bytes(SMALL.replace("later", "sp\u00e4ter\x1b[1m").encode("latin-1"))
    return tmp_path


def test_it_says_what_files_hold(linnet: Linnet, folder: Path) -> None:
    done = linnet("ge", "read", "small.txt", "log.txt")
    assert done.stdout == b"small.txt: 2 graphs, 6 nodes, 2 elements\nlog.txt: 2 graphs, 6 nodes, 2 elements\n"
    assert (done.returncode, done.stderr) == (0, b"")


def test_it_reads_stdin_and_prints_one_spelling(linnet: Linnet, folder: Path) -> None:
    done = linnet("ge", "read", "--canonical", "-", stdin=VARIANTS["on one line"](SMALL).encode())
    assert (done.returncode, done.stdout.decode()) == (0, SMALL)
    latin = (folder / "latin.txt").read_bytes()
    assert linnet("ge", "read", "--style", "exact", "latin.txt").stdout == latin
    assert b"  %ret : [users=2] = get_element" in linnet("ge", "read", "--style", "document", "small.txt").stdout


def test_its_document_validates(linnet: Linnet, folder: Path) -> None:
    done = linnet("ge", "read", "--json", "small.txt", "latin.txt", "cut.txt")
    assert done.returncode == 1
    assert [len(file["problems"]) for file in json.loads(done.stdout)["files"]] == [0, 0, 1]
    (folder / "document.json").write_bytes(done.stdout)
    assert linnet("validate", "document.json").stdout == b"document.json: ge-readable-1\n"
    assert linnet("schema", "ge-readable").returncode == 0


@pytest.mark.parametrize(
    ("file", "words"),
    [
        pytest.param("cut.txt", "cut.txt:4: node `top`: the record is cut off or damaged; expected `] (` after the type", id="cut"),
        pytest.param("wide.txt", "wide.txt:1: the file is UTF-16; a dump is UTF-8 text", id="UTF-16"),
        pytest.param("empty.txt", "empty.txt: the file is empty; a dump was expected", id="empty"),
        pytest.param("zeros.txt", "zeros.txt:1: the file is binary; a dump is UTF-8 text", id="zero bytes"),
    ],
)
def test_what_is_wrong_is_said_on_stderr(linnet: Linnet, folder: Path, file: str, words: str) -> None:
    done = linnet("ge", "read", file)
    assert (done.returncode, done.stderr.decode()) == (1, f"linnet: {words}\n")


def test_protobuf_text_has_no_spelling_of_a_readable_dump(linnet: Linnet, folder: Path) -> None:
    done = linnet("ge", "read", "--canonical", "proto.txt")
    words = "proto.txt:1: this is protobuf text (proto) and no readable dump; `linnet ge convert --to readable` makes one"
    assert (done.returncode, done.stdout, done.stderr.decode()) == (1, b"", f"linnet: {words}\n")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        pytest.param(["gone.txt"], "gone.txt: No such file or directory", id="no such file"),
        pytest.param(["."], ".: Is a directory", id="a directory"),
        pytest.param(["--json", "--canonical", "small.txt"], "one of them at a time", id="two outputs"),
        pytest.param(["--canonical", "--style", "exact", "small.txt"], "contradict one another", id="two styles"),
    ],
)
def test_a_usage_error_is_one_line(linnet: Linnet, folder: Path, words: list[str], told: str) -> None:
    done = linnet("ge", "read", *words)
    assert done.returncode == 2
    assert told in done.stderr.decode()
    assert done.stderr.count(b"\n") == 1


def test_names_of_files_and_nodes_do_not_reach_a_terminal_raw(linnet: Linnet, folder: Path) -> None:
    (folder / "x.txt").write_bytes((folder / "latin.txt").read_bytes()[: SMALL.index("%later :") + 30])
    done = linnet("ge", "read", "x.txt")
    assert done.returncode == 1
    assert b"\x1b" not in done.stderr + done.stdout


def test_the_plugin_is_listed(linnet: Linnet) -> None:
    listed = linnet("plugins").stdout.decode()
    assert "linnet-ge 0.1.0  dump format ge-readable; commands ge; schema ge-diff-1, " in listed


def test_no_command_prints_the_help(linnet: Linnet) -> None:
    alone, asked = linnet("ge"), linnet("ge", "--help")
    assert (alone.returncode, alone.stderr) == (2, b"")
    assert asked.stdout.startswith(b"Usage: linnet ge ")
    assert alone.stdout.rstrip() == asked.stdout.rstrip()


def test_an_unknown_command_names_the_nearest(linnet: Linnet) -> None:
    done = linnet("ge", "raed")
    assert (done.returncode, b"`ge raed`" in done.stderr, b"read" in done.stderr) == (2, True, True)


def test_the_dump_format_reads_text() -> None:
    [dump_format] = hooks.linnet_dump_formats()
    assert dump_format.fault() is None
    assert dump_format.sniff(SMALL.encode())
    assert not dump_format.sniff(b"graph {\n}\n")
    assert dump_format.read is not None
    assert [graph["name"] for graph in dump_format.read(SMALL)["files"][0]["graphs"]] == ["main", "inner"]
