r"""What the text of a scalar means.

In: the text of a scalar (`"a\346"`, `0x2A`, `-inf`, `DT_FLOAT`).  Out: bytes, str, int, float, bool; None where the text is no such thing.
An escape that the format does not have (`"\z"`) stands for itself, backslash included.
"""

from __future__ import annotations

import re

_LITERAL = re.compile(r'"((?:[^"\\]|\\.)*+)"|' + r"'((?:[^'\\]|\\.)*+)'", re.DOTALL)
_ESCAPE = re.compile(
    rb"\\(?:(?P<octal>[0-7]{1,3})|[xX](?P<hex>[0-9a-fA-F]{1,2})"
    rb"|u(?P<high>[dD][89abAB][0-9a-fA-F]{2})\\u(?P<low>[dD][c-fC-F][0-9a-fA-F]{2})"
    rb"|u(?P<short>[0-9a-fA-F]{4})|U(?P<long>00(?:0[0-9a-fA-F]|10)[0-9a-fA-F]{4})|(?P<plain>[abfnrtv\\'\"?]))"
)
_PLAIN = dict(zip(b"abfnrtv\\'\"?", b"\a\b\f\n\r\t\v\\'\"?", strict=True))
_FLOAT = re.compile(r"[-+]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?[fF]?|inf(?:inity)?f?|nanf?)", re.IGNORECASE)
_INT = re.compile(r"([-+]?)(?:0[xX]([0-9a-fA-F]+)|(0[0-7]+)|(\d+))")


def bytes_of(text: str) -> bytes | None:
    """The bytes of one or several adjacent string literals; None when `text` is no string."""
    if text[:1] not in ('"', "'"):
        return None
    if "\\" not in text and text.find(text[0], 1) == len(text) - 1:
        return text[1:-1].encode("utf-8", "surrogateescape")
    parts = [found[1] if found[1] is not None else found[2] for found in _LITERAL.finditer(text)]
    return b"".join(_ESCAPE.sub(_unescaped, part.encode("utf-8", "surrogateescape")) for part in parts)


def string_of(text: str) -> str | None:
    """As `bytes_of`, as text: a byte that is no UTF-8 stands as a lone surrogate (`surrogateescape`)."""
    data = bytes_of(text)
    return None if data is None else data.decode("utf-8", "surrogateescape")


def int_of(text: str) -> int | None:
    """A decimal, hexadecimal or octal integer."""
    found = _INT.fullmatch(text.replace(" ", "").replace("\t", ""))
    if found is None or len(text) > 400:
        return None
    sign, hexadecimal, octal, decimal = found.groups()
    number = int(hexadecimal, 16) if hexadecimal else int(octal, 8) if octal else int(decimal)
    return -number if sign == "-" else number


def float_of(text: str) -> float | None:
    """A float, also `inf`, `nan`, `1.0f`; integers are floats too."""
    text = text.replace(" ", "").replace("\t", "")
    number = int_of(text)
    if number is not None and not -(1 << 1000) < number < 1 << 1000:
        return float("-inf") if number < 0 else float("inf")
    if number is not None:
        return -0.0 if number == 0 and text.startswith("-") else float(number)
    if _FLOAT.fullmatch(text) is None:
        return None
    lower = text.lower()
    return float(lower if lower.endswith("inf") else lower.removesuffix("f"))


def bool_of(text: str) -> bool | None:
    """`true`, `false`, `t`, `f`, `1`, `0`, also capitalised."""
    if text in ("true", "True", "t", "1", "0x1", "01"):
        return True
    return False if text in ("false", "False", "f", "0", "0x0", "00") else None


def literal(data: bytes | str) -> str:
    r"""A string literal for these bytes, as protobuf writes it: octal escapes for all that is not printable ASCII."""
    if isinstance(data, str):
        data = data.encode("utf-8", "surrogateescape")
    return '"' + data.decode("latin-1").translate(_ESCAPED) + '"'


def _unescaped(found: re.Match[bytes]) -> bytes:
    match found.lastgroup:
        case "octal":
            return bytes((int(found["octal"], 8) & 255,))
        case "hex":
            return bytes((int(found["hex"], 16),))
        case "low":
            high, low = int(found["high"], 16), int(found["low"], 16)
            return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)).encode()
        case "short" | "long":
            return chr(int(found[found.lastgroup], 16)).encode("utf-8", "surrogatepass")
        case _:
            return bytes((_PLAIN[found["plain"][0]],))


_NAMED = {10: r"\n", 13: r"\r", 9: r"\t", 34: r"\"", 39: r"\'", 92: r"\\"}
_ESCAPED = {code: _NAMED.get(code) or f"\\{code:03o}" for code in range(256) if code in _NAMED or not 32 <= code < 127}
