"""Hook implementations of linnet-ge: the commands `linnet ge`, the dump format `ge-readable`, its schema.  Importing this reads no file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from linnet_core.plugins import CommandGroup, DumpFormat, Option, SchemaFile, TargetPlugin, hookimpl

if TYPE_CHECKING:
    from linnet_core.graph.target import Target


@hookimpl
def linnet_commands() -> list[CommandGroup]:
    """`linnet ge ...`."""
    from linnet_ge.commands import app

    return [CommandGroup(name="ge", app=app)]


def _is_readable(head: bytes) -> bool:
    from linnet_ge.text.sniff import sniff

    return sniff(head) == "readable"


def _read(text: str) -> dict[str, Any]:
    from linnet_ge.ir.operations import attribute_keys
    from linnet_ge.readable.document import document
    from linnet_ge.readable.scan import scan

    return document([scan(text, "-")], attribute_keys)


def _write(document: Any, options: Mapping[str, Any]) -> str:
    from linnet_ge.from_graph.write import written

    return written(document, options)


def _make_target(options: Mapping[str, Any]) -> Target:
    from linnet_ge.from_graph.target import GraphEngineTarget

    return GraphEngineTarget()


#: How a graph is written.
_OPTIONS = (
    Option(
        "style",
        "str",
        "Spell records as the emitter or the format's description does.",
        "canonical",
        ("canonical", "document"),
    ),
    Option("functions", "bool", "Make every call of a block's method a PartitionedCall with a graph of its own.", default=False),
    Option("weights", "str", "What parameters become: inputs (Data), or constants without a value.", "data", ("data", "const")),
)


@hookimpl
def linnet_dump_formats() -> list[DumpFormat]:
    """Readable dumps."""
    return [
        DumpFormat(
            name="ge-readable",
            summary="the Graph Engine's readable dump",
            suffixes=(".txt",),
            sniff=_is_readable,
            read=_read,
            write=_write,
            options=_OPTIONS,
            target=TargetPlugin("ge", "the Graph Engine's operations", ".txt", _make_target),
        )
    ]


@hookimpl
def linnet_schemas() -> list[SchemaFile]:
    """The documents that commands print."""
    from linnet_ge.documents import NAMES, schema_text

    return [SchemaFile(name=name, text=schema_text(name)) for name in NAMES]
