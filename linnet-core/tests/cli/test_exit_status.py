"""What each command line ends with: 0 fine, 1 found in a file, 2 usage, 130 interrupted, 141 the reader of a pipe went away."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

FINE = [
    pytest.param(["--help"], id="help"),
    pytest.param(["--version"], id="version"),
    pytest.param(["check", "--help"], id="help of a command"),
    pytest.param(["check", "good.linnet"], id="check"),
    pytest.param(["lint", "pack"], id="lint"),
    pytest.param(["plan", "good.linnet"], id="plan"),
    pytest.param(["graph", "--target", "numpy", "--bind", "N=3", "good.linnet"], id="graph"),
    pytest.param(["graph", "--target", "numpy", "--preset", "tiny", "pack"], id="graph of a package"),
    pytest.param(["graph", "--target=numpy", "--replay", "--bind", "N=3", "good.linnet"], id="replay"),
    pytest.param(["numpy", "--bind", "N=3", "good.linnet"], id="source"),
    pytest.param(["run", "--bind", "N=3", "--weights", "random", "--input", "x=[1,2,3]", "good.linnet"], id="run"),
    pytest.param(["inspect", "--ast", "good.linnet"], id="tree"),
    pytest.param(["inspect", "--parameters", "--preset", "tiny", "pack"], id="parameters"),
    pytest.param(["explain", "--target", "numpy", "pack"], id="explain"),
    pytest.param(["schema"], id="names of schemas"),
    pytest.param(["schema", "plan"], id="schema"),
    pytest.param(["plugins"], id="plugins"),
]
RUN = ["run", "--bind", "N=3", "good.linnet"]
FOUND = [
    pytest.param(["check", "bad.linnet"], "E3101", id="an error"),
    pytest.param(["check", "good.linnet", "bad.linnet"], "E3101", id="an error in one of two files"),
    pytest.param(["plan", "bad.linnet"], "E3101", id="a plan of a wrong program"),
    pytest.param(["graph", "--target", "numpy", "bad.linnet"], "E3101", id="a graph of a wrong program"),
    pytest.param(["graph", "--target", "numpy", "good.linnet"], "E6002", id="a size that is not given"),
    pytest.param(
        ["graph", "--target", "numpy", "--bind", "N=3", "--bind", "T=i32", "good.linnet"], "E6002", id="a dtype of the wrong class"
    ),
    pytest.param(["validate", "good.linnet"], "not JSON", id="a document that is none"),
    pytest.param([*RUN, "--weights", "good.linnet", "--input", "x=zeros"], "not a safetensors file", id="weights that are none"),
    pytest.param([*RUN, "--weights", "random", "--input", "x=odd.npy"], "not a file of NumPy arrays", id="an array that is none"),
    pytest.param([*RUN, "--weights", "random", "--input", "x=zeros", "--state", "odd.npy"], "odd.npy", id="states that are none"),
]
USAGE = [
    pytest.param([], "Usage: linnet", id="nothing"),
    pytest.param(["nope"], "there is no command `nope`", id="an unknown command"),
    pytest.param(["chekc", "x"], "did you mean `check`?", id="a misspelt command"),
    pytest.param(["check"], "missing argument 'PATH...'; `linnet check --help`", id="a path that is not given"),
    pytest.param(["check", "nope.linnet"], "nope.linnet: no such file or directory", id="a path that does not exist"),
    pytest.param(["check", "--nope", "good.linnet"], "--nope", id="an unknown option"),
    pytest.param(["plan", "--numerics", "nope", "good.linnet"], "exact, equivalent or fast", id="an unknown policy"),
    pytest.param(["plan", "--root", "nope", "good.linnet"], "`nope`", id="an unknown root"),
    pytest.param(["graph", "--target", "nope", "good.linnet"], "pip install linnet-nope", id="an unknown target"),
    pytest.param(["numpy", "--entry", "nope", "--bind", "N=3", "good.linnet"], "`nope`", id="an unknown entry"),
    pytest.param(["numpy", "--preset", "nope", "pack"], "there are: tiny", id="an unknown preset"),
    pytest.param(["numpy", "--preset", "nope", "good.linnet"], "`nope`", id="a preset of a single file"),
    pytest.param(["numpy", "--bind", "nope=3", "good.linnet"], "`nope`", id="an unknown generic"),
    pytest.param(["numpy", "--bind", "N=3", "--absent", "w", "good.linnet"], "w", id="something absent that is not optional"),
    pytest.param(["numpy", "--bind", "N=3", "--optionals", "nope", "good.linnet"], "present or absent", id="a wrong word for optionals"),
    pytest.param(["run", "--bind", "N=3", "--weights", "random", "good.linnet"], "--input", id="an input that is not given"),
    pytest.param(["run", "--bind", "N=3", "--input", "x=zeros", "good.linnet"], "--weights", id="weights that are not given"),
    pytest.param(
        ["run", "--bind", "N=3", "--weights", "gone.safetensors", "--input", "x=zeros", "good.linnet"], "gone.safetensors", id="weights"
    ),
    pytest.param(["validate", "nope.json"], "nope.json", id="a document that does not exist"),
    pytest.param(["validate", "pack"], "pack", id="a folder for a document"),
    pytest.param(["schema", "nope"], "there are:", id="an unknown schema"),
    pytest.param(["check", "--std", "nope", "good.linnet"], "nope", id="a standard library that does not exist"),
]


@pytest.mark.parametrize("arguments", FINE)
def test_fine(linnet, folder, arguments):
    done = linnet(*arguments)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(("arguments", "words"), FOUND)
def test_something_found_in_a_file(linnet, folder, arguments, words):
    (folder / "odd.npy").write_text("odd")
    done = linnet(*arguments)
    assert (done.returncode, done.stdout) == (1, "")
    assert words in done.stderr


@pytest.mark.parametrize(("arguments", "words"), USAGE)
def test_a_usage_error_is_one_line(linnet, folder, arguments, words):
    done = linnet(*arguments)
    assert done.returncode == 2
    assert words in done.stdout + done.stderr
    if arguments:
        assert done.stdout == ""
        assert done.stderr.startswith("linnet: ")
        assert done.stderr.count("\n") == 1


def test_a_warning_fails_under_lint_and_strict_only(linnet, folder):
    (folder / "warn.linnet").write_text("module m\n\nfn f(x: f32) -> f32 {\n    let unused = x\n    return x\n}\n")
    assert [linnet(*words, "warn.linnet").returncode for words in (["check"], ["check", "--strict"], ["lint"])] == [0, 1, 1]
    assert "warning W1002" in linnet("check", "warn.linnet").stderr


GROUP = """
import typer

