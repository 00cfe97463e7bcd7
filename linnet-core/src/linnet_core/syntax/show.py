"""Tokens and syntax trees as text, for people.

In: tokens, a tree.  Out: lines.  A token stands on a line with its place; of a tree every line is as full as `WIDTH` allows, and places
in the source are left out.  Neither takes stack for a deep tree, nor more time than the tree is long.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from linnet_core.syntax.tree.node import Name, Path
from linnet_core.text.cells import show_inline
from linnet_core.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linnet_core.syntax.tokens import Tokens
    from linnet_core.text.source import Source

#: How wide a line of a tree is at most, how much of it the fields of one node take, and one field beside the node's name.
WIDTH = 120
_NODE = 60
_FIELD = 40
_INDENT = "  "


def show_tokens(source: Source, tokens: Tokens) -> str:
    """A line a token: line, column, text as written, and the kind where that is not the text."""
    lines = []
    for token in tokens.tokens:
        at = source.position(token.start)
        kind = "" if token.kind == token.text else f"  ({token.kind})"
        lines.append(f"{at.line:>3}:{at.column:<3} {show_inline(token.text)}{kind}".rstrip())
    return "\n".join(lines) + "\n"


def show_tree(tree: Struct) -> str:
    """A tree: the name of each node, what is short beside it, what is not below it; fields that say nothing are left out."""
    return "\n".join(_lines(tree)) + "\n"


def _lines(tree: Struct) -> Iterator[str]:
    """The lines, each part's before those of the next; what is still to come is kept on a stack of our own."""
    pending: list[tuple[Any, str]] = [(tree, "")]
    while pending:
        value, indent = pending.pop()
        if isinstance(value, _Line):
            yield indent + value.text
            continue
        flat = _flat(value, WIDTH - len(indent))
        if flat is not None:
            yield indent + flat
        elif isinstance(value, tuple):
            pending += [(part, indent) for part in reversed(value)]
        elif isinstance(value, Struct):
            beside, below = [type(value).__name__], []
            for name, part in _fields(value):
                flat = _flat(part, _FIELD)
                if flat is not None:
                    beside.append(f"{name}={flat}")
                else:
                    below += [(_Line(f"{name}:"), indent + _INDENT), (part, indent + _INDENT * 2)]
            yield indent + " ".join(beside)
            pending += reversed(below)
        else:
            yield indent + show_inline(str(value))


class _Line(Struct, frozen=True):
    """A finished line among what is still to be shown."""

    text: str


def _fields(value: Struct) -> list[tuple[str, Any]]:
    """The fields that say something."""
    fields = [(name, getattr(value, name)) for name in value.__struct_fields__]
    return [(name, part) for name, part in fields if not isinstance(part, Span) and part is not None and part is not False and part != ()]


def _flat(value: Any, room: int) -> str | None:
    """What a value is on one line of at most `room` characters; None for what takes more, which is found out in as many steps."""
    match value:
        case None | bool() | int() | float():
            text = str(value)
        case str():
            text = show_inline(value) if len(value) <= room else None
        case Name():
            text = show_inline(value.text)
        case Path():
            text = ".".join(part.text for part in value.parts)
        case tuple():
            text = _joined("[", [("", part) for part in value[: room + 1]], "]", room)
        case Struct():
            room = min(room, _NODE + len(type(value).__name__) + 2)
            text = _joined(f"{type(value).__name__}(", [(f"{name}=", part) for name, part in _fields(value)], ")", room)
        case _:
            text = str(value)
    return text if text is not None and len(text) <= room else None


def _joined(opening: str, parts: list[tuple[str, Any]], closing: str, room: int) -> str | None:
    """Parts between brackets, if there is room for all of them."""
    left = room - len(opening) - len(closing)
    shown: list[str] = []
    for label, part in parts:
        flat = _flat(part, left - len(label)) if left > len(label) else None
        if flat is None:
            return None
        shown.append(label + flat)
        left -= len(label) + len(flat) + 2
    return f"{opening}{', '.join(shown)}{closing}"
