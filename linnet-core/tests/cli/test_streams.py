"""Where output goes, and how: colours, widths, encodings, files; no character of a program is taken for markup."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

ESCAPE = "\x1b"

BRACKETS = """module m

fn wrong<N: Dim, M: Dim, K: Dim>(a: Tensor[M, K; f32], b: Tensor[N, K; f32]) -> Tensor[N, M; f32] {
    let c[m, n] = sum[k] a[m, k] * b[k, n]
    return c
}

fn marks(x: Tensor[2; f32]) -> f32 {
    // [bold]not bold[/bold] :cat: [/2]
    return x[/2]
}
"""


def terminal(linnet, *arguments: str, columns: int, env: dict[str, str] | None = None) -> str:
    """What a command prints on a terminal of a width, stdout and stderr together."""
    import fcntl
    import pty
    import struct
    import termios

    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    command = subprocess.Popen(
        [sys.executable, "-m", "linnet_core", *arguments],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        cwd=linnet.folder,
        env=linnet.environment({"TERM": "xterm", **(env or {})}),
    )
    os.close(slave)
    found = b""
    while True:
        try:
            part = os.read(master, 65536)
        except OSError:  # the terminal is gone when the command is
            break
        if not part:
            break
        found += part
    command.wait()
    os.close(master)
    return found.decode().replace("\r\n", "\n")


def plain(text: str) -> str:
    """Without the escape sequences of colours."""
    import re

    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def test_every_character_of_a_program_is_shown_in_a_pipe(linnet):
    (linnet.folder / "[id]").mkdir()
    (linnet.folder / "[id]" / "b.linnet").write_text(BRACKETS)
    said = linnet("check", "[id]/b.linnet").stderr
    assert "  --> [id]/b.linnet:10:14\n" in said
    assert "\n10 |     return x[/2]\n" in said


@pytest.mark.parametrize(
    ("line", "code"),
    [
        pytest.param("let c[m, n] = sum[k] a[m, k] * b[n, k2]", "E3101", id="an index nothing binds"),
        pytest.param("let c[m, n] = sum[k] a[m, k] * b[k, n]", "E2201", id="an index of two extents"),
        pytest.param("let c[n, m] = sum[k] a[m, k] * b[n, k]", "E2202", id="a result of another shape"),
    ],
)
def test_index_notation_is_shown_as_it_is_written(linnet, line, code):
    head = "module m\n\nfn f<N: Dim, M: Dim, K: Dim>(a: Tensor[M, K; f32], b: Tensor[N, K; f32]) -> Tensor[M, N; f32] {\n"
    (linnet.folder / "i.linnet").write_text(f"{head}    {line}\n    return c\n}}\n")
    done = linnet("check", "i.linnet")
    assert f"error {code}: " in done.stderr
    assert f" |     {line if code != 'E2202' else 'return c'}\n" in done.stderr
    if code == "E2202":
        assert "`Tensor[N, M; f32]`" in done.stderr
        assert "`Tensor[M, N; f32]`" in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="terminals are POSIX")
@pytest.mark.parametrize("columns", [20, 80])
def test_a_terminal_shows_what_a_pipe_shows_in_colour(linnet, folder, columns):
    shown = terminal(linnet, "check", "bad.linnet", columns=columns)
    assert ESCAPE in shown
    assert plain(shown) == linnet("check", "bad.linnet").stderr


@pytest.mark.skipif(sys.platform == "win32", reason="terminals are POSIX")
@pytest.mark.parametrize(
    ("env", "coloured"),
    [
        pytest.param({"NO_COLOR": "1"}, False, id="NO_COLOR"),
        pytest.param({"NO_COLOR": ""}, True, id="NO_COLOR that is empty"),
        pytest.param({"TERM": "dumb"}, False, id="a dumb terminal"),
        pytest.param({"NO_COLOR": "1", "FORCE_COLOR": "1"}, False, id="both"),
    ],
)
def test_colours_on_a_terminal(linnet, folder, env, coloured):
    assert (ESCAPE in terminal(linnet, "check", "bad.linnet", columns=80, env=env)) is coloured


@pytest.mark.parametrize(
    ("env", "coloured"),
    [
        pytest.param({}, False, id="nothing set"),
        pytest.param({"FORCE_COLOR": "1"}, True, id="FORCE_COLOR"),
        pytest.param({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, id="both"),
        pytest.param({"GITHUB_ACTIONS": "1"}, False, id="GITHUB_ACTIONS"),
        pytest.param({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, False, id="a terminal's variables"),
    ],
)
def test_colours_in_a_pipe(linnet, folder, env, coloured):
    assert (ESCAPE in linnet("check", "bad.linnet", env=env).stderr) is coloured


@pytest.mark.parametrize(
    "arguments", [["--help"], ["check", "--help"], ["nope"], ["plugins"], ["check", "--json", "bad.linnet"], ["plan", "good.linnet"]]
)
@pytest.mark.parametrize("env", [{"GITHUB_ACTIONS": "1"}, {"FORCE_COLOR": "1"}], ids=["GITHUB_ACTIONS", "FORCE_COLOR"])
def test_nothing_but_diagnostics_is_coloured(linnet, folder, arguments, env):
    done = linnet(*arguments, env=env)
    assert ESCAPE not in done.stdout + done.stderr


@pytest.mark.parametrize(
    "arguments", [["check", "bad.linnet"], ["check", "--json", "bad.linnet"], ["plan", "good.linnet"], ["plugins"], ["schema"]]
)
def test_no_width_wraps_or_cuts_a_line(linnet, folder, arguments):
    outputs = [(done.stdout, done.stderr) for done in (linnet(*arguments, env={"COLUMNS": width}) for width in ("10", "20", "1000"))]
    assert outputs[0] == outputs[1] == outputs[2]


def test_help_shows_brackets(linnet):
    assert "[[1, 2.5]]" in " ".join(linnet("run", "--help").stdout.split())


NARROW = "module m\n\nfn f() -> f32 {\n    return missing // → 模型\n}\n"


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "latin-1"])
def test_a_stream_that_lacks_a_character_gets_it_escaped(linnet, encoding):
    (linnet.folder / "n.linnet").write_text(NARROW, encoding="utf-8")
    done = linnet.raw("check", "n.linnet", env={"PYTHONIOENCODING": encoding})
    assert done.returncode == 1
    assert b"error E1201" in done.stderr
    assert b"\\u2192 \\u6a21\\u578b" in done.stderr


def test_a_locale_without_unicode_reads_paths_beyond_ascii(linnet):
    (linnet.folder / "模型").mkdir()
    (linnet.folder / "模型" / "é.linnet").write_text(NARROW, encoding="utf-8")
    done = linnet.raw("check", "模型/é.linnet", env={"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"})
    assert done.returncode == 1
    assert b"error E1201" in done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="file names that are not text exist on Linux")
def test_a_file_name_that_is_no_text_is_shown_escaped(linnet):
    name = os.path.join(os.fsencode(linnet.folder), b"odd\xff.linnet")
    with open(name, "wb") as file:
        file.write(NARROW.encode())
    done = linnet("check", os.fsdecode(b"odd\xff.linnet"))
    assert done.returncode == 1
    assert "--> odd\\xff.linnet:4:12" in done.stderr
    as_json = linnet("check", "--json", os.fsdecode(b"odd\xff.linnet"))
    assert json.loads(as_json.stdout)["diagnostics"][0]["location"]["file"] == "odd\\xff.linnet"


@pytest.mark.parametrize("arguments", [["plan", "u.linnet"], ["numpy", "u.linnet"], ["graph", "--target", "numpy", "u.linnet"]])
def test_documents_and_source_are_utf_8_with_lf_in_every_locale(linnet, arguments):
    (linnet.folder / "u.linnet").write_text(
        "module m\n\nblock M {\n    entry f(x: f32) -> f32 {\n        return x\n    }\n}\n", encoding="utf-8"
    )
    outputs = [linnet.raw(*arguments, env=env).stdout for env in ({}, {"PYTHONIOENCODING": "utf-16"}, {"LC_ALL": "C", "PYTHONUTF8": "0"})]
    assert outputs[0] == outputs[1] == outputs[2]
    assert outputs[0].endswith(b"\n")
    assert b"\r" not in outputs[0]
