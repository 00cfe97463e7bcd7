"""Where reading goes on after an error.

In: a `Cursor` inside something that failed.  Out: the cursor before the next statement, member or item.  Braces decide, and
where braces are missing, lines and their indentation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.syntax.tokens import IDENT

if TYPE_CHECKING:
    from linnet_core.syntax.cursor import Cursor

#: Keywords that begin an item; none of them can stand inside a statement, except `kernel` in an op's header.
ITEM_STARTS = frozenset(("pub", "const", "type", "struct", "enum", "fn", "op", "kernel", "block", "entry"))
MEMBER_STARTS = frozenset(("param", "buffer", "state", "sub"))
STATEMENT_STARTS = frozenset(("let", "var", "return", "static", "for", "while", "yield"))


def skip_to_statement(c: Cursor, start: int, braces: int) -> None:
    """After an error in the statement at index `start`: stand before the next one of the body, or its end.

    `braces` is the brace depth inside the body.  A keyword that begins an item ends the body even where braces are missing.
    """
    depths, tokens = c.layout.braces, c.tokens
    indent = c.layout.line_indent(start)
    index = max(c.at, start + 1)
    while index < len(tokens) - 1:
        kind, depth = tokens[index].kind, depths[index]
        if kind in ITEM_STARTS and c.layout.begins_line(index):
            break
        if depth < braces or (depth == braces and (kind == "}" or _begins_statement(c, index, indent))):
            break
        index += 1
    c.go_to(min(index, len(tokens) - 1))


def skip_to_item(c: Cursor, start: int, braces: int, starts: frozenset[str]) -> None:
    """After an error in the item at index `start`: stand before the next one (one of `starts`), or the `}` around it."""
    depths, tokens = c.layout.braces, c.tokens
    indent = c.layout.indent(start)
    index = _past_extern(c, start, max(c.at, start + 1), starts)
    while index < len(tokens) - 1:
        kind, depth = tokens[index].kind, depths[index]
        if depth < braces or (depth == braces and kind == "}" and braces > 0):
            break
        if kind in starts and (depth == braces or _is_out_at(c, index, indent)) and _begins_item(c, index):
            break
        index += 1
    c.go_to(min(index, len(tokens) - 1))


def _past_extern(c: Cursor, start: int, index: int, starts: frozenset[str]) -> int:
    """`index`, or past the keyword of the item that an `extern` at `start` declares: it may have no body, and is no news of its own."""
    tokens = c.tokens
    if tokens[start + (tokens[start].kind == "pub")].kind != "extern":
        return index
    after = index
    while after < len(tokens) - 1 and not c.layout.begins_line(after):
        if tokens[after].kind in starts:
            return after + 1
        after += 1
    return index


def _begins_statement(c: Cursor, index: int, indent: int) -> bool:
    """Whether a statement can begin at `index`: a keyword of one, or a name first on a line no deeper than `indent`."""
    kind = c.tokens[index].kind
    return kind in STATEMENT_STARTS or (kind == IDENT and _is_out_at(c, index, indent))


def _begins_item(c: Cursor, index: int) -> bool:
    """Whether the keyword at `index` begins an item: `kernel` also stands inside the header of an op."""
    return c.tokens[index].kind != "kernel" or c.layout.begins_line(index) or c.tokens[index - 1].kind == "pub"


def _is_out_at(c: Cursor, index: int, indent: int) -> bool:
    """Whether the token at `index` is the first of a line that is no deeper than `indent`."""
    return c.layout.begins_line(index) and c.layout.indent(index) <= indent
