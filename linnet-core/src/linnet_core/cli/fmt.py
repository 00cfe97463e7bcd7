"""`linnet fmt`: files in the one style.

In: files and directories, or stdin.  Out: the files rewritten, their names on stdout; of stdin, its text on stdout.  A file with syntax
errors stays as it is, byte for byte; its errors are on stderr and the status is 1.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Any

import typer
from msgspec import Struct

from linnet_core.cli.options import Indent
from linnet_core.errors import InternalError, SourceError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from linnet_core.text.diagnostic import Diagnostic

Paths = Annotated[list[str], typer.Argument(metavar="PATH...", help="Files, directories to search for .linnet files, or `-` alone: stdin.")]
Check = Annotated[bool, typer.Option("--check", help="Write nothing; list the files that differ, and fail if there are any.")]
Diff = Annotated[bool, typer.Option("--diff", help="As --check, and show what would change.")]
Json = Annotated[bool, typer.Option("--json", help="Print the outcome of each file as JSON.")]


#: What stands for the path of the standard input.
_STDIN = "<stdin>"


class Outcome(Struct, frozen=True):
    """What became of one file: its text before and after, or why there is none after."""

    path: str
    before: str
    after: str | None
    errors: tuple[Diagnostic, ...] = ()

    @property
    def state(self) -> str:
        """The word for it in the document."""
        if self.after is None:
            return "failed"
        return "unchanged" if self.after == self.before else "changed"


def command(name: str, arguments: list[str]) -> Callable[..., None]:
    """`linnet fmt`."""
    return _fmt


def _fmt(paths: Paths, *, check: Check = False, diff: Diff = False, json: Json = False, indent: Indent = False) -> None:
    """Rewrite files in the one style; comments stay, and a file with syntax errors is left alone."""
    from linnet_core.cli.output import show_diagnostics

    check = check or diff
    if "-" in paths and len(paths) > 1:
        raise UsageError("`-` stands alone: other files are not formatted to stdout")
    if json and paths == ["-"] and not check:
        raise UsageError("the text of `-` goes to stdout, and so does `--json`: add `--check`")
    outcomes = [_outcome(path) for path in _files(paths)]
    if not check:
        _write(outcomes)
    if json:
        _print_document(outcomes, written=not check, diff=diff, indent=indent)
    else:
        _list(outcomes, check=check, diff=diff)
        show_diagnostics([error for outcome in outcomes for error in outcome.errors])
    states = {outcome.state for outcome in outcomes}
    if "failed" in states or (check and "changed" in states):
        raise typer.Exit(1)


def _files(paths: list[str]) -> list[str]:
    """The files meant, each once, whatever it is called."""
    from linnet_core.cli.check import linnet_files

    first: dict[str, str] = {}
    for path in linnet_files(paths):
        first.setdefault("-" if path == "-" else os.path.realpath(path), path)
    return list(first.values())


def _outcome(path: str) -> Outcome:
    """Read and format one file."""
    from linnet_core.syntax.format import format_source
    from linnet_core.text.source import read

    shown = _STDIN if path == "-" else path
    try:
        source = read(path)
        return Outcome(shown, _as_in_file(source.text, source.skipped), format_source(source))
    except SourceError as error:
        return Outcome(shown, "", None, error.diagnostics)
    except InternalError as error:
        raise InternalError(f"{shown} stays as it is: {error}") from error


def _as_in_file(text: str, skipped: int) -> str:
    """The text with the byte order mark it has in the file, if it has one."""
    return "\ufeff" + text if skipped else text


def _write(outcomes: list[Outcome]) -> None:
    """Rewrite what changed; the text of stdin goes to stdout."""
    from linnet_core.cli.output import replace_file, write

    for outcome in outcomes:
        if outcome.path == _STDIN:
            if outcome.after is not None:
                write(outcome.after)
        elif outcome.after is not None and outcome.state == "changed":
            if not os.path.isfile(outcome.path):
                raise UsageError(f"cannot write {outcome.path}: it is no regular file; `-` formats stdin to stdout")
            if not os.access(outcome.path, os.W_OK):
                raise UsageError(f"cannot write {outcome.path}: Permission denied")
            replace_file(outcome.path, outcome.after.encode("utf-8"))


def _list(outcomes: list[Outcome], *, check: bool, diff: bool) -> None:
    """The names of the files that changed or would, or what would change in them."""
    from linnet_core.cli.output import write
    from linnet_core.text.cells import show_inline

    for outcome in outcomes:
        if outcome.state != "changed":
            continue
        if diff:
            write(_difference(outcome))
        elif check or outcome.path != _STDIN:
            write(f"{show_inline(outcome.path)}\n")


def _difference(outcome: Outcome) -> str:
    """A unified diff of one file."""
    from difflib import unified_diff

    assert outcome.after is not None
    before, after = outcome.before.split("\n"), outcome.after.split("\n")
    lines = unified_diff(_lines(before), _lines(after), outcome.path, outcome.path)
    return "".join(lines)


def _lines(lines: list[str]) -> list[str]:
    """Lines with their ends; a last one without an end says so, as in every diff."""
    ended = [line + "\n" for line in lines[:-1]]
    return [*ended, f"{lines[-1]}\n\\ No newline at end of file\n"] if lines[-1] else ended


def _print_document(outcomes: list[Outcome], *, written: bool, diff: bool, indent: bool) -> None:
    """The outcomes as JSON."""
    from linnet_core.cli.output import write_document
    from linnet_core.text.show_json import to_json

    files: list[dict[str, Any]] = [
        {"file": outcome.path, "state": outcome.state, "diff": _difference(outcome) if diff and outcome.state == "changed" else None}
        for outcome in outcomes
    ]
    errors = to_json(error for outcome in outcomes for error in outcome.errors)["diagnostics"]
    write_document({"version": 1, "written": written, "files": files, "diagnostics": errors}, "format-1", indent=indent)
