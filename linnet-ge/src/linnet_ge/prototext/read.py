"""Protobuf text to a field tree, tolerantly and without recursion.

In: text (from `linnet_ge.text.file.text_of`) and the name of the file.  Out: a `Document`; what cannot be read is a `Problem` with its line
and what was expected, the rest of that line is left out and reading goes on, so a file that was cut gives what it has.

One regular expression matches a whole field (`name: value`, `name {`, a closing bracket) with the blanks before it.
"""

from __future__ import annotations

import re
from typing import Any

from linnet_core.errors import DocumentError
from linnet_ge.model import Problem
from linnet_ge.prototext.tree import Document, Field, Items
from linnet_ge.text.collector import paused_collector

#: How deep messages may stand in one another.
MAX_DEPTH = 8192
#: So many fields are read: they take about 60 bytes each, the dumps of the largest models have less than half as many.
MAX_FIELDS = 25_000_000
#: After so many fields it is looked at how many there are, and how many short texts are remembered to be shared.
_STRETCH = 1 << 16
_REMEMBERED = 1 << 18
#: Reading stops after so many problems.
MAX_PROBLEMS = 100

_GAP = r"(?:\s++|\#[^\n]*+)*+"
_SKIP = r"(?:[\s,;]++|\#[^\n]*+)*+"
_STRING = r""" (?:"(?:[^"\\\n]++|\\[^\n])*+"|'(?:[^'\\\n]++|\\[^\n])*+') """
_WORD = r"""(?:[-+]?[ \t]*+(?:[0-9.][\w.]*+(?:(?<=[eE])[-+]\d++[fF]?)?|[A-Za-z_][\w.]*+))"""
_SCALAR = rf"(?:{_WORD}|({_STRING}(?:{_GAP}{_STRING})++)|{_STRING})".replace(" (?:", "(?:").replace(") ", ")")
#: Groups: name, opening bracket, scalar, several adjacent strings (inside the scalar), closing bracket.
_FIELD = re.compile(rf"{_SKIP}(?:([A-Za-z_][\w.]*+|\d++|\[[^\]\[\n\"']*+\]){_GAP}(?::{_GAP}(?:([{{<\[])|({_SCALAR}))|([{{<\[]))|([}}>]))")
#: Groups: scalar, several adjacent strings, opening bracket, closing bracket.
_ITEM = re.compile(rf"{_SKIP}(?:({_SCALAR})|([{{<])|(\]))")
_BLANK = re.compile(_SKIP)
_HEAD = re.compile(rf"([A-Za-z_][\w.]*+|\d++|\[[^\]\[\n\"']*+\]){_GAP}(:?){_GAP}")
_LITERAL = re.compile(_STRING.strip())
_CLOSING = {"{": "}", "<": ">", "[": "]"}


class Frame:
    """A message or list that is open: what its field is called, where it began, what it holds so far."""

    __slots__ = ("children", "closing", "line", "name")

    def __init__(self, name: str, line: int, closing: str) -> None:
        self.name = name
        self.line = line
        self.closing = closing
        self.children: list[Any] = []


def read(text: str, file: str) -> Document:
    """The tree of `text`; `DocumentError` where no field at all can be read."""
    with paused_collector():
        reader = _Reader(text, file)
        reader.run()
    root = tuple(reader.stack[0].children)
    if not root and reader.problems:
        raise DocumentError(str(reader.problems[0]))
    return Document(root, tuple(reader.problems))


