"""Hook implementations of linnet-ge: the commands `linnet ge`, the dump format `ge-readable`, its schema.  Importing this reads no file."""

from __future__ import annotations

from typing import Any

from linnet_core.plugins import CommandGroup, DumpFormat, SchemaFile, hookimpl


@hookimpl
def linnet_commands() -> list[CommandGroup]:
    """`linnet ge ...`."""
    from linnet_ge.commands import app

    return [CommandGroup(name="ge", app=app)]


def _is_readable(head: bytes) -> bool:
    from linnet_ge.text.sniff import sniff

    return sniff(head) == "readable"


def _read(text: str) -> dict[str, Any]:
    from linnet_ge.readable.document import document
    from linnet_ge.readable.scan import scan

    return document([scan(text, "-")])


@hookimpl
def linnet_dump_formats() -> list[DumpFormat]:
    """Readable dumps."""
    return [DumpFormat(name="ge-readable", summary="the Graph Engine's readable dump", suffixes=(".txt",), sniff=_is_readable, read=_read)]


@hookimpl
def linnet_schemas() -> list[SchemaFile]:
    """The document of readable dumps."""
    from linnet_ge.documents import schema_text

    return [SchemaFile(name="ge-readable-1", text=schema_text("ge-readable-1"))]
