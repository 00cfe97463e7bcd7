"""`linnet fmt`: what is written, what is only said, and what stays as it is."""

from __future__ import annotations

import json
import os
import stat
import sys

import pytest

LOOSE = "module m\nconst  X=1 // one\n"
NEAT = "module m\n\nconst X = 1 // one\n"
WRONG = "module m\nconst X = \n"


def write(folder, **files: str) -> None:
    for name, text in files.items():
        (folder / f"{name}.linnet").write_bytes(text.encode())


def names(folder) -> list[str]:
    return sorted(p.name for p in folder.iterdir())


def test_a_file_is_rewritten_and_named(linnet):
    write(linnet.folder, a=LOOSE, b=NEAT)
    done = linnet("fmt", "a.linnet", "b.linnet")
    assert (done.returncode, done.stdout, done.stderr) == (0, "a.linnet\n", "")
    assert (linnet.folder / "a.linnet").read_text() == NEAT
    assert names(linnet.folder) == ["a.linnet", "b.linnet"]
    again = linnet("fmt", "a.linnet", "b.linnet")
    assert (again.returncode, again.stdout, again.stderr) == (0, "", "")


def test_a_directory_is_searched(linnet):
    (linnet.folder / "deep" / ".hidden").mkdir(parents=True)
    write(linnet.folder / "deep", b=LOOSE)
    write(linnet.folder / "deep" / ".hidden", c=LOOSE)
    write(linnet.folder, a=LOOSE)
    (linnet.folder / "d.txt").write_text(LOOSE)
    assert linnet("fmt", ".").stdout == "a.linnet\ndeep/b.linnet\n"
    assert (linnet.folder / "deep" / ".hidden" / "c.linnet").read_text() == LOOSE
    assert (linnet.folder / "d.txt").read_text() == LOOSE


@pytest.mark.skipif(sys.platform == "win32", reason="links")
def test_what_is_hidden_is_not_searched(linnet):
    write(linnet.folder, a=LOOSE)
    (linnet.folder / ".b.linnet").write_text(LOOSE)
    (linnet.folder / ".#a.linnet").symlink_to("somebody@somewhere.1")
    assert linnet("fmt", ".").stdout == "a.linnet\n"
    assert (linnet.folder / ".b.linnet").read_text() == LOOSE


@pytest.mark.parametrize("option", ["--check", "--diff"])
def test_nothing_is_written_when_only_asked(linnet, option):
    write(linnet.folder, a=LOOSE, b=NEAT)
    done = linnet("fmt", option, ".")
    assert (done.returncode, done.stderr) == (1, "")
    assert "a.linnet" in done.stdout
    assert "b.linnet" not in done.stdout
    assert (linnet.folder / "a.linnet").read_text() == LOOSE
    assert linnet("fmt", option, "b.linnet").returncode == 0


def test_files_that_differ_are_listed(linnet):
    write(linnet.folder, a=LOOSE, b=NEAT, c=LOOSE)
    assert linnet("fmt", "--check", ".").stdout == "a.linnet\nc.linnet\n"


def test_a_difference_is_shown(linnet):
    write(linnet.folder, a=LOOSE)
    shown = "--- a.linnet\n+++ a.linnet\n@@ -1,2 +1,3 @@\n module m\n-const  X=1 // one\n+\n+const X = 1 // one\n"
    assert linnet("fmt", "--diff", "a.linnet").stdout == shown


def test_a_difference_says_that_a_line_does_not_end(linnet):
    done = linnet("fmt", "--diff", "-", stdin=b"module m")
    assert done.stdout == "--- <stdin>\n+++ <stdin>\n@@ -1 +1 @@\n-module m\n\\ No newline at end of file\n+module m\n"


def test_stdin_goes_to_stdout(linnet):
    done = linnet("fmt", "-", stdin=LOOSE.encode())
    assert (done.returncode, done.stdout, done.stderr) == (0, NEAT, "")
    assert linnet("fmt", "-", stdin=NEAT.encode()).stdout == NEAT
    done = linnet("fmt", "--check", "-", stdin=LOOSE.encode())
    assert (done.returncode, done.stdout) == (1, "<stdin>\n")


def test_a_file_with_errors_stays_and_the_others_are_formatted(linnet):
    write(linnet.folder, a=LOOSE, b=WRONG)
    done = linnet("fmt", "b.linnet", "a.linnet")
    assert (done.returncode, done.stdout) == (1, "a.linnet\n")
    assert "E1101" in done.stderr
    assert "b.linnet:2:10" in done.stderr
    assert (linnet.folder / "b.linnet").read_text() == WRONG


