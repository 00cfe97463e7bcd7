"""The JSON Schemas of this package's documents, as published in `schemas/`.

In: a schema's name.  Out: its text.
"""

from __future__ import annotations

import os

#: The documents of this package, in the order `linnet schema` lists them.
NAMES = ("ge-diff-1", "ge-dump-1", "ge-explain-1", "ge-index-1", "ge-lint-1", "ge-readable-1", "ge-summary-1")


def schema_text(name: str) -> str:
    """The text of the schema `name`, such as `ge-readable-1`."""
    with open(os.path.join(os.path.dirname(__file__), f"{name}.schema.json"), encoding="utf-8") as file:
        return file.read()
