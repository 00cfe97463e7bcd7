"""Source to tree: the door of this room.

In: a `Source`.  Out: `File`, always, and every lexical and syntax error of the file in the collector.  A tree made from a
file with errors holds what could be read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.errors import SourceError
from linnet_core.syntax import parse_items as items
from linnet_core.syntax import parse_types as types
from linnet_core.syntax.cursor import Cursor
from linnet_core.syntax.lexer import lex
from linnet_core.syntax.limits import MAX_ERRORS
from linnet_core.syntax.recovery import ITEM_STARTS, STATEMENT_STARTS, skip_to_item
from linnet_core.syntax.tokens import END, IDENT
from linnet_core.syntax.tree.items import File, Item, Use, UseName
from linnet_core.syntax.tree.node import Name, Path
from linnet_core.text.diagnostic import Diagnostic
from linnet_core.text.near import near_names
from linnet_core.text.span import Span

if TYPE_CHECKING:
    from linnet_core.syntax.tokens import Comment
    from linnet_core.text.diagnostic import Diagnostics
    from linnet_core.text.source import Source

_STARTS = ITEM_STARTS | {"use", "module"}


def parse(source: Source, diagnostics: Diagnostics) -> File:
    """The tree of `source`.  What is wrong with the text goes to `diagnostics`; nothing is raised."""
    if not source.readable:
        return File(Span(source, 0, 0), None, (), ())
    errors: list[Diagnostic] = []
    tokens = lex(source, errors)
    if len(errors) > MAX_ERRORS:
        file = File(Span(source, 0, len(source.text)), None, (), ())
    else:
        file = _file(Cursor(source, tokens.tokens, errors), tuple(tokens.comments))
    _report(source, errors, diagnostics)
    return file


def _report(source: Source, errors: list[Diagnostic], diagnostics: Diagnostics) -> None:
    """Hand over the errors in the order of the text; past `MAX_ERRORS` only say so."""
    if any(found.code == "E1002" for found in errors):
        errors = [found for found in errors if not _at_end(found)]
    errors.sort(key=_place)
    errors = _without_consequences(source, errors)
    for found in errors[:MAX_ERRORS]:
        diagnostics.report(
            found.code, found.message, found.span, label=found.label, related=found.related, notes=found.notes, help=found.help
        )
    if len(errors) > MAX_ERRORS:
        span = errors[MAX_ERRORS].span
        message = f"more than {MAX_ERRORS} errors in `{source.path}`; the rest is not shown"
        diagnostics.report("E6003", message, span, help="repair the first ones, and look again")


#: What begins a comment or opens a string elsewhere: the rest of its line is no program either.
_FOREIGN = ("#", "'", "`", "“", "‘", "„", "«")


def _without_consequences(source: Source, errors: list[Diagnostic]) -> list[Diagnostic]:
    """The errors without an E1101 that follows from another: one at a malformed number or string, one right after a word that
    cannot be a name, the first after a character that cannot appear, where it is on its line or right below, and those on the rest of a
    line in the middle of which a keyword stands that begins a statement.  Nor does what another language has for a quote or a comment say
    more of its line.
    """
    kept: list[Diagnostic] = []
    malformed = {_place(found) for found in errors if found.code in ("E1003", "E1005")}
    broken, line_end, cut, foreign = 0, 0, 0, 0
    for found in errors:
        line = source.line_of(_place(found))
        if (found.code == "E1101" and line == cut) or (found.code == "E1001" and line == foreign):
            continue
        below = line > broken > 0 and not source.text[line_end : _place(found)].strip()
        if found.code == "E1101" and (line == broken or below or _place(found) in malformed or (kept and _adjoins(kept[-1], found))):
            broken, line_end = 0, 0
            continue
        if found.code == "E1001" and found.span is not None and found.span.text in _FOREIGN:
            foreign = line
        if found.code == "E1001" or _is_unclosed_string(found):
            broken, line_end = line, source.line_starts[line - 1] + len(source.line_text(line))
        cut = line if _cuts_a_line(found) else cut
        kept.append(found)
    return kept


def _is_unclosed_string(found: Diagnostic) -> bool:
    """Whether a string took the rest of its line with it, what closes the brackets before it included."""
    return found.code == "E1003" and found.span is not None and found.span.text.startswith('"')


def _cuts_a_line(found: Diagnostic) -> bool:
    """Whether an E1101 stands at a keyword of statements in the middle of a line: what follows it there is read as another statement."""
    if found.code != "E1101" or found.span is None or found.span.text not in STATEMENT_STARTS:
        return False
    source = found.span.source
    return bool(source.text[source.line_starts[source.line_of(found.span.start) - 1] : found.span.start].strip())


def _adjoins(word: Diagnostic, found: Diagnostic) -> bool:
    """Whether nothing stands between a word that was refused as a name and what was complained about next."""
    if word.code not in ("E1004", "E1103") or word.span is None:
        return False
    return not word.span.source.text[word.span.end : _place(found)].strip()


def _at_end(found: Diagnostic) -> bool:
    """Whether the end of the file came too early: that is no news in a file whose rest is one unclosed comment."""
    return found.span is not None and found.span.start == found.span.end


def _place(found: Diagnostic) -> int:
    """Where a diagnostic of this room stands; all of them have a span."""
    return found.span.start if found.span is not None else 0


def _file(c: Cursor, comments: tuple[Comment, ...]) -> File:
    """`module path`, imports, items."""
    name = _module_line(c)
    uses: list[Use] = []
    found: list[Item] = []
    faults = len(c.errors)
    while c.kind != END and len(c.errors) <= MAX_ERRORS:
        start, braces = c.at, c.layout.braces[c.at]
        if c.kind not in _STARTS and len(c.errors) > faults and _is_left_over(c):
            skip_to_item(c, start, braces, _STARTS)
            continue
        faults = len(c.errors)
        c.depth = 0
        try:
            if c.kind == "use":
                uses.append(_use(c, late=bool(found)))
            elif c.kind == "module":
                name = _late_module(c, name)
            elif c.kind == "}" and c.recovered:
                c.advance()
            else:
                found.append(items.item(c))
        except SourceError as error:
            c.keep(error)
            skip_to_item(c, start, braces, _STARTS)
    return File(Span(c.source, 0, len(c.source.text)), name, tuple(uses), tuple(found), comments)


def _is_left_over(c: Cursor) -> bool:
    """Whether what stands here is the rest of the line that the last error is on."""
    return c.source.line_of(_place(c.errors[-1])) == c.source.line_of(c.token.start)


def _module_line(c: Cursor) -> Path | None:
    """`module a.b`, or E1102."""
    if c.kind != "module":
        help = "write `module NAME` on the first line"
        if c.kind == IDENT and near_names(c.token.text, ("module",)):
            help = "did you mean `module`?"
        c.report("E1102", f"a file begins with `module` and a name, found {c.describe()}", c.here(), help=help)
        if c.kind not in _STARTS:
            skip_to_item(c, c.at, 0, _STARTS)
        return None
    start = c.at
    c.advance()
    try:
        return types.path(c, "the name of the module")
    except SourceError as error:
        c.keep(error)
        skip_to_item(c, start, 0, _STARTS)
        return None


def _late_module(c: Cursor, name: Path | None) -> Path | None:
    """A `module` line that is not the first; after E1102 it is that line."""
    span = c.here()
    c.advance()
    if name is not None:
        c.report("E1101", "expected an import or an item, found the keyword `module`", span, help="a file has one `module` line")
        types.path(c, "the name of the module")
        return name
    return types.path(c, "the name of the module")


def _use(c: Cursor, *, late: bool) -> Use:
    """`use a.b`, `use a.b::x` or `use a.b::{x, y as z}`."""
    start = c.token.start
    if late:
        c.report("E1101", "expected an item, found the keyword `use`", c.here(), help="imports stand before the first item")
    c.advance()
    path = _use_path(c)
    names = None
    if c.kind == ":" and c.peek().kind == ":" and c.adjoins_next():
        c.advance()
        c.advance()
        names = _use_names(c)
    if c.kind == "as":
        last = names[-1].name.text if names else path.parts[-1].text
        c.fail("an import or an item", help=f"an item is renamed in braces: `::{{{last} as other}}`")
    if names and c.kind == ":" and c.peek().kind == ":":
        c.fail(
            "an import or an item",
            help=f"modules are joined with points, and `::` stands once: `use {path.span.text}.{names[-1].span.text}::...`",
        )
    return Use(c.span(start), path, names)


def _use_path(c: Cursor) -> Path:
    """`std.nn`, `crate.a` or `dependency.a`."""
    start = c.token.start
    if c.kind == "crate":
        parts = [Name(c.here(), "crate")]
        c.advance()
    else:
        parts = [c.name("`std`, `crate` or the name of a dependency")]
    while c.accept("."):
        parts.append(c.name("a name after `.`"))
    return Path(c.span(start), tuple(parts))


def _use_names(c: Cursor) -> tuple[UseName, ...]:
    """What stands after `::`."""
    if c.kind != "{":
        name = c.name("the name of an item or `{`")
        return (UseName(name.span, name, None),)
    opener = c.open("{")
    names = [_use_name(c)]
    while c.accept(","):
        if c.kind == "}":
            break
        names.append(_use_name(c))
    c.close("}", opener)
    return tuple(names)


def _use_name(c: Cursor) -> UseName:
    """`x` or `x as y`."""
    start = c.token.start
    name = c.name("the name of an item")
    alias = c.name("another name") if c.accept("as") else None
    return UseName(c.span(start), name, alias)
