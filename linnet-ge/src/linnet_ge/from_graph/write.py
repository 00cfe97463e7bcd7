"""The writer of the dump format `ge-readable`.

In: a graph document (as JSON values) and the options of the format.  Out: text.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from linnet_core.graph.document import from_document
from linnet_ge.from_graph.build import dump_of
from linnet_ge.readable.dump_text import dump_text


def written(document: Any, options: Mapping[str, Any]) -> str:
    """The readable dump of an entry.  Raises `DocumentError` for a document that is none, or a call without an operation in GE."""
    dump = dump_of(from_document(document), functions=options.get("functions", False), weights=options.get("weights", "data"))
    return dump_text(dump, options.get("style", "canonical"))
