"""Diagnostics as text for people.

In: diagnostics.  Out: one block for each: the message, the place, the source line with carets under the words meant, labelled
secondary places, notes, help.  Colour adds escape sequences and changes no character.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from linnet_core.text.cells import show_inline, show_line, under

if TYPE_CHECKING:
    from collections.abc import Iterable

    from linnet_core.text.diagnostic import Diagnostic
    from linnet_core.text.source import Source
    from linnet_core.text.span import Span

#: A line with more characters is shown around the words meant only (docs/language/limits.md).
LONGEST_LINE = 4000
_AROUND = 200
_BOLD, _RED, _YELLOW, _BLUE, _CYAN, _OFF = "\x1b[1m", "\x1b[1;31m", "\x1b[1;33m", "\x1b[1;34m", "\x1b[1;36m", "\x1b[0m"


class _Mark(Struct, frozen=True):
    """One underline: where, what is said beside it, and whether it is the primary one."""

    span: Span
    text: str | None
    primary: bool


def show_text(diagnostics: Iterable[Diagnostic], *, colour: bool) -> str:
    """The blocks, separated by one empty line and ended by a line end; empty without diagnostics."""
    return "\n".join(_block(found, _Paint(colour, found.severity)) for found in diagnostics)


class _Paint:
    """Puts colours around words, or nothing."""

    def __init__(self, colour: bool, severity: str) -> None:
        self._on = colour
        self._strong = _RED if severity == "error" else _YELLOW

    def severity(self, text: str) -> str:
        """The word `error` or `warning` and the primary underline."""
        return self._in(self._strong, text)

    def message(self, text: str) -> str:
        """The message."""
        return self._in(_BOLD, text)

    def frame(self, text: str) -> str:
        """Line numbers, bars, arrows and secondary underlines."""
        return self._in(_BLUE, text)

    def word(self, text: str) -> str:
        """`note:` and `help:`."""
        return self._in(_CYAN, text)

    def _in(self, code: str, text: str) -> str:
        return f"{code}{text}{_OFF}" if self._on and text else text


def _block(found: Diagnostic, paint: _Paint) -> str:
    """One diagnostic, ended by a line end."""
    lines = [f"{paint.severity(f'{found.severity} {found.code}:')} {paint.message(show_inline(found.message))}"]
    groups = _groups(found)
    width = max([2, *(len(str(mark.span.source.line_of(mark.span.start))) for marks in groups for mark in marks)])
    bar = paint.frame(" " * (width + 1) + "|")
    for marks in groups:
        if len(lines) == 1:
            lines.append("")
        lines += _place(marks, width, bar, paint)
        lines.append(bar)
    if not groups and (found.notes or found.help):
        lines.append("")
    for word, text in [*(("note", note) for note in found.notes), *([("help", found.help)] if found.help is not None else [])]:
        lines.append(f"{paint.frame(' ' * (width + 1) + '=')} {paint.word(f'{word}:')} {show_inline(text)}")
    return "\n".join(lines) + "\n"


def _groups(found: Diagnostic) -> list[list[_Mark]]:
    """The underlines file by file, the primary's file first; in each by line, on a line the primary first, then by place."""
    if found.span is None:
        return []
    by_source: dict[int, list[_Mark]] = {id(found.span.source): [_Mark(found.span, found.label, True)]}
    for label in found.related:
        by_source.setdefault(id(label.span.source), []).append(_Mark(label.span, label.text, False))
    for marks in by_source.values():
        marks.sort(key=lambda mark: (mark.span.source.line_of(mark.span.start), not mark.primary, mark.span.start))
    return list(by_source.values())


def _place(marks: list[_Mark], width: int, bar: str, paint: _Paint) -> list[str]:
    """The arrow to one file and the lines of it that are underlined."""
    first = next((mark for mark in marks if mark.primary), marks[0])
    source = first.span.source
    position = source.position(first.span.start)
    lines = [f"{paint.frame(' ' * width + '-->')} {show_inline(source.path)}:{position.line}:{position.column}", bar]
    shown = 0
    for mark in marks:
        line = source.line_of(mark.span.start)
        start, stop = _window(source, line, first.span if source.line_of(first.span.start) == line else mark.span)
        if line != shown:
            if shown and line > shown + 1:
                lines.append(paint.frame("..."))
            text = show_line(source.text[start:stop])
            lines.append(paint.frame(f"{line:>{width}} |") + (f" {text}" if text else ""))
            shown = line
        lines.append(f"{bar} {_underline(mark, source, start, stop, paint)}")
    return lines


def _window(source: Source, line: int, span: Span) -> tuple[int, int]:
    """From where to where `line` is shown: whole, or around `span` when it is very long."""
    start = source.line_starts[line - 1]
    stop = start + len(source.line_text(line))
    if stop - start <= LONGEST_LINE:
        return start, stop
    return max(start, span.start - _AROUND), min(stop, max(span.start + _AROUND, min(span.end, span.start + LONGEST_LINE)))


def _underline(mark: _Mark, source: Source, start: int, stop: int, paint: _Paint) -> str:
    """The row under a line shown from `start` to `stop`; a span over several lines ends with the first."""
    begin = min(max(mark.span.start, start), stop)
    end = min(mark.span.end, stop)
    words = source.text[begin:end]
    if mark.span.end > stop:
        words = words.rstrip()
    sign = "^" if mark.primary else "-"
    row = under(words, sign) or sign
    label = f" {show_inline(mark.text)}" if mark.text else ""
    painted = paint.severity(f"{row}{label}") if mark.primary else paint.frame(f"{row}{label}")
    return under(source.text[start:begin], " ") + painted
