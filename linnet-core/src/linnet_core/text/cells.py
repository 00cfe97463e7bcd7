"""How a line of source looks in a terminal.

In: a line of text.  Out: the characters to print for it, and how many cells each takes.  Whatever could move the cursor or
turn the direction of writing is shown as a sign for it, never sent as it is.
"""

from __future__ import annotations

_CONTROL_PICTURES = 0x2400
_DELETE_PICTURE = "\u2421"
_REPLACEMENT = "\ufffd"
#: Marks that turn the direction of what follows them.
_DIRECTION = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def show_line(text: str) -> str:
    """`text` for a terminal: printable characters and tabs as they are."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_shown(character) for character in text)


def under(text: str, mark: str) -> str:
    """What stands under `text` as it is shown: `mark` for every cell it takes; a tab is copied."""
    if text.isascii() and text.isprintable():
        return mark * len(text)
    return "".join("\t" if character == "\t" else mark * _cells(character) for character in text)


def show_inline(text: str) -> str:
    """A path or message for a terminal: one line, everything that does not print escaped."""
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else _escape(character) for character in text)


def _shown(character: str) -> str:
    """The character itself, or the sign that stands for it."""
    code = ord(character)
    if character == "\t":
        return character
    if code < 0x20:
        return chr(_CONTROL_PICTURES + code)
    if code == 0x7F:
        return _DELETE_PICTURE
    if 0x80 <= code < 0xA0 or 0xD800 <= code <= 0xDFFF or character in _DIRECTION or code in (0x2028, 0x2029):
        return _REPLACEMENT
    return character


def _cells(character: str) -> int:
    """How many cells the character takes as it is shown: 2 for wide ones, 0 for marks on the one before."""
    if character < "\u0300" or _shown(character) != character:
        return 1
    from unicodedata import category, east_asian_width

    if category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


def _escape(character: str) -> str:
    """The character as Python spells it; a byte that was not UTF-8 as that byte."""
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"
    if character.isspace() and code > 0x7F:
        return character
    return character.encode("unicode_escape").decode("ascii")