class _Reader:
    """The state of one reading; `stack[0]` is the file itself."""

    def __init__(self, text: str, file: str) -> None:
        self.text = text
        self.file = file
        self.problems: list[Problem] = []
        self.stack = [Frame("", 1, "")]
        self.position = 1 if text.startswith("\ufeff") else 0
        #: `line` is that of `counted`.
        self.line, self.counted = 1, 0
        self.known: dict[str, str] = {}
        self.made = 0

    def run(self) -> None:
        """Read to the end, or to the problem that ends reading."""
        while True:
            began = self._skip()
            if self.stack[-1].closing == "]":
                self._items()
            else:
                self._fields()
            self._skip()
            if self.position >= len(self.text) or (self.position == began and not self._explain()):
                break
            if self.made > MAX_FIELDS:
                self._problem(f"there are more than {MAX_FIELDS} fields", "fewer; the rest was not read")
                break
            if len(self.known) > _REMEMBERED:
                self.known.clear()
        self._close_all()

    def _skip(self) -> int:
        """Past white space and comments; the position there."""
        blank = _BLANK.match(self.text, self.position)
        assert blank is not None, "it matches nothing too"
        self.position = blank.end()
        return self.position

    def _fields(self) -> None:
        """Read fields until something else comes: a list, a problem, the end of a stretch or of the file."""
        text, position, match, known = self.text, self.position, _FIELD.match, self.known.setdefault
        line, counted, count = self.line, self.counted, self.text.count
        stack = self.stack
        children = stack[-1].children
        left = _STRETCH
        while left and (found := match(text, position)) is not None:
            left -= 1
            name, opening, value, strings, bare, closing = found.groups()
            if closing is None:
                start = found.start(1)
                line += count("\n", counted, start)
                counted = start
                name = known(name, name)
                opening = opening or bare
                if value is not None:
                    if strings is not None:
                        value = " ".join(_LITERAL.findall(value))
                    children.append(Field(name, known(value, value) if len(value) < 32 else value, line))
                else:
                    if len(stack) > MAX_DEPTH:
                        break
                    stack.append(Frame(name, line, _CLOSING[opening]))
                    children = stack[-1].children
            else:
                if stack[-1].closing != closing:
                    break
                frame = stack.pop()
                children = stack[-1].children
                if stack[-1].closing == "]":
                    children.append(tuple(frame.children))
                else:
                    children.append(Field(frame.name, tuple(frame.children), frame.line))
            position = found.end()
            if stack[-1].closing == "]":
                break
        self.position, self.line, self.counted = position, line, counted
        self.made += _STRETCH - left

    def _items(self) -> None:
        """Read the items of a list value until its end, a message in it, or a problem."""
        while (found := _ITEM.match(self.text, self.position)) is not None:
            value, strings, opening, closing = found.groups()
            if opening is not None:
                if len(self.stack) > MAX_DEPTH:
                    return
                self.stack.append(Frame("", self._line_at(found.start(3)), _CLOSING[opening]))
            elif closing is not None:
                frame = self.stack.pop()
                self.stack[-1].children.append(Field(frame.name, Items(tuple(frame.children)), frame.line))
            else:
                self.stack[-1].children.append(" ".join(_LITERAL.findall(value)) if strings is not None else value)
            self.position = found.end()
            self.made += 1
            if value is None or not self.made % _STRETCH:
                return

    def _explain(self) -> bool:
        """Say what is wrong at `position` and go on behind it; False when reading ends there.  Nothing is said where nothing is wrong."""
        pattern = _ITEM if self.stack[-1].closing == "]" else _FIELD
        if (found := pattern.match(self.text, self.position)) is not None:
            closing = found[found.lastindex or 0]
            if closing in ("}", ">"):
                self._wrong_closing(closing)
                self.position = found.end()
            elif len(self.stack) > MAX_DEPTH and closing in ("{", "<", "["):
                self._problem(f"messages are nested deeper than {MAX_DEPTH}", "a shallower message; the rest was not read")
                return False
            return len(self.problems) < MAX_PROBLEMS
        self._problem(*self._what())
        end = self.text.find("\n", self.position)
        self.position = len(self.text) if end < 0 else end
        return len(self.problems) < MAX_PROBLEMS

    def _wrong_closing(self, closing: str) -> None:
        """A bracket that closes nothing is left out; one of the other kind closes all the same."""
        frame = self.stack[-1]
        if len(self.stack) == 1:
            self._problem(f"`{closing}` closes nothing", "a field or the end of the file")
            return
        self._problem(f"`{closing}` closes `{frame.name}` of line {frame.line}", f"`{frame.closing}`")
        self._close()

    def _what(self) -> tuple[str, str]:
        """What stands at `position` and what was expected there."""
        head = _HEAD.match(self.text, self.position)
        at = self.position if head is None else head.end()
        here = self.text[at : at + 1]
        if self.stack[-1].closing == "]" and here not in ('"', "'"):
            return f"{shown(self.text[self.position])} in a list", "a value, `,` or `]`"
        if here in ('"', "'") and (head is None or head[2]) and not _LITERAL.match(self.text, at):
            return "a string is not closed on its line", f"`{here}`"
        if head is None:
            return f"{shown(here)} where a field begins", "a field name, a number or `[`"
        if not here:
            return f"the file ends behind `{shorten(head[1])}`", "its value"
        return f"{shown(here)} behind `{shorten(head[1])}`", "a value, `{` or `<`" if head[2] else "`:`, `{` or `<`"

    def _close_all(self) -> None:
        """Close what is open at the end; the innermost says where the file was cut."""
        if len(self.stack) > 1 and self.position >= len(self.text):
            frame = self.stack[-1]
            path = ".".join(shorten(one.name) for one in self.stack[-4:] if one.name)
            self._problem(f"the file ends inside `{path}`, which begins on line {frame.line}", f"`{frame.closing}`")
        while len(self.stack) > 1:
            self._close()

    def _close(self) -> None:
        frame = self.stack.pop()
        outer = self.stack[-1]
        value = Items(tuple(frame.children)) if frame.closing == "]" else tuple(frame.children)
        outer.children.append(value if outer.closing == "]" else Field(frame.name, value, frame.line))

    def _problem(self, message: str, expected: str) -> None:
        self.problems.append(Problem(self.file, self._line_at(min(self.position, len(self.text))), None, message, expected))

    def _line_at(self, position: int) -> int:
        self.line += self.text.count("\n", self.counted, position)
        self.counted = max(position, self.counted)
        return self.line


def shown(character: str) -> str:
    """A character as a message shows it: control characters by number."""
    return f"`{character}`" if character.isprintable() else f"the character U+{ord(character):04X}"


def shorten(name: str) -> str:
    """A name as a message shows it: never longer than 40 characters."""
    return name if len(name) <= 40 else name[:37] + "..."
