"""One record's text -> its fields, in any spelling that is accepted.

In: text that begins with a record.  Out: `NodeFields` or `ElementFields`, or None.  Only `find` and one pass of an expression are used,
so a line of any length takes time in proportion to it.
"""

from __future__ import annotations

import re

from msgspec import Struct

#: What stands after the name in the record of a node or of an element, and tells one from anything else.
MARK = re.compile(r":[ \t]*\[#?users=([0-9]{1,18})\][ \t]*=[ \t]*(?:(Node)\[type=|get_element\[node=)")
#: What copying from pages and chats puts in the place of ASCII: one character for one.
PASTED = str.maketrans(
    {"\xa0": " ", "\u3000": " ", "\u200b": " ", "\u200c": " ", "\u200d": " ", "\u2060": " ", "\ufeff": " ", "\u202f": " ", "\u2009": " "}
    | {chr(c + 0xFEE0): chr(c) for c in map(ord, '%()[]{}=:,#"')}
    | {"\u201c": '"', "\u201d": '"'}
)
#: The white space among these alone.
SPACES = {at: " " for at, to in PASTED.items() if to == ord(" ") or to == " "}
_PASTED = re.compile(
    "[\xa0\u3000\u200b-\u200d\u2060\ufeff\u202f\u2009\uff05\uff08\uff09\uff3b\uff3d\uff5b\uff5d\uff1d\uff1a\uff0c\uff03\uff02\u201c\u201d]"
)
#: What copying leaves at the ends of a name.
INVISIBLE = "\xa0\u200b\u200c\u200d\u2060\ufeff\u202f\u2009"
_INPUTS = re.compile(r"[ \t]*inputs[ \t]*=[ \t]*\(")
_ATTRIBUTES = re.compile(r"(?P<close>\))?[ \t]*(?P<comma>,)?[ \t]*attrs[ \t]*=[ \t]*\{")
_INDEX = re.compile(r"\][ \t]*\(([0-9]{1,18})\)")


class NodeFields(Struct, frozen=True):
    """A node's record, whole, or cut off: then `missing` says what was expected next and the last part may be incomplete."""

    name: str
    users: int
    type: str
    inputs: str | None
    attributes: str | None
    missing: str | None = None


class ElementFields(Struct, frozen=True):
    """A `get_element` record."""

    name: str
    users: int
    node: str
    index: int


def is_pasted(text: str) -> bool:
    """Whether the text holds characters that copying puts in the place of ASCII."""
    return not text.isascii() and _PASTED.search(text) is not None


def has_copied_spaces(text: str) -> bool:
    """Whether white space that is not ASCII stands in the text, which may stand for a space or for nothing."""
    return any(character in text for character in INVISIBLE)


def read_record(text: str) -> NodeFields | ElementFields | None:
    """The fields of the record that `text` (from its `%` to its end) is; None where it is none."""
    fields = _record(text)
    if is_pasted(text) and (fields is None or (isinstance(fields, NodeFields) and fields.missing is not None)):
        better = _record(text.translate(PASTED).rstrip())
        return fields if better is None else better
    return fields


def _record(text: str) -> NodeFields | ElementFields | None:
    mark = MARK.search(text)
    if mark is None or not text.startswith("%"):
        return None
    name, users = text[1 : mark.start()].rstrip(" \t").strip(INVISIBLE), int(mark[1])
    if mark[2] is None:
        return _element(text, mark.end(), name, users)
    end = text.find("]", mark.end())
    if end < 0:
        return NodeFields(name, users, text[mark.end() :], None, None, "`] (` after the type")
    kind, body = text[mark.end() : end], text[end + 1 :].lstrip(" \t")
    if not body.startswith("("):
        return NodeFields(name, users, kind, None, None, "`(` after the type")
    whole = body.endswith(")")
    inputs, attributes, missing = _body(body[1:-1] if whole else body[1:], whole)
    return NodeFields(name, users, kind, inputs, attributes, missing)


def _element(text: str, start: int, name: str, users: int) -> ElementFields | None:
    end = text.rfind("]")
    index = _INDEX.fullmatch(text, end) if end >= start else None
    if index is None:
        return None
    node = text[start:end].removeprefix("%")
    return ElementFields(name, users, node, int(index[1])) if node else None


def _body(body: str, whole: bool) -> tuple[str | None, str | None, str | None]:
    """Inputs, attributes, and what was expected where the text ends too early or holds something else."""
    body_end = None if whole else "`)` at the end of the node"
    if not body.strip():
        return None, None, body_end
    inputs = _INPUTS.match(body)
    start = inputs.end() if inputs else 0
    attributes = next(
        (m for m in _ATTRIBUTES.finditer(body, start) if bool(m["close"]) == bool(inputs) and (inputs or not m.start())), None
    )
    if inputs is None and attributes is None:
        return None, None, "`inputs = (` or `attrs = {`"
    told: str | None = None
    if attributes is not None:
        told = body[attributes.end() :]
        if not told.endswith("}"):
            return _between(body, inputs, attributes), told, "`})` after the attributes"
        return _between(body, inputs, attributes), told[:-1], body_end
    if not body.endswith(")"):
        return body[start:], None, "`)` after the inputs"
    return body[start:-1], None, body_end


def _between(body: str, inputs: re.Match[str] | None, attributes: re.Match[str]) -> str | None:
    return body[inputs.end() : attributes.start()] if inputs else None
