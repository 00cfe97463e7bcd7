"""Finding a schema: by its name, its `$id`, or by looking at a document.

In: the files of `documents/`, and further ones from whoever registers a source of them.  Out: `Schema`: name and text, parsed
when asked for.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec import json as fast_json

from linnet_core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

#: Where the `$id` of a published schema starts.
BASE = "https://linnet-lang.org/schemas/"
_DOCUMENTS = os.path.join(os.path.dirname(__file__), "documents")
_SUFFIX = ".schema.json"


class Schema(Struct, frozen=True):
    """A schema: `name` is `plan-1`; `text` the file as published."""

    name: str
    text: str

    def parsed(self) -> dict[str, Any]:
        """The schema as Python values."""
        return fast_json.decode(self.text)


def own_names() -> tuple[str, ...]:
    """The names of the schemas this package ships, ascending; what is a link in the folder of a checkout, another package ships."""
    files = (f for f in os.listdir(_DOCUMENTS) if f.endswith(_SUFFIX) and not os.path.islink(os.path.join(_DOCUMENTS, f)))
    return tuple(sorted(f.removesuffix(_SUFFIX) for f in files))


def own(name: str) -> Schema:
    """A schema of this package."""
    with open(os.path.join(_DOCUMENTS, name + _SUFFIX), encoding="utf-8") as file:
        return Schema(name, file.read())


#: Asked for schemas that are not ours, each time all are listed.
_sources: list[Callable[[], Iterable[Schema]]] = []


def add_source(source: Callable[[], Iterable[Schema]]) -> None:
    """Register where further schemas come from (plugins, on the command line); a source that is registered already is not again."""
    if source not in _sources:
        _sources.append(source)


def all_schemas() -> dict[str, Schema]:
    """Every schema by name: this package's, then those of the registered sources, which may not replace one of ours."""
    found = {name: own(name) for name in own_names()}
    for source in _sources:
        for given in source():
            found.setdefault(given.name, given)
    return found


def find(name: str) -> Schema:
    """The schema called `name` (`plan-1`, `plan` for the newest plan, or a whole `$id`); `UsageError` when there is none."""
    wanted = name.removeprefix(BASE).removesuffix(_SUFFIX)
    if wanted in own_names():
        return own(wanted)
    schemas = all_schemas()
    if wanted in schemas:
        return schemas[wanted]
    versions = {int(n.rpartition("-")[2]): n for n in schemas if n.rpartition("-")[0] == wanted and n.rpartition("-")[2].isdecimal()}
    if versions:
        return schemas[versions[max(versions)]]
    raise UsageError(f"there is no schema `{name}`; there are: {', '.join(schemas)}")


def recognise(document: Any) -> str | None:
    """The name of the schema a document follows, told from its fields; None when nothing fits."""
    if isinstance(document, list):  # the only one that is
        return "slices-1"
    if not isinstance(document, dict):
        return None
    version, said = document.get("version"), document.get("format")
    if isinstance(said, str) and f"{said}-1" in all_schemas():  # documents of plugins say it themselves
        return f"{said}-{version}" if f"{said}-{version}" in all_schemas() else f"{said}-1"
    for family, fields in _FAMILIES:
        if all(field in document for field in fields):
            name = f"{family}-{version}"
            return name if name in all_schemas() else f"{family}-1"
    # the only one whose fields are a person's own
    return "bindings-1" if document and all(isinstance(value, str) for value in document.values()) else None


#: The fields that tell a document's family.
_FAMILIES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("plan", ("manifest",)),
    ("plan", ("functions", "blocks")),
    ("parameters", ("blocks",)),
    ("explain", ("calls", "numerics")),
    ("graph", ("nodes",)),
    ("graph", ("values", "target")),
    ("format", ("files", "diagnostics")),
    ("diagnostics", ("diagnostics",)),
    ("plugins", ("plugins",)),
    ("run", ("results", "states")),
    ("validation", ("files",)),
    ("schemas", ("schemas",)),
    ("sources", ("sources",)),
)
