"""What commands print for people: lines and tables, on a terminal or in a pipe.

In: text of files, as it is.  Out: a page on stdout.  On a terminal that is wide enough tables are laid out by rich; elsewhere they are
columns of plain text, in which no cell is wrapped or cut.  Colour is for terminals, unless NO_COLOR or FORCE_COLOR say otherwise.  What
does not print is escaped.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from shutil import get_terminal_size
from typing import Literal

from msgspec import Struct

from linnet_core.cli.output import wants_colour, write
from linnet_core.text.cells import show_inline

Style = Literal["", "bold", "dim", "red", "green", "yellow"]
_CODES: dict[str, str] = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33"}


class Column(Struct, frozen=True):
    """A column: its title (empty: none), and whether its cells stand at the right."""

    title: str = ""
    right: bool = False


class Page:
    """Lines and tables that are printed together."""

    def __init__(self) -> None:
        self.terminal = sys.stdout.isatty()
        self.colour = wants_colour(sys.stdout)
        self.width = get_terminal_size().columns if self.terminal else 0
        self._parts: list[str] = []

    def line(self, text: str = "", style: Style = "") -> None:
        """One line."""
        self._parts.append(self._styled(show_inline(text), style) + "\n")

    def table(self, columns: Sequence[Column], rows: Iterable[Sequence[object]], indent: int = 0) -> None:
        """Rows of cells below the titles of their columns; nothing where there is no row.  A column without title and words is left out."""
        cells = [[show_inline(str(cell)) for cell in row] for row in rows]
        used = [at for at, column in enumerate(columns) if column.title or any(row[at] for row in cells)]
        columns, cells = [columns[at] for at in used], [[row[at] for at in used] for row in cells]
        if not cells or not used:
            return
        fits = self.terminal and self._width(columns, cells, indent) <= self.width
        self._parts.append(self._laid_out(columns, cells, indent) if fits else self._plain(columns, cells, indent))

    def print(self) -> None:
        """Write what was added."""
        write("".join(self._parts))

    def _styled(self, text: str, style: str) -> str:
        return f"\x1b[{_CODES[style]}m{text}\x1b[0m" if style and self.colour and text else text

    def _width(self, columns: Sequence[Column], cells: list[list[str]], indent: int) -> int:
        """How many cells of a terminal a table takes."""
        from rich.cells import cell_len

        rows = [[column.title for column in columns], *cells]
        return indent + sum(max(map(cell_len, column)) + 3 for column in zip(*rows, strict=True))

    def _plain(self, columns: Sequence[Column], cells: list[list[str]], indent: int) -> str:
        titles = [column.title for column in columns]
        shown = [titles, *cells] if any(titles) else cells
        widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
        lines = []
        for row in shown:
            words = [c.rjust(w) if column.right else c.ljust(w) for c, w, column in zip(row, widths, columns, strict=True)]
            text = " " * indent + "  ".join(words).rstrip()
            lines.append(self._styled(text, "bold" if row is titles else "") + "\n")
        return "".join(lines)

    def _laid_out(self, columns: Sequence[Column], cells: list[list[str]], indent: int) -> str:
        from io import StringIO

        from rich.box import SIMPLE_HEAD
        from rich.console import Console
        from rich.padding import Padding
        from rich.table import Table
        from rich.text import Text

        titled = any(column.title for column in columns)
        table = Table(box=SIMPLE_HEAD if titled else None, show_header=titled, show_edge=False, pad_edge=False)
        for column in columns:
            table.add_column(Text(column.title), justify="right" if column.right else "left", overflow="fold", no_wrap=column.right)
        for row in cells:
            table.add_row(*map(Text, row))
        out = StringIO()
        console = Console(
            file=out,
            width=self.width,
            force_terminal=True,
            color_system="standard" if self.colour else None,
            markup=False,
            emoji=False,
            highlight=False,
            legacy_windows=False,
        )
        console.print(Padding(table, (0, 0, 0, indent)))
        return out.getvalue()


def counted(count: int, word: str) -> str:
    """`1 node`, `2 nodes`."""
    return f"{count} {word}{'' if count == 1 else 's'}"


def byte_words(count: int) -> str:
    """A number of bytes for people: `512 B`, `1.5 KiB`."""
    size = float(count)
    for unit in ("B", "KiB", "MiB", "GiB"):
        if size < 1024 or unit == "GiB":
            return f"{count} B" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1024
    return ""
