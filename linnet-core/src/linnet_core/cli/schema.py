"""`linnet schema`: the JSON Schemas of all documents.

In: a name, or nothing.  Out: the schema's text as published, or the list of names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Callable

    from linnet_core.schema.find import Schema

Named = Annotated[str | None, typer.Argument(metavar="[NAME]", help="`plan-1`, or `plan` for the newest plan; all names without it.")]


def command(name: str, arguments: list[str]) -> Callable[..., None]:
    """`linnet schema`."""
    add_plugin_schemas()
    return _schema


def add_plugin_schemas() -> None:
    """Let schemas that plugins give be found as well."""
    from linnet_core.schema.find import add_source

    add_source(_plugin_schemas)


def _plugin_schemas() -> list[Schema]:
    from linnet_core.plugins.manager import load_all
    from linnet_core.schema.find import Schema

    return [Schema(given.name, given.text) for loaded in load_all() for given in loaded.schemas]


def _schema(name: Named = None) -> None:
    """Print a JSON Schema, or the names of all."""
    from linnet_core.cli.output import write
    from linnet_core.schema.find import all_schemas, find

    if name is not None:
        write(find(name).text)
        return
    for schema in all_schemas().values():
        parsed = schema.parsed()
        write(f"{schema.name:<16} {parsed['$id']}\n")
