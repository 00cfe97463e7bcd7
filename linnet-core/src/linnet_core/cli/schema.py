"""`linnet schema`: the JSON Schemas of all documents.

In: a name, or nothing.  Out: the schema's text as published, or the list of names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from linnet_core.cli import options as shared

if TYPE_CHECKING:
    from collections.abc import Callable

    from linnet_core.schema.find import Schema

Named = Annotated[str | None, typer.Argument(metavar="[NAME]", help="`plan-1`, or `plan` for the newest plan; all names without it.")]
Json = Annotated[bool, typer.Option("--json", help="Print the list as JSON; a schema is JSON anyway.")]


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


def _schema(name: Named = None, *, json: Json = False, indent: shared.Indent = False) -> None:
    """Print a JSON Schema, or the names of all."""
    from linnet_core.cli.output import write, write_document
    from linnet_core.schema.find import all_schemas, find

    if name is not None:
        write(find(name).text)
        return
    ids = {schema.name: str(schema.parsed()["$id"]) for schema in all_schemas().values()}
    if json:
        write_document({"version": 1, "schemas": [{"name": n, "id": i} for n, i in ids.items()]}, "schemas-1", indent=indent)
    else:
        write("".join(f"{n:<16} {i}\n" for n, i in ids.items()))
