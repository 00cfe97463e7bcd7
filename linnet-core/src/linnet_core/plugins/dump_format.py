"""What `linnet_dump_formats()` gives: a text format in which graphs are shown, read and/or written.

In: a plugin's values.  Out: `DumpFormat`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from linnet_core.plugins.options import Option

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class DumpFormat(Struct, frozen=True):
    """A dump format.

    `sniff` looks at the first bytes of a file and says whether it is one; `read` takes text and answers the format's document,
    `write` takes a graph document and options and answers text.  At least one of the two is given.
    """

    name: str
    summary: str
    suffixes: tuple[str, ...]
    sniff: Callable[[bytes], bool]
    read: Callable[[str], Any] | None = None
    write: Callable[[Any, Mapping[str, Any]], str] | None = None
    options: tuple[Option, ...] = ()
