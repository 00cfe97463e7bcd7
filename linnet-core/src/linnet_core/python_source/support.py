"""The functions that printed source brings along, chosen from a target's table.

In: a table of functions as text, and the names a module used.  Out: the sources of these and of everything they need.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

#: Name -> (text, names of the functions it calls), in the order they are printed.
Functions = dict[str, tuple[str, tuple[str, ...]]]


def sources(functions: Mapping[str, tuple[str, tuple[str, ...]]], used: Iterable[str]) -> list[str]:
    """The texts of the functions used and of those they need, in the order of the table."""
    wanted: set[str] = set()
    waiting = list(used)
    while waiting:
        name = waiting.pop()
        if name not in wanted:
            wanted.add(name)
            waiting.extend(functions[name][1])
    return [text.strip("\n") for name, (text, _) in functions.items() if name in wanted]
