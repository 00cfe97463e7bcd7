"""`linnet init`: a package that checks, is in the one style, plans and runs; and nothing is overwritten."""

from __future__ import annotations

import shlex

import pytest

from linnet_core.cli.init import package_name


def test_a_directory_that_looks_like_an_option_is_named_as_a_path(linnet):
    done = linnet("init", "--", "-o")
    assert done.returncode == 0
    assert done.stdout.splitlines()[2] == "  linnet check ./-o"


def test_a_new_package_does_all_that_is_said(linnet):
    done = linnet("init", "my model")
    assert (done.returncode, done.stderr) == (0, "")
    first, _, *commands = done.stdout.splitlines()
    assert first == "made the package `my_model`: my model/linnet.toml, my model/src/lib.linnet"
    assert linnet("lint", "my model").returncode == 0
    assert linnet("fmt", "--check", "my model").returncode == 0
    assert len(commands) == 3
    for command in commands:
        program, *arguments = shlex.split(command)
        assert program == "linnet"
        done = linnet(*arguments)
        assert (done.returncode, done.stderr) == (0, "")
    assert linnet("numpy", "--preset", "tiny", "my model").returncode == 0


def test_the_current_directory(linnet):
    folder = linnet.folder / "here"
    folder.mkdir()
    linnet.folder = folder
    assert linnet("init").stdout.startswith("made the package `here`: linnet.toml, src/lib.linnet\n")
    assert sorted(p.name for p in folder.iterdir()) == ["linnet.toml", "src"]
    assert linnet("check", ".").returncode == 0


@pytest.mark.parametrize(
    ("directory", "name"),
    [
        pytest.param("a/b/model", "model", id="the last part"),
        pytest.param("a/model/", "model", id="a slash at the end"),
        pytest.param("my-model.v2", "my_model_v2", id="other signs"),
        pytest.param("3d", "_3d", id="a digit first"),
        pytest.param("block", "block_", id="a keyword"),
        pytest.param("async", "async_", id="a reserved word"),
        pytest.param("std", "std_", id="the standard library"),
        pytest.param("Modèle", "Mod_le", id="letters beyond ASCII"),
        pytest.param("模型", "model", id="no letters that can be kept"),
        pytest.param("/", "model", id="no name at all"),
    ],
)
def test_the_name_of_the_directory(linnet, directory, name):
    assert package_name(directory) == name
    if directory.startswith("/"):
        return
    assert linnet("init", directory).returncode == 0
    assert f'name = "{name}"' in (linnet.folder / directory / "linnet.toml").read_text()
    assert linnet("lint", directory).returncode == 0


@pytest.mark.parametrize("there", ["linnet.toml", "src/lib.linnet"])
def test_what_is_there_is_not_overwritten(linnet, there):
    path = linnet.folder / "p" / there
    path.parent.mkdir(parents=True)
    path.write_text("mine")
    before = sorted(p.name for p in (linnet.folder / "p").rglob("*"))
    done = linnet("init", "p")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"linnet: cannot make a package in `p`: `p/{there}` is there already\n"
    assert path.read_text() == "mine"
    assert sorted(p.name for p in (linnet.folder / "p").rglob("*")) == before


@pytest.mark.parametrize(
    ("directory", "words"),
    [
        pytest.param("file", "`file` is no directory", id="a file"),
        pytest.param("file/below", "Not a directory", id="below a file"),
        pytest.param("taken", "`taken/src` is no directory", id="a file in the way"),
        pytest.param("", "has no name", id="nothing"),
    ],
)
def test_where_no_package_can_be(linnet, directory, words):
    (linnet.folder / "file").write_text("mine")
    (linnet.folder / "taken").mkdir()
    (linnet.folder / "taken" / "src").write_text("mine")
    done = linnet("init", directory)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert done.stderr.count("\n") == 1
