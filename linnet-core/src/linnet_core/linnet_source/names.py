"""Which local holds which value, at one place of a body.

In: the names of a function's values.  Out: `Names`: what each value is called now, which names are variables that may be assigned here, and
fresh names.  Scopes are copies: what is declared in a loop is gone after it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.reserved import PRELUDE
from linnet_core.syntax.tokens import KEYWORDS, RESERVED

if TYPE_CHECKING:
    from collections.abc import Iterable

    from linnet_core.check.types import Type
    from linnet_core.ir.module import Value


class Names:
    """The locals in scope."""

    def __init__(self, taken: Iterable[str]) -> None:
        """`taken` are the names no fresh one may have."""
        self.called: dict[int, str] = {}
        self.holder: dict[str, int] = {}
        #: Variables that may be assigned here without being carried by a loop that does not carry them, with their types.
        self.assignable: dict[str, Type] = {}
        #: Those of them that the loop around carries: no other local may hide one.
        self.carried: frozenset[str] = frozenset()
        self.taken = set(taken)
        self.unnamed = 0

    def inner(self, assignable: dict[str, Type]) -> Names:
        """A scope inside this one, where only the variables given may be assigned."""
        scope = Names(())
        scope.called, scope.holder = dict(self.called), dict(self.holder)
        scope.assignable, scope.taken = dict(assignable), self.taken
        scope.carried = frozenset(assignable)
        scope.unnamed = self.unnamed
        return scope

    def leave(self, scope: Names) -> None:
        """After an inner scope: its fresh names stay taken."""
        self.unnamed = scope.unnamed

    def bind(self, value: Value, name: str) -> None:
        """From here on `name` is `value`."""
        self.called[value.id] = name
        self.holder[name] = value.id

    def for_nameless(self) -> str:
        """A name that lowering does not keep: `_1`, `_2`, ..."""
        self.unnamed += 1
        while f"_{self.unnamed}" in self.taken:
            self.unnamed += 1
        return f"_{self.unnamed}"

    def fresh(self, near: str) -> str:
        """A readable name like `near` that nothing has."""
        number = 1
        while f"{near}_{number}" in self.taken:
            number += 1
        self.taken.add(f"{near}_{number}")
        return f"{near}_{number}"


def is_identifier(text: str) -> bool:
    """Whether `text` may name anything: a word of the language is none."""
    plain = text.isascii() and text.isidentifier()
    return plain and text not in KEYWORDS and text not in RESERVED


def may_be_declared(text: str) -> bool:
    """Whether an item, generic, member or local may be called so."""
    return is_identifier(text) and text not in PRELUDE
