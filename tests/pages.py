"""The Markdown pages of the project as things to check: their code blocks, links and the paths they name.

In: the text of a page.  Out: `Block` values, links, paths; and whether a command's output is what a block shows.
"""

from __future__ import annotations

import re
from pathlib import Path

from msgspec import Struct

ROOT = Path(__file__).parents[1]

_FENCE = re.compile(r"^(?P<fence>`{3,})(?P<info>[^`\n]*)\n(?P<body>.*?)^(?P=fence)\s*$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"<!-- file: (\S+) -->\s*$")
_NAME = re.compile(r"^`(\S+)`:\s*$")
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_TOP = ("benchmarks", "docs", "examples", "linnet-core", "linnet-torch", "linnet-jax", "linnet-ge", "schemas", "tests", ".ci")
_PATH = re.compile(r"`(?P<path>(?:" + "|".join(re.escape(top) for top in _TOP) + r")/[^`\s]*)`")


class Block(Struct, frozen=True):
    """A fenced block: the words after the fence, the text, its line, the file of the project that a comment before it names, and the
    name that the line before it gives to a file of an example.
    """

    info: tuple[str, ...]
    text: str
    line: int
    file: str | None
    name: str | None = None

    @property
    def language(self) -> str:
        """`console`, `linnet`, `python`, ... or nothing."""
        return self.info[0] if self.info else ""

    @property
    def status(self) -> int:
        """The exit status the commands of a `console` block end with: `status=1` after the language, else 0."""
        return next((int(word.removeprefix("status=")) for word in self.info if word.startswith("status=")), 0)


class Command(Struct, frozen=True):
    """One command of a `console` block and the output shown below it."""

    command: str
    output: str


def pages() -> list[Path]:
    """Every page of the project, in order."""
    found = [*ROOT.glob("*.md"), *ROOT.glob("linnet-*/README.md"), *ROOT.glob("schemas/*.md"), *ROOT.glob("examples/*/README.md")]
    found += [*ROOT.glob("docs/**/*.md"), *ROOT.glob("benchmarks/*.md")]
    return sorted(found)


def blocks(text: str) -> list[Block]:
    """The fenced blocks of a page."""
    found = []
    for match in _FENCE.finditer(text):
        file = _FILE.search(text[: match.start()])
        above = text[: match.start()].rstrip().rpartition("\n")[2]
        name = _NAME.fullmatch(above)
        line = text.count("\n", 0, match.start()) + 1
        found.append(Block(tuple(match["info"].split()), match["body"], line, file[1] if file else None, name[1] if name else None))
    return found


def prose(text: str) -> str:
    """A page without its fenced blocks."""
    return _FENCE.sub("", text)


def links(text: str) -> list[str]:
    """Where the links of a page go that stay inside the project, without their `#part`."""
    return [link.partition("#")[0] for link in _LINK.findall(prose(text)) if "://" not in link and not link.startswith("#")]


def paths(text: str) -> list[str]:
    """The paths from the root that a page names in code; those with a placeholder in capitals or a wildcard end before it."""
    return [re.split(r"[A-Z<*{]{2,}|[<*{]|NAME", match["path"])[0] for match in _PATH.finditer(prose(text))]


def commands(block: Block) -> list[Command]:
    """The commands of a `console` block; a line that begins with `> ` continues one."""
    found: list[Command] = []
    for line in block.text.splitlines():
        if line.startswith("$ "):
            found.append(Command(line[2:], ""))
        elif line.startswith("> ") and found and not found[-1].output:
            found[-1] = Command(found[-1].command + "\n" + line[2:], "")
        else:
            found[-1] = Command(found[-1].command, found[-1].output + line + "\n")
    return found


def shows(output: str, shown: str) -> bool:
    """Whether `shown` is `output`, where a line `...` stands for any lines and `...` at a line's end for the rest of it."""
    parts = []
    for line in shown.splitlines():
        if line.strip() == "...":
            parts.append(r"(?:.*\n)*?")
        elif line.endswith("..."):
            parts.append(re.escape(line.removesuffix("...").rstrip()) + r".*\n")
        else:
            parts.append(re.escape(line.rstrip()) + r"[ \t]*\n")
    return re.fullmatch("".join(parts), output if output.endswith("\n") or not output else output + "\n") is not None
