"""What `linnet_schemas()` gives: further JSON Schemas.

In: a plugin's values.  Out: `SchemaFile`.
"""

from __future__ import annotations

from msgspec import Struct


class SchemaFile(Struct, frozen=True):
    """A schema by the name `linnet schema NAME` prints it under, with its text; its `$id` must be absolute and its own."""

    name: str
    text: str
