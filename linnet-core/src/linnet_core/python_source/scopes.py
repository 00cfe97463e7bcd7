"""Which call of the program each value was made in, noted while a target takes calls.

In: `begin_call` and `end_call`, the names of results as they are given, and those answered again.  Out: `Scopes`, from which
`repeats.py` finds the calls of one block that repeat.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterable

    from linnet_core.graph.calls import CallHeader


class Scope(Struct, frozen=True):
    """A call on an element of an array of blocks: its path ("layers.3"), and those around it with itself, the outermost first."""

    path: str
    chain: tuple[int, ...]


class Scopes:
    """The calls on elements of arrays so far; every other call belongs to that which it stands in, or to `main`."""

    def __init__(self) -> None:
        #: All scopes, in the order they were opened.
        self.scopes: list[Scope] = []
        #: The scope each name was made in, None for `main`.
        self.home: dict[str, int | None] = {}
        #: For names that were answered again in other scopes than their own: in which.
        self.again: dict[str, set[int | None]] = {}
        self._here: int | None = None
        self._open: list[int | None] = []

    def enter(self, header: CallHeader) -> None:
        """A call starts."""
        self._open.append(self._here)
        if header.path and header.path.rpartition(".")[2].isdecimal():
            around = () if self._here is None else self.scopes[self._here].chain
            here = len(self.scopes)
            self.scopes.append(Scope(header.path, (*around, here)))
            self._here = here

    def leave(self) -> None:
        """The call that started last ends; one whose start was not seen changes nothing."""
        if self._open:
            self._here = self._open.pop()

    def made(self, names: Iterable[str]) -> None:
        """Names are given here."""
        for name in names:
            self.home.setdefault(name, self._here)

    def answered_again(self, names: Iterable[str]) -> None:
        """Names given before stand for what is computed here."""
        if self.scopes:
            for name in names:
                if self.home.get(name) != self._here:
                    self.again.setdefault(name, set()).add(self._here)

    def element(self, scope: int | None, level: int) -> int | None:
        """The call on an element around a scope, `level` arrays deep; None where there are not so many."""
        chain = () if scope is None else self.scopes[scope].chain
        return chain[level] if level < len(chain) else None

    def depth(self) -> int:
        """How many arrays stand one in the other."""
        return max((len(scope.chain) for scope in self.scopes), default=0)
