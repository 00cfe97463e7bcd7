"""`linnet check` and `linnet lint`: what is wrong with programs.

In: files and directories.  Out: diagnostics as text on stderr or as JSON on stdout.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

import typer

from linnet_core.cli.options import Indent, Std
from linnet_core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from linnet_core.text.diagnostic import Diagnostic, Diagnostics

Paths = Annotated[list[str], typer.Argument(metavar="PATH...", help="Files, or directories to search for .linnet files.")]


def command(name: str, arguments: list[str]) -> Callable[..., None]:
    """The function behind `check`, or behind `lint`, which is `check --strict`."""
    return _lint if name == "lint" else _check


def _check(
    paths: Paths,
    *,
    strict: Annotated[bool, typer.Option("--strict", help="A warning counts as an error.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the diagnostics as JSON on stdout.")] = False,
    indent: Indent = False,
    std: Std = None,
) -> None:
    """Check programs; print what is wrong."""
    run(paths, strict=strict, json=json, indent=indent, std=std)


def _lint(
    paths: Paths,
    *,
    json: Annotated[bool, typer.Option("--json", help="Print the diagnostics as JSON on stdout.")] = False,
    indent: Indent = False,
    std: Std = None,
) -> None:
    """Check programs; a warning counts as an error."""
    run(paths, strict=True, json=json, indent=indent, std=std)


def run(paths: list[str], *, strict: bool, json: bool, indent: bool, std: str | None) -> None:
    """Check every file named or found; exit status 1 for errors, and for warnings when `strict`."""
    from linnet_core.check.check import check
    from linnet_core.cli.output import show_diagnostics, write_document
    from linnet_core.modules.load import load_many
    from linnet_core.modules.namesakes import without_namesakes
    from linnet_core.text.diagnostic import Diagnostics

    diagnostics = Diagnostics()
    package = load_many(list(linnet_files(paths)), std=std, diagnostics=diagnostics)
    if package is not None and not diagnostics.has_errors:
        parts = [(part, Diagnostics()) for part in without_namesakes(package)]
        for part, own in parts:
            check(part, own, whole=False)
        _gather([own for _, own in parts], diagnostics)
    found = diagnostics.ordered()
    if json:
        from linnet_core.text.show_json import to_json

        write_document(to_json(found), "diagnostics-1", indent=indent)
    else:
        show_diagnostics(found)
    if diagnostics.has_errors or (strict and found):
        raise typer.Exit(1)


def _gather(checked: list[Diagnostics], diagnostics: Diagnostics) -> None:
    """Add what each part of the program has, once; warnings only where no part has an error."""
    errors = any(own.has_errors for own in checked)
    told: list[Diagnostic] = []
    for own in checked:
        told += [found for found in own.found if found not in told and (found.severity == "error" or not errors)]
    diagnostics.extend(told)


def linnet_files(paths: list[str]) -> Iterator[str]:
    """Every file named, and every `.linnet` file below a directory named, in order of name; `UsageError` for what is not there."""
    from linnet_core.modules.locate import files_below

    for path in paths:
        if os.path.isdir(path):
            found = [os.path.normpath(file) for file in files_below(path)]
            if not found:
                raise UsageError(f"{path}: no .linnet file in this directory")
            yield from found
        elif path == "-" or os.path.exists(path):
            yield path
        else:
            raise UsageError(f"{path}: no such file or directory")