def test_stdin_with_errors_prints_nothing(linnet):
    done = linnet("fmt", "-", stdin=WRONG.encode())
    assert (done.returncode, done.stdout) == (1, "")
    assert "<stdin>:" in done.stderr


@pytest.mark.parametrize(
    ("data", "code"),
    [
        pytest.param(b"module m // \xff\n", "E1001", id="bytes that are not UTF-8"),
        pytest.param("module m\n".encode("utf-16"), "E1001", id="UTF-16"),
        pytest.param(b"module m /* \n", "E1002", id="an open comment"),
        pytest.param(b"", "E1102", id="an empty file"),
    ],
)
def test_what_cannot_be_read_stays_byte_for_byte(linnet, data, code):
    (linnet.folder / "a.linnet").write_bytes(data)
    done = linnet("fmt", "a.linnet")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count(f"error {code}") == 1
    assert (linnet.folder / "a.linnet").read_bytes() == data


@pytest.mark.parametrize("data", [b"\xef\xbb\xbf" + NEAT.encode(), NEAT.replace("\n", "\r\n").encode()], ids=["byte order mark", "CR LF"])
def test_the_bytes_of_the_style_are_plain(linnet, data):
    (linnet.folder / "a.linnet").write_bytes(data)
    assert linnet("fmt", "--check", "a.linnet").stdout == "a.linnet\n"
    assert "@@" in linnet("fmt", "--diff", "a.linnet").stdout
    assert linnet("fmt", "a.linnet").returncode == 0
    assert (linnet.folder / "a.linnet").read_bytes() == NEAT.encode()


def test_outcomes_as_json(linnet):
    write(linnet.folder, a=LOOSE, b=WRONG, c=NEAT)
    done = linnet("fmt", "--json", ".")
    assert (done.returncode, done.stderr) == (1, "")
    document = json.loads(done.stdout)
    assert document["written"] is True
    states = [("a.linnet", "changed"), ("b.linnet", "failed"), ("c.linnet", "unchanged")]
    assert [(file["file"], file["state"]) for file in document["files"]] == states
    assert [found["code"] for found in document["diagnostics"]] == ["E1101"]
    assert (linnet.folder / "a.linnet").read_text() == NEAT
    write(linnet.folder, a=LOOSE)
    first = json.loads(linnet("fmt", "--json", "--diff", "a.linnet").stdout)
    assert first["written"] is False
    assert first["files"][0]["diff"].startswith("--- a.linnet\n")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        pytest.param(["gone.linnet"], "no such file", id="a path that is not there"),
        pytest.param(["a.linnet", "gone"], "no such file", id="and one that is"),
        pytest.param(["-", "a.linnet"], "`-` stands alone", id="stdin and a file"),
        pytest.param(["--json", "-"], "add `--check`", id="two things for stdout"),
        pytest.param(["empty"], "no .linnet file", id="an empty directory"),
        pytest.param([], "missing argument", id="nothing"),
    ],
)
def test_usage(linnet, arguments, words):
    write(linnet.folder, a=LOOSE)
    (linnet.folder / "empty").mkdir()
    done = linnet("fmt", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert (linnet.folder / "a.linnet").read_text() == LOOSE


def test_a_file_named_twice_is_one_file(linnet):
    write(linnet.folder, a=LOOSE)
    assert linnet("fmt", "a.linnet", ".", "./a.linnet").stdout == "a.linnet\n"


@pytest.mark.skipif(sys.platform == "win32", reason="links and modes")
def test_links_and_modes_stay(linnet):
    folder = linnet.folder / "real"
    folder.mkdir()
    write(folder, a=LOOSE)
    (folder / "a.linnet").chmod(0o640)
    (linnet.folder / "link.linnet").symlink_to("real/a.linnet")
    assert linnet("fmt", "link.linnet").stdout == "link.linnet\n"
    assert (linnet.folder / "link.linnet").is_symlink()
    assert (folder / "a.linnet").read_text() == NEAT
    assert stat.S_IMODE((folder / "a.linnet").stat().st_mode) == 0o640
    assert names(folder) == ["a.linnet"]


def test_a_file_that_does_not_change_is_not_touched(linnet):
    write(linnet.folder, a=NEAT)
    path = linnet.folder / "a.linnet"
    os.utime(path, ns=(1, 1))
    inode = path.stat().st_ino
    assert linnet("fmt", "a.linnet").returncode == 0
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (inode, 1)


@pytest.mark.skipif(not os.path.exists("/dev/stdin"), reason="no file stands for stdin here")
def test_what_is_no_file_is_not_written(linnet):
    done = linnet("fmt", "/dev/stdin", stdin=LOOSE.encode())
    assert (done.returncode, done.stdout) == (2, "")
    assert "no regular file" in done.stderr
