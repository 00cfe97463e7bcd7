"""Pieces of expressions, and how tightly each binds.

In: text.  Out: `Piece`s, put in parentheses where the place asks for something tighter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from linnet_core.check.types import Type

#: How tightly an expression binds, loosest first.  `WHOLE` is a `for`, which stands only as the whole value of a statement; `OPEN` a
#: reduction, an `if` or a `match`, which would take in what follows.
WHOLE, OPEN, OR, AND, EQUALITY, ORDER, BITOR, BITXOR, BITAND, SUM, PRODUCT, UNARY, ATOM = range(13)

#: The sign of a binary operation and its level.
SIGNS: dict[str, tuple[str, int]] = {
    "or": ("||", OR),
    "and": ("&&", AND),
    "eq": ("==", EQUALITY),
    "ne": ("!=", EQUALITY),
    "lt": ("<", ORDER),
    "le": ("<=", ORDER),
    "gt": (">", ORDER),
    "ge": (">=", ORDER),
    "bitor": ("|", BITOR),
    "bitxor": ("^", BITXOR),
    "bitand": ("&", BITAND),
    "add": ("+", SUM),
    "sub": ("-", SUM),
    "mul": ("*", PRODUCT),
    "div": ("/", PRODUCT),
    "rem": ("%", PRODUCT),
}


class Piece(Struct, eq=False):
    """The text of a value.  A `loose` one (a number, a dimension, `none`) takes its type from its place; without one it would be `i64`, or
    `f64` for a float.  `inner` is what an `i64` cast converts: a position needs no cast written."""

    text: str
    level: int
    type: Type
    loose: bool = False
    inner: str | None = None
    #: Whether it is a dimension, which stands for a compile-time integer.
    dim: bool = False
    #: How many expressions stand inside each other in it; a chain of one level that leans left is one.
    depth: int = 0
    #: How many operators of one level follow each other at its left end.
    chain: int = 0
    #: What it reads when no place gives it a type, if it has such a form.
    firm: str | None = None

    def at(self, level: int) -> str:
        """The text, in parentheses unless it binds at least as tightly as `level`."""
        return self.text if self.level >= level else f"({self.text})"
