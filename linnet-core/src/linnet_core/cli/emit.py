"""`linnet emit`: Linnet source back from a plan.

In: a plan document.  Out: one module on stdout, or a package with a file for each module.  What is printed was checked; a directory is
there whole or not at all.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from linnet_core.cli import options as shared
from linnet_core.errors import DocumentError, SourceError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from linnet_core.linnet_source.package import Files

Plan = Annotated[str, typer.Argument(metavar="PLAN", help="A plan document, or `-` for stdin.")]
Directory = Annotated[
    str | None, typer.Option("-o", "--output", metavar="DIR", help="Write a package to DIR, new or empty; std's modules under DIR/std.")
]


def command(name: str, arguments: list[str]) -> Callable[..., None]:
    """`linnet emit`."""
    return _emit


def _emit(plan: Plan, *, output: Directory = None, json: shared.Failures = False) -> None:
    """Print a plan's program as Linnet source: one module, or with -o a package with one file a module."""
    from linnet_core.cli.output import failures_as_json, write
    from linnet_core.linnet_source.live import without_dead_values
    from linnet_core.linnet_source.modules import one_module_text
    from linnet_core.linnet_source.package import package_files
    from linnet_core.text.cells import show_inline

    if output is not None:
        _refuse_what_is_there(output)
    with failures_as_json(json):
        module = without_dead_values(_read(plan))
        if output is None:
            write(_checked_text(one_module_text(module), plan))
        else:
            with _blaming(plan):
                files = package_files(module)
            _write_package(files, output, plan)
            write(f"{show_inline(os.path.join(output, *files.root.split('/')))}\n")


def _read(plan: str) -> Any:
    """The module of the plan, with names that can be written."""
    from linnet_core.cli.validate import read_document
    from linnet_core.linnet_source.document_names import check_document_names
    from linnet_core.plan.read import read_plan
    from linnet_core.schema.validate import validate_text

    text = read_document(plan)
    try:
        name, document = validate_text(text)
    except DocumentError as error:
        raise DocumentError(f"{plan}: {error}") from None
    if name != "plan-1":
        raise DocumentError(f"{plan}: a document of {name}, and no plan")
    module = read_plan(document)
    check_document_names(document)
    return module


def _refuse_what_is_there(directory: str) -> None:
    """`UsageError` unless a package can be put there."""
    if not directory:
        raise UsageError("-o: the directory has no name")
    if not os.path.lexists(directory):
        return
    try:
        taken = not os.path.isdir(directory) or bool(os.listdir(directory))
    except OSError as error:
        raise UsageError(f"cannot write {directory}: {error.strerror or error}") from None
    if taken:
        raise UsageError(f"cannot write {directory}: something is there already; name a new or an empty directory")


def _checked_text(text: str, plan: str) -> str:
    """One module in the one style; `SourceError` where it does not check."""
    from linnet_core.cli.emitted import EMITTED
    from linnet_core.syntax.format import format_source
    from linnet_core.text.source import Source

    with tempfile.TemporaryDirectory(prefix="linnet-") as folder, _blaming(plan, folder, EMITTED):
        text = format_source(Source(EMITTED, text))
        _put(folder, {"module.linnet": text})
        _check(os.path.join(folder, "module.linnet"), None)
    return text


@contextmanager
def _blaming(plan: str, folder: str | None = None, name: str | None = None) -> Iterator[None]:
    """Whatever is wrong with the source of a plan is told of the plan, and names no folder that is gone."""
    try:
        yield
    except SourceError as failure:
        from linnet_core.cli.emitted import of_plan

        raise of_plan(failure, plan, folder, name) from None


def _check(path: str, std: str | None) -> None:
    from linnet_core.check.load_program import load_program

    load_program(path, std, whole=False)


def _write_package(files: Files, output: str, plan: str) -> None:
    """Write, check, and only then give the directory its name."""
    place = os.path.abspath(output)
    try:
        os.makedirs(os.path.dirname(place), exist_ok=True)
        folder = tempfile.mkdtemp(prefix=".linnet-", dir=os.path.dirname(place))
    except OSError as error:
        raise UsageError(f"cannot write {output}: {error.strerror or error}") from None
    try:
        _put(folder, files.texts)
        std = os.path.join(folder, "std")
        with _blaming(plan, folder):
            _check(os.path.join(folder, *files.root.split("/")), std if os.path.isdir(std) else None)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(folder, 0o777 & ~mask)
        if os.path.isdir(place):
            os.rmdir(place)
        os.rename(folder, place)
    except OSError as error:
        raise UsageError(f"cannot write {output}: {error.strerror or error}") from None
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _put(folder: str, texts: dict[str, str]) -> None:
    """Write files below a folder."""
    for path, text in texts.items():
        file = os.path.join(folder, *path.split("/"))
        os.makedirs(os.path.dirname(file), exist_ok=True)
        with open(file, "w", encoding="utf-8", newline="\n") as opened:
            opened.write(text)
