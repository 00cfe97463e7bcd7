"""The public items of a module of the standard library, as its source has them.

In: the text of a `.linnet` file written in the one style (a body opens at the end of a line, an item at column 0).  Out: an `Item` for each
`pub fn`, `op`, `block` and `const`: its documentation, its head as written, and the members of a block.
"""

from __future__ import annotations

import re
from pathlib import Path

from msgspec import Struct

import linnet_core

STD = Path(linnet_core.__file__).parent / "std"
_ITEM = re.compile(r"pub (fn|op|block|const) (\w+)")


class Item(Struct, frozen=True):
    """`head` is everything before the body, `doc` the `///` lines before it without their slashes, `members` those of a block."""

    kind: str
    name: str
    doc: str
    head: str
    members: tuple[str, ...] = ()

    @property
    def signature(self) -> str:
        """The head on one line, spaced in one way; the members of a block on lines of their own."""
        return "\n".join((one_line(self.head), *(f"    {one_line(member)}" for member in self.members)))


def modules() -> dict[str, Path]:
    """Every module by name, in order."""
    return {".".join(("std", *path.relative_to(STD).with_suffix("").parts)): path for path in sorted(STD.rglob("*.linnet"))}


def items(text: str) -> list[Item]:
    """The public items in the order of the file."""
    lines = text.splitlines()
    found = []
    for at, line in enumerate(lines):
        match = _ITEM.match(line)
        if match is None:
            continue
        kind, name = match.groups()
        head, after = _head(lines, at)
        members = _members(lines, after) if kind == "block" else ()
        found.append(Item(kind, name, _doc(lines, at), head, members))
    return found


def about(text: str) -> str:
    """What a module says of itself: the comment below its first line."""
    lines = text.splitlines()[1:]
    first = next(at for at, line in enumerate(lines) if line)
    last = next(at for at in range(first, len(lines)) if not lines[at].startswith("//"))
    return "\n".join(line.removeprefix("//").removeprefix(" ") for line in lines[first:last])


def one_line(text: str) -> str:
    """A head without line ends, and without the comma a list ends with when it is broken into lines."""
    text = re.sub(r"\s+", " ", text.strip())
    return re.sub(r", ([)>\]])", r"\1", re.sub(r"(?<! )([(<\[]) ", r"\1", text))


def _doc(lines: list[str], at: int) -> str:
    first = at
    while first > 0 and lines[first - 1].startswith("///"):
        first -= 1
    return "\n".join(line.removeprefix("///").removeprefix(" ") for line in lines[first:at])


def _head(lines: list[str], at: int) -> tuple[str, int]:
    """The lines from `at` to the one that opens a body, and the position behind them; one line where there is no body."""
    if " const " in lines[at][:10]:
        return lines[at], at + 1
    last = next(n for n in range(at, len(lines)) if lines[n].endswith("{"))
    return "\n".join(lines[at : last + 1]).removesuffix("{").rstrip(), last + 1


def _members(lines: list[str], at: int) -> tuple[str, ...]:
    """Weights, children, states and public functions of the block whose body begins at `at`."""
    found = []
    while lines[at] != "}":
        if re.match(r"    (param|buffer|state|sub) ", lines[at]):
            found.append(lines[at].strip())
        elif lines[at].startswith("    pub fn "):
            head, _ = _head(lines, at)
            found.append(re.sub(r"\n    ", "\n", head.strip()))
        at += 1
    return tuple(found)
