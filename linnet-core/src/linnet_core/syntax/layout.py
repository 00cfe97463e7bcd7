"""How the tokens of a file lie: braces, lines, and which angles may close generic arguments.

In: a `Source` and its tokens.  Out: `Layout`, which answers by the index of a token.  Each table is made when it is first
asked for, in one pass over the file.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from linnet_core.syntax.tokens import END, KEYWORDS, REFUSED

if TYPE_CHECKING:
    from linnet_core.syntax.tokens import Token
    from linnet_core.text.source import Source

#: What never stands between `<` and `>` of generic arguments outside brackets.
_NOT_IN_ARGS = (KEYWORDS - {"true", "false", "none", "some"} - REFUSED) | frozenset(
    ("&&", "||", "==", "!=", "<=", ">=", "|", "^", "&", "=", "->", "=>", ":", "..", "...", "!", END)
)


class Layout:
    """Where the tokens of one file stand."""

    def __init__(self, source: Source, tokens: list[Token]) -> None:
        """`tokens` end with `END`."""
        self._source = source
        self._tokens = tokens
        self._indents: dict[int, int] = {}

    @cached_property
    def braces(self) -> list[int]:
        """For every token, how many `{` are open before it; a `}` counts as inside its braces."""
        depths: list[int] = []
        depth = 0
        for token in self._tokens:
            depths.append(depth)
            if token.kind == "{":
                depth += 1
            elif token.kind == "}":
                depth = max(0, depth - 1)
        return depths

    def begins_line(self, index: int) -> bool:
        """Whether the token at `index` is the first of its line."""
        if index == 0:
            return True
        between = self._source.text[self._tokens[index - 1].end : self._tokens[index].start]
        return "\n" in between or "\r" in between

    def indent(self, index: int) -> int:
        """Characters before the token at `index` on its line; more than any line has when it is not the first of it."""
        if not self.begins_line(index):
            return len(self._source.text) + 1
        start = self._tokens[index].start
        return start - self._source.line_starts[self._source.line_of(start) - 1]

    def line_indent(self, index: int) -> int:
        """White space at the start of the line that the token at `index` stands on."""
        line = self._source.line_of(self._tokens[index].start)
        if line not in self._indents:
            text = self._source.line_text(line)
            self._indents[line] = len(text) - len(text.lstrip())
        return self._indents[line]

    @cached_property
    def closing(self) -> dict[int, int]:
        """Index of every `<` that has a matching `>` with `(` right after it, to the index of that `>`.

        Brackets hide what is inside them, and a token that no generic argument contains makes every open `<` of its bracket
        a comparison.
        """
        closing: dict[int, int] = {}
        stack: list[int] = []
        bracket = -1
        for index, token in enumerate(self._tokens):
            kind = token.kind
            if kind == "<":
                stack.append(index)
            elif kind == ">":
                if stack and stack[-1] != bracket:
                    opening = stack.pop()
                    following = self._tokens[index + 1]
                    if following.kind == "(" and following.start == token.end:
                        closing[opening] = index
            elif kind in ("(", "[", "{"):
                stack.append(bracket)
            elif kind in (")", "]", "}"):
                while stack and stack.pop() != bracket:
                    pass
            elif kind in _NOT_IN_ARGS:
                while stack and stack[-1] != bracket:
                    stack.pop()
        return closing
