"""What would repair a text that cannot be read.

In: a malformed literal, a character, or what was expected and what was found instead.  Out: the text of a `help`, or None
where there is nothing to say that the message does not say.
"""

from __future__ import annotations

import re

from linnet_core.syntax.literals import is_float, is_integer
from linnet_core.syntax.recovery import ITEM_STARTS, MEMBER_STARTS, STATEMENT_STARTS
from linnet_core.syntax.tokens import END, FLOAT, IDENT, INTEGER, KEYWORDS, RESERVED_WORD, STRING

#: Characters that word processors and other languages put where these are due.
_LOOKALIKES = {
    "\u201c": '"',
    "\u201d": '"',
    "\u2212": "-",
    "\u00d7": "*",
    "\u2192": "->",
    "\u21d2": "=>",
    "\u2264": "<=",
    "\u2265": ">=",
    "\u2260": "!=",
    "\u2026": "...",
    "#": "//",
    "'": '"',
}
#: What comes next where the thing that waits for its closing bracket has ended.
_ENDS = ITEM_STARTS | MEMBER_STARTS | STATEMENT_STARTS | {END, ")", "]", "}", "{", "else"}
_DUE = {
    "a dimension": "a dimension is a number, a generic, or what is computed from them",
    "a kind": "the kinds are `Dim`, `Shape`, `DType`, `Numeric`, `Integer` and `Float`",
}
_SIGN = re.compile("`([^`]+)`")
_BEGINS_VALUE = frozenset((IDENT, RESERVED_WORD, INTEGER, FLOAT, STRING, "(", "[", "some", "none", "true", "false"))
_NAMES = ("a name", "the name", "a pattern", "another name", "a field", "a variant", "a parameter")


def of_character(text: str, *, between: bool) -> str:
    """What to write for characters that begin no token; `between` says that they follow a value on its line."""
    if text in _LOOKALIKES:
        return f"write `{_LOOKALIKES[text]}`"
    if text == "@" and between:
        return "a product of matrices is written with its indices: `sum[k] a[m, k] * b[k, n]`"
    if text == "~":
        return "write `!` for a bool, `x ^ -1` for the bits of an integer"
    if text == "\\":
        return "remove it: a line that ends in an operator goes on in the next one"
    if any(character.isalnum() for character in text):
        return "a name is made of the letters A to Z and a to z, digits and `_`"
    return "remove it" if len(text) == 1 else "remove them"


def of_number(text: str) -> str:
    """The number that is meant, where it can be told."""
    meant = _meant(text)
    return f"write `{meant}`" if meant is not None else "write the number with digits only"


def _meant(text: str) -> str | None:
    """A well-formed number that `text` reads like, or None."""
    plain = re.sub(r"_+", "_", text)
    digit = "0-9a-fA-F" if text.startswith(("0x", "0X")) else "0-9"
    plain = re.sub(rf"(?<![{digit}])_|_(?![{digit}])", "", plain)
    if plain.startswith("."):
        plain = f"0{plain}"
    if plain.endswith("."):
        plain = f"{plain}0"
    if re.match(r"0[XB]", plain):
        plain = plain[:2].lower() + plain[2:]
    if octal := re.fullmatch(r"0[oO]([0-7_]+)", plain):
        return str(int(octal[1], 8)) if len(plain) < 30 else None
    if not re.match(r"0[xb]", plain):
        plain = re.sub(r"^0[0_]*(?=[0-9])", "", plain)
        plain = re.sub(r"[eE][+-]?$", "", plain)
        # a suffix goes: what follows an exponent where there is one, what follows the digits otherwise
        shorter = (re.sub(rf"{letters}[0-9A-Za-z_]*$", "", plain) for letters in ("[A-DF-Za-df-z_]", "[A-Za-z_]"))
        plain = next((each for each in (plain, *shorter) if is_integer(each) or is_float(each)), plain)
    return plain if len(plain) <= 40 and (is_integer(plain) or is_float(plain)) else None


def of_escape(fault: str) -> str:
    """What to write for the part `fault` of a string."""
    if fault.startswith('"'):
        return 'end it with `"`; a line end in it is written `\\n`'
    if fault.startswith("\\u"):
        return "write four hexadecimal digits or so in braces: `\\u{00e9}`"
    if fault.startswith("\\"):
        return f"a backslash is written `\\\\`: `\\{fault}`"
    return f"write `\\u{{{ord(fault):x}}}`"


def of_expected(expected: str, kind: str, found: str) -> str | None:
    """What to write where `expected` (in words) is due and a token of `kind`, in words `found`, stands."""
    if expected == "`:` and a type":
        return "write its type after it: `: f32`"
    if expected.endswith("a type"):
        return "a type is `f32` or another dtype, `Tensor[N; f32]`, a tuple, or a name"
    if not expected.startswith("`"):
        return _of_words(expected, kind)
    before = "at the end" if kind == END else f"before {found}"
    signs = _SIGN.findall(expected)
    closing = signs[-1]
    if closing in (")", "]", "}", ">"):
        if len(signs) == 1 or kind in _ENDS:
            return f"close it: write `{closing}` {before}"
        if kind in _BEGINS_VALUE:
            return f"separate them: write `,` {before}"
        return f"write `,` in place of {found}" if kind in (";", ":") else f"remove {found}, or write `{closing}` {before}"
    if closing == "=" and kind not in _BEGINS_VALUE:
        return f"write `=` and a value {before}"
    return f"write `{closing}` {before}" if " and " not in expected else None


def _of_words(expected: str, kind: str) -> str | None:
    """The same where it is no sign that is due."""
    if expected == "a name after `.`" and kind in (INTEGER, FLOAT):
        return "a tuple is taken apart by a pattern: `let (a, b) = x`"
    if kind in KEYWORDS and expected.startswith(_NAMES):
        return f"a keyword is no name; `{kind}_` is one"
    if expected.endswith("or `}`") and kind in _ENDS:
        return "close what is open with `}`; in a body a constant is a `let`" if kind == "const" else "close what is open with `}`"
    if expected == "the name of an index":
        return "indices are listed by name: `[i, j]`"
    if expected.startswith(_NAMES):
        return "a name is made of letters, digits and `_`, and begins with no digit"
    if expected.startswith("a relation"):
        return "a constraint compares two sizes: `H % N == 0`"
    return _DUE.get(expected, "write what is due here, or remove what waits for it")
