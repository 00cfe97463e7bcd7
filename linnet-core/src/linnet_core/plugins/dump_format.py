"""What `linnet_dump_formats()` gives: a text format in which graphs are shown, read and/or written.

In: a plugin's values.  Out: `DumpFormat`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from linnet_core.plugins.options import Option, option_fault
from linnet_core.plugins.target import TargetPlugin


class DumpFormat(Struct, frozen=True):
    """A dump format.

    `sniff` looks at the first bytes of a file and says whether it is one; `read` takes text and answers the format's document,
    `write` takes a graph document and options and answers text.  At least one of the two is given.  `target` is what an entry is recorded
    for unless another is named: it takes the library calls that the format has words for.
    """

    name: str
    summary: str
    suffixes: tuple[str, ...]
    sniff: Callable[[bytes], bool]
    read: Callable[[str], Any] | None = None
    write: Callable[[Any, Mapping[str, Any]], str] | None = None
    options: tuple[Option, ...] = ()
    target: TargetPlugin | None = None

    def fault(self) -> str | None:
        """What breaks the contract, for people; None when nothing does."""
        for field in ("name", "summary"):
            if not isinstance(getattr(self, field), str):
                return f"`{field}` of the dump format is {getattr(self, field)!r}, not text"
        if not isinstance(self.suffixes, tuple) or not all(isinstance(suffix, str) for suffix in self.suffixes):
            return f"`suffixes` of the dump format `{self.name}` is {self.suffixes!r}, not a tuple of text"
        given = [part for part in (self.read, self.write) if part is not None]
        if not given:
            return f"the dump format `{self.name}` neither reads nor writes"
        if not all(callable(part) for part in (self.sniff, *given)):
            return f"`sniff`, `read` or `write` of the dump format `{self.name}` cannot be called"
        if self.target is not None:
            reason = self.target.fault() if isinstance(self.target, TargetPlugin) else f"{self.target!r} is no TargetPlugin"
            if reason is not None:
                return f"`target` of the dump format `{self.name}`: {reason}"
        return option_fault(self.options)
