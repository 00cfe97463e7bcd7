"""A file to the same file in the one style, held against itself.

In: a `Source` or its text.  Out: text.  What comes out is parsed again: the tree and the comments are those of the source, or
it is not given out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.errors import InternalError, SourceError
from linnet_core.syntax.format.layout import lay_out
from linnet_core.syntax.format.same import same_comments, same_tree
from linnet_core.syntax.format.write_items import file
from linnet_core.syntax.format.writer import Writer
from linnet_core.syntax.lexer import lex
from linnet_core.syntax.parse_file import parse
from linnet_core.text.diagnostic import Diagnostic, Diagnostics
from linnet_core.text.source import Source
from linnet_core.text.span import Span

if TYPE_CHECKING:
    from linnet_core.syntax.tree.items import File


def format_text(text: str) -> str:
    """The text of a file in the one style; raises as `format_source`."""
    return format_source(Source("<text>", text))


def format_source(source: Source) -> str:
    """`source` in the one style, its lines ended by LF.

    Raises `SourceError` with every syntax error of the file, and `InternalError` when the result would not be the same program.
    """
    before = _parse(source)
    writer = Writer(source, lex(source, []))
    file(writer, before)
    text = lay_out(writer.events)
    if text != source.text:
        _compare(before, text)
    return text


def _parse(source: Source) -> File:
    """The tree of a file without errors."""
    if not source.readable or not _is_text(source.text):
        raise SourceError([Diagnostic("E1001", "the file is not UTF-8 text", Span(source, 0, 0), help="save it as UTF-8")])
    diagnostics = Diagnostics()
    tree = parse(source, diagnostics)
    diagnostics.raise_errors()
    return tree


def _is_text(text: str) -> bool:
    """Whether `text` can be written as UTF-8."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _compare(before: File, text: str) -> None:
    """Raise `InternalError` unless `text` is the program `before` with its comments."""
    diagnostics = Diagnostics()
    after = parse(Source("<formatted>", text), diagnostics)
    if diagnostics.found:
        raise InternalError(f"the formatted text does not parse: {diagnostics.found[0].message}")
    if not same_tree(before, after):
        raise InternalError("the formatted text is another program")
    if not same_comments(before.comments, after.comments):
        raise InternalError("the formatted text has other comments")
