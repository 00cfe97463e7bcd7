"""Where the records of irregular text begin and end.

In: text whose lines are not all canonical: cut, copied, indented otherwise, joined on one line, with other text around.  Out: `Piece`
values.

A record begins at `%NAME : [#users=N] = ` , `graph("NAME"):` or `return (`.  It ends where its brackets can be closed: at the end of
its line, or of a later one where a string holds line ends, or before the next record where several stand on one line.
"""

from __future__ import annotations

import re
from typing import Literal

from msgspec import Struct

from linnet_ge.readable.spelling import MARK, PASTED, is_pasted

_HEADER = re.compile(r'(?<![^\s:\])|>])graph[ \t]*\("([^\n]{0,4096}?)"\)[ \t]*:')
_RETURN = re.compile(r"(?<![^\s)])return[ \t]*\(")
_OPENS = re.compile(r"[(\s]attrs[ \t]*=[ \t]*\{")
_AFTER_STRING = re.compile(r'\}?(?:, \w+: [^"]*)\}\)')


#: How many further records on its line are tried as the rest of a record that does not end.
MOST_IN_A_STRING = 64


class Piece(Struct, frozen=True):
    """A record's place in the text; `closed` says that its brackets are."""

    kind: Literal["node", "graph", "return"]
    start: int
    end: int
    closed: bool


def pieces(text: str) -> list[Piece]:
    """The records of `text`, in order; what lies between them is other text."""
    plain = text.translate(PASTED) if is_pasted(text) else text
    starts = _starts(plain)
    found: list[Piece] = []
    at = 0
    while at < len(starts):
        start, kind, least = starts[at]
        if kind == "graph":
            found.append(Piece(kind, start, least, True))
            at += 1
            continue
        end, at, closed = _end(plain, starts, at)
        found.append(Piece(kind, start, end, closed))
    return found


Start = tuple[int, Literal["node", "graph", "return"], int]


def _starts(text: str) -> list[Start]:
    """Where records may begin, their kinds, and where their heads end; of those inside another's line only what follows a closed one."""
    found: list[Start] = []
    found.extend((match.start(), "graph", match.end()) for match in _HEADER.finditer(text))
    found.extend((match.start(), "return", match.end()) for match in _RETURN.finditer(text))
    last = 0
    for mark in MARK.finditer(text):
        start = _name_start(text, last, mark.start())
        if start is not None:
            found.append((start, "node", mark.end()))
        last = mark.end()
    found.sort()
    return _allowed(text, found)


def _allowed(text: str, found: list[Start]) -> list[Start]:
    """The starts without those inside the head of one before, or on its line behind something that closes no record."""
    kept: list[Start] = []
    head, looked, same_line = 0, 0, False
    for start in found:
        if start[0] < head:
            continue
        same_line = same_line and text.find("\n", looked, start[0]) < 0
        looked = start[0]
        if same_line and text[max(head, looked - 80) : looked].rstrip()[-1:] not in (")", ""):
            continue
        kept.append(start)
        head, same_line = start[2], True
    return kept


def _name_start(text: str, low: int, high: int) -> int | None:
    """The `%` before a mark: the first of its line, else the last that follows a space or a closed record."""
    line = max(low, text.rfind("\n", low, high) + 1)
    first = line + len(text[line:high]) - len(text[line:high].lstrip())
    begins = line > low or low == 0
    if begins and text.startswith("%", first, high):
        return first
    at = text.rfind("%", line, high)
    while at >= line:
        if (at == line and begins) or text[at - 1] in " \t)]:":
            return at
        at = text.rfind("%", line, at)
    return None


def _end(text: str, starts: list[Start], at: int) -> tuple[int, int, bool]:
    """End of the record that is start number `at`, the number of the start after it, whether it is closed.

    Line after line is tried, then the records after it on the same line: they may stand in a string.
    """
    begin, kind, head = starts[at]
    most = at + MOST_IN_A_STRING
    farthest = starts[most][0] if most < len(starts) else len(text)
    opens = _OPENS.search(text, head, farthest) if kind == "node" else None
    quote = text.find('"', opens.end(), farthest) if opens else -1
    first_end: int | None = None
    place, following = head, at + 1
    while True:
        limit = starts[following][0] if following < len(starts) else len(text)
        newline = text.find("\n", place, limit)
        stop = newline if newline >= 0 else limit
        end = _trimmed(text, head, stop)
        first_end = end if first_end is None else first_end
        if _is_closed(text, kind, head, end, opens.end() if opens and opens.end() <= end else None, quote):
            return end, following, True
        if newline >= 0:
            place = newline + 1
        elif kind == "node" and following < min(len(starts), most) and text[limit - 1] != "\n":
            place, following = starts[following][2], following + 1
        else:
            return _unclosed(text, begin, head, limit, first_end, at, opens is not None and quote >= 0)


def _unclosed(text: str, begin: int, head: int, limit: int, first_end: int, at: int, has_string: bool) -> tuple[int, int, bool]:
    """A record that nothing closes: up to its last bracket on its line where other text follows it, else what there is."""
    bracket = max(text.rfind("})", head, first_end), text.rfind("))", head, first_end), text.rfind("()", head, first_end))
    if bracket >= 0 and not has_string:
        return bracket + 2, at + 1, True
    return (_trimmed(text, begin, limit) if has_string else first_end), at + 1, False


def _trimmed(text: str, low: int, high: int) -> int:
    """`high` without the white space before it."""
    while high > low and text[high - 1].isspace():
        high -= 1
    return high


def _is_closed(text: str, kind: str, head: int, end: int, opens: int | None, quote: int) -> bool:
    """Whether the record that ends at `end` is complete; `opens` is where its attributes begin, `quote` their first quote."""
    if not text.endswith(")", head, end):
        return False
    if kind == "return":
        return True
    if opens is None:
        return text.endswith(("))", "()"), head, end) or text[head - 5 : head] == "node="
    if not text.endswith("})", opens, end):
        return False
    last = text.rfind('"', opens, end - 2)
    if last < 0:
        return True
    if last == quote:
        return False
    return last == end - 3 or _after_string(text, last + 1, end)


def _after_string(text: str, start: int, end: int) -> bool:
    """Whether a string may end before `start`: other items, or the end of its list, follow."""
    return text[start:end] == "}})" or _AFTER_STRING.fullmatch(text, start, end) is not None
