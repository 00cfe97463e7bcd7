"""Spelling of numbers and strings.

In: the text of one literal as the lexer cut it out.  Out: what is wrong with its spelling (or None), and its value.
"""

from __future__ import annotations

import re

#: The largest integer; under a minus one more is allowed.
LARGEST = (1 << 63) - 1

_DIGITS = r"[0-9]+(?:_[0-9]+)*"
# Patterns are text: `re` keeps what it compiled, and most files have none of one kind or another.
_INTEGER = r"0x[0-9a-fA-F]+(?:_[0-9a-fA-F]+)*|0b[01]+(?:_[01]+)*|0|[1-9][0-9]*(?:_[0-9]+)*"
_FLOAT = rf"(?:0|[1-9][0-9]*(?:_[0-9]+)*)(?:\.{_DIGITS}(?:[eE][+-]?{_DIGITS})?|[eE][+-]?{_DIGITS})"
_ESCAPE = r'\\(?:[nt\\"]|u\{[0-9a-fA-F]{1,6}\})'
_PLAIN = {"n": "\n", "t": "\t", "\\": "\\", '"': '"'}
#: Python converts no decimal text longer than 4,300 digits; 25 digits are already above every limit here.
_MOST_DIGITS = 25


def is_integer(text: str) -> bool:
    """Whether `text` is a well-formed integer literal."""
    if text.isascii() and text.isdigit():  # as most are; a file with no others compiles no pattern
        return text[0] != "0" or text == "0"
    return re.fullmatch(_INTEGER, text) is not None


def is_float(text: str) -> bool:
    """Whether `text` is a well-formed float literal."""
    return re.fullmatch(_FLOAT, text) is not None


def number_fault(text: str) -> str:
    """What is wrong with the number `text`, which is neither an integer nor a float."""
    if text.endswith(".") or text.startswith("."):
        return "a float has digits on both sides of its point, or an exponent"
    prefix = text[:2]
    if prefix in ("0X", "0B", "0o", "0O"):
        return "a prefix is `0x` or `0b`"
    digit = "0-9a-fA-F" if prefix == "0x" else "0-9"
    if re.search(rf"_(?![{digit}])|(?<![{digit}])_", text):
        return "`_` stands only between two digits"
    if prefix == "0x":
        return "`0x` is followed by the digits 0 to 9 and a to f"
    if prefix == "0b":
        return "`0b` is followed by the digits 0 and 1"
    if re.match(r"0[0-9_]", text):
        return "a number has no leading zeros"
    if re.search(r"[eE][+-]?$", text):
        return "an exponent has digits"
    return "a number is made of digits only; it has no suffix"


def integer_value(text: str) -> int:
    """The value of a well-formed integer literal; anything too long to matter is `LARGEST + 2`."""
    digits = text.replace("_", "")
    if digits.startswith("0x"):
        return int(digits[2:], 16)
    if digits.startswith("0b"):
        return int(digits[2:], 2)
    return int(digits) if len(digits) <= _MOST_DIGITS else LARGEST + 2


def float_text(text: str) -> str:
    """The decimal text of a well-formed float literal, without `_`."""
    return text.replace("_", "")


def string_faults(text: str) -> list[tuple[int, int, str]]:
    """What is wrong in the string literal `text` (quotes included): offset in it, length, message."""
    faults: list[tuple[int, int, str]] = []
    closed = _closes(text)
    if not closed:
        faults.append((0, len(text), "the string is not closed on its line"))
    at, stop = 1, len(text) - 1 if closed else len(text)
    while at < stop:
        character = text[at]
        if character == "\\":
            if at + 1 == stop:
                break
            length, message = _escape_fault(text, at, stop)
            if message is not None:
                faults.append((at, length, message))
            at += length
            continue
        if (character < " " and character != "\t") or character == "\x7f":
            faults.append((at, 1, f"a control character in a string is written `\\u{{{ord(character):x}}}`"))
        at += 1
    return faults


def string_value(text: str) -> str:
    """The value of a string literal without faults."""
    parts: list[str] = []
    at, stop = 1, len(text) - 1
    while at < stop:
        if text[at] != "\\":
            end = text.find("\\", at, stop)
            end = stop if end < 0 else end
            parts.append(text[at:end])
            at = end
        elif text[at + 1] == "u":
            end = text.index("}", at)
            parts.append(chr(int(text[at + 3 : end], 16)))
            at = end + 1
        else:
            parts.append(_PLAIN[text[at + 1]])
            at += 2
    return "".join(parts)


def _closes(text: str) -> bool:
    """Whether the last quote of `text` closes it (it is not escaped and not the opening one)."""
    if len(text) < 2 or not text.endswith('"'):
        return False
    backslashes = len(text) - 1 - len(text[:-1].rstrip("\\"))
    return backslashes % 2 == 0


def _escape_fault(text: str, at: int, stop: int) -> tuple[int, str | None]:
    """Length of the escape at `at`, and what is wrong with it."""
    found = re.compile(_ESCAPE).match(text, at, stop)
    if found is None:
        if text.startswith("\\u", at):
            end = at + 2
            while end < stop and end < at + 12 and (text[end].isalnum() or text[end] in "{}"):
                end += 1
                if text[end - 1] == "}":
                    break
            return end - at, "an escape of a code point is `\\u{...}` with one to six hexadecimal digits"
        shown = text[at : at + 2]
        return len(shown), f'`{shown}` is no escape; there are `\\n`, `\\t`, `\\\\`, `\\"` and `\\u{{...}}`'
    escape = found[0]
    if escape[1] == "u":
        value = int(escape[3:-1], 16)
        if value > 0x10FFFF or 0xD800 <= value <= 0xDFFF:
            return len(escape), f"`{escape}` is no code point"
    return len(escape), None
