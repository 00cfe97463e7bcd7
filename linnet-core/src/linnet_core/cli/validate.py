"""`linnet validate`: documents against their schemas, found by content.

In: JSON files, `-` for stdin.  Out: one line a file on stdout; exit status 1 when one does not follow its schema.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from linnet_core.cli.options import Indent
from linnet_core.cli.schema import add_plugin_schemas
from linnet_core.errors import DocumentError, LinnetError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

#: The largest document that is read (docs/language/limits.md): as Python values it takes some ten times as much.
MAX_BYTES = 256 << 20

Files = Annotated[list[str], typer.Argument(metavar="FILE...", help="JSON documents; `-` reads stdin.")]
Json = Annotated[bool, typer.Option("--json", help="Print the outcome of each file as JSON.")]


def command(name: str, arguments: list[str]) -> Callable[..., None]:
    """`linnet validate`."""
    add_plugin_schemas()
    return _validate


def _validate(files: Files, *, json: Json = False, indent: Indent = False) -> None:
    """Check JSON documents against their schemas, each found by looking at the document."""
    from linnet_core.cli.output import say, write, write_document
    from linnet_core.text.cells import show_inline

    outcomes = [_outcome(file) for file in files]
    if json:
        write_document({"version": 1, "files": outcomes}, "validation-1", indent=indent)
    else:
        for file, outcome in zip(files, outcomes, strict=True):
            if outcome["problem"] is None:
                write(f"{show_inline(file)}: {outcome['schema']}\n")
            else:
                say(f"{file}: {outcome['problem']}")
    if any(outcome["problem"] is not None for outcome in outcomes):
        raise typer.Exit(1)


def _outcome(file: str) -> dict[str, str | None]:
    """What `--json` prints of one file."""
    from linnet_core.schema.validate import validate_text

    data = read_document(file)
    try:
        name, document = validate_text(data)
        _read_back(name, document)
    except LinnetError as error:
        return {"file": file, "schema": None, "problem": str(error)}
    return {"file": file, "schema": name, "problem": None}


def _read_back(name: str, document: Any) -> None:
    """What no schema sees, the document's own reader does: an id used before it is made, a loop never closed."""
    if name == "graph-1":
        from linnet_core.graph.document import from_document

        from_document(document)
    elif name == "plan-1":
        from linnet_core.plan.read import read_plan

        read_plan(document)
    elif name == "slices-1":
        from linnet_core.graph.slice_request import request_from

        request_from(document)


def read_document(file: str) -> bytes:
    """The bytes of a document, `-` for those of stdin."""
    if file == "-":
        data = sys.stdin.buffer.read(MAX_BYTES + 1)
    else:
        try:
            with open(file, "rb") as opened:
                data = opened.read(MAX_BYTES + 1)
        except OSError as error:
            raise UsageError(f"{file}: {error.strerror or error}") from None
    if len(data) > MAX_BYTES:
        raise DocumentError(f"{file}: larger than {MAX_BYTES >> 20} MiB, the largest document that is read")
    return data
