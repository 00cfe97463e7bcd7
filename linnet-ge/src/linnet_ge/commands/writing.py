"""Writing the text of dumps and documents: the same bytes into a file or a pipe, nothing raw on a terminal.

In: bytes that a file's names are part of; dumps; documents.  Out: stdout or a file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linnet_ge.formats.files import Opened


def write_text(data: bytes, path: str | None = None) -> None:
    """Write the bytes; on a terminal, what could move the cursor or turn the direction of writing is shown as a sign for it."""
    import sys

    from linnet_core.cli.output import write
    from linnet_core.text.cells import show_line

    if path is None and sys.stdout.isatty():
        write("\n".join(map(show_line, data.decode("utf-8", "surrogateescape").split("\n"))))
    else:
        write(data, path)


def write_common(read: Sequence[Opened], path: str | None = None, *, indent: bool = False) -> None:
    """Write the document `ge-dump-1` of some dumps."""
    import json

    from linnet_core.cli.output import write_document
    from linnet_ge.convert.document import document_text

    text = document_text(read)
    # a name that is no UTF-8 stands in JSON as half a surrogate pair, which msgspec refuses
    write_document(json.loads(text) if indent else text, "ge-dump-1", path, indent=indent, validate=False)


def print_json(document: Any, schema: str, indent: bool) -> None:
    """A document of this package on stdout, held against its schema."""
    from linnet_core.cli.output import write_document
    from linnet_core.cli.schema import add_plugin_schemas

    add_plugin_schemas()
    write_document(document, schema, indent=indent)
