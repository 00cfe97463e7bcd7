"""A file named by `-o` is there whole or as it was before."""

from __future__ import annotations

import os
import stat
import sys

import pytest

from linnet_core.cli.output import replace_file, write_document
from linnet_core.errors import InternalError, UsageError


def names(folder) -> list[str]:
    return sorted(p.name for p in folder.iterdir())


def test_a_document_to_a_file_is_the_one_on_stdout(linnet, folder):
    done = linnet("plan", "good.linnet", "-o", "plan.json")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (folder / "plan.json").read_text() == linnet("plan", "good.linnet").stdout


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["plan", "bad.linnet"], id="a wrong program"),
        pytest.param(["numpy", "good.linnet"], id="sizes not given"),
        pytest.param(["numpy", "--bind", "N=x", "good.linnet"], id="a wrong size"),
        pytest.param(["run", "--bind", "N=3", "--weights", "random", "good.linnet"], id="an input not given"),
    ],
)
def test_a_command_that_fails_leaves_the_file_as_it_was(linnet, folder, arguments):
    (folder / "out").write_text("before")
    before = names(folder)
    assert linnet(*arguments, "-o", "out").returncode in (1, 2)
    assert (folder / "out").read_text() == "before"
    assert names(folder) == before


def test_a_failing_command_makes_no_file(linnet, folder):
    assert linnet("plan", "bad.linnet", "-o", "out").returncode == 1
    assert not (folder / "out").exists()


@pytest.mark.parametrize(
    ("place", "words"),
    [
        pytest.param("gone/plan.json", "No such file or directory", id="a folder that does not exist"),
        pytest.param("pack", "it is a directory", id="a folder"),
        pytest.param("good.linnet/plan.json", "Not a directory", id="a file for a folder"),
    ],
)
def test_a_place_that_cannot_be_written_is_one_line(linnet, folder, place, words):
    before = names(folder)
    done = linnet("plan", "good.linnet", "-o", place)
    assert (done.returncode, done.stderr) == (2, f"linnet: cannot write {place}: {words}\n")
    assert names(folder) == before


def test_a_writer_that_fails_in_the_middle_leaves_nothing_behind(tmp_path, monkeypatch):
    (tmp_path / "out").write_text("before")

    def full(source: str, target: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(UsageError, match="No space left on device"):
        replace_file(str(tmp_path / "out"), b"after")
    assert (tmp_path / "out").read_text() == "before"
    assert names(tmp_path) == ["out"]


@pytest.mark.skipif(sys.platform == "win32", reason="modes are POSIX")
def test_the_mode_of_a_file_is_kept_and_a_new_one_gets_the_usual(tmp_path):
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_text("")
    old.chmod(0o640)
    mask = os.umask(0o022)
    try:
        replace_file(str(old), b"x")
        replace_file(str(new), b"x")
    finally:
        os.umask(mask)
    assert [stat.S_IMODE(path.stat().st_mode) for path in (old, new)] == [0o640, 0o644]


def test_a_link_is_followed(tmp_path):
    (tmp_path / "real").write_text("before")
    (tmp_path / "link").symlink_to("real")
    replace_file(str(tmp_path / "link"), b"after")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "after"


def test_a_document_never_holds_what_json_has_no_number_for(tmp_path):
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_document({"x": float("nan")}, "run-1", str(tmp_path / "out"), validate=False)
    assert names(tmp_path) == []


@pytest.mark.parametrize(
    "document", [pytest.param({"version": 1, "files": 3}, id="values"), pytest.param(b'{"version":1,"files":3}', id="bytes")]
)
def test_a_document_of_ours_that_breaks_its_schema_is_our_fault_and_not_written(tmp_path, document):
    with pytest.raises(InternalError, match="validation-1: files: 3"):
        write_document(document, "validation-1", str(tmp_path / "out"))
    assert names(tmp_path) == []


def test_indented_json_is_the_same_document(linnet, folder):
    import json

    compact, indented = linnet("plan", "good.linnet").stdout, linnet("plan", "--indent", "good.linnet").stdout
    assert json.loads(compact) == json.loads(indented)
    assert compact.count("\n") == 1
    assert indented.count("\n") > 50


def test_the_same_command_prints_the_same_bytes(linnet, folder):
    outputs = {linnet("plan", "good.linnet", env={"PYTHONHASHSEED": str(seed)}).stdout for seed in range(3)}
    assert len(outputs) == 1