from linnet_core.plugins import CommandGroup, hookimpl

app = typer.Typer(help="Words about words.", rich_markup_mode=None, no_args_is_help=True)

@app.command()
def shout(word: str): ...

@app.command()
def whisper(word: str): ...

@hookimpl
def linnet_commands():
    return [CommandGroup("words", app)]
"""


def test_a_plugin_s_group_without_a_command_prints_its_help(linnet, folder, distribution):
    distribution("linnet-words", "words = words_hooks", {"words_hooks": GROUP})
    done = linnet("words")
    assert (done.returncode, done.stderr) == (2, "")
    assert done.stdout.startswith("Usage: linnet words [OPTIONS] COMMAND [ARGS]...\n")
    assert "\n  whisper" in done.stdout


SILENT = [
    pytest.param(["words"], id="help of a plugin"),
    pytest.param(["--help"], id="help"),
    pytest.param(["--version"], id="version"),
    pytest.param(["check", "--json", "bad.linnet"], id="diagnostics as JSON"),
    pytest.param(["plan", "good.linnet"], id="plan"),
    pytest.param(["graph", "--target", "numpy", "--bind", "N=3", "good.linnet"], id="graph"),
    pytest.param(["plugins"], id="plugins"),
    pytest.param(["inspect", "--tokens", "bad.linnet"], id="tokens"),
    pytest.param(["explain", "--target", "numpy", "good.linnet"], id="explain"),
    pytest.param(["graph", "--target", "numpy", "--json", "bad.linnet"], id="a failure as JSON"),
    pytest.param(["schema", "plan"], id="schema"),
    pytest.param(["run", "--bind", "N=3", "--weights", "random", "--input", "x=[1,2,3]", "good.linnet"], id="run"),
]


@pytest.mark.parametrize("unbuffered", ["", "1"], ids=["buffered", "unbuffered"])
@pytest.mark.parametrize("arguments", SILENT)
def test_a_reader_that_went_away_is_no_fault(linnet, folder, distribution, arguments, unbuffered):
    distribution("linnet-words", "words = words_hooks", {"words_hooks": GROUP})
    read_end, write_end = os.pipe()
    os.close(read_end)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "linnet_core", *arguments],
            stdout=write_end,
            stderr=subprocess.PIPE,
            cwd=folder,
            env=linnet.environment({"PYTHONUNBUFFERED": unbuffered}),
            check=False,
        )
    finally:
        os.close(write_end)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.parametrize("arguments", [["check", "bad.linnet"], ["plan", "nope"], ["nope"]], ids=["diagnostics", "complaint", "usage"])
def test_a_reader_of_complaints_that_went_away_is_no_fault(linnet, folder, arguments):
    read_end, write_end = os.pipe()
    os.close(read_end)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "linnet_core", *arguments],
            stdout=subprocess.PIPE,
            stderr=write_end,
            cwd=folder,
            env=linnet.environment(None),
            check=False,
        )
    finally:
        os.close(write_end)
    assert (done.returncode, done.stdout) == (141, b"")


def opened_for_writing(pipe: Path) -> int:
    """The pipe, once it has a reader: then the command has come to reading its file."""
    deadline = time.monotonic() + 60
    while True:
        try:
            return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            assert time.monotonic() < deadline, "the command never opened its file"
            time.sleep(0.02)


def interrupted(command: subprocess.Popen[bytes], *, times: int = 60) -> tuple[bytes, bytes]:
    """What a command says that is interrupted until it ends.

    A signal that comes right before the interpreter waits in `read` is only noted, and looked at after it: a second one ends the wait.
    """
    for _ in range(times):
        command.send_signal(signal.SIGINT)
        try:
            return command.communicate(timeout=1)
        except subprocess.TimeoutExpired:
            continue
    raise AssertionError("the command waits on")


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
def test_a_command_that_ignores_interrupts_is_told():
    code = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN); print(flush=True); signal.pause()"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as command:
        try:
            assert command.stdout is not None
            command.stdout.readline()
            with pytest.raises(AssertionError, match="waits on"):
                interrupted(command, times=2)
        finally:
            command.kill()


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
def test_an_interrupt_is_silent(linnet, folder):
    """The command waits for a named pipe that nobody writes to."""
    os.mkfifo(folder / "pipe.linnet")
    with subprocess.Popen(
        [sys.executable, "-m", "linnet_core", "check", "pipe.linnet"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=folder,
        env=linnet.environment(None),
        # a shell ignores interrupts for what it runs in the background, these tests perhaps, and children inherit that
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as command:
        try:
            writer = opened_for_writing(folder / "pipe.linnet")
            out, err = interrupted(command)
            os.close(writer)
        finally:
            command.kill()
    assert (command.returncode, out, err) == (130, b"", b"")


@pytest.mark.parametrize("redirect", [">&-", "2>&-", ">&- 2>&-", "<&-"], ids=["stdout", "stderr", "both", "stdin"])
@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        pytest.param("check good.linnet", 0, id="nothing to say"),
        pytest.param("plan good.linnet -o plan.json", 0, id="a document to a file"),
        pytest.param("check bad.linnet", 1, id="diagnostics"),
        pytest.param("check nope.linnet", 2, id="a complaint"),
    ],
)
def test_a_stream_that_is_closed_changes_no_status(linnet, folder, arguments, status, redirect):
    done = subprocess.run(
        ["sh", "-c", f"'{sys.executable}' -m linnet_core {arguments} {redirect}"],
        capture_output=True,
        text=True,
        cwd=folder,
        env=linnet.environment(None),
        check=False,
    )
    assert done.returncode == status
    assert "internal error" not in done.stderr
    assert "Traceback" not in done.stderr


def test_a_document_for_a_closed_stdout_is_a_failure(linnet, folder):
    done = subprocess.run(
        ["sh", "-c", f"'{sys.executable}' -m linnet_core plan good.linnet >&-"],
        capture_output=True,
        text=True,
        cwd=folder,
        env=linnet.environment(None),
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, "linnet: stdout is closed\n")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full device here")
@pytest.mark.parametrize("arguments", [["plan", "good.linnet"], ["--help"], ["--version"]], ids=["document", "help", "version"])
def test_a_full_disk_is_one_line(linnet, folder, arguments):
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "linnet_core", *arguments],
            stdout=full,
            stderr=subprocess.PIPE,
            cwd=folder,
            env=linnet.environment(None),
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr.startswith(b"linnet: ")
    assert done.stderr.count(b"\n") == 1
