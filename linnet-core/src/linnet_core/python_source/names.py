"""Names in generated source.

In: names from programs and documents.  Out: identifiers that shadow nothing: every one starts with a prefix of ours (`in_`, `p`, `s`,
`v`, `w`; `p_`, `s_` in functions of blocks) and is given once.
"""

from __future__ import annotations

import re

#: What no name has.  Text, since most names want nothing replaced: `re` compiles it for the first that does.
_OTHER = r"[^0-9A-Za-z_]"


class Names:
    """Gives identifiers, each once."""

    def __init__(self) -> None:
        self._given: set[str] = set()
        self._next: dict[str, int] = {}

    def input(self, name: str) -> str:
        """`in_` and the argument's name, other characters replaced by underscores; numbered when that is taken."""
        return self._after("in_", name)

    def member(self, prefix: str, path: str) -> str:
        """`prefix` and the path of a member, as `input` does it."""
        return self._after(prefix, path)

    def _after(self, prefix: str, name: str) -> str:
        wanted = prefix + (name if name.isascii() and name.isidentifier() else re.sub(_OTHER, "_", name))
        free = wanted
        number = 2
        while free in self._given:
            free = f"{wanted}_{number}"
            number += 1
        self._given.add(free)
        return free

    def numbered(self, prefix: str) -> str:
        """The next of `v0`, `v1`, ..."""
        number = self._next.get(prefix, 0)
        self._next[prefix] = number + 1
        return f"{prefix}{number}"
