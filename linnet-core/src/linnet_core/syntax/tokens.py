"""What the lexer makes: tokens and comments, and the tables of words and signs.

In: nothing.  Out: `Token`, `Comment`, `Tokens`, and the tables `KEYWORDS`, `RESERVED`, `REFUSED`.  The kind of a keyword or
a sign is its own spelling (`"let"`, `"<="`); the other kinds are the constants below.
"""

from __future__ import annotations

from msgspec import Struct

IDENT = "name"
RESERVED_WORD = "reserved word"
INTEGER = "integer"
MALFORMED = "malformed number"
FLOAT = "float"
STRING = "string"
END = "end of file"

_ITEM_WORDS = ("module", "use", "pub", "crate", "as", "const", "type", "struct", "enum", "fn", "op", "kernel", "block", "entry", "where")
_MEMBER_WORDS = ("param", "buffer", "state", "sub")
_STATEMENT_WORDS = ("let", "var", "return", "static", "for", "in", "while", "yield")
_VALUE_WORDS = ("if", "else", "match", "true", "false", "none", "some")

#: Keywords that no grammar rule takes yet; anywhere they are E1103.
REFUSED = frozenset(("self", "super", "extern"))

#: Words of the language; their kind is the word.
KEYWORDS = frozenset((*_ITEM_WORDS, *_MEMBER_WORDS, *_STATEMENT_WORDS, *_VALUE_WORDS)) | REFUSED

#: Words kept for later; as a name they are E1004.
RESERVED = frozenset(["async", "await", "effect", "unsafe", "macro", "trait", "impl", "derive", "rng", "mut", "ref", "device"])

#: Kind of a word; a word that is not here is a name.
KIND_OF_WORD: dict[str, str] = {word: word for word in sorted(KEYWORDS)} | dict.fromkeys(sorted(RESERVED), RESERVED_WORD)


class Token(Struct, frozen=True, gc=False):
    """One token: its kind, its text as written, and the offset of its first code point."""

    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        """The offset after its last code point."""
        return self.start + len(self.text)


class Comment(Struct, frozen=True, gc=False):
    """One comment from `//` or `/*` on; `text` is everything up to the line's end or the closing `*/`."""

    text: str
    start: int

    @property
    def end(self) -> int:
        """The offset after its last code point."""
        return self.start + len(self.text)

    @property
    def documents(self) -> bool:
        """Whether it is a documentation comment: `/// text` or `/** text */`."""
        text = self.text
        if text.startswith("///"):
            return not text.startswith("////")
        return text.startswith("/**") and len(text) > 4 and not text.startswith("/***")


class Tokens(Struct, frozen=True):
    """A whole file: tokens (the last one is `END`) and comments, both in order."""

    tokens: list[Token]
    comments: list[Comment]
