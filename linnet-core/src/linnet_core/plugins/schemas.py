"""What `linnet_schemas()` gives: further JSON Schemas.

In: a plugin's values.  Out: `SchemaFile`.
"""

from __future__ import annotations

from msgspec import DecodeError, Struct
from msgspec import json as fast_json


class SchemaFile(Struct, frozen=True):
    """A schema by the name `linnet schema NAME` prints it under, with its text; its `$id` must be absolute and its own."""

    name: str
    text: str

    def fault(self) -> str | None:
        """What breaks the contract, for people; None when nothing does."""
        if not isinstance(self.name, str) or not self.name.rpartition("-")[2].isdigit():
            return f"the schema's name {self.name!r} does not end in a version, as in `mine-1`"
        try:
            schema = fast_json.decode(self.text)
        except (DecodeError, TypeError, ValueError, RecursionError) as error:
            return f"the schema `{self.name}` is no JSON: {error}"
        identity = schema.get("$id") if isinstance(schema, dict) else None
        return None if isinstance(identity, str) and "://" in identity else f"the schema `{self.name}` has no absolute `$id`"
